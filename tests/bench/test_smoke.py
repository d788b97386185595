"""Every benchmark runs, small: that it measures something is enough here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = {path.stem: path for path in (Path(__file__).parents[2] / "bench").rglob("*.py")}
SMALL = {
    "bots": ["--quick"],
    "challenge": ["--quick"],
    "circle": ["--quick"],
    "cores": ["--players", "anything", "greedy", "--games", "20", "--rounds", "1"],
    "dice": ["10000"],
    "env": ["--quick"],
    "estimates": ["maxi", "no_saving", "--games", "2"],
    "four": ["--quick"],
    "grid": ["strength", "knister", "quick", "--games", "10", "--processes", "1"],
    "hall": ["--quick"],
    "knister_bound": ["--paths", "2", "--rounds", "3"],
    "leaderboard": ["--quick"],
    "luck": ["knister", "--games", "2", "--bots", "quick,first", "--processes", "1"],
    "metrics": ["--count", "1000"],
    "notices": ["--quick"],
    "hostile": ["--quick"],
    "place": ["knaster", "--games", "2", "--budget", "quick", "--processes", "1"],
    "perfect": ["exact", "knister", "best", "--free", "3", "--positions", "2"],
    "played_out": ["knister", "--positions", "4", "--games", "2", "--share", "0.01", "--processes", "1"],
    "pocket": ["--loads", "1"],
    "postgres_cost": ["--quick"],
    "results_store": ["--quick"],
    "rules": ["--quick"],
    "scale": ["--quick"],
    "second": ["--quick"],
    "stores": ["--quick"],
    "strangers": ["--quick"],
    "strength": ["--quick"],
    "two_nodes": ["--quick"],
    "walk": [],
    "web": ["--quick"],
    "winning": ["--games", "2", "--processes", "1"],
    "yatzy": ["--quick"],
}


SHARED = {"knister_bound_kernels", "phones"}  # no benchmark, but what several are made of


SLOW = {"hostile", "place", "pocket", "scale", "strangers", "two_nodes"}  # also where they run small


def test_no_benchmark_is_forgotten():
    assert SCRIPTS.keys() - SHARED == SMALL.keys()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.prove if name in SLOW else ()) for name in SMALL]
)
def test_a_benchmark_runs(name: str):
    done = subprocess.run(
        [sys.executable, SCRIPTS[name], *SMALL[name]], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    figures = [float(each.replace(",", "")) for each in re.findall(r"\b\d[\d,]*(?:\.\d+)?\b", done.stdout)]
    assert any(figures), done.stdout
    assert not re.search(r"\b(nan|inf)\b", done.stdout)
