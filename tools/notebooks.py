"""Runs the notebooks of docs/notebooks and writes their outputs: `python tools/notebooks.py [NAME ...]`.

It does what Jupyter does for the little that our notebooks use: cells run in order in one namespace, and their
output is what they print, and the value of their last line. Tests run notebooks with smaller parameters: the
metadata `short` has their values, and the tag `parameters` marks the cell that they follow.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs/notebooks"
Notebook = dict[str, Any]


def paths() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Notebook:
    notebook: Notebook = json.loads(path.read_text("utf-8"))
    return notebook


def write(notebook: Notebook) -> str:
    """The text of its file, as Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def prose(notebook: Notebook) -> str:
    """What it says to people."""
    return "\n\n".join(source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown") + "\n"


def run(notebook: Notebook, *, short: bool = False) -> Notebook:
    """The notebook with the outputs of its cells; `short` with its parameters for tests."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [_ran(cell, names, notebook["metadata"]["short"] if short else {}) for cell in _numbered(notebook)]
    return {**notebook, "cells": cells}


def _numbered(notebook: Notebook) -> Iterator[dict[str, Any]]:
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            yield cell
            continue
        count += 1
        yield {**cell, "execution_count": count}


def _ran(cell: dict[str, Any], names: dict[str, Any], short: dict[str, Any]) -> dict[str, Any]:
    if cell["cell_type"] != "code":
        return cell
    tree = ast.parse(source(cell))
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - our own
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307
    if "parameters" in cell["metadata"].get("tags", ()):
        names |= short
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append(
            {
                "data": _shown(value),
                "execution_count": cell["execution_count"],
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return {**cell, "outputs": outputs}


def _shown(value: object) -> dict[str, list[str]]:
    picture = getattr(value, "_repr_svg_", None)
    if picture:
        return {"image/svg+xml": _lines(picture()), "text/plain": [f"<{type(value).__name__}>"]}
    return {"text/plain": _lines(repr(value))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(wanted: list[str]) -> None:
    for path in paths():
        if not wanted or path.stem in wanted:
            path.write_text(write(run(read(path))), "utf-8")
            sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
