"""Trappa as numbers, for those who train players."""

from __future__ import annotations

from collections.abc import Sequence

from kasta.core import FACES
from kasta.env.coding import Coding
from kasta_trappa import Sheet, Trappa


def coding(solo: Trappa) -> Coding[Sheet, int]:
    """Six boxes and the die that waits, each 0 or a face."""
    numbers = range(1, solo.size + 1)
    return Coding(
        solo=solo,
        actions=tuple(numbers),
        names=(*(f"box {number}" for number in numbers), "die"),
        sizes=(FACES.stop,) * (solo.size + 1),
        to_row=to_row,
        to_sheet=to_sheet,
    )


def to_row(sheet: Sheet) -> Sequence[int]:
    return (*sheet.boxes, sheet.die or 0)


def to_sheet(row: Sequence[int]) -> Sheet:
    return Sheet(tuple(row[:-1]), row[-1] or None)
