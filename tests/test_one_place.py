"""A game is one place, a class name is one class, and folders, modules and functions stay small."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from kasta.games import OURS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/kasta"
FILES = [path for path in SOURCE.rglob("*") if path.suffix in {".py", ".html", ".js", ".css"}]
REGISTRY = SOURCE / "games/__init__.py"
FAMILIES = {"yatzy": ["yatzy", "maxi"]}  # games that share the solver, bots and kernels named after one of them
FRONT = SOURCE / "__init__.py"  # its docstring says what the package is
TREES = {path: ast.parse(path.read_text("utf-8")) for path in FILES if path.suffix == ".py"}
SHARED_NAMES = {
    "Sheet": "each game's package has its own, and games of others do the same",
    "Roll": "a command and a record's line of one and the same thing",
    "Leave": "a command and a record's line of one and the same thing",
}
OF_EVERYTHING = {"bench", "browser", "deploy", "docs", "machine", "soak", "support", "wheels"}
MOST_MEAN_COMPLEXITY = 2.9
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.Assert, ast.match_case)


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


@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_modules_and_functions_stay_small(path: Path):
    assert len(path.read_text("utf-8").splitlines()) <= 400
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 50, node.name


def test_folders_stay_small():
    modules = (path for folder in ("src", "tests", "bench") for path in (ROOT / folder).rglob("*.py"))
    sizes = Counter(path.parent for path in modules)
    assert not {str(folder.relative_to(ROOT)): size for folder, size in sizes.items() if size > 20}


def test_tests_lie_where_the_code_lies():
    """A folder of tests is named after one of the source, or after what concerns all of it."""
    assert _folders(ROOT / "tests") - _folders(SOURCE) <= OF_EVERYTHING
    assert _folders(ROOT / "tests/features") - _folders(SOURCE / "features") == {"of_others"}


def _folders(parent: Path) -> set[str]:
    return {path.parent.name for path in parent.glob("*/*.py")}


def test_a_class_name_exists_once():
    found = Counter(
        node.name for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in found.items() if count > 1} == SHARED_NAMES.keys()


def test_functions_are_straight_on_average():
    """Cyclomatic complexity: one, and one more for each branch, condition and loop."""
    functions = [
        node
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    mean = sum(1 + sum(_branches(node) for part in each.body for node in ast.walk(part)) for each in functions)
    assert mean / len(functions) <= MOST_MEAN_COMPLEXITY


def _branches(node: ast.AST) -> int:
    match node:
        case ast.BoolOp():
            return len(node.values) - 1
        case ast.comprehension():
            return 1 + len(node.ifs)
        case _:
            return isinstance(node, BRANCHES)
