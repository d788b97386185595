"""Does pyproject.toml say what we need? `make lowest` tries the oldest versions that it allows."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = {"kasta", "kasta-values"}  # built from this tree: no lock names them
SOURCES = sorted((ROOT / "src/kasta").rglob("*.py"))
APART = {
    "stable_baselines3",  # `make test-sb3` installs it
    "browser",  # Brython's own, where a browser runs us
}


def declared() -> Iterator[Requirement]:
    """What we need here, in every extra."""
    for text in [
        *PROJECT["dependencies"],
        *(each for extra in PROJECT["optional-dependencies"].values() for each in extra),
    ]:
        requirement = Requirement(text)
        if requirement.name not in OURS and (not requirement.marker or requirement.marker.evaluate()):
            yield requirement


# A new version of these may break us: of uvicorn we use more than it documents, and Brython is part of what plays
# on the phone. A test tries each of them.
BOUNDED = {"uvicorn": "edge/test_uvicorn.py", "brython": "features/pocket/test_lockstep.py"}


def bounds(requirement: Requirement) -> dict[str, Version]:
    return {each.operator: Version(each.version) for each in requirement.specifier}


def lowest(requirement: Requirement) -> Version:
    return bounds(requirement)[">="]


DECLARED = {str(each): each for each in declared()}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_whatever_is_imported_is_declared():
    found = (
        {name for path in SOURCES for name in imported(path)}
        - sys.stdlib_module_names
        - {"kasta", "kasta_values"}
        - APART
    )
    names, owners = {canonicalize_name(each.name) for each in DECLARED.values()}, packages_distributions()
    assert not {name for name in found if names.isdisjoint(map(canonicalize_name, owners[name]))}


def test_the_lowest_version_of_a_dependency_is_the_same_in_every_extra():
    by_name: dict[str, set[Version]] = {}
    for requirement in DECLARED.values():
        by_name.setdefault(requirement.name, set()).add(lowest(requirement))
    assert {name for name, versions in by_name.items() if len(versions) > 1} == set()


def test_only_what_a_new_version_of_may_break_us_has_an_upper_bound():
    assert {each.name for each in DECLARED.values() if bounds(each).keys() != {">="}} == BOUNDED.keys()
    for name, test in BOUNDED.items():
        assert name in (ROOT / "tests" / test).read_text("utf-8").lower()


def test_the_inner_parts_of_others_are_used_only_where_a_test_checks_them():
    """What begins with an underscore is nobody's promise; ruff finds attributes, and this modules."""
    inner = re.compile(r"^\s*(?:from|import) (?!kasta)[a-z]\w*[.\w]*\b_\w+|^\s*from uvicorn\.", re.MULTILINE)
    assert [path.name for path in SOURCES if inner.search(path.read_text("utf-8"))] == ["protocol.py"]


@pytest.mark.parametrize("text", DECLARED)
def test_the_version_that_is_installed_is_allowed_and_in_make_lowest_the_oldest_one(text: str):
    requirement = DECLARED[text]
    installed = Version(version(requirement.name))
    assert (
        installed == lowest(requirement) if sys.prefix.endswith("lowest") else installed in requirement.specifier
    )


@pytest.mark.parametrize("lock", ["run.txt", "dev.txt"])
def test_what_is_locked_is_allowed(lock: str):
    text = (ROOT / "requirements" / lock).read_text("utf-8")
    locked = [
        (canonicalize_name(name), Version(at))
        for name, at in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)
    ]
    allowed = {canonicalize_name(each.name): each.specifier for each in DECLARED.values()}
    assert {"immutables", "litestar", "uvicorn"} <= {name for name, _ in locked}
    assert not [(name, at) for name, at in locked if name in allowed and at not in allowed[name]]
