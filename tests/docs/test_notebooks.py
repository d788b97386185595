"""Every notebook runs, and shows what it says today."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import notebooks
import pytest

from support.fixtures.golden import Golden

NOTEBOOKS = notebooks.paths()


def kinds(notebook: notebooks.Notebook) -> list[list[list[str]]]:
    """What kind of output each cell has."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [[sorted(each.get("data", {"text": ""})) for each in cell["outputs"]] for cell in cells]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path):
    notebook = notebooks.read(path)
    assert kinds(notebooks.run(notebook, short=True)) == kinds(notebook)


@pytest.mark.prove
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_computes(path: Path, golden: Golden):
    golden(path, notebooks.write(notebooks.run(notebooks.read(path))))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_as_jupyter_writes_it(path: Path):
    notebook = notebooks.read(path)
    cells: list[dict[str, Any]] = notebook["cells"]
    counts = [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert path.read_text("utf-8") == notebooks.write(notebook)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_listed_and_its_short_run_changes_parameters_that_it_has(path: Path):
    assert f"]({path.name})" in (notebooks.FOLDER / "index.md").read_text("utf-8")
    notebook = notebooks.read(path)
    [parameters] = [cell for cell in notebook["cells"] if "parameters" in cell["metadata"].get("tags", ())]
    assert set(notebook["metadata"]["short"]) <= set(notebooks.source(parameters).replace("=", " ").split())
