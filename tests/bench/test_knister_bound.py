"""Limits for Knister: never below perfect play, nor below anything that can be done with known throws."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from random import Random

import numpy as np
import pytest
from knister_bound import Bound, Paths, bound, equal_numbers
from knister_bound_kernels import PLACES, SEEN, sell_known

from kasta.core import FACES
from kasta.games.grid import NUMBERS, Grid
from kasta.games.knister import Knister, Sheet
from kasta.solve.grid.geometry import NONE, SYMBOLS
from kasta.solve.knister.arrays import KnisterModel
from kasta.solve.knister.estimates import estimates
from kasta.solve.types import Ints
from solve.expectimax import expectimax

TINY = Knister(Grid(2))
THROWS = [sum(faces) for faces in product(FACES, repeat=2)]


@pytest.fixture(scope="module")
def tiny() -> Paths:
    t = KnisterModel(TINY).arrays
    return Paths(t, bound(t, 200))


@pytest.fixture(scope="module")
def whole() -> Paths:
    t = KnisterModel().arrays
    return Paths(t, bound(t, 30))


@pytest.fixture(scope="module")
def perfect() -> float:
    return expectimax(TINY, TINY.total, {})(TINY.start())


def test_no_player_beats_the_bound(tiny: Paths, perfect: float):
    for rounds in (1, 10, 100):
        assert bound(tiny.t, rounds).limit > perfect


def test_no_player_beats_the_sampled_limits(tiny: Paths, perfect: float):
    limits = tiny.sample(100, 100, 1)
    assert perfect < limits.mean() < bound(tiny.t, 200).limit
    assert limits.std() / len(limits) ** 0.5 < 0.3


def test_with_the_prices_of_the_bound_every_sequence_of_throws_has_the_same_limit(whole: Paths):
    limit, prices = bound(whole.t, 30)
    hard = Paths(whole.t, Bound(limit, prices), softness=0.0)
    assert hard.sample(3, 1, 1) == pytest.approx([limit] * 3, abs=1e-9)
    assert (hard.sample(3, 100, 1) < limit).all()


def test_without_prices_the_bound_is_the_sum_of_single_lines(tiny: Paths):
    assert bound(tiny.t, 1).limit == pytest.approx(4 * best_line(0) + 2 * best_line(4), abs=1e-9)


def best_line(line: int) -> float:
    """Plain expectimax for who cares about one line only."""
    cells = TINY.grid.lines[line].cells

    @cache
    def worth(numbers: tuple[int, ...], turns: int) -> float:
        if len(numbers) == len(cells):
            sheet = [0] * len(TINY.grid.cells)
            for cell, number in zip(cells, numbers, strict=True):
                sheet[cell] = number
            return TINY.lines(Sheet(tuple(sheet)))[line].points
        means = (
            max(worth((*numbers, n), turns - 1), worth(numbers, turns - 1) if turns > 2 - len(numbers) else 0)
            for n in THROWS
        )
        return sum(means) / len(THROWS)

    return worth((), len(TINY.grid.cells))


def test_whatever_is_done_with_known_throws_stays_below_their_limit(tiny: Paths):
    rng = np.random.default_rng(1)
    for _ in range(40):
        thrown = tiny.t.sums[rng.integers(36, size=4)]
        most = max(less_luck(tiny, thrown, np.array(cells)) for cells in permutations(range(4)))
        assert most <= tiny.limit(thrown, 100) + 1e-9


def test_a_good_game_improved_with_hindsight_stays_below_the_limit_of_its_throws(whole: Paths):
    game, player, rng = Knister(), estimates(Knister()), Random(1)
    sheet, cells = game.start(), list[int]()
    for _ in range(25):
        sheet = game.throw(sheet, (rng.choice(FACES), rng.choice(FACES)))
        cells.append(player.quick(sheet))
        sheet = game.act(sheet, player.quick(sheet))
    thrown = np.array([NUMBERS.index(sheet.numbers[cell]) + 1 for cell in cells])
    limit, best = whole.limit(thrown, 150), np.array(cells)
    most = less_luck(whole, thrown, best)
    assert game.total(sheet) == pytest.approx(most + luck(whole, thrown, best))
    for _ in range(120):
        other = best.copy()
        one, two = rng.sample(range(25), 2)
        other[[one, two]] = other[[two, one]]
        if (made := less_luck(whole, thrown, other)) >= most:
            best, most = other, made
    assert most <= limit


def less_luck(paths: Paths, thrown: Ints, cells: Ints) -> float:
    """What a game is worth whose throws were written into these cells, one after the other, less luck."""
    numbers = [0] * len(cells)
    for cell, symbol in zip(cells, thrown, strict=True):
        numbers[cell] = NUMBERS[symbol - 1]
    side = paths.t.g.cells_of.shape[1]
    return Knister(Grid(side)).total(Sheet(tuple(numbers))) - luck(paths, thrown, cells)


def luck(paths: Paths, thrown: Ints, cells: Ints) -> float:
    g, found = paths.t.g, paths.luck_of_seller(thrown)
    diagonals = range(len(g.kind_of) - 2, len(g.kind_of))
    for line, kind in enumerate(g.kind_of):
        sort = next(i for i, sort in enumerate(paths.sorts) if sort.kind == kind)
        content, marked = 0, paths.sorts[sort].marked
        for turn, (symbol, cell) in enumerate(zip(thrown, cells, strict=True)):
            found += luck_of_line(paths, sort, turn, marked, content)[symbol]
            if g.place_of[line, cell] != NONE:
                marked -= sum(g.place_of[d, cell] != NONE for d in diagonals) > (line in diagonals)
                content = int(paths.t.after[content, symbol])
    return float(found)


def luck_of_line(paths: Paths, sort: int, turn: int, marked: int, content: int) -> list[float]:
    """What each symbol is worth for a line, less what the mean throw is worth."""
    t, m, turns = paths.t, paths.markets[sort], len(paths.road.thrown)
    free, equal, best = m.free[content], equals_of(paths)[content], [0.0]
    for symbol in range(1, SYMBOLS):
        options, takes = [m.worth[turn + 1, marked, content]] if free < turns - turn else [], []
        after = t.after[content, symbol]
        if free > marked:
            takes.append(m.worth[turn + 1, marked, after] - m.price[turn, symbol, equal[symbol]])
        if marked:
            takes.append(m.worth[turn + 1, marked - 1, after] - m.marked_price[turn, symbol, equal[symbol]])
        options += [max(takes)] if takes else []
        best.append(float(paths.softness * np.logaddexp.reduce(np.array(options) / paths.softness)))
    mean = float(t.chance @ best)
    return [worth - mean for worth in best]


@cache
def equals_of(paths: Paths) -> Ints:
    return equal_numbers(paths.t)


def test_the_seller_has_no_luck_on_average(tiny: Paths):
    symbols = range(1, SYMBOLS)
    mean = sum(
        tiny.t.chance[list(thrown)].prod() * tiny.luck_of_seller(np.array(thrown))
        for thrown in product(symbols, repeat=4)
    )
    assert mean == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("paths", ["tiny", "whole"])
def test_the_seller_can_sell_whatever_a_sheet_can_take(paths: str, request: pytest.FixtureRequest):
    known: Paths = request.getfixturevalue(paths)
    t, g, rng = known.t, known.t.g, np.random.default_rng(1)
    for _ in range(30):
        cells = rng.permutation(len(g.count_of))
        thrown = t.sums[rng.integers(36, size=len(cells))]
        contents = np.zeros(len(g.kind_of), np.int64)
        prices = np.full((len(cells), PLACES, g.cells_of.shape[1]), -1000.0)
        for turn, (cell, symbol) in enumerate(zip(cells, thrown, strict=True)):
            through = g.lines_of[cell][: g.count_of[cell]]
            for line, place in zip(through, SEEN[len(through) - 2], strict=False):
                prices[turn, place, equals_of(known)[contents[line], symbol]] = 0.0
                contents[line] = t.after[contents[line], symbol]
        known.luck_of_seller(thrown)
        assert sell_known(known.offers, known.road, prices, np.zeros_like(prices)) == 0
