"""Templates: one Jinja environment a language, nothing inline."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from functools import cache, lru_cache, partial
from typing import Any

from jinja2 import Environment as JinjaEnvironment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from kasta.draw import PIPS
from kasta.i18n import LANGUAGES, Words, words
from kasta.web.assets import static_url
from kasta.web.drawn import compared, drawn, pencil

MOST_PIECES = 50_000


class Environment(JinjaEnvironment):
    """Its templates know its globals as they were then, in one dictionary: looking through a chain takes long."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


@cache
def environment(language: str) -> Environment:
    env = Environment(
        loader=PackageLoader("kasta.web"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    catalog = words(language).catalog
    env.install_gettext_callables(  # type: ignore[attr-defined]
        catalog.gettext,
        catalog.ngettext,
        newstyle=True,
        pgettext=catalog.pgettext,
        npgettext=catalog.npgettext,
    )
    env.globals.update(language=language, languages=LANGUAGES, pips=PIPS, static=static_url)
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
