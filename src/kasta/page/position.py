"""A position on a sheet, as on the table: it waits for an answer, or shows what was answered and what was best."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from kasta.core import Faces
from kasta.games.drawing import Block, Drawing, DrawnGrid
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.advice import places_in, places_of
from kasta.page.choices import ChoiceRow
from kasta.page.sheet_model import BlockPart, Drawn, GridPart, Part, drawing_of
from kasta.page.table_page import SheetPart
from kasta.page.table_sheet import drawn as drawn_sheet

SEAT = 0
ANSWERS = frozenset({""})  # in the place of lines that owe circles: cells are tapped for nothing but the answer


@dataclass(frozen=True, slots=True)
class DieSpot:
    """A die in its place; the coach points at what is better kept."""

    face: int
    is_kept: bool = False
    is_pointed: bool = False


@dataclass(frozen=True, slots=True)
class PositionPart:
    """coach/position.html: dice and a sheet; while it is open, dice that are kept are answered after `verb`.

    Buttons are for answers that have no place of their own: notation and label.
    """

    sheet: Markup
    dice: tuple[DieSpot, ...]
    sum: int | None
    hint: str
    verb: str = ""
    buttons: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """coach/verdict.html: whether an answer was right, what is best, why, and the figures of some choices."""

    is_right: bool
    best: str
    sentence: str
    rows: tuple[ChoiceRow, ...]


def open_position(game: AnyGame, sheet: Any, roll: Faces, said: Words) -> PositionPart:  # noqa: ANN401 - of any game
    """A sheet that waits for an answer: every legal one can be given, where it is done on the table, too."""
    drawn, traits, legal = drawing_of(game, sheet, said), game.traits, game.solo.legal(sheet)
    taps, others = _sorted_out(game, legal)
    keeps = any(traits.spot(action).dice is not None for action in legal)
    return PositionPart(
        _sheet(game, sheet, drawn, taps, frozenset(), said),
        tuple(map(DieSpot, drawn.dice or roll)),
        sum(roll) if traits.shows == "sum" else None,
        traits.hint(game.solo, sheet, said),
        drawn.verb if keeps else "",
        tuple((str(action), traits.phrase(action, said)) for action in others),
    )


def answered_position(
    game: AnyGame,
    sheet: Any,  # noqa: ANN401 - of any game
    roll: Faces,
    chosen: str,
    best: str,
    said: Words,
) -> PositionPart:
    """What was chosen is done on the sheet, and the coach points at what is best."""
    actions = game.solo.read_action(chosen), game.solo.read_action(best)
    done, better = map(game.traits.spot, actions)
    before = drawing_of(game, sheet, said)
    after = sheet if done.dice is not None else game.solo.act(sheet, actions[0])
    html = _sheet(game, after, drawing_of(game, after, said), {}, frozenset({done.place}), said)
    ids = places_of(game, SEAT, actions[1], before.dice, game.solo.legal(sheet))
    kept, kept_best = places_in(before.dice, done.dice or ()), places_in(before.dice, better.dice or ())
    return PositionPart(
        point_at(html, ids),
        tuple(DieSpot(face, i in kept, i in kept_best) for i, face in enumerate(before.dice or roll)),
        sum(roll) if game.traits.shows == "sum" else None,
        "",
    )


def point_at(html: str, ids: Iterable[str]) -> Markup:
    """A sheet with a ring on some of its places: as the page's script draws it when the coach is asked."""
    html = str(html)
    for each in ids:
        html = re.sub(rf'(id="{re.escape(each)}")(?: class="([^"]*)")?', r'\1 class="pointed \2"', html, count=1)
    return Markup(html)  # noqa: S704 - a sheet of ours


def given_answer(do: str, kept: Sequence[str]) -> str:
    """What was answered: tapped, or dice that were chosen, after the verb of their button."""
    return " ".join([do, *sorted(kept)]).strip()


def _sheet(
    game: AnyGame,
    sheet: Any,  # noqa: ANN401 - of any game
    drawn: Drawing,
    taps: Mapping[str, str],
    fresh: frozenset[str],
    said: Words,
) -> Markup:
    shown = Drawn(_part(drawn, dict(taps), fresh), "", (), (), None, None)
    part = SheetPart(SEAT, game.traits.heading(said), game.solo.total(sheet), shown, is_mine=bool(taps))
    return Markup(drawn_sheet(said, part))  # noqa: S704 - escaped where it is put together


def _part(drawn: Drawing, taps: dict[str, str], fresh: frozenset[str]) -> Part:
    match drawn:
        case DrawnGrid():
            none = frozenset[str]()
            return GridPart(drawn, fresh, none, none, none, ANSWERS, None, taps, "lines", "")
        case Block():
            return BlockPart(drawn, fresh, taps)
    return drawn


def _sorted_out(game: AnyGame, legal: Iterable[Any]) -> tuple[dict[str, str], list[Any]]:
    """What taps do by cell or box, and what needs a button: it has no place, or shares it with others."""
    placed = defaultdict[str, list[Any]](list)
    for action in legal:
        spot = game.traits.spot(action)
        if spot.dice is None:
            placed[spot.place].append(action)
    taps = {place: str(actions[0]) for place, actions in placed.items() if place and len(actions) == 1}
    return taps, [action for place, actions in placed.items() if place not in taps for action in actions]
