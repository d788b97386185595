"""Rules pages as HTML: the little Markdown that they use, with their worked examples drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from markupsafe import Markup, escape

from kasta import draw
from kasta.games import GAMES
from kasta.games.traits import AnyGame
from kasta.i18n import Words, words
from kasta.rulebook import Picture, read_page

NUMBERS = re.compile(r"\(?\d+\)?(?: \(?\d+\)?)+")


@cache
def rules_page(language: str, game: str) -> tuple[str, Markup]:
    """Title and body of a rules page."""
    traits = GAMES[game]
    title, _, rest = traits.rules_page(language).partition("\n")
    rest = re.sub(rf" \(`({'|'.join(traits.rule_sets)})`\)", "", rest)  # what a rule set is called in commands
    prose = Prose(next(iter(traits.games.values())), words(language))
    parts = (part for part in read_page(rest) if isinstance(part, Picture) or part.strip())
    body = [prose.part(list(group)) for _, group in groupby(parts, key=type)]
    return title.removeprefix("# "), Markup("\n").join(body)


@dataclass(frozen=True, slots=True)
class Prose:
    """Makes HTML of the parts of a page."""

    game: AnyGame
    words: Words

    def part(self, parts: list[str | Picture]) -> Markup:
        """Text, or the pictures that stand side by side."""
        pictures = [part for part in parts if isinstance(part, Picture)]
        if pictures:
            return Markup('<div class="pictures">{}</div>').format(Markup().join(map(self._figure, pictures)))
        blocks = re.split(r"\n{2,}", "".join(map(str, parts)).strip())
        return Markup("\n").join(map(self._block, blocks))

    def _figure(self, picture: Picture) -> Markup:
        drawn = Markup(picture.svg(self.words).inline(picture.said(self.words)))  # noqa: S704 - escaped there
        return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(
            drawn, self._inline(picture.caption)
        )

    def _block(self, block: str) -> Markup:
        lines = block.splitlines()
        if block.startswith("## "):
            rest = "\n".join(lines[1:])
            heading = Markup("<h2>{}</h2>").format(self._inline(lines[0][3:]))
            return heading + (self._block(rest) if rest else "")
        if block.startswith("| "):
            return self._table(lines)
        if re.match(r"(- |\d+\. )", block):
            items = re.split(r"^(?:- |\d+\. )", block, flags=re.MULTILINE)[1:]
            tag = Markup("ul") if block.startswith("- ") else Markup("ol")
            inside = (Markup("<li>{}</li>").format(self._inline(" ".join(item.split()))) for item in items)
            return Markup("<{0}>{1}</{0}>").format(tag, Markup().join(inside))
        return self._mixed(lines)

    def _mixed(self, lines: list[str]) -> Markup:
        """A paragraph, with a list that may follow on it without an empty line."""
        for number, line in enumerate(lines):
            if number and re.match(r"(- |\d+\. )", line):
                return self._mixed(lines[:number]) + self._block("\n".join(lines[number:]))
        return Markup("<p>{}</p>").format(self._inline(" ".join(lines)))

    def _table(self, lines: list[str]) -> Markup:
        rows = [[self._inline(cell.strip()) for cell in line.strip("| ").split(" | ")] for line in lines]
        head = Markup().join(Markup('<th scope="col">{}</th>').format(cell) for cell in rows[0])
        body = Markup().join(
            Markup("<tr>{}</tr>").format(Markup().join(Markup("<td>{}</td>").format(cell) for cell in row))
            for row in rows[2:]
        )
        return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(head, body)

    def _inline(self, text: str) -> Markup:
        safe = str(escape(text))
        safe = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", safe)
        safe = re.sub(r"(?<!\*)\*([^*]+)\*(?!\*)", r"<em>\1</em>", safe)
        return Markup(re.sub(r"`(.+?)`", self._code, safe))  # noqa: S704 - escaped above, the pages are ours

    def _code(self, found: re.Match[str]) -> str:
        """Numbers in a row are drawn."""
        text = found[1]
        if not NUMBERS.fullmatch(text):
            return f"<code>{text}</code>"
        return draw.row(self.game, text.split()).inline(", ".join(text.split()))
