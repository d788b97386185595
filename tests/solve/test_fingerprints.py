"""Fingerprints tell rules apart, and those of shipped files stay as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kasta.games import knister as knister_rules
from kasta.games.grid import Grid
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.games.yatzy import Yatzy
from kasta.solve.knaster import arrays as knaster
from kasta.solve.knister import arrays as knister
from kasta.solve.value_file import fingerprint
from kasta.solve.yatzy.state_space import StateSpace

KNISTER, KNASTER = Knister(Grid(2)), Knaster(Grid(2), printed=(8,) * 6)
YATZY = Yatzy(dice=3, throws=2, boxes=("ones", "yatzy", "full_house"), upper_goal=5)

# Those of the files that have been shipped, and of solutions in users' folders.
KNOWN = {
    "knister": "f8a0da00a3a8da85255c30512220290c3e8f73393ee9d14cf7cbe7f73ab5c3bd",
    "knaster": "8627e90f34ae9af9aa3a1acfbb4f56fe0d91d5d4a6de975b130c1383c7986aab",
    "yatzy": "3c05a5f5da88227f7965dc643b8e11ff0c7cb9a3a74e7941b8b3f21cfa60182a",
}


def test_the_fingerprints_of_shipped_files_stay_as_they_are():
    found = {
        "knister": knister.KnisterModel().fingerprint,
        "knaster": knaster.KnasterModel().fingerprint,
        "yatzy": StateSpace(Yatzy()).fingerprint,
    }
    assert found == KNOWN


def test_a_changed_score_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch):
    before = knister.KnisterModel(KNISTER).fingerprint
    monkeypatch.setitem(knister_rules.POINTS, "pair", 2)
    assert knister.KnisterModel(KNISTER).fingerprint != before
    dearer = replace(KNASTER, printed=(9, *KNASTER.printed[1:]))
    assert knaster.KnasterModel(dearer).fingerprint != knaster.KnasterModel(KNASTER).fingerprint


def test_names_types_and_shapes_count():
    found = [
        fingerprint({"a": np.zeros(4)}),
        fingerprint({"b": np.zeros(4)}),
        fingerprint({"a": np.zeros((2, 2))}),
        fingerprint({"a": np.zeros(4, np.int64)}),
    ]
    assert len(set(found)) == len(found)
