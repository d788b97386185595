"""Draw a sheet as SVG, with a mark and an arrow: python draw_sheet.py sheet.svg"""

from __future__ import annotations

import sys
from pathlib import Path

import kasta

SHEET = """
 8 10  9 11 12
 7  7  6  7  7
 6  3  .  6  6
 5  7  4  7  9
 4  8  2  8  4
"""


def main(path: Path) -> None:
    """The last free cell, and where its number will count twice."""
    knister = kasta.find_game("knister")
    sheet = knister.solo.read_sheet(SHEET)
    picture = kasta.draw.svg(
        knister, sheet, size=480, dice=(3, 4), coordinates=True, marks={"c3": "gold"}, arrows=[("a5", "c3")]
    )
    path.write_text(str(picture), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
