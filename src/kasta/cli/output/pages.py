"""A rules page in the terminal: headings, lists and tables, and its sheets drawn with letters."""

from __future__ import annotations

import re
from textwrap import indent
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement
from rich.text import Text
from rich.theme import Theme

from kasta.i18n import Words
from kasta.rulebook import Picture, read_page

WIDEST = 100
BOLD = ("h1", "h2", "h3", "code", "item.bullet", "table.header")
AS_IS = ("list", "item.number", "table.border", "link", "block_quote")
PLAIN = Theme({f"markdown.{part}": "bold" if part in BOLD else "none" for part in (*BOLD, *AS_IS)})
UNDERLINES = {"h1": "═", "h2": "─"}


class _Heading(Heading):
    """On the left, and underlined: also where nothing can be bold."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.tag != "h1":
            yield Text("")
        yield self.text
        if line := UNDERLINES.get(self.tag):
            yield Text(line * self.text.cell_len)


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "heading_open": _Heading}


def page_for_terminal(text: str, said: Words, console: Console | None = None) -> str:
    """A page as wide as the terminal, in bold where it can be; each picture stands above its caption."""
    console = console or Console(theme=PLAIN, highlight=False)
    console.width = min(console.width, WIDEST)
    with console.capture() as printed:
        for part in read_page(text):
            if isinstance(part, Picture):
                console.print(Text(f"\n{indent(part.text(said), '    ')}\n"))
                console.print(Text(part.caption))
            else:
                console.print(_Page(part))
    return re.sub(r"\n{3,}", "\n\n", "".join(f"{line.rstrip(' ')}\n" for line in printed.get().splitlines()))
