"""Sheets as a page shows them: a game's drawing, with what a tap on each place does, and what is fresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain
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
class GridPart:
    """A grid, what is `fresh` on it since the last throw, and what its owner can do.

    In mode `throw` cells are tapped for the throw, each as its drawing says; in mode `lines` for the line that is
    served, as `taps` say; else not at all.
    """

    grid: drawing.DrawnGrid
    fresh: frozenset[str]  # cells that were written on or circled
    changed: frozenset[str]  # lines that these are in
    earned: frozenset[str]  # of those, the lines that were earned by it
    owing: frozenset[str]  # lines that circles can be drawn for now
    serving: str | None
    taps: dict[str, str]  # by cell
    mode: Mode
    sum: str


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
    now: drawing.DrawnGrid,
    old: drawing.DrawnGrid,
    spots: Spots,
    serving: str | None,
    thrown: str,
    *,
    moves: bool,
) -> GridPart:
    lines = frozenset(spot.line for _, spot in spots if spot.line)
    before = old.lines
    changed = [each for name, each in now.lines.items() if each is not before[name] and each != before[name]]
    pairs = zip(chain.from_iterable(now.cells), chain.from_iterable(old.cells), strict=True)
    return GridPart(
        now,
        fresh=frozenset([each.name for each, was in pairs if each is not was and each != was]),
        changed=frozenset([each.name for each in changed]),
        earned=frozenset([each.name for each in changed if each.is_earned and not before[each.name].is_earned]),
        owing=lines,
        serving=serving,
        taps={spot.cell: str(action) for action, spot in spots if lines and spot.cell and spot.line == serving},
        mode="lines" if lines else "throw" if spots or moves else "",
        sum=thrown,
    )


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
