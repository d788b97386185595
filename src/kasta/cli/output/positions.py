"""A position in the terminal: the dice, and the sheet drawn with letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kasta.core import Faces
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words


def dice_of(game: AnyGame, sheet: Any, roll: Faces, said: Words) -> str:  # noqa: ANN401 - of any game
    """The dice that a decision is about: those on the table, else those thrown, with their sum where it counts."""
    drawn = game.traits.draw(game.solo, sheet, said)
    faces = drawn.dice or roll
    if game.traits.shows == "sum":
        return f"{' + '.join(map(str, faces))} = {sum(faces)}"
    return " ".join(map(str, faces))


def sheet_rows(game: AnyGame, sheet: Any, said: Words) -> Iterator[str]:  # noqa: ANN401 - of any game
    """The sheet drawn with letters, without its empty boxes."""
    drawn = game.traits.draw(game.solo, sheet, said)
    if isinstance(drawn, drawing.Block):
        drawn = drawn.only({name for name, box in drawn.boxes.items() if box.text})
    yield from (f"    {row.rstrip()}" for row in drawing.rows_of_text(drawn) if row.strip())
