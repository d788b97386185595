"""What docs/threat-model.md promises is tested where it says."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/threat-model.md").read_text("utf-8")


def test_every_threat_names_tests_and_every_test_is_there():
    threats = PAGE.partition("## Who might do what to whom")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!threat|---)([^|]+)\|[^|]+\|([^|]+)\|$", threats, re.MULTILINE)
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"^(?:async )?def (test_\w+)", sources, re.MULTILINE))
    assert len(rows) >= 15
    for threat, named in rows:
        tests = re.findall(r"`(test_\w+)`", named)
        assert tests, threat
        assert set(tests) <= there, threat
