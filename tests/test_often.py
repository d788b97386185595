"""`make often` names what failed in any of its runs, and does not repeat what its log has."""

from __future__ import annotations

import sys
from pathlib import Path

import often
import pytest

FAILING = ["-c", "/dev/null", "-p", "no:cacheprovider", "-p", "shuffled", "-q", "-rfE"]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of two tests outside of ours, one of which fails when the order is an odd one."""
    monkeypatch.setattr(often, "BUILD", tmp_path / "build")
    monkeypatch.setattr(often, "LOG", tmp_path / "build/often.log")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "shuffled.py").write_text(
        "def pytest_addoption(parser): parser.addoption('--shuffle', type=int)\n"
    )
    test = (
        "def test_odd(pytestconfig): assert pytestconfig.getoption('--shuffle') % 2 == 0\ndef test_two(): pass\n"
    )
    (tmp_path / "test_it.py").write_text(test)
    return tmp_path


def test_what_failed_is_named_with_its_orders_and_nothing_runs_twice(
    build: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(often, "commit", lambda: "abc")
    monkeypatch.setattr(sys, "argv", ["often", "--runs", "2", "--", *FAILING, "--rootdir", str(build), str(build)])
    assert often.main() == 1
    assert "| test_it.py::test_odd | 1 | 1 |" in capsys.readouterr().out
    for said in (build / "build/often").iterdir():
        said.unlink()
    assert often.main() == 1
    assert "2 runs, 1 without a failure." in capsys.readouterr().out
    assert not list((build / "build/often").iterdir())
