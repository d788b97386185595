"""Knaster on four cells, small enough for expectimax over the rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

from kasta.core import FACES, Over, Throw
from kasta.games.grid import Grid
from kasta.games.knaster import Action, Circle, Knaster, Sheet, Write
from kasta.solve.grid.training import Plan, train
from kasta.solve.knaster import estimates as knaster
from kasta.solve.knaster.arrays import KnasterModel
from kasta.solve.knaster.estimates import KnasterEstimates
from kasta.solve.knaster.training import new_learner

TINY = Knaster(Grid(2), printed=(8,) * 6)
THROWS = {sum(faces): faces for faces in product(FACES, repeat=2)}
CHANCES = Counter(sum(faces) for faces in product(FACES, repeat=2))


def alike(sheet: Sheet) -> Sheet:
    """Any two cells make a line, and all lines are worth the same: so the order of cells means nothing.

    Nor does it matter which end numbers are counted from.
    """
    cells = [(number, cell in sheet.circled) for cell, number in enumerate(sheet.numbers)]
    turned = [(number and min(THROWS) + max(THROWS) - number, circled) for number, circled in cells]
    numbers, circled = zip(*min(sorted(cells), sorted(turned)), strict=True)
    return Sheet(numbers, frozenset(cell for cell in TINY.grid.cells if circled[cell]))


@cache
def expectimax(sheet: Sheet) -> float:
    """Before a throw."""
    worth = {number: best(TINY.throw(sheet, faces)) for number, faces in THROWS.items()}
    return sum(CHANCES[number] * worth[number] for number in THROWS) / CHANCES.total()


def best(sheet: Sheet) -> float:
    match TINY.next(sheet):
        case Over():
            return TINY.total(sheet)
        case Throw():
            return expectimax(alike(sheet))
    return max(best(TINY.act(sheet, action)) for action in different(TINY.legal(sheet)))


def different(actions: list[Action]) -> list[Action]:
    """One equal number is as good to circle as another, and one free cell to write into."""
    seen = {type(action): action for action in actions if isinstance(action, Write | Circle)}
    return [*seen.values(), *(action for action in actions if not isinstance(action, Write | Circle))]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> KnasterEstimates:
    file = tmp_path_factory.mktemp("values") / "tiny"
    train(new_learner(TINY), [Plan(200_000, 0.5, 0.01, parts=20)], file)
    return KnasterEstimates(KnasterModel(TINY), knaster.load(KnasterModel(TINY), file))


def test_learning_comes_close_to_perfect_play(learned: KnasterEstimates):
    perfect = expectimax(alike(TINY.start()))
    totals, luck = learned.play(20_000, 1, with_luck=True)
    less = totals - luck
    assert perfect * 0.97 < less.mean() < perfect + 4 * less.std() / len(less) ** 0.5
    assert learned.before_throw(TINY.start()) == pytest.approx(perfect, rel=0.05)


def test_luck_is_zero_on_average(learned: KnasterEstimates):
    totals, luck = learned.play(20_000, 2, with_luck=True)
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    assert (totals - luck).std() < 0.7 * totals.std()
