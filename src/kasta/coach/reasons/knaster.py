"""Reasons in Knaster: what lines can still become, and what circles bring."""

from __future__ import annotations

from functools import cache

from kasta.coach.reasons.grid import GridAfter, LineReasons
from kasta.games.composers import Shared
from kasta.games.grid import Cell, Line, hand
from kasta.games.grid_drawing import line_name, points
from kasta.games.knaster.rules import CIRCLES, Action, Bonus, Circle, Knaster, Sheet, Write
from kasta.games.knaster.traits import TRAITS
from kasta.i18n import Words

FEW = 2  # circles of a line that are no reason to draw one rather than write


def reason(game: Shared[Sheet, Action], sheet: Sheet, chosen: Action, best: Action, said: Words) -> str:
    solo = game.solo
    assert isinstance(solo, Knaster)  # noqa: S101 - these are its reasons
    return (
        _fifth_circle(solo, sheet, chosen, best, said)
        or _circle(solo, sheet, chosen, best, said)
        or _hands(solo, sheet, chosen, best, said)
    )


def _fifth_circle(solo: Knaster, sheet: Sheet, chosen: Action, best: Action, said: Words) -> str:
    """The line that the best circle earns, if the chosen one does not."""
    for line, earned in zip(solo.grid.lines, solo.lines(solo.act(sheet, best)), strict=True):
        if earned.points and _fresh(line, sheet, best) and (chosen == best or not _fresh(line, sheet, chosen)):
            blanks = {"line": line_name(line, said), "cell": _circled(best), "points": points(earned.points, said)}
            return said.say("{line}: {cell} is the last circle, {points}.", **blanks)
    return ""


def _hands(solo: Knaster, sheet: Sheet, chosen: Action, best: Action, said: Words) -> str:
    """What the numbers can become; after the last throw, nothing more is written."""

    def place(action: Action) -> GridAfter:
        return GridAfter(solo.act(sheet, action).numbers, action.cell if isinstance(action, Write) else None)

    if sheet.sum is None or sheet.last:
        return ""
    other = place(chosen) if chosen != best else GridAfter(sheet.numbers, None)
    return _lines(solo).reason(other, place(best), said)


def _circle(solo: Knaster, sheet: Sheet, chosen: Action, best: Action, said: Words) -> str:
    """How far the best circle brings a line that the chosen one does not reach."""
    cell, other = _circled(best), _circled(chosen) if chosen != best else None
    if cell is None:
        return ""
    lines = [line for line in solo.grid.through[cell] if other not in line.cells]
    counts = {line: 1 + sum(each in sheet.circled for each in line.cells) for line in lines}
    line = max(counts, key=lambda line: counts[line], default=None)
    saves = isinstance(best, Circle) and other is None  # instead of writing
    if line and counts[line] > (FEW if saves else 1):
        blanks = {"line": line_name(line, said), "cell": cell, "number": counts[line], "last": len(line.cells)}
        return said.say("{line}: {cell} is circle {number} of {last}.", **blanks)
    if saves:
        return said.say("{cell} gets its circle, and no free cell is used up.", cell=cell)
    if other is not None and len(solo.grid.through[cell]) > len(solo.grid.through[other]):
        return said.say("More lines go through {cell} than through {other}.", cell=cell, other=other)
    return ""


def _circled(action: Action) -> Cell | None:
    return action.cell if isinstance(action, Circle | Bonus) else None


def _fresh(line: Line, sheet: Sheet, action: Action) -> bool:
    """Whether an action draws a circle in a line."""
    return (cell := _circled(action)) is not None and cell in line.cells and cell not in sheet.circled


@cache
def _lines(solo: Knaster) -> LineReasons:
    def named(numbers: tuple[int, ...]) -> str | None:
        return found if (found := hand(numbers)) in CIRCLES else None

    def say_worth(said: Words, number: int) -> str:
        return said.count("{number} circle", "{number} circles", number)

    return LineReasons(solo.grid, named, lambda _line, hand: CIRCLES[hand], TRAITS.word, say_worth)
