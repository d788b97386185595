"""Templates, styles and scripts agree with each other, and each line says one thing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from visitors import Phone

from kasta import draw
from kasta.edge import assets

PACKAGE = Path(assets.__file__).parents[1]
PAGE = PACKAGE / "page"
TEMPLATES = sorted(PACKAGE.rglob("templates/**/*.html"))
STYLES = sorted(path for folder in ("page", "features") for path in (PACKAGE / folder).rglob("*.css"))
SCRIPTS = sorted((PAGE / "static").rglob("*.js"))
BY_HAND = (
    "features/rules/prose",
    "page/sheet_html",
    "page/tray_html",
    "features/review/page",
    "features/review/sheet",
)
DRAWING = [Path(draw.__file__), *(PACKAGE / f"{name}.py" for name in BY_HAND)]
LONGEST_LINE = 120
# Classes that are not styled: browser tests and the script find things by them.
HOOKS = {"extras", "link"}
CLASS = re.compile(r"\.(-?[a-z][\w-]*)")


def text(paths: list[Path]) -> str:
    return "\n".join(path.read_text("utf-8") for path in paths)


def style() -> str:
    return re.sub(r"/\*.*?\*/", "", text(STYLES), flags=re.DOTALL)


def styled_classes() -> set[str]:
    selectors = re.findall(r"([^{};]+)\{", style())
    return {name for selector in selectors if "@" not in selector for name in CLASS.findall(selector)}


def test_no_line_is_longer_than_a_screen():
    for path in (*TEMPLATES, *STYLES, *SCRIPTS):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert len(line) <= LONGEST_LINE, f"{path}:{number}"


def test_each_declaration_has_a_line_of_its_own():
    for line in style().splitlines():
        assert line.count(";") <= 1, line
        assert not re.search(r"\{.*;", line), line


def test_each_class_of_a_template_is_styled_or_a_hook():
    written = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", text(TEMPLATES), flags=re.DOTALL)
    used = {name for value in re.findall(r'class="([^"]*)"', written) for name in value.split()}
    used -= {"theme-", "seat"}  # the rest of the name is filled in
    assert used - styled_classes() == HOOKS


def test_each_styled_class_is_used_somewhere():
    places = text(TEMPLATES) + text(SCRIPTS) + text(DRAWING)
    themes_and_seats = {"theme-plum", "theme-rust", *(f"seat{number}" for number in range(8))}
    unused = {name for name in styled_classes() if not re.search(rf"\b{name}\b", places)}
    assert unused <= themes_and_seats


def test_each_token_is_defined_and_used():
    defined = set(re.findall(r"(--[\w-]+):", style()))
    assert defined == set(re.findall(r"var\((--[\w-]+)\)", style()))


def test_each_style_sheet_is_served_in_a_known_layer():
    assert sorted(path for paths in assets.styles().values() for path in paths) == STYLES
    order, *layers = re.findall(r"@layer ([^;{]+?) ?[;{]", text(assets.styles()["base"]))
    assert sorted(set(layers), key=layers.index) == order.split(", ")
    assert set(re.findall(r"@layer ([^;{]+?) ?\{", text(STYLES))) == set(layers)


def test_each_script_is_reached_from_a_page():
    entries = re.findall(r"static\('([^']+\.js)'\)", text(TEMPLATES))
    assert sorted(entries) == sorted(assets.ENTRIES)
    reached = {name for entry in entries for name in assets.modules(entry)} | {"worker.js"}  # stands at the root
    assert reached == {path.relative_to(PAGE / "static").as_posix() for path in SCRIPTS}


@pytest.mark.parametrize("entry", assets.ENTRIES)
def test_modules_can_be_joined(entry: str):
    served = assets.assets()[entry].decode()
    names = re.findall(r"^(?:export )?(?:async )?(?:const|let|function) (\w+)", _sources(entry), re.MULTILINE)
    assert len(names) == len(set(names)), "two modules use the same name"
    assert not re.search(r"^(?:import|export)\b", served, re.MULTILINE)
    assert " as " not in "".join(re.findall(r"^import\b[^;]*;", _sources(entry), re.MULTILINE))


def _sources(entry: str) -> str:
    return "\n".join(assets.source(name) for name in assets.modules(entry))


def test_a_comment_that_begins_a_line_ends_with_it():
    lines = [line.strip() for line in text([*STYLES, *SCRIPTS]).splitlines()]
    assert all(line.endswith("*/") for line in lines if line.startswith("/*"))


@pytest.mark.parametrize(
    ("version", "kept"), [(assets.version(), "public, max-age=31536000, immutable"), ("older", "no-cache")]
)
def test_only_what_has_its_own_address_is_kept_for_ever(version: str, kept: str, phone: Callable[[], Phone]):
    answer = phone().get(f"/static/{version}/base.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == kept
    assert answer.headers["content-type"].startswith("text/css")
