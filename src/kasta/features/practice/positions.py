"""A position that somebody sets up: a sheet from fields or text, the dice on it, and what was done since."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations_with_replacement
from typing import Any

from kasta.core import FACES, Faces, Pick, Throw, check_pick
from kasta.errors import Illegal, Unreadable
from kasta.games import drawing, find_game
from kasta.games.traits import AnyGame
from kasta.i18n import DEFAULT, Words, words
from kasta.page.sheet_model import drawing_of

LONGEST_TEXT = 600
MOST_THEN = 20  # actions after the throw


@dataclass(frozen=True, slots=True)
class Setup:
    """What was typed: `fields` by the names of cells, boxes and counts, or a whole sheet as `text` instead."""

    fields: Mapping[str, str]
    text: str = ""
    dice: str = ""
    throw: int = 1  # which one of the turn it is
    is_last: bool = False  # for everybody
    then: tuple[str, ...] = ()  # what was done on it already


@dataclass(frozen=True, slots=True)
class Shape:
    """What there is to set up in a game: the names of its counts, dice, throws of a turn, last throw, circles.

    `choices` is what may stand in every field, by its name; a field that is not in it takes any number.
    """

    counts: tuple[str, ...]
    dice: int
    throws: int
    has_last: bool
    has_circles: bool
    choices: Mapping[str, tuple[str, ...]]


@cache
def shape_of(name: str, rules: str) -> Shape:
    """Found by trying: on an empty sheet, with dice that all show 1."""
    game = find_game(name, rules)
    solo, start = game.solo, game.solo.start()
    expected = solo.next(start)
    assert isinstance(expected, Throw)  # noqa: S101 - a game begins with one
    faces = (1,) * expected.dice
    throws, sheet = 1, solo.throw(start, faces)
    while (again := _once_more(game, sheet, faces)) is not None:
        throws, sheet = throws + 1, again
    drawn = drawing_of(game, start, words(DEFAULT))
    lines = solo.write_sheet(start).splitlines() if isinstance(drawn, drawing.Block) else []
    has_last = solo.throw(start, faces, last=True) != solo.throw(start, faces)
    counts = tuple(line.split()[0] for line in lines)
    has_circles = _takes_circles(game, drawn)
    return Shape(counts, expected.dice, throws, has_last, has_circles, _choices(game, expected.dice, has_circles))


def _choices(game: AnyGame, dice: int, has_circles: bool) -> dict[str, tuple[str, ...]]:  # noqa: FBT001 - private
    """What may stand in each cell: found by throwing everything."""
    found = defaultdict[str, set[int]](set)
    for faces in combinations_with_replacement(FACES, dice):
        for name, value in _fitting(game, faces).items():
            found[name].add(value)
    numbers = {name: tuple(map(str, sorted(values))) for name, values in found.items()}
    circled = {name: tuple(f"({text})" for text in texts) for name, texts in numbers.items() if has_circles}
    return {name: texts + circled.get(name, ()) for name, texts in numbers.items()}


def _fitting(game: AnyGame, faces: Faces) -> dict[str, int]:
    """What a throw can put into each cell of an empty sheet; points are written into boxes by hand."""
    match drawing_of(game, game.solo.throw(game.solo.start(), faces), words(DEFAULT)):
        case drawing.DrawnGrid(cells=rows) if game.traits.shows == "sum":
            return {cell.name: sum(faces) for cell in chain.from_iterable(rows)}
    return {}


def _takes_circles(game: AnyGame, drawn: drawing.Drawing) -> bool:
    if not isinstance(drawn, drawing.DrawnGrid):
        return False
    side = len(drawn.columns)
    try:
        game.solo.read_sheet("\n".join(" ".join(["(7)"] * side) for _ in range(side)))
    except Unreadable:
        return False
    return True


def empty_sheet(game: AnyGame, said: Words) -> drawing.Drawing:
    """A sheet to fill; what a block counts beside its boxes is one more section of it."""
    drawn = drawing_of(game, game.solo.start(), said)
    if not isinstance(drawn, drawing.Block):
        return drawn
    names = shape_of(game.name, game.rules).counts
    counts = tuple(drawing.Box(name, game.traits.word(said, name), "") for name in names)
    return replace(drawn, sections=(*drawn.sections, drawing.Section("", counts)))


def field_names(game: AnyGame, said: Words) -> list[str]:
    """The names of all fields of a sheet: none where it is a text only."""
    match empty_sheet(game, said):
        case drawing.DrawnGrid(cells=rows):
            return [cell.name for cells in rows for cell in cells]
        case drawing.Block() as block:
            return [*block.boxes]
    return []


def sheet_text(game: AnyGame, setup: Setup, said: Words) -> str:
    """The sheet that was typed, in notation."""
    if setup.text.strip():
        return setup.text[:LONGEST_TEXT]
    match empty_sheet(game, said):
        case drawing.DrawnGrid(cells=rows):
            return "\n".join(" ".join(_one(setup, cell.name) or "." for cell in cells) for cells in rows)
        case drawing.Block() as block:
            return "\n".join(f"{name} {value}" for name in block.boxes if (value := _one(setup, name)))
    return game.solo.write_sheet(game.solo.start())


def _one(setup: Setup, name: str) -> str:
    """What stands in a field, as one word: spaces would be read as further fields."""
    return "".join(setup.fields.get(name, "").split())


def position(game: AnyGame, setup: Setup, said: Words) -> Any:  # noqa: ANN401 - of any game
    """The sheet with its dice; `Unreadable` or `Illegal` says what is wrong with it."""
    solo, sheet = game.solo, game.solo.read_sheet(sheet_text(game, setup, said))
    faces = faces_of(setup)
    if faces or not isinstance(solo.next(sheet), Pick):  # a text may have the dice in it
        sheet = solo.throw(sheet, faces, last=setup.is_last)
    for _ in range(setup.throw - 1):
        again = _once_more(game, sheet, faces)
        if again is None:
            raise Illegal("no_throw_left")
        sheet = again
    for text in setup.then[:MOST_THEN]:
        sheet = solo.act(sheet, solo.read_action(text))
    check_pick(solo.next(sheet))
    return sheet


def faces_of(setup: Setup) -> Faces:
    """The dice that were typed."""
    return tuple(int(text) if text in "123456" else _no_face(text) for text in _faces(setup.dice))


def _faces(text: str) -> Iterable[str]:
    """Faces with or without spaces between them."""
    return (letter for letter in text[:40] if not letter.isspace() and letter not in ",+;")


def _no_face(text: str) -> int:
    raise Unreadable("no_such_face", face=text)


def _once_more(game: AnyGame, sheet: Any, faces: Faces) -> Any:  # noqa: ANN401 - of any game
    """The same dice after one throw more of the turn: the rest falls as before; None if it cannot."""
    spots = [(action, game.traits.spot(action).dice) for action in game.solo.legal(sheet)]
    kept = [(action, dice) for action, dice in spots if dice is not None]
    if not kept:
        return None
    action, dice = max(kept, key=lambda pair: len(pair[1]))
    rest = Counter(faces) - Counter(dice)
    return game.solo.throw(game.solo.act(sheet, action), tuple(sorted(rest.elements())))
