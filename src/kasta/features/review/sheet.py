"""A decision on its sheet: what every free place was worth, as a shade and as a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kasta.coach.marks import BAD, DOUBTFUL, MATTER_OF_COURSE, VERY_BAD
from kasta.coach.reviewed import ReviewedMove
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.sheet_model import drawing_of

MOST_LISTED = 6  # choices that have no place on the sheet
SHADES = (MATTER_OF_COURSE, VERY_BAD, BAD, DOUBTFUL)  # of the spread, given away: what is less is a shade darker
SHADE_NAMES = ("shade0", "shade1", "shade2", "shade3", "shade4")


@dataclass(frozen=True, slots=True)
class Note:
    """What a choice was worth less than the best: as text, and as a shade, from `shade0`, far off."""

    text: str
    shade: str
    is_best: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class NotedCell:
    """A cell; `text` is what stands in it or, where the choice was made, what was written."""

    name: str
    text: str
    is_circled: bool
    label: str
    note: Note | None


@dataclass(frozen=True, slots=True)
class NotedGrid:
    rows: tuple[tuple[str, tuple[NotedCell, ...]], ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotedBox:
    label: str
    text: str
    note: Note | None


@dataclass(frozen=True, slots=True)
class NotedBlock:
    sections: tuple[tuple[str, tuple[NotedBox, ...]], ...]


@dataclass(frozen=True, slots=True)
class NotedPlain:
    text: str


@dataclass(frozen=True, slots=True)
class NotedChoice:
    """A choice without a place on the sheet; `dice` are those that it keeps, if it is that kind."""

    name: str
    dice: tuple[int, ...] | None
    note: Note


@dataclass(frozen=True, slots=True)
class NotedSheet:
    kind: str  # grid, block or plain: which template draws it
    sheet: NotedGrid | NotedBlock | NotedPlain
    dice: tuple[int, ...]
    choices: tuple[NotedChoice, ...]
    do: str  # what was done, and what was best, as people say it
    best: str


def noted_sheet(game: AnyGame, sheet: Any, move: ReviewedMove, spread: float, words: Words) -> NotedSheet:  # noqa: ANN401
    """A sheet as it was when a decision was made, with what was known of every choice."""
    best = move.options[0][1]
    places: dict[str, Note] = {}  # the best choice of each cell or box, or the one that was made
    homeless: list[tuple[drawing.Spot, str, Note]] = []
    for do, value, _ in move.options:
        spot, note = game.traits.spot(game.solo.read_action(do)), _note(do, best - value, move, spread, words)
        place = spot.cell or spot.box
        if place is None:
            homeless.append((spot, do, note))
        elif place not in places or note.is_mine:
            places[place] = note
    drawn = drawing_of(game, sheet, words)
    kind, noted = _noted(drawn, places, str(sum(move.roll)) if game.traits.shows == "sum" else "")
    listed = [one for i, one in enumerate(homeless) if i < MOST_LISTED or one[2].is_mine]
    return NotedSheet(
        kind,
        noted,
        (drawn.dice if isinstance(drawn, drawing.Block) else ()) or move.roll,
        tuple(NotedChoice(_name(game, do, drawn, words), spot.dice, note) for spot, do, note in listed),
        _name(game, move.do, drawn, words),
        _name(game, move.best, drawn, words),
    )


def _note(do: str, lost: float, move: ReviewedMove, spread: float, words: Words) -> Note:
    shade = SHADE_NAMES[sum(lost < share * spread for share in SHADES)]
    return Note(words.decimal(-lost), shade, do == move.best, do == move.do)


def _noted(
    drawn: drawing.Drawing, notes: dict[str, Note], written: str
) -> tuple[str, NotedGrid | NotedBlock | NotedPlain]:
    match drawn:
        case drawing.DrawnGrid():
            rows = tuple(
                (line.name, tuple(_cell(cell, notes.get(cell.name), written) for cell in cells))
                for line, cells in zip(drawn.rows, drawn.cells, strict=True)
            )
            return "grid", NotedGrid(rows, tuple(line.name for line in drawn.columns))
        case drawing.Block():
            sections = tuple(
                (part.heading, tuple(NotedBox(box.label, box.text, notes.get(box.name)) for box in part.boxes))
                for part in drawn.sections
            )
            return "block", NotedBlock(sections)
        case drawing.Plain(text):
            return "plain", NotedPlain(text)


def _cell(cell: drawing.DrawnCell, note: Note | None, written: str) -> NotedCell:
    text = written if note and note.is_mine and not cell.text else cell.text
    return NotedCell(cell.name, text, cell.is_circled, cell.label, note)


def _name(game: AnyGame, do: str, drawn: drawing.Drawing, words: Words) -> str:
    """A choice as people say it: a cell, a box, the dice that stay, or what its button says."""
    action = game.solo.read_action(do)
    spot = game.traits.spot(action)
    if spot.box is not None and isinstance(drawn, drawing.Block):
        return drawn.boxes[spot.box].label
    if spot.dice is not None:
        dice = " ".join(map(str, spot.dice))
        return words.say("keep {dice}", dice=dice) if dice else words.say("throw all again")
    return do if spot.cell else game.traits.label(action, words)
