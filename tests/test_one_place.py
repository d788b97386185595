"""A game is one place: nothing else in the source knows its name. And modules stay small."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from kasta.games import OURS

SOURCE = Path(__file__).parents[1] / "src/kasta"
FILES = [path for path in SOURCE.rglob("*") if path.suffix in {".py", ".html", ".js", ".css"}]
REGISTRY = SOURCE / "games/__init__.py"
FAMILIES = {"yatzy": ["yatzy", "maxi"]}  # games that share the solver, bots and kernels named after one of them
FRONT = SOURCE / "__init__.py"  # its docstring says what the package is


@pytest.mark.parametrize("game", OURS)
def test_a_game_is_named_only_in_its_own_files_and_in_the_registry(game: str):
    """Files and folders named after it, the registry's entry and the words (*.po) are its own."""
    named = re.compile(rf"(?<![a-z]){game}(?![a-z])", re.IGNORECASE)
    own = FAMILIES.get(game, [game])
    elsewhere = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in FILES
        if path not in {REGISTRY, FRONT}
        and not any(name in part for name in own for part in path.relative_to(SOURCE).parts)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if named.search(line)
    ]
    assert not elsewhere, "\n".join(elsewhere)


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".py"], ids=lambda path: path.stem)
def test_modules_and_functions_stay_small(path: Path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, node.name
