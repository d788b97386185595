"""Learned values are read only for the rules that they were learned with, and only whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kasta.errors import Unreadable
from kasta.games import knister as knister_rules
from kasta.games.grid import Grid
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.solve.grid import learned_file
from kasta.solve.knaster import estimates as knaster
from kasta.solve.knaster.arrays import KnasterModel
from kasta.solve.knister import estimates as knister
from kasta.solve.knister.arrays import KnisterModel

BYTES_TO_SHIP, BYTES_TO_LOAD = 18_000_000, 300_000_000


def test_tables_come_back_as_they_were(tmp_path: Path):
    rng = np.random.default_rng(1)
    near, far = rng.integers(-3, 3, (7, 90)).astype(np.int8), np.zeros(400_000, np.int16)
    far[[5, 200_000, 399_999]] = 1, -3000, 2
    learned_file.save(
        tmp_path / "file", "rules", {"near": near, "far": far, "none": np.zeros(9, np.int8)}, {"games": 1}
    )
    found = learned_file.load(tmp_path / "file", "rules")
    assert np.array_equal(found["near"], near)
    assert np.array_equal(found["far"], far)
    assert not found["none"].any()


def test_values_for_other_rules_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(knister_rules.POINTS, "pair", 2)
    with pytest.raises(Unreadable) as refused:
        knister.load(KnisterModel(), knister.FILE)
    assert refused.value.code == "solution_of_other_rules"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (KnisterModel(Knister(Grid(2))), KnisterModel(Knister(Grid(3)))),
        (
            KnasterModel(Knaster(Grid(2), (9, 8, 9, 8, 10, 10))),
            KnasterModel(replace(Knaster(Grid(2)), printed=(9, 8, 9, 8, 10, 11))),
        ),
    ],
    ids=["side", "points"],
)
def test_other_rules_have_another_fingerprint(one: KnisterModel, two: KnisterModel):
    assert one.fingerprint != two.fingerprint


def test_a_damaged_file_is_refused(tmp_path: Path):
    learned_file.save(tmp_path / "file", "rules", {"a": np.ones(99, np.int8)}, {})
    content = (tmp_path / "file").read_bytes()
    for damaged in (content[:-1], content[:-3] + b"???", b"{}\n", b""):
        (tmp_path / "file").write_bytes(damaged)
        with pytest.raises(Unreadable) as refused:
            learned_file.load(tmp_path / "file", "rules")
        assert refused.value.code == "solution_damaged"


def test_what_is_shipped_is_small_enough():
    assert knister.FILE.stat().st_size + knaster.FILE.stat().st_size < BYTES_TO_SHIP
    values = [*knister.load(KnisterModel(), knister.FILE), knaster.estimates(Knaster()).learned]
    assert sum(np.asarray(table).nbytes for value in values for table in value[:-1]) < BYTES_TO_LOAD
