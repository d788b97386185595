"""What takes long to make is made once, and the kernels cannot tell that it was kept."""

from __future__ import annotations

from pathlib import Path

import numba
import pytest

from kasta.games.knaster.rules import Knaster
from kasta.solve import kept as keeping
from kasta.solve.grid.estimates import kept_model
from kasta.solve.kept import kept
from kasta.solve.knaster.arrays import KnasterModel


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(keeping, "FOLDER", tmp_path)
    return tmp_path


def test_it_is_made_once_for_each_name(folder: Path):
    assert kept("one", lambda: [1]) == [1]
    assert kept("one", lambda: [2]) == [1]
    assert kept("two", lambda: [2]) == [2]
    assert len(list(folder.iterdir())) == 2


def test_it_is_made_again_if_it_was_damaged(folder: Path):
    kept("one", lambda: [1])
    [file] = folder.iterdir()
    for damaged in (b"", b"nothing"):
        file.write_bytes(damaged)
        assert kept("one", lambda: [2]) == [2]


def test_it_is_made_anew_each_time_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(keeping, "FOLDER", tmp_path / "file")
    assert kept("one", lambda: [1]) == [1]
    assert kept("one", lambda: [2]) == [2]


@pytest.mark.usefixtures("folder")
def test_kernels_get_the_same_arrays_from_a_kept_model():
    solo = Knaster()
    made = kept_model(KnasterModel(solo))
    found = kept_model(KnasterModel(solo))
    assert isinstance(found, KnasterModel)
    assert found is not made
    assert found.fingerprint == made.fingerprint
    assert numba.typeof(found.arrays) == numba.typeof(made.arrays)
