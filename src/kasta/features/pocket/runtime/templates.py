"""What templates that were made into functions call: filters, loops, texts, and each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from kasta.draw import PIPS
from kasta.features.pocket.runtime.markup import Markup, html
from kasta.i18n import LANGUAGES, Words, words
from kasta.page.sheet_html import draw_sheet, pencil, said_dice, seat_mark, with_dice
from kasta.page.tray_html import cube, move_fields, thrown
from kasta.paper.handwriting import STROKES

FUNCTIONS: dict[str, Any] = {}
"""The functions of all templates, by name."""

_seen: dict[str, dict[str, Any]] = {}  # what all templates of a language see


class Loop:
    """Where a loop is."""

    __slots__ = ("index", "last", "length")

    def __init__(self, index: int, length: int) -> None:
        self.index, self.length, self.last = index, length, index == length

    @property
    def first(self) -> bool:
        return self.index == 1

    @property
    def index0(self) -> int:
        return self.index - 1


def loops(things: Any) -> Iterator[tuple[Loop, Any]]:
    every = list(things)
    for number, each in enumerate(every, 1):
        yield Loop(number, len(every)), each


def concat(*parts: Any) -> Any:
    if any(hasattr(each, "__html__") for each in parts):
        return Markup("".join([html(each) for each in parts]))
    return "".join([str(each) for each in parts])


def template(name: str) -> Any:
    return FUNCTIONS[name]


def macro(name: str, wanted: str) -> Any:
    """A macro of another template, made anew: which language it speaks it is told when it is called."""
    given = dict(_now[0])
    FUNCTIONS[name](given)
    return given[wanted]


_now: list[dict[str, Any]] = [{}]  # what templates see that are rendered now


def _lookup(thing: Any, path: str) -> Any:
    for part in path.split("."):
        thing = thing[int(part)] if part.isdigit() else getattr(thing, part)
    return thing


class Filters:
    """Those of the engine that our templates use."""

    @staticmethod
    def first(things: Any) -> Any:
        for each in things:
            return each
        return None

    @staticmethod
    def last(things: Any) -> Any:
        return list(things)[-1]

    @staticmethod
    def length(things: Any) -> int:
        return len(things)

    @staticmethod
    def list(things: Any) -> Any:
        return [*things]

    @staticmethod
    def join(things: Any, between: str = "") -> Any:
        parts = [*things]
        if any(hasattr(each, "__html__") for each in parts):
            return Markup(html(between).join([html(each) for each in parts]))
        return between.join([str(each) for each in parts])

    @staticmethod
    def map(things: Any, filter: str = "", attribute: str = "") -> Any:  # noqa: A002
        if attribute:
            return [_lookup(each, attribute) for each in things]
        return [getattr(Filters, filter)(each) for each in things]

    @staticmethod
    def select(things: Any, test: str = "", than: Any = None) -> Any:
        return [each for each in things if (getattr(Filters, f"is_{test}")(each, than) if test else each)]

    @staticmethod
    def selectattr(things: Any, attribute: str) -> Any:
        return [each for each in things if _lookup(each, attribute)]

    @staticmethod
    def rejectattr(things: Any, attribute: str) -> Any:
        return [each for each in things if not _lookup(each, attribute)]

    @staticmethod
    def sort(things: Any, attribute: str = "") -> Any:
        return sorted(things, key=lambda each: _lookup(each, attribute)) if attribute else sorted(things)

    @staticmethod
    def unique(things: Any) -> Any:
        return [*dict.fromkeys(things)]

    @staticmethod
    def safe(text: Any) -> Any:
        return Markup(text)

    @staticmethod
    def trim(text: Any) -> Any:
        return text.strip()

    @staticmethod
    def decimal(value: Any, **known: Any) -> Any:
        said: Words = words(_now[0]["language"])
        return said.decimal(value, **known)

    with_dice = staticmethod(with_dice)
    said_dice = staticmethod(said_dice)

    @staticmethod
    def is_gt(value: Any, than: Any) -> bool:
        return bool(value > than)

    @staticmethod
    def is_defined(value: Any, _than: Any = None) -> bool:
        return value is not None

    @staticmethod
    def is_none(value: Any, _than: Any = None) -> bool:
        return value is None


filters = Filters


def _globals(language: str) -> dict[str, Any]:
    if language in _seen:
        return _seen[language]
    said = words(language)
    catalog = said.catalog

    def gettext(text: str, **known: Any) -> Any:
        return Markup(catalog.gettext(text)) % known

    def ngettext(one: str, many: str, number: int, **known: Any) -> Any:
        return Markup(catalog.ngettext(one, many, number)) % {"num": number, **known}

    def pgettext(context: str, text: str, **known: Any) -> Any:
        return Markup(catalog.pgettext(context, text)) % known

    _seen[language] = {
        "gettext": gettext,
        "_": gettext,
        "ngettext": ngettext,
        "pgettext": pgettext,
        "language": language,
        "languages": LANGUAGES,
        "pips": PIPS,
        "strokes": STROKES,
        "of_kind": said.term,
        "thrown": partial(thrown, said),
        "cube": cube,
        "move_fields": move_fields,
        "pencil": pencil,
        "seat_mark": seat_mark,
        "draw_sheet": draw_sheet,
        "brought": (),  # by features of a server
        "dict": dict,
        "range": range,
    }
    return _seen[language]


def render(language: str, name: str, context: Mapping[str, object]) -> str:
    """A template in a language, and all that it sees."""
    _now[0] = everywhere = _globals(language)
    made: str = FUNCTIONS[name]({**everywhere, **context})
    return made
