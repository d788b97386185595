"""Knister on four cells, small enough for plain expectimax over the rules."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from kasta.cli import app
from kasta.core import FACES, Over, Pick
from kasta.games.grid import Grid
from kasta.games.knister import Knister, Sheet
from kasta.lab import learners
from kasta.solve.grid.geometry import symbol
from kasta.solve.grid.halving import Budget
from kasta.solve.grid.training import Plan, Training, train
from kasta.solve.knister import estimates as knister
from kasta.solve.knister.arrays import KnisterModel
from kasta.solve.knister.endgame import last_cells
from kasta.solve.knister.estimates import KnisterEstimates
from kasta.solve.knister.training import new_learner

TINY = Knister(Grid(2))
THROWS = [sum(faces) for faces in product(FACES, repeat=2)]


@cache
def expectimax(sheet: Sheet) -> float:
    match TINY.next(sheet):
        case Over():
            return TINY.total(sheet)
        case Pick():
            return max(expectimax(TINY.act(sheet, cell)) for cell in TINY.legal(sheet))
    return sum(THROWS.count(n) * expectimax(Sheet(sheet.numbers, n)) for n in set(THROWS)) / len(THROWS)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> KnisterEstimates:
    file = tmp_path_factory.mktemp("values") / "tiny"
    train(new_learner(TINY), [Plan(200_000, 0.5, 0.01, parts=20)], file)
    return KnisterEstimates(KnisterModel(TINY), knister.load(KnisterModel(TINY), file)[0])


def test_the_exact_endgame_is_plain_expectimax(learned: KnisterEstimates):
    for sheet in [TINY.start(), Sheet((2, 0, 0, 0)), Sheet((0, 7, 0, 8)), Sheet((12, 0, 2, 12))]:
        _, worth = last_cells(learned.model.arrays, learned.encode(sheet))
        assert worth[0] == pytest.approx(expectimax(sheet), abs=1e-12)


def test_exact_advice_is_plain_expectimax(learned: KnisterEstimates):
    for n in (2, 6, 7):
        sheet = Sheet((0, 7, 0, 8), n)
        options = learned.rank(sheet, Budget(exact=3), 0)
        expected = {cell: expectimax(TINY.act(sheet, cell)) for cell in TINY.legal(sheet)}
        assert {option.action: option.value for option in options} == pytest.approx(expected, abs=1e-12)
        assert options[0].value == pytest.approx(expectimax(sheet), abs=1e-12)


def test_learning_comes_close_to_perfect_play(learned: KnisterEstimates):
    best = expectimax(TINY.start())
    totals, luck = learned.play(20_000, 1, with_luck=True)
    less = totals - luck
    assert best * 0.97 < less.mean() < best + 4 * less.std() / len(less) ** 0.5
    assert learned.before_throw(TINY.start()) == pytest.approx(best, rel=0.05)


def test_luck_is_zero_on_average(learned: KnisterEstimates):
    totals, luck = learned.play(20_000, 2, with_luck=True)
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    assert (totals - luck).std() < 0.7 * totals.std()


def test_plans_that_explore_go_on_in_a_value_of_their_own(learned: KnisterEstimates, tmp_path: Path):
    plain, exploring = Plan(4000, 0.5, 0.1, parts=4), Plan(4000, 0.1, 0.1, parts=4, explores=16)
    train(new_learner(TINY), [plain], tmp_path / "one")
    train(new_learner(TINY), [plain, exploring], tmp_path / "two")
    train(
        new_learner(TINY), [plain, replace(exploring, games=4, first_rate=1e-9, last_rate=1e-9)], tmp_path / "same"
    )
    [one] = knister.load(learned.model, tmp_path / "one")
    first, other = knister.load(learned.model, tmp_path / "two")
    assert np.array_equal(first.lines, one.lines)
    assert np.array_equal(first.pairs, one.pairs)
    assert not np.array_equal(other.pairs, one.pairs)
    _, same = knister.load(learned.model, tmp_path / "same")
    assert np.array_equal(same.lines, one.lines), "the other begins where the first has come to"
    assert np.array_equal(same.pairs, one.pairs)


def test_training_goes_on_where_it_stopped(tmp_path: Path):
    plans = [Plan(400, 0.5, 0.1, parts=40), Plan(400, 0.1, 0.1, parts=40, explores=16)]
    train(new_learner(TINY), plans, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(new_learner(TINY), plans, tmp_path / "twice", progress=stop_after(30))
    train(new_learner(TINY), plans, tmp_path / "twice")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "twice").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["twice", "whole"]


def test_learners_of_several_seeds_learn_what_each_learns_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plans = (Plan(4000, 0.5, 0.1, parts=4),)
    tiny = Training(lambda _: new_learner(TINY), plans)
    monkeypatch.setattr(learners, "find_training", lambda _: tiny)
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["train", "knister", "--seed", "1", "--seed", "2", "--processes", "1"]).stdout
    assert told.splitlines()[1].endswith("Kept in knister-2.values.")
    for seed in (1, 2):
        train(new_learner(TINY), [replace(plans[0], seed=seed)], tmp_path / f"alone-{seed}")
    one, two = ((tmp_path / f"alone-{seed}").read_bytes() for seed in (1, 2))
    assert one != two
    assert [(tmp_path / f"knister-{seed}.values").read_bytes() for seed in (1, 2)] == [one, two]


def stop_after(parts: int):
    def progress(done: int, _of: int) -> None:
        if done == parts:
            raise KeyboardInterrupt

    return progress


def test_a_symbol_stands_for_each_sum():
    assert np.unique([symbol(n) for n in THROWS]).tolist() == list(range(1, 12))
