"""Solutions are made in a folder of the tests, not in the user's."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from kasta.games.yatzy import RULE_SETS, Yatzy
from kasta.solve.yatzy import solution as yatzy_solution
from kasta.solve.yatzy.solution import Solution, solution


@pytest.fixture(scope="session", autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.getbasetemp() / "solutions"
    if "PYTEST_XDIST_WORKER" in os.environ:  # what one process has solved serves the other, too
        folder = tmp_path_factory.getbasetemp().parent / "solutions"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yatzy_solution, "folder", lambda: folder)
        yield


@pytest.fixture(scope="session")
def sheet_rules(_own_folder: None) -> Solution:
    return solution(Yatzy())


@pytest.fixture(params=RULE_SETS)
def any_rules(request: pytest.FixtureRequest, _own_folder: None) -> Solution:
    return solution(Yatzy(RULE_SETS[request.param]))
