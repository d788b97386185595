"""The documentation site builds without a warning, and no link of our pages leads nowhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import notebooks
import pytest

import kasta

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")]
PAGES += [*sorted((ROOT / "docs").rglob("*.md")), *notebooks.paths()]
CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
INCLUDE = re.compile(r"^```\{include\} (\S+)$", re.MULTILINE)
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
NEEDS_SPHINX = pytest.mark.skipif(
    find_spec("furo") is None and "CI" not in os.environ, reason="the site needs Sphinx: make .venv/.dev"
)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, made as GitHub makes them."""
    headings = HEADING.findall(
        CODE.sub(lambda code: code[0].strip("`") if "\n" not in code[0] else "", text(page))
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def text(page: Path) -> str:
    """A page with what it includes."""
    return source(page) + "".join(text(page.parent / file) for file in INCLUDE.findall(source(page)))


def source(page: Path) -> str:
    """A page without it; of a notebook, what it says."""
    return notebooks.prose(notebooks.read(page)) if page.suffix == ".ipynb" else page.read_text("utf-8")


def links() -> list[object]:
    return [
        pytest.param(page, link, id=f"{page.relative_to(ROOT)}-{link}")
        for page in PAGES
        for link in LINK.findall(CODE.sub("", source(page)))
        if not re.match(r"https?:|mailto:", link)
    ]


@pytest.mark.parametrize(("page", "link"), links())
def test_every_link_leads_somewhere(page: Path, link: str):
    file, _, anchor = link.partition("#")
    target = page.parent / file if file else page
    assert target.exists()
    assert not anchor or anchor in anchors(target)


def test_every_included_page_exists():
    included = [page.parent / file for page in PAGES for file in INCLUDE.findall(page.read_text("utf-8"))]
    assert all(file.is_file() for file in included)


@pytest.mark.parametrize("name", kasta.__all__)
def test_every_public_name_is_in_the_reference(name: str):
    reference = "".join(page.read_text("utf-8") for page in (ROOT / "docs/api").glob("*.md"))
    assert re.search(rf"\b{name}\b", reference)


@NEEDS_SPHINX
def test_the_site_builds_without_warnings(tmp_path: Path):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html", "docs"]
    done = subprocess.run([*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 'role="img"' in (tmp_path / "notation.html").read_text("utf-8")
