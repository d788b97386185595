"""Kasta's scores equal those of the second scorer in oracles.py."""

from itertools import combinations_with_replacement, groupby

import pytest
from hypothesis import example, given, strategies as st

from kasta.games import find_game
from kasta.games.grid import hand
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.games.yatzy import BOXES, RULE_SETS, Yatzy, box_points
from kasta.record import Do
from support import oracles
from support.play import random_game, seeds

KNISTER, KNASTER = Knister(), Knaster()


@st.composite
def drawn_grids(draw: st.DrawFn, *, free: bool, circles: bool) -> str:
    """Grids of few different numbers, so that hands are common."""
    low = draw(st.integers(2, 12))
    numbers = st.integers(low, draw(st.integers(low, 12))).map(str)
    circled = numbers.map(lambda number: f"({number})")
    words = st.one_of(numbers, *[circled] * (3 * circles), *[st.just(".")] * free)
    return oracles.drawing(
        dict(zip(oracles.cells(". " * 25), draw(st.lists(words, min_size=25, max_size=25)), strict=True))
    )


def test_every_line_of_five_numbers_makes_the_same_hand():
    for numbers in combinations_with_replacement(range(2, 13), 5):
        assert hand(numbers) == oracles.hand(numbers), numbers


@given(drawn_grids(free=False, circles=False) | drawn_grids(free=True, circles=False))
def test_knister_totals(text: str):
    sheet = KNISTER.read_sheet(text)
    assert [score.points for score in KNISTER.lines(sheet)] == [
        oracles.knister_line(text, n) for n in oracles.LINES
    ]
    assert KNISTER.total(sheet) == oracles.knister_total(text) <= 168


@given(drawn_grids(free=False, circles=True) | drawn_grids(free=True, circles=True))
@example("(2) (2) (2) (2) (2)\n" * 5)
def test_knaster_totals(text: str):
    sheet = KNASTER.read_sheet(text)
    assert KNASTER.total(sheet) == oracles.knaster_total(text) <= 115
    hands = {str(score.line): score.hand for score in KNASTER.lines(sheet) if score.complete}
    full = [line for line in oracles.LINES if len(oracles.numbers(text, line)) == 5]
    assert hands == {line: oracles.hand(oracles.numbers(text, line)) for line in full}


@given(drawn_grids(free=True, circles=False))
def test_drawn_knister_sheets_round_trip(text: str):
    sheet = KNISTER.read_sheet(text)
    assert KNISTER.read_sheet(KNISTER.write_sheet(sheet)) == sheet
    assert KNISTER.write_sheet(sheet).split() == text.split()


@given(drawn_grids(free=True, circles=True))
def test_drawn_knaster_sheets_round_trip(text: str):
    sheet = KNASTER.read_sheet(text)
    assert KNASTER.read_sheet(KNASTER.write_sheet(sheet)) == sheet
    assert KNASTER.write_sheet(sheet).split() == text.split()


@given(seeds)
def test_knaster_circles_are_what_the_completed_lines_earn(seed: int):
    """Follow a random game with pencil and paper: every line served draws what it owes when it is begun."""
    game = find_game("knaster")
    turns: list[list[tuple[str, str]]] = []  # for each throw, the actions, each with the sheet after it
    for table, step in random_game(game, 1, seed):
        if turns and turns[-1]:
            action, _ = turns[-1][-1]
            turns[-1][-1] = (action, KNASTER.write_sheet(game.sheet(table, 0)))
        match step:
            case Do(_, text):
                turns[-1].append((text, ""))
            case None:
                pass
            case _:
                turns.append([])
    for (action, text), *bonuses in turns:
        completed = [line for line, cells in oracles.LINES.items() if action in cells.split()]
        owing = {line for line in completed if oracles.knaster_earned(text, line)}
        for line, circles in groupby(bonuses, key=lambda bonus: bonus[0][0]):
            assert line in owing
            owing.remove(line)
            owed = min(oracles.knaster_earned(text, line), oracles.uncircled(text, line))
            drawn = [after for _, after in circles]
            assert len(drawn) == owed
            text = drawn[-1]  # noqa: PLW2901 - the next line owes by this
        assert not any(oracles.uncircled(text, line) for line in owing)


@pytest.mark.parametrize("box", BOXES)
def test_every_throw_pays_the_same_in_every_box(box: str):
    for dice in combinations_with_replacement(range(1, 7), 5):
        assert box_points(box, dice) == oracles.yatzy_points(box, dice), dice


@st.composite
def yatzy_turns(draw: st.DrawFn) -> list[tuple[tuple[int, ...], list[int]]]:
    """Final dice of 13 turns, half of them Yatzys, and how to choose among the open boxes."""
    dice = st.tuples(*[st.integers(1, 6)] * 5) | st.integers(1, 6).map(lambda face: (face,) * 5)
    return draw(st.lists(st.tuples(dice, st.integers(0, 10**6)), min_size=13, max_size=13))


@pytest.mark.parametrize("rules", RULE_SETS)
@given(turns=yatzy_turns())
def test_yatzy_totals_and_blocks_round_trip(rules: str, turns: list[tuple[tuple[int, ...], int]]):
    yatzy = Yatzy(RULE_SETS[rules])
    sheet = yatzy.start()
    filled: list[tuple[tuple[int, ...], str]] = []
    for dice, number in turns:
        sheet = yatzy.throw(sheet, dice)
        fills = [action for action in yatzy.legal(sheet) if str(action).startswith("fill")]
        fill = fills[number % len(fills)]
        sheet = yatzy.act(sheet, fill)
        filled.append((dice, str(fill).removeprefix("fill ")))
        assert yatzy.total(sheet) == oracles.yatzy_total(filled, rules)
        assert yatzy.read_sheet(yatzy.write_sheet(sheet)) == sheet
