"""Makes the puzzles of a game from a seed: `python tools/make_puzzles.py GAME COUNT SEED > .../puzzles.jsonl`.

Of each level there are as many; they come in the order in which days take them, one level after the other. No two
are from one game.
"""

from __future__ import annotations

import sys
from itertools import chain

from kasta.coach.puzzles import LEVELS, Puzzle, make, write


def main(name: str, count: int, seed: int) -> None:
    found: dict[int, list[Puzzle]] = {level: [] for level in LEVELS}
    most = -(-count // len(LEVELS))
    wanted = set(LEVELS)
    for puzzles in make(name, seed, wanted):
        if puzzles:
            puzzle = min(puzzles, key=lambda puzzle: len(found[puzzle.level]))
            found[puzzle.level].append(puzzle)
            wanted -= {level for level, each in found.items() if len(each) == most}
            sys.stderr.write(f"\r{name}: " + " ".join(f"{len(each)}/{most}" for each in found.values()))
        if not wanted:
            break
    for puzzle in chain.from_iterable(zip(*found.values(), strict=True)):
        sys.stdout.write(write(puzzle) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
