"""A decision on its sheet: what every free place was worth, as a shade and as a number."""

from __future__ import annotations

from collections.abc import Mapping
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
class SheetNote:
    """What a choice was worth less than the best: as text, and as a shade, from `shade0`, far off."""

    text: str
    shade: str
    is_best: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class NotedChoice:
    """A choice without a place on the sheet."""

    name: str
    note: SheetNote


@dataclass(frozen=True, slots=True)
class NotedSheet:
    """A sheet with notes by cell or box: of the best choice there, or of the one that was made."""

    drawn: drawing.Drawing
    notes: Mapping[str, SheetNote]
    written: str  # in the cell that was chosen
    dice: tuple[int, ...]
    choices: tuple[NotedChoice, ...]
    do: str  # what was done, and what was best, as people say it
    best: str


def noted_sheet(game: AnyGame, sheet: Any, move: ReviewedMove, spread: float, words: Words) -> NotedSheet:  # noqa: ANN401
    """A sheet as it was when a decision was made, with what was known of every choice."""
    drawn = drawing_of(game, sheet, words)
    notes = {do: _note(do, move.options[0][1] - value, move, spread, words) for do, value, _ in move.options}
    spots = {do: game.traits.spot(game.solo.read_action(do)) for do in notes}
    homeless = [do for do, spot in spots.items() if spot.cell is None and spot.box is None]
    listed = [do for i, do in enumerate(homeless) if i < MOST_LISTED or notes[do].is_mine]
    return NotedSheet(
        drawn,
        _by_place(spots, notes),
        str(sum(move.roll)) if game.traits.shows == "sum" else "",
        drawn.dice or move.roll,
        tuple(NotedChoice(_name(game, do, drawn, words), notes[do]) for do in listed),
        _name(game, move.do, drawn, words),
        _name(game, move.best, drawn, words),
    )


def _by_place(spots: Mapping[str, drawing.Spot], notes: Mapping[str, SheetNote]) -> dict[str, SheetNote]:
    """The note of each cell or box: of the best choice there, or of the one that was made."""
    found: dict[str, SheetNote] = {}
    for do, spot in spots.items():
        place = spot.place
        if place and (place not in found or notes[do].is_mine):
            found[place] = notes[do]
    return found


def _note(do: str, lost: float, move: ReviewedMove, spread: float, words: Words) -> SheetNote:
    shade = SHADE_NAMES[sum(lost < share * spread for share in SHADES)]
    return SheetNote(words.decimal(-lost), shade, do == move.best, do == move.do)


def _name(game: AnyGame, do: str, drawn: drawing.Drawing, words: Words) -> str:
    """A choice as people say it: a cell, a box, the dice that stay, or what its button says."""
    action = game.solo.read_action(do)
    spot = game.traits.spot(action)
    if spot.box is not None and isinstance(drawn, drawing.Block):
        return drawn.boxes[spot.box].label
    if spot.dice is not None:
        dice = drawing.die_signs(spot.dice)
        return words.say("keep {dice}", dice=dice) if dice else words.say("throw all again")
    return do if spot.cell else game.traits.label(action, words)
