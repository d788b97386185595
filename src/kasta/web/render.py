"""Templates: one Jinja environment a language, nothing inline."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache, lru_cache, partial

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from kasta.draw import PIPS
from kasta.games import GAMES
from kasta.i18n import LANGUAGES, Words, words
from kasta.web.assets import static_url
from kasta.web.drawn import compared, drawn, pencil

MOST_PIECES = 50_000


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


@cache
def rules_page(language: str, game: str) -> tuple[str, Markup]:
    """Title and body of a rules page: the little Markdown that those pages use, as HTML."""
    text = GAMES[game].rules_page(language)
    title, _, rest = text.partition("\n")
    return title.removeprefix("# "), Markup("\n").join(
        _block(block) for block in re.split(r"\n{2,}", rest.strip())
    )


def _block(block: str) -> Markup:
    lines = block.splitlines()
    if block.startswith("## "):
        rest = "\n".join(lines[1:])
        heading = Markup("<h2>{}</h2>").format(_inline(lines[0][3:]))
        return heading + (_block(rest) if rest else "")
    if block.startswith("| "):
        return _table(lines)
    if re.match(r"[-\d]", block) and re.match(r"(- |\d+\. )", block):
        items = [" ".join(item.split()) for item in re.split(r"^(?:- |\d+\. )", block, flags=re.MULTILINE)[1:]]
        tag = Markup("ul") if block.startswith("- ") else Markup("ol")
        return Markup("<{0}>{1}</{0}>").format(
            tag, Markup().join(Markup("<li>{}</li>").format(_inline(i)) for i in items)
        )
    return _mixed(lines)


def _mixed(lines: list[str]) -> Markup:
    """A paragraph, with a list that may follow on it without an empty line."""
    for number, line in enumerate(lines):
        if number and re.match(r"(- |\d+\. )", line):
            return _mixed(lines[:number]) + _block("\n".join(lines[number:]))
    return Markup("<p>{}</p>").format(_inline(" ".join(lines)))


def _table(lines: list[str]) -> Markup:
    rows = [[_inline(cell.strip()) for cell in line.strip("| ").split(" | ")] for line in lines]
    head = Markup().join(Markup('<th scope="col">{}</th>').format(cell) for cell in rows[0])
    body = Markup().join(
        Markup("<tr>{}</tr>").format(Markup().join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in rows[2:]
    )
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(head, body)


def _inline(text: str) -> Markup:
    safe = str(escape(text))
    safe = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", safe)
    safe = re.sub(r"(?<!\*)\*([^*]+)\*(?!\*)", r"<em>\1</em>", safe)
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", safe))  # noqa: S704 - escaped above, the pages are ours
