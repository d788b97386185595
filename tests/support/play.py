"""What several tests need: random games, all actions of a game, drawn sheets, refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import combinations_with_replacement
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import strategies as st

from kasta.core import Over, Pick, Seat, Solo, Throw
from kasta.errors import KastaError
from kasta.games import GAMES, find_game
from kasta.games.block import BlockGame
from kasta.games.traits import AnyGame
from kasta.record import Do, Header, Roll, Step, write_record
from support import oracles

Table = Any  # each game has its own tables,
Sheet = Any  # and its own sheets

RULE_SETS = [(game, rules) for game, traits in GAMES.items() for rules in traits.rule_sets]
every_rule_set = pytest.mark.parametrize(("name", "rules"), RULE_SETS)
rule_sets = st.sampled_from(RULE_SETS)
seeds = st.integers(0, 10**6)


def block_actions(boxes: Iterable[str]) -> list[str]:
    """What can be written down in a game with a block of boxes."""
    keeps = (dice for size in range(7) for dice in combinations_with_replacement("123456", size))
    return [*(" ".join(["keep", *dice]) for dice in keeps), *(f"fill {box}" for box in boxes)]


CELLS = [column + row for row in "12345" for column in "abcde"]
ACTIONS = {
    "knister": CELLS,
    "knaster": [*CELLS, *(f"{line}({cell})" for line in ["", *"12345abcde\\/"] for cell in CELLS), "-"],
    "trappa": [*"123456"],  # of examples/: there only where it is installed
    "yatzy": block_actions([*oracles.FACES, *oracles.FITS]),
}
"""Every action that can be written down, legal or not."""
for name in GAMES:
    if name not in ACTIONS and isinstance(solo := find_game(name).solo, BlockGame):
        ACTIONS[name] = block_actions(solo.boxes)


def due_seats(game: AnyGame, table: Table) -> list[Seat]:
    """The seats that have still to act, clockwise."""
    expected = game.next(table)
    seats = list(range(table.seats))
    return [seat for seat in seats if isinstance(expected, Pick) and expected.is_due(seat)]


def random_faces(dice: int, rng: Random) -> tuple[int, ...]:
    """A throw, every other time of equal dice: rare hands and jokers are to happen."""
    faces = tuple(rng.randint(1, 6) for _ in range(dice))
    return faces if rng.random() < 0.5 else faces[:1] * dice


def random_step(game: AnyGame, table: Table, rng: Random) -> Step | None:
    """Anything that may happen next; None at the end."""
    match game.next(table):
        case Throw(dice):
            return Roll(random_faces(dice, rng))
        case Pick():
            seat = rng.choice(due_seats(game, table))
            return Do(seat, str(rng.choice(game.legal(table, seat))))
        case Over():
            return None


def random_game(game: AnyGame, seats: int, seed: int) -> Iterator[tuple[Table, Step | None]]:
    """Every table of a whole random game, each with the step that follows it."""
    table, rng = game.start(seats), Random(seed)
    while step := random_step(game, table, rng):
        yield table, step
        table = step.apply(game, table)
    yield table, None


def random_record(name: str, rules: str, seats: int, seed: int) -> list[str]:
    """The lines of the record of a whole random game."""
    steps = [step for _, step in random_game(find_game(name, rules), seats, seed) if step]
    names = ("Sarah", "Tim", "Linus")[:seats]
    return list(write_record(Header(name, rules, names), steps))


def played(solo: Solo[Any, Any], drawing: str, *steps: str | tuple[int, ...], last: bool = False) -> Sheet:
    """The sheet that was drawn, after throws (faces) and actions (text)."""
    sheet = solo.read_sheet(dedent(drawing).strip("\n"))
    for step in steps:
        if isinstance(step, str):
            sheet = solo.act(sheet, solo.read_action(step))
        else:
            sheet = solo.throw(sheet, step, last=last)
    return sheet


def shows(solo: Solo[Any, Any], sheet: Sheet, drawing: str) -> bool:
    """Whether a sheet looks as drawn, whatever the spaces."""
    return solo.write_sheet(sheet).split() == drawing.split()


def choices(solo: Solo[Any, Any], sheet: Sheet) -> str:
    """What is legal, as text, sorted."""
    return " ".join(sorted(map(str, solo.legal(sheet))))


def refused(code: str) -> AbstractContextManager[pytest.ExceptionInfo[KastaError]]:
    """Expect an error of that code whose sentence can be printed."""
    return pytest.raises(KastaError, check=lambda error: error.code == code and bool(str(error).encode()))
