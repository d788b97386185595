"""How high does a bot of your own score when it plays alone? python own_average.py"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import kasta


class Last:
    """Takes the last action of the list."""

    def choose(self, view: kasta.Sight, legal: Sequence[Any], rng: Random) -> Any:
        """One of the legal actions."""
        return legal[-1]


def main(games: int = 40) -> None:
    """Many games, and their mean."""
    for bot in (Last(), "anything", "greedy"):
        summary, _ = kasta.simulate("yatzy", bot=bot, games=games, seed=1)
        print(f"{summary.bot}: {summary.mean:.1f}, give or take {summary.se:.1f}")


if __name__ == "__main__":
    main()
