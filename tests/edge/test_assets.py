"""Templates, styles and scripts agree with each other, and each line says one thing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kasta import draw
from kasta.edge import assets
from kasta.edge.folders import FEATURES
from kasta.edge.templates import render
from kasta.i18n import words
from support.visitors import Phone

PACKAGE = Path(assets.__file__).parents[1]
PAGE = PACKAGE / "page"
TEMPLATES = sorted(PACKAGE.rglob("templates/**/*.html"))
STYLES = sorted(path for folder in ("page", "features") for path in (PACKAGE / folder).rglob("*.css"))
SCRIPTS = sorted(path for folder in ("page", "features") for path in (PACKAGE / folder).rglob("*.js"))
BY_HAND = (
    "page/sheet_picture",
    "rulebook/html",
    "page/miniature",
    "page/sheet_html",
    "page/table_sheet",
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


def style(paths: list[Path] = STYLES) -> str:
    return re.sub(r"/\*.*?\*/", "", text(paths), flags=re.DOTALL)


def styled_classes(paths: list[Path] = STYLES) -> set[str]:
    selectors = re.findall(r"([^{};]+)\{", style(paths))
    return {name for selector in selectors if "@" not in selector for name in CLASS.findall(selector)}


def test_no_line_is_longer_than_a_screen():
    for path in (*TEMPLATES, *STYLES, *SCRIPTS):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert len(line) <= LONGEST_LINE, f"{path}:{number}"


def test_each_declaration_has_a_line_of_its_own():
    for line in style().splitlines():
        assert line.count(";") <= 1, line
        assert not re.search(r"\{.*;", line), line


def used_classes(templates: list[Path]) -> set[str]:
    written = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", text(templates), flags=re.DOTALL)
    return {name for value in re.findall(r'class="([^"]*)"', written) for name in value.split()}


def test_each_class_of_a_template_is_styled_or_a_hook():
    used = used_classes(TEMPLATES)
    used -= {"theme-", "seat", "kind", "of", "ink", "worth"}  # the rest of the name is filled in
    assert used - styled_classes() == HOOKS


def test_each_styled_class_is_used_somewhere():
    places = text(TEMPLATES) + text(SCRIPTS) + text(DRAWING)
    numbered = {"seat": range(8), "kind": range(1, 5), "of": range(1, 5), "late": range(1, 6)}
    numbered |= {"ink": range(1, 4), "worth": range(1, 4)}
    filled_in = {f"{name}{number}" for name, numbers in numbered.items() for number in numbers}
    unused = {name for name in styled_classes() if not re.search(rf"\b{name}\b", places)}
    assert unused <= {"theme-plum", "theme-rust"} | filled_in


def test_each_token_is_defined_and_used():
    defined = set(re.findall(r"(--[\w-]+):", style()))
    assert defined == set(re.findall(r"var\((--[\w-]+)[,)]", style()))


def test_each_style_sheet_is_served_in_a_known_layer():
    assert {path for sheet in assets.styles() for path in _parts(sheet)} == set(STYLES)
    order, *layers = re.findall(r"@layer ([^;{]+?) ?[;{]", text(_parts("base")))
    assert sorted(set(layers), key=layers.index) == order.split(", ")
    assert set(re.findall(r"@layer ([^;{]+?) ?\{", text(STYLES))) == set(layers)


def _parts(sheet: str) -> list[Path]:
    return assets.parts(assets.styles()[sheet])


@pytest.mark.parametrize("name", assets.styles())
def test_each_style_sheet_is_whole(name: str):
    assert "@import" not in assets.assets()[f"{name}.css"].decode()
    assert not set(_parts(name)[:-1]) & set(_parts("base")) or name == "base"


@pytest.mark.parametrize("name", [name for name in FEATURES if (FEATURES[name] / "templates").exists()])
def test_a_feature_needs_no_style_of_another(name: str):
    own = [path for sheet in ("base", name) if sheet in assets.styles() for path in _parts(sheet)]
    others = styled_classes() - styled_classes(own)
    assert not used_classes(sorted((FEATURES[name] / "templates").rglob("*.html"))) & others


def test_each_script_is_reached_from_a_page():
    reached = {path for entry in assets.scripts().values() for path in assets.modules(entry)}
    workers = {FEATURES["offline"] / "worker.js", FEATURES["pocket"] / "table_worker.js"}  # not in /static
    packed = set((FEATURES["pocket"] / "packing").glob("*.js"))
    assert reached == set(SCRIPTS) - workers - packed


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_module_imports_what_another_exports(path: Path):
    for names, other in assets.imports(path):
        assert set(re.findall(r"\w+", names)) <= {name for _, name in assets.EXPORT.findall(text([other]))}


def test_modules_have_their_own_names(tmp_path: Path):
    (tmp_path / "one.js").write_text("const own = 1;\nexport const one = () => own;\n")
    (tmp_path / "page.js").write_text("import { one } from './one.js';\n\nconst own = 2;\nawait one(own);\n")
    assert assets.joined(tmp_path / "page.js").decode().splitlines() == [
        "const $0 = (() => {",
        "const own = 1;",
        "const one = () => own;",
        "return { one };",
        "})();",
        "{",
        "const { one } = $0;",
        "const own = 2;",
        "await one(own);",
        "}",
    ]


@pytest.mark.parametrize("line", ["import * as all from './one.js';", "export default 1;", "export { one };"])
def test_what_cannot_be_joined_is_said_when_it_is_tried(line: str, tmp_path: Path):
    (tmp_path / "page.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"page\.js"):
        assets.joined(tmp_path / "page.js")


def test_a_package_of_others_brings_templates_style_and_script(tmp_path: Path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/page.html").write_text('{% extends "base.html" %}{% block main %}Luck{% endblock %}')
    (tmp_path / "style.css").write_text("@layer components {\n  .luck {\n    color: red;\n  }\n}\n")
    (tmp_path / "page.js").write_text("import 'kasta/page.js';\n")
    before = assets.version()
    assets.bring([("fortune", tmp_path)])
    try:
        shown = render(words("en"), "fortune/page.html", None)
        assert "Luck" in shown
        assert _loaded(shown) == ["base.css", "fortune.css", "fortune/page.js"]
        assert assets.version() != before
    finally:
        del FEATURES["fortune"]
        assets.bring([])


# Where a page is, and the feature that it is of.
PAGES = {
    r"/": "home",
    r"/new/\w+": "lobby",
    r"/rules/\w+": "rules",
    r"/day(/.*)?": "day",
    r"/challenge(/.*)?": "challenge",
    r"/learn": "learn",
    r"/puzzle(/.*)?": "puzzles",
    r"/practice/\w+": "practice",
    r"/games(/.*)?": "my_games",
    r"/circles?(/.*)?": "circle",
    r"/print": "printing",
    r"/tokens": "tokens",
    r"/notices": "notices",
    r"/api/docs": "api",
    r"/offline": "offline",
    r"/pocket": "pocket",
    r"/t/[\w-]+": "table",
    r"/t/[\w-]+/(wall|remote)": "wall",
    r"/t/[\w-]+/ask/[\w-]+": "",
    r"/t/[\w-]+/(evening|proof|quiz|review)": r"\1",
}


def test_every_page_loads_the_base_and_its_own_feature_only(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", "Bo")
    asked = ["/", "/offline", "/pocket", "/api/docs", "/tokens", "/circles", f"/t/{table}"]
    asked += [f"/t/{table}/{page}" for page in ("wall", "remote", "evening", "proof", "quiz", "review")]
    seen: dict[str, str] = {}
    for path in asked:
        answer = anna.get(path)
        kind = answer.headers.get("content-type", "")
        if not kind.startswith("text/html") or answer.status_code != 200:
            continue
        where = answer.url.path
        seen[where] = _feature(where)
        assert _loaded(answer.text) == _own(seen[where], where), where
        linked = re.findall(r'href="(/[^"#?]*)', answer.text)
        asked += [each for each in dict.fromkeys(linked) if each not in asked and "/static/" not in each]
    missing = {name for name in FEATURES if (FEATURES[name] / "templates/page.html").exists()} - {*seen.values()}
    assert missing <= {"quiz", "review"}, "they are shown when a game is over"


def _feature(path: str) -> str:
    found = [re.sub(pattern, name, path) for pattern, name in PAGES.items() if re.fullmatch(pattern, path)]
    assert len(found) == 1, path
    return found[0]


def _own(name: str, path: str) -> list[str]:
    own = {"table": "table.js", "wall": f"wall/{'remote' if path.endswith('remote') else 'page'}.js"}
    script = own.get(name, f"{name}/page.js")
    styles = [style for style in ("base.css", f"{name}.css") if style in assets.assets()]
    return [*styles, script if script in assets.assets() else "page.js"]


def _loaded(page: str) -> list[str]:
    return re.findall(r'<(?:link rel="stylesheet"|script)[^>]*(?:href|src)="/static/\w+/([^"]*)"', page)


def test_a_comment_that_begins_a_line_ends_with_it():
    lines = [line.strip() for line in text([*STYLES, *SCRIPTS]).splitlines()]
    assert all(line.endswith("*/") for line in lines if line.startswith("/*"))


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("  const LIFT = 120; // ms, into the hand", b"const LIFT = 120;"),
        ("top: 0; /* nothing has to move */", b"top: 0;"),
        ("// all of it", b""),
        ("const HTTP = 'https://kasta.example'; // ours", b"const HTTP = 'https://kasta.example';"),
        ("const SIGN = ' // ';", b"const SIGN = ' // ';"),
        ('content: " /* " / ""; /* the line\'s end */', b'content: " /* " / ""; /* the line\'s end */'),
    ],
)
def test_comments_are_not_sent_and_strings_are(line: str, sent: bytes):
    assert assets.lean(line) == sent


@pytest.mark.parametrize(
    ("version", "kept"), [(assets.version(), "public, max-age=31536000, immutable"), ("older", "no-cache")]
)
def test_only_what_has_its_own_address_is_kept_for_ever(version: str, kept: str, phone: Callable[[], Phone]):
    answer = phone().get(f"/static/{version}/base.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == kept
    assert answer.headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("name", ["table.js", "icon.png"])
@pytest.mark.parametrize("taken", ["gzip", "identity"])
def test_files_are_compressed_once_for_who_takes_that(name: str, taken: str, phone: Callable[[], Phone]):
    answer = phone().get(f"/static/{assets.version()}/{name}", headers={"accept-encoding": taken})
    assert answer.content == assets.assets()[name]
    assert answer.headers.get("content-encoding") == ("gzip" if taken == "gzip" else None)
    assert answer.headers["vary"] == "accept-encoding"
