"""Packages of others: the docs' examples, installed as a package beside ours for the processes that want it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = EXAMPLES / "trappa"


def install_example(to: Path, example: Path = EXAMPLE) -> Path:
    """Install an example by pip into a folder, without fetching anything."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", to, example], check=True)
    return to


def with_packages(path: Path) -> dict[str, str]:
    """The environment of a process that finds packages there, too."""
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), *([before] if before else [])])}


def run(path: Path, *command: str | Path, given: str = "") -> str:
    """What one of our commands prints where the example is installed."""
    program, *rest = command
    done = subprocess.run(
        [Path(sys.executable).parent / program, *rest],
        input=given,
        env=with_packages(path),
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
