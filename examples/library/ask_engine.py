"""Ask a program that plays what it would do, and let it meet a bot: python ask_engine.py COMMAND"""

from __future__ import annotations

import sys

import kasta

RECORD = """\
{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Ann"]}
{"roll": [3, 5]}
{"seat": 0, "do": "c3"}
{"roll": [6, 6]}
"""


def main(command: str) -> None:
    """One position, then one game."""
    with kasta.Engine(command, seconds=60) as engine:
        print(f"{engine.name} does {engine.play(RECORD)}.")
        finished = kasta.play("knister", [engine, "greedy"], seed=1)
    for name, total in zip(finished.header.seats, finished.totals, strict=True):
        print(f"{name}: {total}")


if __name__ == "__main__":
    main(sys.argv[1])
