"""Trappa as numbers, for those who train players."""

from __future__ import annotations

from kasta.core import FACES
from kasta.env.coding import Coding, code_fields
from kasta_trappa import Sheet, Trappa


def coding(solo: Trappa) -> Coding[Sheet, int]:
    """The boxes and the die that waits, each 0 or a face."""
    numbers = range(1, solo.size + 1)
    return code_fields(solo, numbers, {"boxes": FACES.stop, "die": FACES.stop}, thrown="die")
