"""Sheets as a page draws them: every cell, line and box with its words, and with what a tap on it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kasta.core import Seat
from kasta.errors import Illegal
from kasta.games.grid import FREE, Line
from kasta.games.knaster import Bonus, Knaster, Sheet as KnasterSheet
from kasta.games.knister import Knister, Sheet as KnisterSheet
from kasta.games.yatzy import UPPER, Fill, Keep, Sheet as YatzySheet, Yatzy
from kasta.i18n import Words
from kasta.table.state import Table


@dataclass(frozen=True, slots=True)
class Cell:
    """`do` is the action that a tap means, None where a tap means nothing."""

    name: str
    text: str
    label: str
    do: str | None
    is_circled: bool
    is_fresh: bool  # done on this throw


@dataclass(frozen=True, slots=True)
class Box:
    """What stands at the end of a line; `owes` is how many circles can be drawn for it now."""

    line: str
    text: str
    hand: str
    sentence: str
    is_double: bool
    is_earned: bool
    is_fresh: bool
    owes: int


@dataclass(frozen=True, slots=True)
class Grid:
    """A Knister or Knaster sheet. `serving` is the line whose circles a tap draws."""

    kind: str
    rows: list[list[Cell]]
    boxes: dict[str, Box]
    serving: str | None
    hint: str


@dataclass(frozen=True, slots=True)
class Row:
    """A box of a Yatzy block: what it holds, or what the dice would pay in it."""

    box: str
    label: str
    text: str
    pays: str
    do: str | None
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A Yatzy sheet."""

    kind: str
    upper: list[Row]
    lower: list[Row]
    upper_total: int
    bonus: int
    jokers: int
    joker_points: int
    dice: tuple[int, ...]
    may_keep: bool
    may_keep_none: bool
    hint: str


@dataclass(frozen=True, slots=True)
class Options:
    """What a seat may do: on its own, or instead of what it has done on this throw (`moves`)."""

    actions: Sequence[Any]
    may_undo: bool
    moves: bool


def options(table: Table, seat: Seat) -> Options:
    """Until the next throw a pick may be moved: what was done is taken back, and something else done."""
    if table.play is None or table.is_closed:
        return Options((), may_undo=False, moves=False)
    legal, rule = table.rule.legal(table.play, seat), table.rule
    undone = undo_all(table, seat)
    if legal or undone is None:
        return Options(legal, may_undo=undone is not None, moves=False)
    return Options(rule.legal(undone, seat), may_undo=True, moves=True)


def undo_all(table: Table, seat: Seat) -> Any | None:  # noqa: ANN401 - each game has its own tables
    """The game as it was before the seat acted on this throw; None if there is nothing it may take back."""
    if not table.settings.take_back and not table.stood_in(seat):
        return None
    play, undone = table.play, None
    try:
        while True:
            play = undone = table.rule.take_back(play, seat)
    except Illegal:
        return undone


def draw(table: Table, seat: Seat, sheet: Any, may: Options, words: Words, serve: str | None) -> Grid | Block:  # noqa: ANN401
    """The sheet of a seat, with what its owner may do on it."""
    solo = table.rule.solo
    before = table.rule.sheet(table.before, seat) if table.before is not None else None
    match solo:
        case Knister():
            return _knister(solo, sheet, before, may, words)
        case Knaster():
            return _knaster(solo, sheet, before, may, words, serve)
        case Yatzy():
            return _yatzy(solo, sheet, before, may, words)
    raise TypeError(solo)


def line_name(line: Line, words: Words) -> str:
    match line.name:
        case "\\":
            return words.say("Diagonal from the top left")
        case "/":
            return words.say("Diagonal from the top right")
        case digit if digit.isdigit():
            return words.say("Row {number}", number=digit)
        case letter:
            return words.say("Column {letter}", letter=letter)


def _sentence(line: Line, numbers: Sequence[int], rest: str, words: Words) -> str:
    shown = ", ".join(str(number) if number else words.say("free") for number in numbers)
    return f"{line_name(line, words)}: {shown}" + (f"; {rest}" if rest else "")


def _points(number: int, words: Words) -> str:
    return words.count("{number} point", "{number} points", number)


def _knister(solo: Knister, sheet: KnisterSheet, before: KnisterSheet | None, may: Options, words: Words) -> Grid:
    taps = {str(cell): str(cell) for cell in may.actions}
    old = before.numbers if before else solo.grid.empty()
    boxes = {}
    for score in solo.lines(sheet):
        numbers = score.line.numbers(sheet.numbers)
        full = FREE not in numbers
        hand = words.term("knister", score.hand.replace("_", " ")) if score.hand else words.say("no hand")
        boxes[score.line.name] = Box(
            score.line.name,
            str(score.points) if full else "",
            hand if full else "",
            _sentence(score.line, numbers, f"{hand}, {_points(score.points, words)}" if full else "", words),
            is_double=score.line.is_diagonal,
            is_earned=score.points > 0,
            is_fresh=full and score.points > 0 and FREE in score.line.numbers(old),
            owes=0,
        )
    hint = words.say("Write the {number}", number=sheet.sum) if sheet.sum is not None else ""
    return Grid(
        "knister", _rows(solo, sheet.numbers, old, frozenset(), frozenset(), taps, words), boxes, None, hint
    )


def _knaster(
    solo: Knaster, sheet: KnasterSheet, before: KnasterSheet | None, may: Options, words: Words, serve: str | None
) -> Grid:
    bonus = [action for action in may.actions if isinstance(action, Bonus)]
    lines = list(dict.fromkeys(action.line.name for action in bonus))
    serving = serve if serve in lines else lines[0] if len(lines) == 1 else None
    taps = {str(action.cell): str(action) for action in bonus if action.line.name == serving}
    taps |= {
        str(action.cell): str(action) for action in may.actions if hasattr(action, "cell") and action not in bonus
    }
    old = before or solo.start()
    boxes = {}
    for score, printed in zip(solo.lines(sheet), solo.printed, strict=True):
        numbers = score.line.numbers(sheet.numbers)
        hand = words.term("knaster", score.hand.replace("_", " ")) if score.hand else ""
        rest = f"{hand}, {_points(score.points, words)}" if score.complete and hand else ""
        owes = solo.owed(sheet, score.line) if score.line.name in lines else 0
        boxes[score.line.name] = Box(
            score.line.name,
            str(printed),
            hand,
            _sentence(score.line, numbers, rest, words),
            is_double=False,
            is_earned=score.points > 0,
            is_fresh=score.points > 0 and not old.circled.issuperset(score.line.cells),
            owes=owes,
        )
    return Grid(
        "knaster",
        _rows(solo, sheet.numbers, old.numbers, sheet.circled, old.circled, taps, words),
        boxes,
        serving,
        _knaster_hint(sheet, boxes, serving, lines, words),
    )


def _knaster_hint(
    sheet: KnasterSheet, boxes: dict[str, Box], serving: str | None, lines: list[str], words: Words
) -> str:
    if sheet.sum is not None:
        return words.say("Write or circle the {number}", number=sheet.sum)
    if serving is not None:
        return words.count("{number} more to circle", "{number} more to circle", boxes[serving].owes)
    return words.say("Which line first?") if lines else ""


def _rows(
    solo: Knister | Knaster,
    numbers: Sequence[int],
    old: Sequence[int],
    circled: frozenset[Any],
    old_circled: frozenset[Any],
    taps: dict[str, str],
    words: Words,
) -> list[list[Cell]]:
    cells = []
    for cell in solo.grid.cells:
        number, is_circled = numbers[cell], cell in circled
        what = str(number) if number else words.say("free")
        if is_circled:
            what = words.say("{number}, circled", number=number)
        fresh = number != old[cell] or is_circled != (cell in old_circled)
        tap = taps.get(str(cell))
        if number and tap == str(cell):
            tap = None  # it has just been written there
        cells.append(Cell(str(cell), str(number or ""), f"{cell}: {what}", tap, is_circled, fresh))
    side = solo.grid.side
    return [cells[i : i + side] for i in range(0, len(cells), side)]


def _yatzy(solo: Yatzy, sheet: YatzySheet, before: YatzySheet | None, may: Options, words: Words) -> Block:
    fills = {action.box for action in may.actions if isinstance(action, Fill)}
    keeps = [action for action in may.actions if isinstance(action, Keep)]
    rows = {}
    for box, points in zip(solo.boxes, sheet.boxes, strict=True):
        pays = solo.points(sheet, box) if box in fills and sheet.dice and not may.moves else None
        was = before.boxes[solo.boxes.index(box)] if before else None
        rows[box] = Row(
            box,
            words.term("yatzy", box.replace("_", " ")),
            "" if points is None else str(points),
            "" if pays is None else str(pays),
            f"fill {box}" if box in fills and not may.moves else None,
            is_fresh=points is not None and was is None and before is not None,
        )
    hint = ""
    if sheet.throws and not may.moves and may.actions:
        hint = words.say("Roll {number} of {last}", number=sheet.throws, last=solo.throws)
    return Block(
        "yatzy",
        [row for box, row in rows.items() if box in UPPER],
        [row for box, row in rows.items() if box not in UPPER],
        solo.upper(sheet),
        solo.bonus(sheet),
        sheet.jokers,
        sheet.jokers * solo.rules.bonus,
        sheet.dice,
        may_keep=bool(keeps) and not may.moves,
        may_keep_none=Keep(()) in keeps,
        hint=hint,
    )
