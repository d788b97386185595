"""Count what the dice of a record show: python count_throws.py game.jsonl"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import kasta


def main(path: Path) -> None:
    """A line for each face."""
    steps = (moment.step for moment in kasta.walk(path))
    faces = Counter(face for step in steps if isinstance(step, kasta.Roll) for face in step.faces)
    for face in range(1, 7):
        print(f"{face}: {faces[face]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
