"""`make wheels`: install the built wheels with each extra into an empty environment, and check what it is for.

PYTHONPATH=tests python -m wheels.install [EXTRA ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from wheels.checks import CHECKS

ROOT = Path(__file__).parents[2]
VALUES = ROOT / "src/kasta_values"  # a distribution of its own
LARGEST_MB = 40  # what `pip install kasta` adds to an empty environment
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def build(folder: Path, source: Path = ROOT) -> Path:
    """A wheel, by the tools of this environment: nothing is fetched."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True, stdout=subprocess.DEVNULL
    )
    (wheel,) = folder.glob(f"{'kasta_values' if source == VALUES else 'kasta'}-*.whl")
    return wheel


def megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def run_checks(python: Path, extra: str, away: Path, *options: str) -> None:
    checks = Path(__file__).with_name("checks.py")
    subprocess.run([python, checks, extra, *options], cwd=away, env=CLEAN, check=True)


def install(wheel: Path, extra: str, folder: Path) -> None:
    venv.create(folder, with_pip=True)
    before, begun = megabytes(folder), time.perf_counter()
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    command = [
        str(folder / "bin/python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--find-links",
        str(wheel.parent),
        wanted,
    ]
    subprocess.run(command, env=CLEAN, check=True)
    added, took = megabytes(folder) - before, time.perf_counter() - begun
    run_checks(folder / "bin/python", extra, folder, "--timed")
    print(f"{f'kasta[{extra}]' if extra else 'kasta':<20} {added:7.1f} MB, installed in {took:.0f} s", flush=True)
    if not extra and added > LARGEST_MB:
        sys.exit(f"`pip install kasta` adds more than {LARGEST_MB} MB")


def main(extras: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        wheel, values = build(Path(folder)), build(Path(folder), VALUES)
        for each in (wheel, values):
            print(f"{each.name:<40} {each.stat().st_size / 1e6:5.1f} MB", flush=True)
        for extra in extras:
            with tempfile.TemporaryDirectory() as environment:
                install(wheel, extra, Path(environment))


if __name__ == "__main__":
    main(sys.argv[1:] or list(CHECKS))
