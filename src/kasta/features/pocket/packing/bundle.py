"""Makes the bundle: what a browser needs to play without a server, as files of JavaScript."""

from __future__ import annotations

import ast
import gettext
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, select_autoescape

import kasta
from kasta.edge.folders import template_path
from kasta.features.pocket.packing import trees
from kasta.features.pocket.packing.shake import Need, Shaken
from kasta.features.pocket.packing.templates import function, loads
from kasta.features.pocket.packing.trees import beside
from kasta.features.pocket.packing.values import values_named
from kasta.games import GAMES, OURS
from kasta.i18n import DEFAULT, GRID, LANGUAGES, spelled

SOURCE = Path(kasta.__file__).parent
RUNTIME = "kasta.features.pocket.runtime"
MAIN = f"{RUNTIME}.main"
TEMPLATES = f"{RUNTIME}.made"  # the module that is made of templates
STAND_INS = {
    **dict.fromkeys(
        (
            "abc",
            "collections.abc",
            "contextlib",
            "dataclasses",
            "datetime",
            "enum",
            "functools",
            "gettext",
            "hashlib",
            "importlib",
            "importlib.resources",
            "inspect",
            "operator",
            "sys",
            "typing",
            "urllib.parse",
            "warnings",
        ),
        f"{RUNTIME}.standard",
    ),
    **dict.fromkeys(("collections", "itertools", "math"), f"{RUNTIME}.gathering"),
    **dict.fromkeys(("json", "re", "secrets", "unicodedata"), f"{RUNTIME}.browsing"),
    "kasta.structs": f"{RUNTIME}.structs",
    "markupsafe": f"{RUNTIME}.markup",
}
BROWSER = "browser"  # Brython's own
ABSENT = frozenset({"immutables", "importlib.metadata"})
WHOLE = {"table.html": "main"}  # pages of which a part is shown
PAGES = ("dialogs/ask.html",)  # templates that are named by nobody else


@dataclass(frozen=True, slots=True)
class Bundle:
    """The modules by name, each with whether it is a package, and the texts of each language."""

    modules: dict[str, tuple[str, bool]]
    texts: dict[str, dict[str, Any]]

    @property
    def script(self) -> str:
        """All modules, as Brython takes them."""
        return f"{beside('hint_values.js')}{trees.script(self.modules)}"


def stand_in_bots() -> dict[str, str]:
    """Modules with bots that need learned or solved values, and the name of the bots that stand in for each."""
    traits = (GAMES[name] for name in OURS)
    return {each.bots.partition(":")[0]: "GRID" if each.kind == GRID else "BLOCK" for each in traits if each.bots}


@cache
def bundle() -> Bundle:
    """Everything, made once."""
    shaken = Shaken({"kasta": SOURCE}, STAND_INS, ABSENT)
    shaken.take(_roots())
    named = sorted({each for each in _strings(shaken) if re.fullmatch(r"[a-z_]+/[a-z_]+\.html", each)})
    made, more = _templates([*WHOLE, *PAGES, *named])
    for name in sorted(more):
        shaken.take([(f"{RUNTIME}.templates", name)])
    modules = {name: (shaken.text(module), module.is_package) for name, module in shaken.modules.items()}
    modules[TEMPLATES] = made, False
    for name, bots in stand_in_bots().items():
        modules[name] = f"from {RUNTIME}.bots import {bots} as BOTS", False
    modules[MAIN] = f"import {TEMPLATES}\n{modules[MAIN][0]}", False
    if unknown := shaken.others - {BROWSER}:
        raise ValueError(f"nothing stands in for {', '.join(sorted(unknown))}")
    texts = set(_strings(shaken)) | {str(each.value) for each in _constants(ast.parse(made))}
    texts |= set(map(spelled, texts))
    return Bundle(modules, {language: _texts(language, texts) for language in LANGUAGES if language != DEFAULT})


def _roots() -> list[Need]:
    ours = [tuple(OURS[name].split(":")) for name in OURS]
    bots = ((f"{RUNTIME}.bots", each) for each in set(stand_in_bots().values()))
    hinted = [GAMES[name.partition("-")[0]] for name in values_named()]
    reasons = {tuple(each.reasons.split(":")) for each in hinted if each.reasons}
    turns = {(each.take_along, "TurnValues") for each in hinted if each.take_along}
    return [(MAIN, "*"), *bots, *((name, wanted) for name, wanted in (*ours, *reasons, *turns))]


def _constants(tree: ast.AST) -> list[ast.Constant]:
    return [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def _strings(shaken: Shaken) -> list[Any]:
    parts = (part for module in shaken.modules.values() for part in module.kept)
    return [each.value for part in parts for each in _constants(part.node)]


def _environment() -> Environment:
    """As that of `edge.templates`, but texts are looked up when a template is shown."""
    environment = Environment(
        loader=FunctionLoader(lambda name: template_path(name).read_text("utf-8")),
        autoescape=select_autoescape(),
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        str, lambda one, _many, _number: one, newstyle=True, pgettext=lambda _context, text: text
    )
    environment.filters.update(dict.fromkeys(("decimal", "with_dice", "said_dice"), str))
    return environment


def _templates(names: list[str]) -> tuple[str, set[str]]:
    """Templates, and those that they include, as one module; and what that needs of the runtime."""
    environment, made, waiting = _environment(), dict[str, str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in made:
            text = function(environment, name, WHOLE.get(name, ""))
            made[name] = text.replace("def root(", f"def t{len(made)}(", 1)
            waiting += [each for each in loads(environment, name) if each != "base.html"]
    needed = {"FUNCTIONS", "Markup", "concat", "filters", "html", "loops", "macro", "template"}
    table = ", ".join(f"{name!r}: t{number}" for number, name in enumerate(made))
    lines = [
        f"from {RUNTIME}.templates import {', '.join(sorted(needed))}",
        *made.values(),
        f"FUNCTIONS.update({{{table}}})",
    ]
    return "\n".join(lines), needed


def _texts(language: str, wanted: set[str]) -> dict[str, Any]:
    """The translations of what is packed."""
    with (files("kasta.i18n") / f"{language}.mo").open("rb") as compiled:
        catalogue = gettext.GNUTranslations(compiled)
    kept: dict[Any, str] = catalogue._catalog  # type: ignore[attr-defined]  # noqa: SLF001 - there is no other way
    texts, many = dict[str, str](), dict[str, list[str]]()
    for key, text in kept.items():
        asked = key[0] if isinstance(key, tuple) else key
        if asked.rpartition("\x04")[2] not in wanted:
            continue
        if isinstance(key, tuple):
            many.setdefault(asked, ["", ""])[key[1]] = text
        else:
            texts[key] = text
    return {"texts": texts, "many": many, "none": catalogue.plural(0) == 0}  # type: ignore[attr-defined]
