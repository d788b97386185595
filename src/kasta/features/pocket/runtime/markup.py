"""Text that is HTML already, as markupsafe has it; a browser's Python is slow with kinds of `str` of one's own."""

from __future__ import annotations

from typing import Any


class PocketMarkup:
    """Text that needs no escaping."""

    __slots__ = ("text",)

    def __init__(self, text: Any = "") -> None:
        self.text = text.__html__() if hasattr(text, "__html__") else str(text)

    def __html__(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text

    def __format__(self, _form: str) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    def __eq__(self, other: object) -> bool:
        return self.text == (other.text if isinstance(other, PocketMarkup) else other)

    def __hash__(self) -> int:
        return hash(self.text)

    def __add__(self, other: Any) -> PocketMarkup:
        return PocketMarkup(self.text + html(other))

    def __radd__(self, other: Any) -> PocketMarkup:
        return PocketMarkup(html(other) + self.text)

    def __mod__(self, given: dict[str, Any]) -> PocketMarkup:
        text = self.text
        for name, value in given.items():
            text = text.replace(f"%({name})s", html(value))
        return PocketMarkup(text.replace("%%", "%"))

    def strip(self) -> PocketMarkup:
        return PocketMarkup(self.text.strip())


Markup = PocketMarkup


def html(thing: Any) -> str:
    """Anything as HTML."""
    if isinstance(thing, PocketMarkup):
        return thing.text
    if isinstance(thing, str):
        text = thing
    elif hasattr(thing, "__html__"):
        made: str = thing.__html__()
        return made
    else:
        text = str(thing)
    if "&" in text:
        text = text.replace("&", "&amp;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if "'" in text:
        text = text.replace("'", "&#39;")
    if '"' in text:
        text = text.replace('"', "&#34;")
    return text


def escape(thing: Any) -> PocketMarkup:
    return thing if isinstance(thing, PocketMarkup) else PocketMarkup(Escaped(thing))


class Escaped:
    """What is escaped when it is taken as HTML."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __html__(self) -> str:
        return html(self.thing)
