"""How lucky the dice of a game were, and what its players gave away: python luck_and_errors.py game.jsonl"""

from __future__ import annotations

import sys
from pathlib import Path

import kasta


def main(path: Path) -> None:
    """A line for each seat, and its worst decision."""
    for one in kasta.review(kasta.walk(path)):
        print(f"{one.name}: {one.total} points, luck {one.luck:+.1f}, lost {one.lost:.1f}")
        worst = max(one.moves, key=lambda move: move.lost)
        if worst.lost:
            print(f"  round {worst.round}: {worst.do} instead of {worst.best} lost {worst.lost:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
