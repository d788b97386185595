"""The units of deploy/ are what systemd understands, and it calls them well confined."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = ("kasta.service", "kasta-backup.service", "kasta-backup.timer")
SERVICES = [unit for unit in UNITS if unit.endswith(".service")]
MOST_EXPOSED = 15  # tenths of a point, of ten points, as `systemd-analyze security` counts


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units, with the command as it is installed here."""
    if shutil.which("systemd-analyze") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("systemd-analyze is missing: make proxies")
        pytest.skip("no systemd-analyze here: apt install systemd to check the units")
    here = str(Path(sys.executable).with_name("kasta"))
    for unit in UNITS:
        text = (DEPLOY / unit).read_text("utf-8")
        (tmp_path / unit).write_text(text.replace("/opt/kasta/bin/kasta", here))
    return tmp_path


def analyze(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *args], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_understands_every_line(unit: str, units: Path):
    done = analyze("verify", "--man=no", "--recursive-errors=no", units / unit)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("unit", SERVICES)
def test_systemd_calls_the_service_well_confined(unit: str, units: Path):
    done = analyze("security", "--offline=true", f"--threshold={MOST_EXPOSED}", units / unit)
    assert done.returncode == 0, done.stdout


def test_a_line_that_systemd_does_not_know_is_found(units: Path):
    unit = units / "kasta.service"
    unit.write_text(unit.read_text().replace("ProtectHome=yes", "ProtectHomes=yes"))
    assert "ProtectHomes" in analyze("verify", "--man=no", "--recursive-errors=no", unit).stderr
