"""Pages over the table that are read and put away: keys, rules, the review; and a question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Markdown, Static

from kasta.i18n import Words
from kasta.rulebook import Picture, read_page


class Page(ModalScreen[None]):
    """Something to read: it scrolls by keys at once, and goes with Escape."""

    CSS = """
    Page { align: center middle; }
    Page > VerticalScroll { border: round $accent; width: 90%; max-width: 84; height: 90%; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", show=False)]

    def __init__(self, title: str, parts: Iterable[Widget], said: Words) -> None:
        super().__init__()
        self._title, self._parts, self._said = title, list(parts), said

    def compose(self) -> ComposeResult:
        scroll = VerticalScroll(*self._parts)
        scroll.border_title = self._title
        scroll.border_subtitle = f"↑ ↓  Esc {self._said.say('close')}"
        yield scroll

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


class AskFirst(ModalScreen[bool]):
    """Yes by Enter, no by Escape."""

    CSS = """
    AskFirst { align: center middle; }
    AskFirst > Static { border: round $warning; width: auto; max-width: 90%; height: auto; padding: 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "dismiss(True)", show=False),
        Binding("escape,n,q", "dismiss(False)", show=False),
    ]

    def __init__(self, text: str, said: Words) -> None:
        super().__init__()
        self._text = f"{text}\n\nEnter {said.say('yes')}   Esc {said.say('no')}"

    def compose(self) -> ComposeResult:
        yield Static(Text(self._text))


def lines_to_read(lines: Iterable[str]) -> list[Widget]:
    return [Static(Text("\n".join(lines)))]


def rules_to_read(text: str, said: Words) -> list[Widget]:
    """A rules page with its pictures, drawn in letters."""
    parts: list[Widget] = []
    for part in read_page(text):
        if isinstance(part, Picture):
            parts.append(Static(Text(f"{part.text(said)}\n\n{part.caption}\n")))
        else:
            parts.append(Markdown(part))
    return parts
