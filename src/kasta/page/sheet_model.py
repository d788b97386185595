"""Sheets as a page shows them: a game's drawing, with what a tap on each place does, and what is fresh."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Literal, TypeVar

from kasta.games import GAMES, drawing, find_game
from kasta.games.traits import AnyGame
from kasta.i18n import Words, words
from kasta.page.receipts import receipt
from kasta.structs import Struct
from kasta.tables.state import Table
from kasta.tables.view import Options, SeatView

MOST_KEPT, MOST_STILL = 10_000, 4_000  # drawings, of some 1.5 KB, and those to be shown, of some 6 KB
MOST_UNEVEN = 2  # rows, by which one half of a block may be longer than the other
SMILE = 2  # the size of a feast

NOWHERE = drawing.Spot()

T = TypeVar("T")
Mode = Literal["throw", "lines", ""]
Spots = Sequence[tuple[Any, drawing.Spot]]
"""Actions, and where on the sheet they are done."""


class GridPart(Struct, frozen=True):
    """A grid, what is `fresh` on it since the last throw, and what its owner can do.

    In mode `throw` cells are tapped for the throw, each as its drawing says; in mode `lines` for the line that is
    served, as `taps` say; else not at all.
    """

    grid: drawing.DrawnGrid
    fresh: frozenset[str]  # cells that were written on or circled
    changed: frozenset[str]  # lines that these are in
    earned: frozenset[str]  # of those, the lines that were earned by it
    won: frozenset[str]  # the cells of lines that were earned with something to smile at
    owing: frozenset[str]  # lines that circles can be drawn for now
    serving: str | None
    taps: dict[str, str]  # by cell
    mode: Mode
    sum: str


def height(section: drawing.Section) -> int:
    """How many rows it has."""
    return len(section.boxes) + len(section.sums)


class BlockPart(Struct, frozen=True):
    """A block, what is `fresh` on it since the last throw, and what its owner can do."""

    block: drawing.Block
    fresh: frozenset[str]  # boxes that were filled
    taps: dict[str, str]  # by box

    @property
    def halves(self) -> tuple[tuple[drawing.Section, ...], tuple[drawing.Section, ...]]:
        """The sections in two columns of about one height: a section that is much longer goes over both."""
        *above, last = self.block.sections
        over = (height(last) - sum(map(height, above))) // 2
        if over < MOST_UNEVEN:
            return tuple(above), (last,)
        first = replace(last, boxes=last.boxes[:over], sums=())
        return (*above, first), (replace(last, heading=f"{last.heading} …", boxes=last.boxes[over:]),)


Part = GridPart | BlockPart | drawing.Plain


class Rethrow(Struct, frozen=True):
    """Dice may be thrown again, if so many are kept: what those are posted after, and what it costs."""

    verb: str
    least: int
    costs: str


class Drawn(Struct, frozen=True, eq=False):
    """A sheet, what is to be done on it, and buttons for what has no place on it: notation and label.

    Compared by identity: a sheet that has not changed is the same one.
    """

    part: Part
    hint: str
    receipt: tuple[str, ...]  # what was done since the last throw
    buttons: tuple[tuple[str, str], ...]
    legend: drawing.Legend | None
    rethrow: Rethrow | None


@lru_cache(MOST_KEPT)
def _drawing(game: str, rules: str, sheet: Any, language: str) -> drawing.Drawing:  # noqa: ANN401 - of any game
    """Most sheets are looked at by several, and more than once."""
    found = find_game(game, rules)
    return found.traits.draw(found.solo, sheet, words(language))


def drawing_of(game: AnyGame, sheet: Any, said: Words) -> drawing.Drawing:  # noqa: ANN401 - of any game
    """A sheet as its game draws it."""
    return _drawing(game.name, game.rules, sheet, said.language)


def draw(table: Table, each: SeatView, may: Options, said: Words, serve: str | None = None) -> Drawn:
    """The sheet of a seat, with what its owner may do on it; `serve` is the line that they want to act for."""
    game = table.game
    sheet = game.solo.start() if each.sheet is None else each.sheet
    start = game.solo.start() if table.before is None else game.sheet(table.before, each.seat)
    thrown = str(sum(table.faces))
    if not may.actions or may.moves:
        return _still(game.name, game.rules, sheet, start, thrown, said.language, may.moves)
    return _drawn(game, sheet, start, may, thrown, said, serve)


@lru_cache(MOST_STILL)
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
    may = Options((), may_undo=False, moves=moves)
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
    spots = [(action, traits.spot(action)) for action in may.actions]
    serving = _serving(spots, serve)
    now, old = drawing_of(game, sheet, said), drawing_of(game, start, said)
    return Drawn(
        _part(now, old, spots, serving, thrown, moves=may.moves),
        hint=traits.hint(game.solo, sheet, said, serving),
        receipt=receipt(now, old, said),
        buttons=tuple((str(action), traits.label(action, said)) for action, spot in spots if spot == NOWHERE),
        legend=_legend(game.name, said.language),
        rethrow=_rethrow(now, [spot.dice for _, spot in spots if spot.dice is not None]),
    )


def _rethrow(now: drawing.Drawing, kept: list[tuple[int, ...]]) -> Rethrow | None:
    return Rethrow(now.verb, min(map(len, kept)), now.costs) if kept else None


def _part(
    now: drawing.Drawing, old: drawing.Drawing, spots: Spots, serving: str | None, thrown: str, *, moves: bool
) -> Part:
    match now, old:
        case drawing.DrawnGrid(), drawing.DrawnGrid():
            return _grid(now, old, spots, serving, thrown, moves=moves)
        case drawing.Block(), drawing.Block():
            return _block(now, old, spots)
        case drawing.Plain(), _:
            return now
    raise TypeError(f"a game draws one sheet as {type(now)} and another as {type(old)}")


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
    now: drawing.DrawnGrid,
    old: drawing.DrawnGrid,
    spots: Spots,
    serving: str | None,
    thrown: str,
    *,
    moves: bool,
) -> GridPart:
    lines = frozenset(spot.line for _, spot in spots if spot.line)
    cells = _changed(chain.from_iterable(now.cells), chain.from_iterable(old.cells))
    changed, before = _changed(now.lines.values(), old.lines.values()), old.lines
    earned = [line for line in changed if line.is_earned and not before[line.name].is_earned]
    mode: Mode = "throw" if spots or moves else ""
    return GridPart(
        now,
        fresh=_names(cells),
        changed=_names(changed),
        earned=_names(earned),
        won=_names(chain.from_iterable(now.along(line) for line in earned if _is_smiled_at(line))),
        owing=lines,
        serving=serving,
        taps=_circles(spots, serving) if lines else {},
        mode="lines" if lines else mode,
        sum=thrown,
    )


def _circles(spots: Spots, serving: str | None) -> dict[str, str]:
    """What a tap on a cell does for the line that is served."""
    return {spot.cell: str(action) for action, spot in spots if spot.cell and spot.line == serving}


def _changed(now: Iterable[T], old: Iterable[T]) -> list[T]:
    """What is not as it was."""
    return [each for each, was in zip(now, old, strict=True) if each is not was and each != was]


def _is_smiled_at(line: drawing.DrawnLine) -> bool:
    return line.feast is not None and line.feast.size >= SMILE


def _names(drawn: Iterable[drawing.DrawnCell | drawing.DrawnLine | drawing.Box]) -> frozenset[str]:
    return frozenset([each.name for each in drawn])


def _block(now: drawing.Block, old: drawing.Block, spots: Spots) -> BlockPart:
    return BlockPart(
        now,
        fresh=_names(now.filled_since(old)),
        taps={spot.box: str(action) for action, spot in spots if spot.box},
    )
