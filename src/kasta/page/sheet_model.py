"""Sheets as a page shows them: a game's drawing, with what a tap on each place does, and what is fresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Literal

from kasta.core import Seat
from kasta.games import GAMES, drawing, find_game
from kasta.games.traits import AnyGame
from kasta.i18n import Words, words
from kasta.tables.state import Table
from kasta.tables.view import NOTHING, Options

MOST_KEPT = 10_000  # drawings
MOST_UNEVEN = 2  # rows, by which one half of a block may be longer than the other

NOWHERE = drawing.Spot()

Mode = Literal["throw", "lines", ""]
Spots = Sequence[tuple[Any, drawing.Spot]]
"""Actions, and where on the sheet they are done."""


@dataclass(frozen=True, slots=True)
class CellPart:
    """`do` is what a tap means, when the sum is `on` if that is given; fresh is what was done on this throw.

    Parts are compared by what a page cannot know by itself.
    """

    cell: drawing.DrawnCell
    do: str
    on: str
    is_fresh: bool
    is_live: bool = field(compare=False)  # it can be tapped now


@dataclass(frozen=True, slots=True)
class LinePart:
    """What stands at the end of a line; `owes` is how many circles its owner can draw for it now."""

    line: drawing.DrawnLine
    owes: int
    is_changed: bool = field(compare=False)  # something was written in it on this throw
    is_fresh: bool  # it was earned by that
    is_serving: bool  # a tap draws this line's circles


@dataclass(frozen=True, slots=True)
class GridPart:
    """In mode `throw` cells are tapped for the throw, in mode `lines` for a line, else not at all."""

    rows: tuple[tuple[LinePart, tuple[CellPart, ...]], ...]
    columns: tuple[LinePart, ...]
    falling: LinePart
    rising: LinePart
    mode: Mode
    sum: str

    @property
    def lines(self) -> dict[str, drawing.DrawnLine]:
        """The lines by their names."""
        ends = [*(end for end, _ in self.rows), *self.columns, self.falling, self.rising]
        return {end.line.name: end.line for end in ends}


@dataclass(frozen=True, slots=True)
class BoxPart:
    box: drawing.Box
    do: str | None
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class SectionPart:
    """Boxes under a heading, and below them sums as label and text."""

    heading: str
    boxes: tuple[BoxPart, ...]
    sums: tuple[tuple[str, str], ...]

    def __len__(self) -> int:
        return len(self.boxes) + len(self.sums)


@dataclass(frozen=True, slots=True)
class BlockPart:
    """Sections of boxes; dice may be chosen, and are posted after `verb`."""

    sections: tuple[SectionPart, ...]
    dice: tuple[int, ...]
    verb: str
    may_choose: bool

    @property
    def boxes(self) -> tuple[BoxPart, ...]:
        """The boxes of all sections."""
        return tuple(box for section in self.sections for box in section.boxes)

    @property
    def halves(self) -> tuple[tuple[SectionPart, ...], tuple[SectionPart, ...]]:
        """The sections in two columns of about one height: a section that is much longer goes over both."""
        *above, last = self.sections
        over = (len(last) - sum(map(len, above))) // 2
        if over < MOST_UNEVEN:
            return tuple(above), (last,)
        first, rest = (
            replace(last, boxes=last.boxes[:over], sums=()),
            replace(last, heading="", boxes=last.boxes[over:]),
        )
        return (*above, first), (rest,)


@dataclass(frozen=True, slots=True)
class PlainPart:
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A sheet, what is to be done on it, and buttons for what has no place on it: notation and label.

    Compared by identity: a sheet that has not changed is the same one.
    """

    part: GridPart | BlockPart | PlainPart
    hint: str
    buttons: tuple[tuple[str, str], ...]
    legend: drawing.Legend | None


@lru_cache(MOST_KEPT)
def _drawing(game: str, rules: str, sheet: Any, language: str) -> drawing.Drawing:  # noqa: ANN401 - of any game
    """Most sheets are looked at by several, and more than once."""
    found = find_game(game, rules)
    return found.traits.draw(found.solo, sheet, words(language))


def drawing_of(game: AnyGame, sheet: Any, said: Words) -> drawing.Drawing:  # noqa: ANN401 - of any game
    """A sheet as its game draws it."""
    return _drawing(game.name, game.rules, sheet, said.language)


def draw(table: Table, seat: Seat, sheet: Any, may: Options, said: Words, serve: str | None) -> Drawn:  # noqa: ANN401
    """The sheet of a seat, with what its owner may do on it; `serve` is the line that they want to act for."""
    game = table.game
    start = game.solo.start() if table.before is None else game.sheet(table.before, seat)
    thrown = str(sum(table.faces))
    if not may.actions or may.moves:
        return _still(game.name, game.rules, sheet, start, thrown, said.language, may.moves)
    return _drawn(game, sheet, start, may, thrown, said, serve)


@lru_cache(MOST_KEPT)
def _still(
    game: str,
    rules: str,
    sheet: Any,  # noqa: ANN401 - of any game
    start: Any,  # noqa: ANN401
    thrown: str,
    language: str,
    moves: bool,  # noqa: FBT001 - of a key
) -> Drawn:
    """A sheet on which there is nothing to do, but perhaps to move what was done: what most see of most sheets."""
    may = replace(NOTHING, moves=moves)
    return _drawn(find_game(game, rules), sheet, start, may, thrown, words(language), None)


def _drawn(
    game: AnyGame,
    sheet: Any,  # noqa: ANN401 - of any game
    start: Any,  # noqa: ANN401
    may: Options,
    thrown: str,
    said: Words,
    serve: str | None,
) -> Drawn:
    traits = game.traits
    now, old = (_drawing(game.name, game.rules, each, said.language) for each in (sheet, start))
    spots = [(action, traits.spot(action)) for action in may.actions]
    serving = _serving(spots, serve)
    homeless = [action for action, spot in spots if spot == NOWHERE]
    part: GridPart | BlockPart | PlainPart
    match now, old:
        case drawing.DrawnGrid(), drawing.DrawnGrid():
            part = _grid(now, old, spots, serving, thrown, moves=may.moves)
        case drawing.Block(), drawing.Block():
            part = _block(now, old, spots)
        case drawing.Plain(text), _:
            part = PlainPart(text)
        case _:
            raise TypeError(f"{game.name} draws one sheet as {type(now)} and another as {type(old)}")
    return Drawn(
        part,
        hint=traits.hint(game.solo, sheet, said, serving),
        buttons=tuple((str(action), traits.label(action, said)) for action in homeless),
        legend=_legend(game.name, said.language),
    )


@cache
def _legend(game: str, language: str) -> drawing.Legend | None:
    return GAMES[game].legend(words(language))


def _serving(spots: Spots, wanted: str | None) -> str | None:
    """The line that taps act for: the wanted one, or the only one there is."""
    lines = list(dict.fromkeys(spot.line for _, spot in spots if spot.line))
    if wanted in lines:
        return wanted
    return lines[0] if len(lines) == 1 else None


def _grid(
    now: drawing.DrawnGrid, old: drawing.DrawnGrid, spots: Spots, serving: str | None, thrown: str, *, moves: bool
) -> GridPart:
    lines = {spot.line for _, spot in spots if spot.line}
    mode: Mode = "lines" if lines else "throw" if spots or moves else ""
    taps = {spot.cell: str(action) for action, spot in spots if lines and spot.cell and spot.line == serving}
    before = old.lines

    def line(each: drawing.DrawnLine) -> LinePart:
        was = before[each.name]
        changed = each is not was and each != was
        fresh = changed and each.is_earned and not was.is_earned
        return LinePart(each, each.owes if each.name in lines else 0, changed, fresh, each.name == serving)

    def cell(each: drawing.DrawnCell, was: drawing.DrawnCell) -> CellPart:
        fresh = each is not was and each != was
        if lines:
            do = taps.get(each.name, "")
            return CellPart(each, do, "", fresh, is_live=bool(do))
        do, on = _tap(each)
        return CellPart(each, do, on, fresh, is_live=bool(mode and do) and on in {"", thrown} and not fresh)

    cells = [tuple(map(cell, row, was)) for row, was in zip(now.cells, old.cells, strict=True)]
    return GridPart(
        rows=tuple(zip(map(line, now.rows), cells, strict=True)),
        columns=tuple(map(line, now.columns)),
        falling=line(now.falling),
        rising=line(now.rising),
        mode=mode,
        sum=thrown,
    )


def _tap(cell: drawing.DrawnCell) -> tuple[str, str]:
    """What a tap on a cell does, and on which sum."""
    return (cell.tap.do, str(cell.tap.on or "")) if cell.tap else ("", "")


def _block(now: drawing.Block, old: drawing.Block, spots: Spots) -> BlockPart:
    taps = {spot.box: str(action) for action, spot in spots if spot.box}
    before = old.boxes

    def box(each: drawing.Box) -> BoxPart:
        return BoxPart(each, taps.get(each.name), is_fresh=bool(each.text) and not before[each.name].text)

    return BlockPart(
        tuple(SectionPart(each.heading, tuple(map(box, each.boxes)), each.sums) for each in now.sections),
        dice=now.dice,
        verb=now.verb,
        may_choose=any(spot.dice is not None for _, spot in spots),
    )
