"""Write a bot of your own, and see whether it beats one of ours: python own_bot.py"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import kasta


class Highest:
    """Keeps fives and sixes until nothing may be thrown again, then fills the box that pays most."""

    def choose(self, view: kasta.Sight, legal: Sequence[Any], rng: Random) -> Any:
        """One of the legal actions."""
        keep = " ".join(["keep", *(str(face) for face in view.sheet.dice if face >= 5)])
        if keep in map(str, legal):
            return keep
        return kasta.find_bot("greedy", view.game).choose(view, legal, rng)


def main(games: int = 50) -> None:
    """Let it meet a bot that takes what pays most at once."""
    score = kasta.match("yatzy", [Highest(), "greedy"], games=games, seed=1)
    difference, error = score.difference
    print(f"{score.names[0]} won {score.wins[0]} of {score.games} games.")
    print(f"It made {difference:+.1f} points a game more than {score.names[1]}, give or take {error:.1f}.")


if __name__ == "__main__":
    main()
