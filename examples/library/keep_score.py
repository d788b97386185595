"""Follow a game of Knister with real dice: every action is the text that people say. python keep_score.py"""

from __future__ import annotations

import kasta

ROUNDS = [((3, 5), "c3", "a1"), ((6, 6), "d3", "b1"), ((2, 5), "e3", "c1")]


def main() -> None:
    """Three rounds of two players."""
    knister = kasta.find_game("knister")
    table = knister.start(seats=2)
    for dice, *cells in ROUNDS:
        table = knister.throw(table, dice)
        for seat, cell in enumerate(cells):
            table = knister.act(table, seat, cell)
    for seat in range(2):
        print(knister.solo.write_sheet(knister.sheet(table, seat)))


if __name__ == "__main__":
    main()
