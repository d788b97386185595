"""Templates: one Jinja environment a language, nothing inline."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from functools import cache, lru_cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, nodes, select_autoescape
from jinja2.ext import InternationalizationExtension
from jinja2.parser import Parser
from markupsafe import Markup

from kasta.draw import PIPS
from kasta.i18n import LANGUAGES, Words, words
from kasta.web.assets import static_url, version
from kasta.web.drawn import compared, drawn, pencil

MOST_PIECES = 50_000


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


@cache
def environment(language: str) -> Environment:
    env = OneLanguage(
        loader=PackageLoader("kasta.web"),
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
    env.globals["piece"] = partial(_piece, language)
    env.globals["drawn"] = partial(drawn, words(language))
    env.globals.update(compared=compared, pencil=pencil)
    return env


@lru_cache(MOST_PIECES)
def _piece(language: str, template: str, **context: Hashable) -> Markup:
    """A small template that many pages show in the same state: rendered once."""
    html = environment(language).get_template(template).render(**context)
    return Markup(html if "<pre" in html else " ".join(html.split()))  # noqa: S704 - the template escapes


def render(words: Words, template: str, page: object) -> str:
    """A template with its context: the one dataclass of `contexts` or `table_page` that it is written for."""
    return environment(words.language).get_template(template).render(page=page)
