"""The sections of a table's page.

Each is a component, whose parameters are named as the page's attributes: `may_sit` is `page.may.sit`. A section is
made again only when one of them is new. Those after the star a page knows by itself: when only they change, it is
told nothing.
"""

# ruff: noqa: A002, ARG001, FBT001 - parameters are named as the attributes of the page, and read by templates

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter, signature
from operator import attrgetter
from typing import Any, get_type_hints

from kasta.games.drawing import Legend
from kasta.i18n import Words
from kasta.page.component import Fragment, Slots, component, placed
from kasta.page.end.ending import Ending
from kasta.page.end.finish import Finish
from kasta.page.models import GameCard
from kasta.page.table_page import Crowd, PlayerPart, Room, SheetPart, TablePage
from kasta.page.table_sheet import compared, drawn, mine
from kasta.page.tray_html import status
from kasta.tables.events import Settings
from kasta.tables.rights import SeatRights


@component("sections/finish.html", is_kept=False)
def finish(said: Words, finish: Finish | None, ranked: tuple[PlayerPart, ...]) -> None:
    """What is said of the end, in the place of the tray."""


@component("sections/over.html", is_kept=False)
def over(
    said: Words,
    id: str,
    ending: Ending | None,
    crowd: Crowd | None,
    ranked: tuple[PlayerPart, ...],
    may_rematch: bool,
    counts: tuple[tuple[int, int], ...],
    is_seated: bool,
    game: GameCard,
    dice_day: str | None,
    dice_challenge: str | None,
    settings_coach: str,
    next_table: str | None,
) -> None:
    """The end: who wins, all places, and all sheets in one view."""


@component("sections/after.html")
def after(said: Words, id: str, buttons: tuple[tuple[str, str], ...], may_own: SeatRights) -> None:
    """What can be done beside the sheet."""


@component("sections/room.html")
def room(
    said: Words,
    id: str,
    game: GameCard,
    is_waiting: bool,
    is_open: bool,
    may_wait: bool,
    next_table: str | None,
    may_sit: bool,
    may_seat_bot: bool,
    may_invite: bool,
    room: Room,
    settings: Settings,
    is_seated: bool,
    may_throw: bool,
    may_type_dice: int,
    may_configure: frozenset[str],
    inviter: str,
    asked: tuple[PlayerPart, ...],
) -> None:
    """The way in: sitting down, waiting for the next game, and inviting others."""


@component("sections/players.html", is_kept=False)
def players(
    said: Words,
    id: str,
    shows_players: bool,
    listed: tuple[PlayerPart, ...],
    crowd: Crowd | None,
    seats: int,
    is_alone: bool,
    is_host: bool,
    room: Room,
    may_take_over: bool,
    ending: Ending | None,
    throws_label: str,
) -> Slots:
    """Who sits here, what they are doing, and whoever asks for a seat."""
    return {"lines": [_line(said, id, throws_label, room.levels, each) for each in listed]}


def _line(said: Words, id: str, throws_label: str, levels: tuple[str, ...], player: PlayerPart) -> Fragment:
    return placed(f"p-{player.seat}", player_line, said, id, throws_label, levels, player)


@component("sections/player.html", is_compact=True)
def player_line(said: Words, table: str, throws_label: str, levels: tuple[str, ...], player: PlayerPart) -> None:
    """One player in the list of players."""


@component("sections/hands.html")
def hands(said: Words, legend: Legend | None) -> Slots:
    """What hands are worth."""
    return {"table": legend_table(said, legend) if legend else None}


@component("sheet/legend.html", is_compact=True)
def legend_table(said: Words, legend: Legend) -> None:
    """Hands, and what they are worth."""


@component("sections/others.html")
def others(
    said: Words,
    others: tuple[SheetPart, ...],
    columns: tuple[SheetPart, ...],
    stage: str,
    is_seated: bool,
    game: GameCard,
) -> Slots:
    """The sheets of the others, smaller, and not to be tapped; blocks stand side by side, one's own among them."""
    if columns:
        return {"compared": compared(columns), "sheets": ()}
    return {"compared": None, "sheets": [other_sheet(said, each) for each in others] if stage != "lobby" else ()}


@component("sheet/other.html", is_compact=True)
def other_sheet(said: Words, part: SheetPart) -> Slots:
    """The sheet of somebody else."""
    return {"sheet": drawn(said, part)}


@component("sections/extras.html", is_kept=False)
def extras(
    said: Words,
    id: str,
    is_host: bool,
    stage: str,
    game: GameCard,
    tabs: tuple[PlayerPart, ...],
    may_configure: frozenset[str],
    may_close: bool,
    may_sit: bool,
    may_seat_bot: bool,
    may_invite: bool,
    room: Room,
    settings: Settings,
    is_seated: bool,
    is_alone: bool,
    *,
    turn: int,
    sheet: SheetPart | None,
) -> Slots:
    """Settings of this device, the command field, and what is seldom needed."""
    if not is_host or stage == "over":
        return {"desk": None}
    company = may_sit, may_seat_bot, may_invite, room, settings, is_seated, is_alone
    return {"desk": desk(said, id, game, stage, may_configure, may_close, *company)}


@component("sections/desk.html")
def desk(
    said: Words,
    id: str,
    game: GameCard,
    stage: str,
    may_configure: frozenset[str],
    may_close: bool,
    may_sit: bool,
    may_seat_bot: bool,
    may_invite: bool,
    room: Room,
    settings: Settings,
    is_seated: bool,
    is_alone: bool,
) -> None:
    """The host's desk: how the table is played, who may come in, and the end."""


class PageSection:
    """A section, and how what it depends on is read from a page."""

    __slots__ = ("_draw", "_known", "arguments")

    def __init__(self, draw: Callable[..., Fragment]) -> None:
        parameters = list(signature(draw).parameters.values())[1:]
        self._draw = draw
        self.arguments = _reader([each.name for each in parameters if each.kind is not Parameter.KEYWORD_ONLY])
        self._known = {
            each.name: _reader([each.name]) for each in parameters if each.kind is Parameter.KEYWORD_ONLY
        }

    def draw(self, said: Words, page: TablePage, arguments: tuple[Any, ...]) -> Fragment:
        known = {name: read(page)[0] for name, read in self._known.items()}
        return self._draw(said, *arguments, **known)


def _reader(names: list[str]) -> Callable[[TablePage], tuple[Any, ...]]:
    """Reads these of a page."""
    read = attrgetter(*map(_path, names))
    return read if len(names) > 1 else lambda page: (read(page),)


@cache
def _path(name: str) -> str:
    """Where a page has what a section calls so: an attribute, or one of a part of the page."""
    if name in TablePage.__struct_fields__ or hasattr(TablePage, name):
        return name
    part, _, rest = name.partition("_")
    if not hasattr(get_type_hints(TablePage)[part], rest):
        raise TypeError(f"a table's page has no {name}")
    return f"{part}.{rest}"


SECTIONS: dict[str, PageSection | BroughtSection] = {
    draw.__name__: PageSection(draw)
    for draw in (status, finish, over, mine, after, room, players, hands, others, extras)
}


class BroughtSection:
    """A section that a feature brings. `read` takes from a page all that it depends on."""

    def __init__(self, read: Callable[[TablePage], tuple[Any, ...]], draw: Callable[..., Fragment]) -> None:
        self.arguments, self._draw = read, draw

    def draw(self, said: Words, page: TablePage, arguments: tuple[Any, ...]) -> Fragment:  # noqa: ARG002
        return self._draw(said, *arguments)


BROUGHT: list[str] = []
"""The names of the sections that features have brought, in their order on the page."""


def bring(sections: Mapping[str, BroughtSection]) -> None:
    """Have the sections of features, and no others than these, before the first page is shown."""
    for name in BROUGHT:
        del SECTIONS[name]
    SECTIONS.update(sections)
    BROUGHT[:] = sections


def draw_sections(said: Words, page: TablePage, names: Iterable[str] = SECTIONS) -> dict[str, Fragment]:
    """Sections of a page, by name."""
    return {name: SECTIONS[name].draw(said, page, SECTIONS[name].arguments(page)) for name in names}
