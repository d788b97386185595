"""Everybody against everybody, and a table of who won how often: python tournament.py"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import kasta


class First:
    """Takes the first action of the list."""

    def choose(self, view: kasta.Sight, legal: Sequence[Any], rng: Random) -> Any:
        """One of the legal actions."""
        return legal[0]


PLAYERS: dict[str, kasta.Bot | str] = {"first": First(), "greedy": "greedy", "anything": "anything"}


def main(games: int = 10) -> None:
    """Some games of each pair; both begin equally often."""
    wins = Counter(dict.fromkeys(PLAYERS, 0))
    for pair in combinations(PLAYERS, 2):
        for number in range(games):
            seats = pair if number % 2 else pair[::-1]
            totals = kasta.play("knister", [PLAYERS[name] for name in seats], seed=number // 2).totals
            wins[seats[totals.index(max(totals))]] += 1
    for name, won in wins.most_common():
        print(f"{name:<10}{won:>3}")


if __name__ == "__main__":
    main()
