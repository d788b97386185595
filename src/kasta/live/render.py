"""Templates: one Jinja environment a language, nothing inline."""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping
from functools import cache, lru_cache, partial
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, nodes, pass_context, select_autoescape
from jinja2.ext import InternationalizationExtension
from jinja2.parser import Parser
from jinja2.runtime import Context
from markupsafe import Markup

from kasta.draw import PIPS
from kasta.edge.assets import script_of, static_url, styles_of, version
from kasta.edge.folders import template_path
from kasta.i18n import LANGUAGES, Words, words
from kasta.page.fragments import Section, SectionCache
from kasta.page.models import MessagePage
from kasta.page.sheet_html import compared, drawn, mine, pencil, seat_mark
from kasta.page.table_page import TablePage
from kasta.page.tray_html import cube, move_fields, thrown, tray

MOST_PIECES = 1_000
MOST_STILL_BYTES = 32_000_000
STILL = {  # sections that seldom change, and all that they can see of a page: who sees the same gets the same
    "after": ("id", "buttons", "may_own"),
    "room": ("id", "is_seated", "is_waiting", "is_open", "may", "settings", "room", "next_table"),
    "hands": ("legend",),
    "others": ("others", "columns", "stage", "is_seated"),
    "desk": ("id", "settings", "may", "is_seated", "stage", "room"),
}
COMPANY = "may.sit may.seat_bot may.invite room settings is_seated"
PATHS = {  # to all that each section sees of a page
    "status": "id seq turn phase is_corrected waits settings.dice dice title status hint round keep may.throw"
    " may.type_dice may.correct roll_label next_table",
    "over": "id ending verdict crowd ranked may.rematch counts is_seated game dice.day settings.coach",
    "mine": "id turn sheet columns tabs",
    "after": "id buttons may_own",
    "room": f"id is_waiting is_open may.wait next_table {COMPANY}",
    "players": "id shows_players listed crowd seats is_alone is_host room may.take_over ending throws_label",
    "hands": "legend",
    "others": "others columns stage is_seated",
    "extras": f"id is_host stage game tabs may.configure may.close {COMPANY}",  # pages count moves by themselves
}
SEES: dict[str, Callable[[TablePage], object]] = {  # while a section sees the same, it is the same
    name: attrgetter(*paths.split()) for name, paths in PATHS.items()
}

still = SectionCache(MOST_STILL_BYTES)


class Translated(InternationalizationExtension):
    """Texts without variables are translated when a template is compiled: each language has its own."""

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        node = super().parse(parser)
        match node:
            case nodes.Output(nodes=[nodes.Call(node=nodes.Name(name="gettext"), args=[text], kwargs=[])]):
                found = self.environment.catalog.gettext(text.as_const())  # type: ignore[attr-defined]
                return nodes.Output([nodes.TemplateData(found % {})], lineno=node.lineno)
        return node


class OneLanguage(Environment):
    """Templates of one language. They share their globals, which nobody changes."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **d} if d else self.globals  # a ChainMap costs as much as a small section


@pass_context
def _styles(context: Context) -> list[str]:
    """The style sheets of the page that is rendered."""
    return styles_of(context.name or "")


@pass_context
def _script(context: Context) -> str:
    return script_of(context.name or "")


def _source(name: str) -> tuple[str, str, None] | None:
    path = template_path(name)
    return (path.read_text("utf-8"), str(path), None) if path.is_file() else None


@cache
def environment(language: str) -> Environment:
    env = OneLanguage(
        loader=FunctionLoader(_source),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        extensions=[Translated],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    catalog = words(language).catalog
    env.extend(catalog=catalog)
    env.install_gettext_callables(  # type: ignore[attr-defined]
        catalog.gettext,
        catalog.ngettext,
        newstyle=True,
        pgettext=catalog.pgettext,
        npgettext=catalog.npgettext,
    )
    env.globals.update(language=language, languages=LANGUAGES, pips=PIPS, static=static_url, version=version)
    env.globals.update(styles=_styles, script=_script)
    env.globals["piece"] = partial(_piece, language)
    env.globals["section"] = partial(section, words(language))
    env.globals.update(drawn=partial(drawn, words(language)), thrown=partial(thrown, words(language)))
    env.globals.update(compared=compared, cube=cube, move_fields=move_fields, pencil=pencil, seat_mark=seat_mark)
    return env


@cache
def _template(language: str, name: str) -> Template:
    return environment(language).get_template(name)


@lru_cache(MOST_PIECES)
def _piece(language: str, template: str, **context: Hashable) -> Markup:
    """A small template that many pages show in the same state: rendered once."""
    html = _template(language, template).render(**context)
    return Markup(html if "<pre" in html else " ".join(html.split()))  # noqa: S704 - the template escapes


def section(words: Words, name: str, page: TablePage) -> Section:
    """A section of a page, as it was rendered before if nothing that it can see is new."""
    if name == "status":
        return Section(tray(words, page, partial(_piece, words.language, "components/own_dice.html")), {})
    if name == "mine":
        return mine(words, page)
    if (sees := STILL.get(name)) is None:
        return Section.of(render(words, f"sections/{name}.html", page))
    seen = tuple(getattr(page, each) for each in sees)
    return still.get((words.language, name, seen), partial(_still, words.language, name, seen))


def _still(language: str, name: str, seen: tuple[Hashable, ...]) -> Section:
    """Rendered with what is in the key, and nothing else: nobody can be shown what was made of another's page."""
    page = SimpleNamespace(**dict(zip(STILL[name], seen, strict=True)))
    return Section.of(_template(language, f"sections/{name}.html").render(page=page))


def render(words: Words, template: str, page: object) -> str:
    """A template with its context: the one dataclass of `contexts` or `table_page` that it is written for."""
    return _template(words.language, template).render(page=page)


def error_page(words: Words, text: str, back: str) -> str:
    """A sentence that says what is wrong, and the way back."""
    return render(words, "error.html", MessagePage(text, back))
