"""Counted trees: how many ways a game can go on for so many steps, a step being one throw or one action.

Each text file belongs to one game and holds positions: a title, the rule set, then either `seats` (from the start)
or a drawn sheet (alone), steps, and the counts by depth. Dice are told apart: 3 5 is not 5 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod
from pathlib import Path

import pytest

from kasta.core import Pick, Solo, Throw
from kasta.games import GAMES, find_game
from kasta.games.traits import AnyGame
from support.play import Sheet, Table, due_seats, every_rule_set

Ways = Callable[[], list["Ways"]]
"""A position: called, it is all positions that can follow."""


@dataclass
class Position:
    name: str
    title: str = ""
    rules: str = ""
    seats: int = 0
    drawing: str = ""
    steps: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    def ways(self) -> Ways:
        game = find_game(self.name, self.rules)
        if self.seats:
            return partial(after_table, game, partial(game.start, self.seats))
        sheet = game.solo.read_sheet(self.drawing)
        for step in self.steps:
            kind, what = step.split(maxsplit=1)
            if kind == "roll":
                sheet = game.solo.throw(sheet, tuple(map(int, what.split())))
            else:
                sheet = game.solo.act(sheet, game.solo.read_action(what))
        return partial(after_sheet, game.solo, lambda: sheet)


def after_table(game: AnyGame, reach: Callable[[], Table]) -> list[Ways]:
    table = reach()
    coming = game.next(table)
    ways: list[Callable[[], Table]] = []
    if isinstance(coming, Throw):
        ways = [partial(game.throw, table, faces) for faces in product(range(1, 7), repeat=coming.dice)]
    elif isinstance(coming, Pick):
        seats = due_seats(game, table)
        ways = [partial(game.act, table, seat, action) for seat in seats for action in game.legal(table, seat)]
    return [partial(after_table, game, way) for way in ways]


def after_sheet(solo: Solo[Sheet, object], reach: Callable[[], Sheet]) -> list[Ways]:
    sheet = reach()
    coming = solo.next(sheet)
    ways: list[Callable[[], Sheet]] = []
    if isinstance(coming, Throw):
        ways = [partial(solo.throw, sheet, faces) for faces in product(range(1, 7), repeat=coming.dice)]
    elif isinstance(coming, Pick):
        ways = [partial(solo.act, sheet, action) for action in solo.legal(sheet)]
    return [partial(after_sheet, solo, way) for way in ways]


def count(ways: Ways, depth: int) -> int:
    following = ways()
    return len(following) if depth == 1 else sum(count(way, depth - 1) for way in following)


def read_position(name: str, block: str) -> Position:
    position = Position(name)
    for line in block.splitlines():
        match line.split(maxsplit=1):
            case ["#", title]:
                position.title = title
            case ["rules", rules]:
                position.rules = rules
            case ["seats", seats]:
                position.seats = int(seats)
            case ["roll" | "do", _]:
                position.steps.append(line)
            case ["depth", found]:
                depth, ways = found.replace(",", "").split()
                position.counts[int(depth)] = int(ways)
            case _:
                position.drawing += line + "\n"
    return position


POSITIONS = [
    read_position(path.stem, block)
    for path in sorted(Path(__file__).parent.glob("*.txt"))
    for block in path.read_text().strip().split("\n\n")
]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: f"{position.name}-{position.title}")
def test_the_ways_to_go_on_are_as_counted(position: Position):
    ways = position.ways()
    assert position.counts
    assert {depth: count(ways, depth) for depth in position.counts} == position.counts


@every_rule_set
def test_every_rule_set_has_a_tree_from_the_start(name: str, rules: str):
    assert any((p.name, p.rules, p.seats > 0) == (name, rules, True) for p in POSITIONS)


def test_every_file_belongs_to_a_game():
    assert {position.name for position in POSITIONS} == set(GAMES)


# The same counts by formula


def counted(name: str, title: str) -> dict[int, int]:
    return next(position.counts for position in POSITIONS if (position.name, position.title) == (name, title))


def test_knister_alone_is_36_throws_times_the_free_cells():
    counts = counted("knister", "alone")
    assert counts == {1: 36, 2: 36 * 25, 3: 36 * 25 * 36, 4: 36**2 * perm(25, 2)}


def test_knister_for_two_is_either_order_of_25_cells_each():
    assert counted("knister", "two seats") == {1: 36, 2: 36 * 2 * 25, 3: 36 * 2 * 25**2, 4: 36**2 * 2 * 25**2}


def test_the_last_cells_of_knister_are_filled_in_any_order():
    assert counted("knister", "two cells left") == {1: 36, 2: 36 * 2, 3: 36**2 * 2, 4: 36**2 * factorial(2), 5: 0}


def test_knaster_alone_is_knister_and_a_circle_where_the_same_sum_comes_twice():
    same_sum_twice = sum((6 - abs(7 - number)) ** 2 for number in range(2, 13))
    free = 36 * 25 * 36 * 24
    assert counted("knaster", "alone") == {1: 36, 2: 900, 3: 32_400, 4: free + 25 * same_sum_twice}


def test_two_straights_that_cross_are_served_in_either_order():
    # A line draws 3 of its 5 in order: 60 ways, 36 of them with the crossing; the other then has 24, not 60.
    # Served first without the crossing, 24 ways, the second has all 60.
    counts = counted("knaster", "two straights cross in the number just written")
    assert counts[6] == 2 * (36 * 24 + 24 * 60)
    assert counts[7] == counts[6] * 36


def test_four_straights_share_the_centre():
    # After the first line, the three others have 4 uncircled numbers each if the centre was circled, else 5.
    counts = counted("knaster", "four straights meet in the number just written")
    assert counts == {1: 4 * 5, 2: 4 * 5 * 4, 3: 4 * 60, 4: 4 * (36 * 3 * 4 + 24 * 3 * 5)}


def keeps_and_fills(dice: int, boxes: int, *, rethrow_all: bool = True) -> int:
    """For every throw, all choices of some of its dice but all, and the boxes."""
    ways = 0
    for thrown in combinations_with_replacement(range(1, 7), dice):
        repeats = [thrown.count(face) for face in range(1, 7)]
        orders = factorial(dice) // prod(map(factorial, repeats))
        keeps = prod(repeat + 1 for repeat in repeats) - 1 - (not rethrow_all)
        ways += orders * (keeps + boxes)
    return ways


@pytest.mark.parametrize("rules", GAMES["yatzy"].rule_sets)
def test_yatzy_begins_with_all_keeps_and_all_boxes(rules: str):
    counts = counted("yatzy", f"{rules} from the start")
    assert counts == {1: 6**5, 2: keeps_and_fills(5, 13, rethrow_all=rules != "sheet")}


@pytest.mark.parametrize("rules", GAMES["yatzy15"].rule_sets)
def test_yatzy_with_15_boxes_begins_with_all_keeps_and_all_boxes(rules: str):
    assert counted("yatzy15", f"{rules} from the start") == {1: 6**5, 2: keeps_and_fills(5, 15)}


def test_maxi_begins_with_all_keeps_and_all_boxes():
    assert counted("maxi", "sheet from the start") == {1: 6**6, 2: keeps_and_fills(6, 20)}
