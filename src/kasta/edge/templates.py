"""Templates: one Jinja environment a language, nothing inline."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, nodes, pass_context, select_autoescape
from jinja2.ext import InternationalizationExtension
from jinja2.parser import Parser
from jinja2.runtime import Context
from litestar import Response

from kasta.draw import PIPS
from kasta.edge.assets import script_of, static_url, styles_of, version
from kasta.edge.folders import feature_of, template_path
from kasta.edge.http import Visit, html, spoken, wants_parts
from kasta.i18n import LANGUAGES, Words, words
from kasta.page.component import use_templates
from kasta.page.models import MessagePage
from kasta.page.navigation import NAVIGATION, Way
from kasta.page.sections import BROUGHT
from kasta.page.sheet_html import draw_sheet, pencil, said_dice, seat_mark, with_dice
from kasta.page.tray_html import cube, move_fields, thrown
from kasta.paper.handwriting import STROKES


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
    return styles_of(context.name or "")


@pass_context
def _script(context: Context) -> str:
    return script_of(context.name or "")


@pass_context
def _navigation(context: Context) -> tuple[Way, ...]:
    return NAVIGATION.ways(feature_of(context.name or ""), words(context["language"]))


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
    env.globals["strokes"] = STROKES
    env.globals.update(styles=_styles, script=_script, navigation=_navigation, of_kind=words(language).term)
    env.filters["decimal"] = words(language).decimal
    env.filters.update(with_dice=with_dice, said_dice=said_dice)
    env.globals["brought"] = BROUGHT
    env.globals["thrown"] = partial(thrown, words(language))
    env.globals.update(
        cube=cube, move_fields=move_fields, pencil=pencil, seat_mark=seat_mark, draw_sheet=draw_sheet
    )
    return env


@cache
def _template(language: str, name: str) -> Template:
    return environment(language).get_template(name)


def _render(language: str, template: str, context: Mapping[str, object]) -> str:
    return _template(language, template).render(context)


use_templates(_render)


def render(words: Words, template: str, page: object) -> str:
    """A template with its context: the one dataclass of `models` or `table_page` that it is written for."""
    return _template(words.language, template).render(page=page)


def error_page(words: Words, text: str, back: str) -> str:
    """A sentence that says what is wrong, and the way back."""
    return render(words, "error.html", MessagePage(text, back))


def dialog(request: Visit, template: str, page: object) -> Response[str]:
    """A page of its own; for the page's script only what it says, in a template of the same name in `dialogs`."""
    whole = PurePosixPath(template)
    name = str(whole.parent / "dialogs" / whole.name) if wants_parts(request) else template
    return html(render(spoken(request), name, page))
