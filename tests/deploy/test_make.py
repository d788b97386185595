"""`make test` installs no web server on a machine whose owner has not asked for one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def plan(*args: str, **environment: str) -> str:
    """What make would do."""
    told = {name: value for name, value in os.environ.items() if name not in {"CI", "MAKEFLAGS", "SERVICES"}}
    return subprocess.check_output(["make", "-n", *args], cwd=ROOT, env=told | environment, text=True, timeout=60)


def test_no_server_is_installed_unasked_and_it_is_said_what_is_skipped():
    planned = plan("unit")
    assert "apt-get" in planned
    assert "nginx-light" not in planned
    assert "tests that need it are skipped" in planned


@pytest.mark.parametrize(
    ("args", "environment"),
    [(["unit", "SERVICES=yes"], {}), (["unit"], {"CI": "true"}), (["proxies"], {})],
    ids=["asked", "CI", "by name"],
)
def test_whoever_asks_gets_everything(args: list[str], environment: dict[str, str]):
    planned = plan(*args, **environment)
    assert "nginx-light" in planned
    assert "caddy" in planned


def test_what_must_pass_before_a_change_lands_asks():
    assert "make test SERVICES=yes" in (ROOT / ".ci/run").read_text("utf-8")
