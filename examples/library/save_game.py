"""Play a game between bots, keep its record in a file, and read it again: python save_game.py"""

from __future__ import annotations

from pathlib import Path

import kasta


def main(path: Path = Path("game.jsonl")) -> None:
    """Play, write, read."""
    finished = kasta.play("knaster", ["greedy", "anything"], names=["Ann", "Ben"], seed=4)
    path.write_text(finished.record, "utf-8")
    end = kasta.replay(path)
    for seat, name in enumerate(end.header.seats):
        print(f"{name}: {end.game.total(end.table, seat)}")


if __name__ == "__main__":
    main()
