"""Sheets as a page shows them: a game's drawing, with what a tap on each place does, and what is fresh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kasta.core import Seat
from kasta.games import drawing
from kasta.i18n import Words
from kasta.table.rights import Options
from kasta.table.state import Table


@dataclass(frozen=True, slots=True)
class CellPart:
    """`do` is what a tap means, None where it means nothing; fresh is what was done on this throw."""

    cell: drawing.Cell
    do: str | None
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class LinePart:
    """What stands at the end of a line; `owes` is how many circles its owner can draw for it now."""

    line: drawing.Line
    owes: int
    is_fresh: bool
    is_serving: bool  # a tap draws this line's circles


@dataclass(frozen=True, slots=True)
class GridPart:
    rows: tuple[tuple[LinePart, tuple[CellPart, ...]], ...]
    columns: tuple[LinePart, ...]
    falling: LinePart
    rising: LinePart
    template: str = "sheet/grid.html"

    @property
    def lines(self) -> dict[str, drawing.Line]:
        """The lines by their names."""
        ends = [*(end for end, _ in self.rows), *self.columns, self.falling, self.rising]
        return {end.line.name: end.line for end in ends}


@dataclass(frozen=True, slots=True)
class BoxPart:
    box: drawing.Box
    do: str | None
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class BlockPart:
    """Sections are a heading, boxes, and sums; dice may be chosen, and are posted after `verb`."""

    sections: tuple[tuple[str, tuple[BoxPart, ...], tuple[tuple[str, str], ...]], ...]
    dice: tuple[int, ...]
    verb: str
    may_choose: bool
    template: str = "sheet/block.html"


@dataclass(frozen=True, slots=True)
class PlainPart:
    text: str
    template: str = "sheet/plain.html"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sheet, what is to be done on it, and buttons for what has no place on it: notation and label."""

    part: GridPart | BlockPart | PlainPart
    hint: str
    buttons: tuple[tuple[str, str], ...]
    legend: drawing.Legend | None


def draw(table: Table, seat: Seat, sheet: Any, may: Options, words: Words, serve: str | None) -> Drawn:  # noqa: ANN401
    """The sheet of a seat, with what its owner may do on it; `serve` is the line that they want to act for."""
    game, traits = table.game, table.game.traits
    start = game.solo.start() if table.before is None else game.sheet(table.before, seat)
    now, old = traits.draw(game.solo, sheet, words), traits.draw(game.solo, start, words)
    spots = {str(action): traits.spot(action) for action in may.actions}
    serving = _serving(spots, serve)
    homeless = () if may.moves else [action for action in may.actions if traits.spot(action) == drawing.Spot()]
    part: GridPart | BlockPart | PlainPart
    match now, old:
        case drawing.Grid(), drawing.Grid():
            part = _grid(now, old, spots, serving)
        case drawing.Block(), drawing.Block():
            part = _block(now, old, {} if may.moves else spots)
        case drawing.Plain(text), _:
            part = PlainPart(text)
        case _:
            raise TypeError(f"{game.name} draws one sheet as {type(now)} and another as {type(old)}")
    return Drawn(
        part,
        hint=traits.hint(game.solo, sheet, words, serving),
        buttons=tuple((str(action), traits.label(action, words)) for action in homeless),
        legend=traits.legend(words),
    )


def _serving(spots: dict[str, drawing.Spot], wanted: str | None) -> str | None:
    """The line that taps act for: the wanted one, or the only one there is."""
    lines = list(dict.fromkeys(spot.line for spot in spots.values() if spot.line))
    if wanted in lines:
        return wanted
    return lines[0] if len(lines) == 1 else None


def _grid(now: drawing.Grid, old: drawing.Grid, spots: dict[str, drawing.Spot], serving: str | None) -> GridPart:
    lines = {spot.line for spot in spots.values() if spot.line}
    taps = {spot.cell: do for do, spot in spots.items() if spot.cell and spot.line in {None, serving}}
    before = old.lines

    def line(each: drawing.Line) -> LinePart:
        fresh = each.is_earned and not before[each.name].is_earned
        return LinePart(each, each.owes if each.name in lines else 0, fresh, each.name == serving)

    def cell(each: drawing.Cell, was: drawing.Cell) -> CellPart:
        do = taps.get(each.name)
        if each.text and do == each.name:
            do = None  # it has just been written there
        return CellPart(each, do, is_fresh=each != was)

    cells = [tuple(map(cell, row, was)) for row, was in zip(now.cells, old.cells, strict=True)]
    return GridPart(
        rows=tuple(zip(map(line, now.rows), cells, strict=True)),
        columns=tuple(map(line, now.columns)),
        falling=line(now.falling),
        rising=line(now.rising),
    )


def _block(now: drawing.Block, old: drawing.Block, spots: dict[str, drawing.Spot]) -> BlockPart:
    taps = {spot.box: do for do, spot in spots.items() if spot.box}
    before = old.boxes

    def box(each: drawing.Box) -> BoxPart:
        return BoxPart(each, taps.get(each.name), is_fresh=bool(each.text) and not before[each.name].text)

    return BlockPart(
        tuple((section.heading, tuple(map(box, section.boxes)), section.sums) for section in now.sections),
        dice=now.dice,
        verb=now.verb,
        may_choose=any(spot.dice is not None for spot in spots.values()),
    )
