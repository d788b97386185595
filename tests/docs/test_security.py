"""What docs/security.md promises is tested where it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(test_\w+)`", PAGE)))
THERE = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
}
CHAPTERS = 17
STATES = {"met", "partly", "not met", "—"}


@pytest.mark.parametrize("name", NAMED)
def test_every_test_that_is_named_is_there(name: str):
    assert name in THERE


def test_every_chapter_is_answered_and_every_answer_has_a_state():
    chapters = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    assert [chapter.split()[0] for chapter in chapters] == [f"V{number}" for number in range(1, CHAPTERS + 1)]
    for chapter in chapters:
        rows = re.findall(r"^\| \d[^|]*\| ([^|]*) \|", chapter, re.MULTILINE)
        assert set(rows) <= STATES
        assert rows or "\n— None." in chapter


def test_what_is_called_met_names_a_test_or_says_why_there_is_none():
    """A page or a reason may stand in its place, but never nothing."""
    assert not re.findall(r"^\| [^|]*\| met \| *\|$", PAGE, re.MULTILINE)
