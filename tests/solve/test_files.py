"""A solution is used only if it is whole, and of the same rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kasta.errors import Unreadable
from kasta.games.scores import all_equal, pays
from kasta.games.yatzy import RULE_SETS, Yatzy, rules
from kasta.solve.yatzy import solver
from kasta.solve.yatzy.solution import home, solve
from kasta.solve.yatzy.solution_file import Computed, load
from kasta.solve.yatzy.state_space import StateSpace
from kasta.values import Progress

TINY = Yatzy(dice=3, throws=2, boxes=("ones", "yatzy", "full_house"), upper_goal=5)


@pytest.fixture
def solving(monkeypatch: pytest.MonkeyPatch) -> list[StateSpace]:
    """The games that were solved and not read from a file."""
    solved: list[StateSpace] = []
    plain = solver.solve_values

    def noting(space: StateSpace, progress: Progress) -> Computed:
        solved.append(space)
        return plain(space, progress)

    monkeypatch.setattr(solver, "solve_values", noting)
    return solved


def test_the_second_time_the_file_is_read(tmp_path: Path, solving: list[StateSpace]):
    first, second = solve(StateSpace(TINY), tmp_path / "a"), solve(StateSpace(TINY), tmp_path / "a")
    assert len(solving) == 1
    assert np.array_equal(first.values, second.values, equal_nan=True)
    assert second.seconds == first.seconds


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "header", "other"])
def test_a_damaged_file_is_refused_and_made_again(damage: str, tmp_path: Path, solving: list[StateSpace]):
    space, path = StateSpace(TINY), tmp_path / "a.values"
    value = solve(space, tmp_path / "a").start
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[-3] ^= 1
    path.write_bytes(
        {"cut": whole[:-8], "flip": bytes(damaged), "empty": b"", "header": whole[5:], "other": b"[1]\n2"}[damage]
    )
    with pytest.raises(Unreadable, match="is damaged"):
        load(path, space.fingerprint)
    assert solve(space, tmp_path / "a").start == value
    assert len(solving) == 2


def test_a_file_of_other_rules_is_refused_and_made_again(tmp_path: Path, solving: list[StateSpace]):
    solve(StateSpace(TINY), tmp_path / "a")
    other = StateSpace(replace(TINY, rules=RULE_SETS["plain"]))
    with pytest.raises(Unreadable, match="other rules"):
        load(tmp_path / "a.values", other.fingerprint)
    assert solve(other, tmp_path / "a").start == solve(other, tmp_path / "b").start
    assert len(solving) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"rules": RULE_SETS["official"]},
        {"throws": 3},
        {"upper_bonus": 36},
        {"upper_goal": 6},
        {"boxes": ("ones", "yatzy", "chance")},
    ],
    ids=str,
)
def test_any_change_of_the_rules_changes_the_fingerprint(change: dict[str, Any]):
    assert StateSpace(replace(TINY, **change)).fingerprint != StateSpace(TINY).fingerprint


def test_a_score_changed_in_the_rules_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch):
    before = StateSpace(TINY).fingerprint
    monkeypatch.setitem(rules.SCORES, "yatzy", pays(51, all_equal))
    assert StateSpace(TINY).fingerprint != before


def test_without_a_place_to_write_it_is_solved_all_the_same(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    assert solve(StateSpace(TINY), tmp_path / "file" / "a").start > 0


def test_named_rules_have_files_of_their_own():
    assert home(Yatzy()).name == "yatzy-sheet"
    assert len({home(Yatzy(rules)) for rules in RULE_SETS.values()} | {home(TINY)}) == len(RULE_SETS) + 1
