"""Files and names that the pages about Kasta's inside mention are there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/kasta"
PAGES = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs/architecture.md",
    ROOT / "docs/live-pages.md",
    *sorted((ROOT / "docs/adr").glob("0*.md")),
]
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
FILE = r"`([\w./*-]+\.(?:css|html|js|jsonl|po|py|sql|svg|toml|txt))`"
NAME_IN_FILE = re.compile(rf"{FILE}\s+`([A-Za-z_]\w+)`")
EXAMPLES = {
    "KASTA_MOTTO",
    "tests/features/busy/__init__.py",
    "tests/tables/test_wave.py",
    "wall/remote.html",
    "wave",
}  # of pages that build something
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b")  # as in features/NAME/store.py


def prose(page: Path) -> str:
    return FENCED.sub("", page.read_text("utf-8"))


@cache
def files() -> list[Path]:
    folders = ("src", "tests", "bench", "tools", "examples", "deploy", "docs")
    found = (path for each in folders for path in (ROOT / each).rglob("*") if "__pycache__" not in path.parts)
    return [path for path in found if path.is_file() and path != Path(__file__)]


@cache
def words() -> set[str]:
    """Every word of the code, and of what is beside it."""
    kinds = {".py", ".js", ".css", ".html", ".sql", ".sh"}
    texts = [path.read_text("utf-8") for path in files() if path.suffix in kinds]
    texts += [(ROOT / name).read_text("utf-8") for name in ("pyproject.toml", "Makefile")]
    return set(re.findall(r"\w+", "\n".join(texts)))


def is_there(name: str) -> bool:
    """From the root, or the source, or, as people say, by the end of its path."""
    return any(ROOT.glob(name)) or any(path.match(name) for path in files())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path):
    named = {name for name in re.findall(FILE, prose(page)) if not PLACEHOLDER.search(name)}
    assert {name for name in named - EXAMPLES if not is_there(name)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_that_a_page_mentions_is_one_of_the_code(page: Path):
    assert set(re.findall(r"`(\w+)`", prose(page))) - words() - EXAMPLES == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_name_is_in_the_file_that_is_named_with_it(page: Path):
    for file, name in NAME_IN_FILE.findall(prose(page)):
        text = (SOURCE / file).read_text("utf-8")
        assert re.search(rf"^[^#\n]*\b{name}\b", text, re.MULTILINE), f"{file} {name}"


def test_every_package_is_in_the_table_of_packages():
    table = (
        (ROOT / "docs/architecture.md").read_text("utf-8").partition("\n## Packages\n")[2].partition("\n## ")[0]
    )
    there = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert there - {"__init__", "__main__"} - set(re.findall(r"`(\w+)`", table)) == set()
