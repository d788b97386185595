"""A compiled kernel is used again only if nothing that it is made of has changed, in whatever folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kasta.solve.jit import FOLDER, PACKAGE, cache_folder

RUN = """
import numpy as np
from kasta.solve.grid.reflection import fill_twins
from kasta.solve.jit import FOLDER
twins = np.zeros(20, np.int64)
fill_twins(np.array([1, 0]), twins)
print(FOLDER.name, sum(len(list(folder.glob("*.nbi"))) for folder in FOLDER.iterdir()), *twins)
"""
CALLED = "more * (more + 1)"  # in a function that the kernel calls


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the sources, to be edited."""
    to = tmp_path / "src" / "kasta"
    shutil.copytree(PACKAGE, to, ignore=shutil.ignore_patterns("*.values", "__pycache__", "static"))
    return to


def run(package: Path) -> list[str]:
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "XDG_CACHE_HOME": str(package.parents[1] / "cache"),
    }
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, check=True, capture_output=True, text=True)
    return done.stdout.split()


def test_an_edit_of_what_a_kernel_calls_compiles_it_anew(package: Path):
    folder, compiled, *twins = run(package)
    called = package / "solve" / "grid" / "geometry.py"
    text = called.read_text("utf-8")
    assert text.count(CALLED) == 1
    called.write_text(text.replace(CALLED, CALLED + " + 2"), "utf-8")
    other_folder, compiled_again, *other_twins = run(package)
    assert (compiled, compiled_again) == ("1", "1")
    assert other_folder != folder
    assert other_twins != twins


@pytest.mark.parametrize(
    "source", ["core.py", "games/grid.py", "solve/jit.py", "solve/yatzy/kernels/value.py", "env/kernels/words.py"]
)
def test_an_edit_of_anything_that_fills_arrays_or_is_compiled_names_another_folder(package: Path, source: str):
    assert cache_folder(package) == FOLDER
    with (package / source).open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    assert cache_folder(package) != FOLDER


def test_other_edits_do_not_cost_a_compilation(package: Path):
    (package / "app.py").write_text("", "utf-8")
    assert cache_folder(package) == FOLDER
