"""A sheet on which an answer is given: by a tap on a cell or box, by choosing dice, or by a button."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from kasta.core import Faces
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.sheet_model import drawing_of


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A cell; `do` is what a tap on it answers, "" where it answers nothing."""

    name: str
    text: str
    label: str
    is_circled: bool
    do: str


@dataclass(frozen=True, slots=True)
class BoardBox:
    label: str
    text: str
    pays: str
    do: str


@dataclass(frozen=True, slots=True)
class QuizBoard:
    """coach/board.html: a grid, boxes in sections, or a text; dice that are chosen are answered after `verb`."""

    kind: str
    dice: Faces
    shows_sum: bool  # of the dice
    hint: str
    rows: tuple[tuple[str, tuple[BoardCell, ...]], ...] = ()
    columns: tuple[str, ...] = ()
    sections: tuple[tuple[str, tuple[BoardBox, ...]], ...] = ()
    text: str = ""
    verb: str = ""
    buttons: tuple[tuple[str, str], ...] = ()  # notation and label


def board(game: AnyGame, sheet: Any, roll: Faces, said: Words) -> QuizBoard:  # noqa: ANN401 - of any game
    """A sheet that waits for an answer, with every answer in its place."""
    drawn, taps, homeless = drawing_of(game, sheet, said), defaultdict[str, list[Any]](list), list[Any]()
    keeps = False
    for action in game.solo.legal(sheet):
        spot = game.traits.spot(action)
        keeps = keeps or spot.dice is not None
        place = spot.cell or spot.box
        if place is not None:
            taps[place].append(action)
        elif spot.dice is None:
            homeless.append(action)
    several = [action for actions in taps.values() if len(actions) > 1 for action in actions]
    do = {place: str(actions[0]) for place, actions in taps.items() if len(actions) == 1}
    dice = drawn.dice if isinstance(drawn, drawing.Block) and drawn.dice else roll
    return QuizBoard(
        kind={drawing.DrawnGrid: "grid", drawing.Block: "block"}.get(type(drawn), "plain"),
        dice=dice,
        shows_sum=game.traits.shows == "sum",
        hint=game.traits.hint(game.solo, sheet, said),
        rows=_rows(drawn, do) if isinstance(drawn, drawing.DrawnGrid) else (),
        columns=tuple(line.name for line in drawn.columns) if isinstance(drawn, drawing.DrawnGrid) else (),
        sections=_sections(drawn, do) if isinstance(drawn, drawing.Block) else (),
        text=drawn.text if isinstance(drawn, drawing.Plain) else "",
        verb=drawn.verb if isinstance(drawn, drawing.Block) and keeps else "",
        buttons=tuple((str(action), game.traits.phrase(action, said)) for action in (*several, *homeless)),
    )


def _rows(drawn: drawing.DrawnGrid, do: dict[str, str]) -> tuple[tuple[str, tuple[BoardCell, ...]], ...]:
    return tuple(
        (line.name, tuple(_cell(cell, do.get(cell.name, "")) for cell in cells))
        for line, cells in zip(drawn.rows, drawn.cells, strict=True)
    )


def _cell(cell: drawing.DrawnCell, do: str) -> BoardCell:
    return BoardCell(cell.name, cell.text, cell.label, cell.is_circled, do)


def _sections(drawn: drawing.Block, do: dict[str, str]) -> tuple[tuple[str, tuple[BoardBox, ...]], ...]:
    return tuple(
        (
            section.heading,
            tuple(BoardBox(box.label, box.text, box.pays, do.get(box.name, "")) for box in section.boxes),
        )
        for section in drawn.sections
    )
