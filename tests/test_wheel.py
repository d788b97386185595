"""What people install is the wheel, so the wheel itself must work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_brings_everything_the_command_needs(tmp_path: Path):
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run([*pip, *build], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("kasta-*.whl")
    installed = tmp_path / "installed"
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-index", "--target", str(installed), str(wheel)], check=True
    )

    done = subprocess.run(
        [sys.executable, "-m", "kasta", "rules", "knaster"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    where = subprocess.run(
        [sys.executable, "-c", "import kasta; print(kasta.__file__)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("# Knaster")
    assert where.stdout.startswith(str(installed))
    assert (installed / "kasta/py.typed").exists()
