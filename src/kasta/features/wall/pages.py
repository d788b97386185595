"""The wall: a table for a beamer or a television set, in one or two languages, that runs by itself for hours."""

from __future__ import annotations

import heapq
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from markupsafe import Markup

from kasta.core import Pick, Seat, Throw, places
from kasta.edge.assets import version
from kasta.edge.http import Visit, html
from kasta.edge.sse import BEAT, GONE, EventQueue, EventStream, filled
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.i18n import LANGUAGES, Words, words
from kasta.live.channel import Channels
from kasta.live.dependencies import TheChannels, TheSignals
from kasta.live.news import message
from kasta.live.signals import Signals
from kasta.live.viewer import Viewer, viewer_of
from kasta.page.charts import Column, Spread, chart, spread
from kasta.page.end.ending import counts, heading
from kasta.page.models import GameCard, ThrownDice, game_card, thrown_dice
from kasta.page.table_page import TablePage, current_round, phase
from kasta.tables.rights import are_seats_open, check, host, is_open, throws_itself
from kasta.tables.state import Table
from kasta.tables.view import MOST_BEST, MOST_LISTED, standing, wall_name

MOST_ARRIVALS = 12  # who came last, while people come
MOST_MADE = 64  # walls that are kept: all who look at the same one are shown it as it was made once
MOST_WINNERS = 2  # who are named
HURRY_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something that the wall says, in one of its languages."""

    language: str
    text: str


Said = tuple[Phrase, ...]
Languages = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the best ten; `seat` has a mark, which its owner's phone shows, too."""

    place: int
    seat: Seat
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class WallPage:
    """wall/board.html. Without the host's leave it has no names: no `arrivals`, and numbers in `best`."""

    id: str
    game: GameCard
    phase: str  # lobby, throw, pick or over
    is_named: bool
    title: Said
    round: Said
    status: Said
    dice: ThrownDice
    code: str | None
    invites: Said  # how to come in, while seats are open
    notice: Said  # what everybody must know who comes in
    address: str
    arrivals: tuple[str, ...]
    best_title: Said
    best: tuple[Leader, ...]
    spread: Spread | None
    spread_title: Said  # empty where the list tells all totals
    spread_told: Said
    fell_title: Said
    fell: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class WallDocument:
    """wall/page.html: what the wall shows now, where it hears of more, and how long the table still waits."""

    table: str
    title: str
    theme: str
    board: Markup
    query: str
    waits: float | None
    is_host: bool  # may switch names on and off here


@dataclass(frozen=True, slots=True)
class RemotePage:
    """wall/remote_board.html: the host's table, and how long people may still think in a hurry."""

    table: TablePage
    hurry: int


@dataclass(frozen=True, slots=True)
class RemoteDocument:
    """wall/remote.html: the host's table, and the buttons."""

    table: TablePage
    board: Markup


def grouped(number: int) -> str:
    """A number as it is read in all our languages: 4 812."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def both(languages: Languages, say: Callable[[Words], str]) -> Said:
    """What is said in each language, once where they agree."""
    said = {say(each): each.language for each in reversed(languages)}
    return tuple(Phrase(language, text) for text, language in reversed(said.items()) if text)


def wall_page(table: Table, languages: Languages, origin: str, code: str | None) -> WallPage:
    """What a table's wall shows: the same for all who look."""
    now, traits = phase(table, table.next()), table.game.traits
    stands = standing(table) if table.turn else None
    spreads = spread(stands.totals) if stands else None
    named = table.settings.wall
    is_ranked = named or len(table.places) <= MOST_LISTED  # in a crowd, nobody knows a player by a number
    leaders = _leaders(table, stands.best, languages[0]) if stands and is_ranked else ()
    is_spread = len(leaders) < len(table.places)  # else the list tells all of it
    fell = counts(table)
    return WallPage(
        id=table.id,
        game=game_card(traits, languages[0]),
        phase=now,
        is_named=named,
        title=both(languages, traits.heading),
        round=both(languages, lambda said: _round(table, said)),
        status=both(languages, lambda said: _status(table, now, leaders, said)),
        dice=thrown_dice(table, languages[0]),
        code=code if is_open(table) else None,
        invites=both(languages, lambda said: _invitation(table, code, said)),
        notice=both(languages, lambda said: said.say("Names and totals are shown on the wall.")) if named else (),
        address=origin.partition("://")[2],
        arrivals=_arrivals(table) if now == "lobby" else (),
        best_title=both(languages, lambda said: _best_title(table, said)),
        best=leaders,
        spread=spreads,
        spread_title=both(languages, lambda said: said.say("All totals")) if is_spread else (),
        spread_told=both(languages, lambda said: _spread_told(spreads, said)),
        fell_title=both(languages, lambda said: said.say("Thrown so far")),
        fell=chart(fell) if fell else (),
    )


def _round(table: Table, said: Words) -> str:
    found = current_round(table)
    return said.say("Round {turn} of {rounds}", turn=found[0], rounds=found[1]) if found else ""


def _invitation(table: Table, code: str | None, said: Words) -> str:
    if not are_seats_open(table):
        return ""
    return said.say("Scan to join, or type the code at") if code else said.say("Scan to join, or go to")


def _status(table: Table, now: str, leaders: tuple[Leader, ...], said: Words) -> str:
    """Whom all wait for. Only the host learns who that is, unless players throw one after another."""
    seats = len(table.places)
    match table.next():
        case _ if now == "over":
            return _ending(leaders, said)
        case _ if now == "lobby":
            return said.count("{seats} player is here", "{seats} players are here", seats, seats=grouped(seats))
        case Pick(count) if table.game.hides_picks:
            return said.count(
                "{missing} of {seats} still to pick",
                "{missing} of {seats} still to pick",
                count,
                missing=grouped(count),
                seats=grouped(seats),
            )
        case Throw() if throws_itself(table):
            return said.term(table.game.traits.kind, "Automatic throw")
        case Throw(roller=roller) if table.settings.thrower == "turn" or not table.game.hides_picks:
            return table.game.traits.say(said, "{name} throws", name=_name(table, roller, said))
        case Throw():
            return said.say("All have picked")
    return said.say("{name} picks", name=_name(table, table.roller, said))


def _ending(leaders: tuple[Leader, ...], said: Words) -> str:
    """Who wins, if they can be named in a line."""
    winners = [each for each in leaders if each.place == 1]
    return heading([(each.name, each.total) for each in leaders if len(winners) <= MOST_WINNERS], said)


def _name(table: Table, seat: Seat, said: Words) -> str:
    return wall_name(table, seat) or said.say("Player {number}", number=seat + 1)


def _leaders(table: Table, best: tuple[tuple[Seat, int], ...], said: Words) -> tuple[Leader, ...]:
    ranks = places([total for _, total in best])
    return tuple(
        Leader(place, seat, _name(table, seat, said), total)
        for place, (seat, total) in zip(ranks, best, strict=True)
    )


def _best_title(table: Table, said: Words) -> str:
    return said.say("The best ten") if len(table.places) > MOST_BEST else said.say("Points")


def _arrivals(table: Table) -> tuple[str, ...]:
    """The names of who came last, the newest first."""
    newest = heapq.nlargest(MOST_ARRIVALS, table.places)
    return tuple(name for seat in newest if (name := wall_name(table, seat)))


def _spread_told(spreads: Spread | None, said: Words) -> str:
    if spreads is None:
        return said.say("Points are shown at the end.")
    return said.say(
        "From {least} to {most}; half have {middle} or more",
        least=spreads.least,
        middle=spreads.middle,
        most=spreads.most,
    )


_made: dict[tuple[object, ...], str] = {}


async def _board(channels: Channels, table: Table, languages: Languages, origin: str) -> str:
    """The wall as HTML, made once for all who look at it."""
    code = await channels.views.joining.code_of(table.id)
    key = (table.id, table.seq, code, origin, *(each.language for each in languages))
    if key not in _made:
        _made[key] = render(languages[0], "wall/board.html", wall_page(table, languages, origin, code))
        while len(_made) > MOST_MADE:
            del _made[next(iter(_made))]
    return _made[key]


async def _remote(channels: Channels, table: Table, viewer: Viewer) -> RemoteDocument:
    check(host(table, viewer.device))
    page = await channels.views.page(table, viewer)
    board = render(viewer.words, "wall/remote_board.html", RemotePage(page, HURRY_SECONDS))
    return RemoteDocument(page, Markup(board))  # noqa: S704 - rendered


async def news_of(
    channels: Channels, name: str, device: str, queue: EventQueue, make: Callable[[Table], Awaitable[str]]
) -> AsyncGenerator[bytes]:
    """Whenever dice fell, and at most twice a second when others picked: all that is shown, as it is then."""
    ear, service = EventQueue(), channels.views.service
    async with channels.program_subscribed(name, ear, device):
        async for told in ear.messages():
            if GONE in told:
                queue.close(GONE)
            elif told.strip() != BEAT.strip():
                table = await service.table(name)
                shown = {
                    "html": await make(table),
                    "waits": service.waits(name),
                    "moved": table.next_table,
                    "version": version(),
                }
                yield message("board", shown)
    queue.close()


@asynccontextmanager
async def _held(
    signals: Signals | None, table: str, queue: EventQueue, news: AsyncGenerator[bytes]
) -> AsyncGenerator[None]:
    """A stream of news, and of signals where they are shown."""
    with nullcontext() if signals is None else signals.heard_by(table, queue):
        async with filled(queue, news):
            yield


async def _stream(
    request: Visit,
    channels: Channels,
    table: str,
    make: Callable[[Table], Awaitable[str]],
    signals: Signals | None = None,
) -> EventStream:
    visit = visitor_of(request)
    device, queue = viewer_of(request).device, EventQueue()
    now = await channels.admit(visit, table, device)
    held = _held(signals, table, queue, news_of(channels, table, device, queue, make))
    return EventStream(queue, channels.admission.counted(visit, now, queue, held))


def _languages(request: Visit, also: str) -> Languages:
    first = viewer_of(request).words
    return (first, words(also)) if also in LANGUAGES and also != first.language else (first,)


@get("/t/{table:str}/wall")
async def wall(
    request: Visit, table: FromPath[str], channels: TheChannels, also: FromQuery[str] = ""
) -> Response[str]:
    """For the big screen. It follows a table to its next game."""
    now, languages = await channels.views.service.table(table), _languages(request, also)
    query = f"?also={languages[1].language}" if len(languages) > 1 else ""
    if now.next_table is not None:
        return Redirect(f"/t/{now.next_table}/wall{query}", status_code=303)
    board = await _board(channels, now, languages, viewer_of(request).origin)
    title, theme = now.game.traits.heading(languages[0]), now.game.traits.theme
    waits, is_host = channels.views.service.waits(table), viewer_of(request).device == now.host
    page = WallDocument(table, title, theme, Markup(board), query, waits, is_host)  # noqa: S704 - rendered
    return html(render(languages[0], "wall/page.html", page))


@get("/t/{table:str}/wall/stream")
async def wall_stream(
    request: Visit, table: FromPath[str], channels: TheChannels, signals: TheSignals, also: FromQuery[str] = ""
) -> EventStream:
    """All that a wall shows, whenever it is new."""
    viewer, languages = viewer_of(request), _languages(request, also)
    return await _stream(
        request, channels, table, lambda now: _board(channels, now, languages, viewer.origin), signals
    )


@get("/t/{table:str}/remote")
async def remote(request: Visit, table: FromPath[str], channels: TheChannels) -> Response[str]:
    """For the host's phone, while the table is on the wall: throw, hurry, pause."""
    now, viewer = await channels.views.service.table(table), viewer_of(request)
    if now.next_table is not None:
        return Redirect(f"/t/{now.next_table}/remote", status_code=303)
    return html(render(viewer.words, "wall/remote.html", await _remote(channels, now, viewer)))


@get("/t/{table:str}/remote/stream")
async def remote_stream(request: Visit, table: FromPath[str], channels: TheChannels) -> EventStream:
    """All that a remote shows, whenever it is new."""
    viewer = viewer_of(request)
    check(host(await channels.views.service.table(table), viewer.device))

    async def make(now: Table) -> str:
        return (await _remote(channels, now, viewer)).board

    return await _stream(request, channels, table, make)


PAGES = [wall, wall_stream, remote, remote_stream]
