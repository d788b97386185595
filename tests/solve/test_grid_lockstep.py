"""Rules and kernels of the grid games play the same games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

from kasta.core import FACES, Over, Throw
from kasta.games.grid import Grid
from kasta.games.knaster import Circle, Knaster, Sheet, Write
from kasta.games.knister import Knister
from kasta.solve.grid.estimates import Estimates
from kasta.solve.grid.geometry import SYMBOLS, pairs_count, sums, symbol
from kasta.solve.grid.halving import NEVER
from kasta.solve.knaster.arrays import KnasterModel
from kasta.solve.knaster.estimates import KnasterEstimates
from kasta.solve.knaster.search import best_action
from kasta.solve.knaster.value import KnasterValue, new_value
from kasta.solve.knister.arrays import KnisterModel
from kasta.solve.knister.estimates import KnisterEstimates
from kasta.solve.knister.search import best_cell
from kasta.solve.knister.value import KnisterValue
from kasta.solve.splitmix_kernels import new_generator
from solve.grid_kernels import (
    deal,
    draw,
    knaster_circle,
    knaster_total,
    knaster_value_of,
    knaster_write,
    knister_mean_of_best,
    knister_put,
    knister_total,
    knister_value_of,
)

SMALL = [Knister(), Knister(Grid(2)), Knister(Grid(3))]
GAMES = 8


def random_knister(game: Knister, rng: np.random.Generator) -> KnisterEstimates:
    """Estimates by values that mean nothing."""
    model = KnisterModel(game)
    cells, (kinds, contents) = len(game.grid.cells), model.arrays.score.shape
    lines = rng.integers(-99, 99, (cells + 1, kinds, contents)).astype(np.int16)
    pairs = rng.integers(-9, 9, (cells - 1, pairs_count(model.arrays.others_count))).astype(np.int8)
    return KnisterEstimates(model, KnisterValue(lines, pairs, 1 / 32))


def random_knaster(game: Knaster, rng: np.random.Generator) -> KnasterEstimates:
    model = KnasterModel(game)
    start = new_value(model.arrays, model.contents)
    lines, counts, waiting = (
        rng.integers(-99, 99, table.shape).astype(np.int16) for table in (start.lines, start.counts, start.waiting)
    )
    pairs = rng.integers(-9, 9, start.pairs.shape).astype(np.int8)
    return KnasterEstimates(model, KnasterValue(lines, counts, waiting, pairs, 1 / 32))


def same(one: object, two: object) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))  # type: ignore[call-overload]


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.grid.side)
def test_knister_is_the_same_in_rules_and_kernels(game: Knister):
    rng = Random(1)
    estimates = random_knister(game, np.random.default_rng(1))
    t, value, work = estimates.player
    for _ in range(GAMES):
        sheet, arrays = game.start(), estimates.encode(game.start())
        for written in range(len(game.grid.cells)):
            sheet = game.throw(sheet, (rng.choice(FACES), rng.choice(FACES)))
            thrown = symbol(sheet.sum or 0)
            assert [bool(free) for free in arrays.free] == [cell in game.legal(sheet) for cell in game.grid.cells]
            best = best_cell(estimates.player, arrays, written, thrown)
            base = knister_value_of(t, value, arrays, written + 1)
            gains = work.gain.copy()
            for cell in game.legal(sheet):
                after = estimates.encode(game.act(sheet, cell))
                assert base + gains[cell] == knister_value_of(t, value, after, written + 1)
            assert gains[best] == max(gains[cell] for cell in game.legal(sheet))
            cell = rng.choice(game.legal(sheet))
            sheet = game.act(sheet, cell)
            knister_put(t, arrays, cell, thrown)
            assert same(arrays, estimates.encode(sheet))
            assert knister_total(t, arrays) == game.total(sheet)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.grid.side)
def test_all_numbers_at_once_are_worth_what_each_is(game: Knister):
    rng = Random(3)
    estimates = random_knister(game, np.random.default_rng(3))
    t, value, work = estimates.player
    for _ in range(GAMES):
        arrays = estimates.encode(game.start())
        cells = rng.sample(range(len(arrays.free)), len(arrays.free))
        for written, cell in enumerate(cells[: len(value.pairs)]):
            evaluated = []
            for thrown in range(1, SYMBOLS):
                best = best_cell(estimates.player, arrays, written, thrown)
                evaluated.append(knister_value_of(t, value, arrays, written + 1) + work.gain[best])
            assert knister_mean_of_best(estimates.player, arrays, written) == pytest.approx(
                t.chance[1:] @ evaluated
            )
            knister_put(t, arrays, cell, rng.randrange(1, SYMBOLS))


@pytest.mark.parametrize(
    "game", [Knaster(), Knaster(Grid(2), (9, 8, 9, 8, 10, 10))], ids=lambda game: game.grid.side
)
def test_knaster_is_the_same_in_rules_and_kernels(game: Knaster):
    rng = Random(2)
    estimates = random_knaster(game, np.random.default_rng(2))
    t, owed = estimates.model.arrays, np.zeros(4, np.int64)
    for _ in range(GAMES):
        sheet, arrays = game.start(), estimates.encode(game.start())
        while not isinstance(expected := game.next(sheet), Over):
            if isinstance(expected, Throw):
                sheet = game.throw(sheet, (rng.choice(FACES), rng.choice(FACES)))
                if not sheet.last:
                    check_actions(estimates, sheet)
                continue
            action = rng.choice(game.legal(sheet))
            if isinstance(action, Write):
                earned = knaster_write(t, arrays, action.cell, symbol(sheet.sum or 0), owed)
                assert bool(earned) == bool(game.act(sheet, action).owing)
            elif hasattr(action, "cell"):
                knaster_circle(t, arrays, action.cell)
            sheet = game.act(sheet, action)
            assert same(arrays, estimates.encode(sheet))
            assert knaster_total(t, arrays) == game.total(sheet)


def check_actions(estimates: KnasterEstimates, sheet: Sheet) -> None:
    """What the kernel allows, and what it says of actions that earn no circles."""
    game, cells = estimates.solo, len(estimates.solo.grid.cells)
    best_action(estimates.player, estimates.encode(sheet), symbol(sheet.sum or 0))
    worths = estimates.player.work.worth.copy()
    legal = [action for action in game.legal(sheet) if isinstance(action, Write | Circle)]
    assert legal == game.legal(sheet)
    number = {action: int(action.cell) + cells * isinstance(action, Circle) for action in legal}
    assert {i for i in range(2 * cells) if worths[i] > NEVER} == set(number.values())
    for action in legal:
        after = game.act(sheet, action)
        if game.rests(after) and not game.ends(after):
            arrays = estimates.encode(after)
            worth = knaster_value_of(estimates.player, arrays, arrays.written[0])
            drawn = len(after.circled) - len(sheet.circled)
            assert worths[number[action]] == worth + drawn / estimates.learned.unit


def test_all_ways_to_serve_lines_are_those_of_the_rules():
    game, rng = Knaster(), Random(3)
    estimates = random_knaster(game, np.random.default_rng(3))
    served = 0
    while served < 60:
        sheet = game.start()
        while not isinstance(expected := game.next(sheet), Over):
            if isinstance(expected, Throw):
                sheet = game.throw(sheet, (rng.choice(FACES), rng.choice(FACES)))
                continue
            action = rng.choice(game.legal(sheet))
            sheet = game.act(sheet, action)
            if not game.rests(sheet):
                assert estimates.served(sheet) == by_the_rules(game, sheet, {})
                served += 1


def by_the_rules(game: Knaster, sheet: Sheet, known: dict[Sheet, set[int]]) -> set[int]:
    if game.rests(sheet):
        return {sum(1 << cell for cell in sheet.circled)}
    if sheet not in known:
        known[sheet] = set().union(
            *(by_the_rules(game, game.act(sheet, action), known) for action in game.legal(sheet))
        )
    return known[sheet]


@pytest.mark.parametrize(
    "random_estimates",
    [partial(random_knister, Knister()), partial(random_knaster, Knaster())],
    ids=["knister", "knaster"],
)
def test_the_quick_bot_is_the_same_at_a_table_and_in_kernels(
    random_estimates: Callable[[np.random.Generator], Estimates[Any, Any]],
):
    estimates, games = random_estimates(np.random.default_rng(4)), 6
    game, chance = estimates.solo, new_generator(9)
    played = []
    for _ in range(games):
        sheet = game.start()
        while not isinstance(expected := game.next(sheet), Over):
            if isinstance(expected, Throw):
                throw = draw(chance, 36)
                sheet = game.throw(sheet, (throw // 6 + 1, throw % 6 + 1))
            else:
                sheet = game.act(sheet, estimates.quick(sheet))
        played.append(game.total(sheet))
    totals, luck = estimates.play(games, 9, with_luck=True)
    assert list(totals) == played
    assert np.isfinite(luck).all()


def test_a_deck_holds_every_throw_as_often_as_it_comes_and_depends_on_the_seed_alone():
    cards = sums()
    decks, throws = np.full((3, len(cards)), 99), np.zeros(3, np.int64)  # the first game forgets what was there
    dealt: dict[int, list[list[int]]] = {}
    for attempt in range(2):
        chance = new_generator(5)
        dealt[attempt] = []
        for game in range(2 * len(cards)):
            deal(cards, decks, game, throws, 3, chance)
            dealt[attempt].append(throws.tolist())
    assert dealt[0] == dealt[1]
    for deck in zip(*dealt[0][: len(cards)], strict=True):
        assert sorted(deck) == sorted(cards)
    assert dealt[0][: len(cards)] != dealt[0][len(cards) :]
