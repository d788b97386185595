"""The JSON API: all that the pages do. Seats come with a token, which goes into `Authorization: Bearer`."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter

from kasta.edge.http import Visit, device
from kasta.edge.problems import REFUSALS
from kasta.edge.sse import EventQueue, EventStream, Held, filled
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal
from kasta.features.api.lists import HANDLERS as LISTS
from kasta.live.dependencies import TableId, TheChannels, TheJoining, TheService, TheSignals, TheSigner
from kasta.live.signals import Signals
from kasta.tables import events as e, rights
from kasta.tables.commands import (
    Close,
    Command,
    Configure,
    Correct,
    Extend,
    Host,
    Leave,
    Play,
    Rename,
    Replace,
    Roll,
    Sit,
    TakeBack,
    Wait,
)
from kasta.tables.log import Seq
from kasta.tables.rights import check
from kasta.tables.service import Service
from kasta.tables.state import Table
from kasta.wire.tables import (
    Invited,
    NewBot,
    NewHost,
    NewPlay,
    NewRoll,
    NewSeat,
    NewSeatName,
    NewStep,
    NewTable,
    NewTime,
    NewWait,
    OneSeat,
    Opened,
    Seated,
    TableState,
    tell,
)

SLOW = (r"/api/tables/[^/]+/record",)

MINIMAL = ResponseSpec(None, description="Done, and nothing more is said, as you prefer.", generate_examples=False)


def _told(request: Visit, service: Service, table: Table) -> TableState:
    return tell(table, device(request), service.silence(table.id))


async def _do(request: Visit, service: Service, table: str, command: Command) -> TableState:
    return _told(request, service, await service.do(table, command))


@post("/tables", responses=REFUSALS)
async def open_table(
    request: Visit, data: JSONBody[NewTable], service: TheService, joining: TheJoining, signer: TheSigner
) -> Opened:
    """Open a table. Whoever does is its host: without a token, a new one is given."""
    visitor = visitor_of(request)
    me = visitor.known_device
    await joining.count_opening(visitor.address)
    table = await service.open(me, data.game, data.rules, data.settings)
    code = await joining.give_code(table.id) if data.room else None
    return Opened(table.id, visitor.token(signer), code, _told(request, service, table))


@post("/tables/{table:str}/seats", responses=REFUSALS)
async def sit(
    request: Visit,
    table: TableId,
    data: JSONBody[NewSeat],
    service: TheService,
    joining: TheJoining,
    signer: TheSigner,
) -> Seated:
    """Sit down. With a token the seat is held by it, too; a bot is seated by the host."""
    visitor = visitor_of(request)
    joining.count_seats(visitor.address)
    command = Sit(visitor.known_device, data.name, data.bot, data.entropy, data.program)
    seat, after = await service.sit(table, command)
    return Seated(seat, visitor.token(signer), _told(request, service, after))


@post("/tables/{table:str}/wait", status_code=200, responses=REFUSALS)
async def wait(request: Visit, table: TableId, data: JSONBody[NewWait], service: TheService) -> TableState:
    """Put a name down for the next game, where this one has begun without you."""
    return await _do(request, service, table, Wait(device(request), data.name))


@get("/tables/{table:str}", responses=REFUSALS)
async def state(request: Visit, table: TableId, service: TheService) -> TableState:
    """The table as you may see it."""
    return _told(request, service, await service.table(table))


@post("/tables/{table:str}/roll", status_code=200, responses=REFUSALS)
async def roll(request: Visit, table: TableId, data: JSONBody[NewRoll], service: TheService) -> TableState:
    """Throw the dice; `faces` only where own dice are used."""
    return await _do(request, service, table, Roll(device(request), data.turn, tuple(data.faces)))


@post("/tables/{table:str}/play", status_code=200, responses=REFUSALS | {204: MINIMAL})
async def play(
    request: Visit,
    table: TableId,
    data: JSONBody[NewPlay],
    service: TheService,
    prefer: Annotated[str, HeaderParameter(name="Prefer", description="`return=minimal`: no answer.")] = "",
) -> Response[TableState | None]:
    """Act with a seat, in our notation; once more on the same throw, to do something else instead.

    What follows without a choice is done, too: the next throw of app dice in a turn, actions that are forced.
    """
    after = await service.do(table, Play(device(request), data.turn, data.seat, data.step, data.do))
    if "return=minimal" in prefer.replace(" ", "").lower():
        return Response(None, status_code=204, headers={"preference-applied": "return=minimal"})
    return Response(_told(request, service, after))


@post("/tables/{table:str}/take-back", status_code=200, responses=REFUSALS)
async def take_back(request: Visit, table: TableId, data: JSONBody[NewStep], service: TheService) -> TableState:
    """Take the seat's last action on this throw back."""
    return await _do(request, service, table, TakeBack(device(request), data.turn, data.seat, data.step))


@post("/tables/{table:str}/correct", status_code=200, responses=REFUSALS)
async def correct(request: Visit, table: TableId, data: JSONBody[NewRoll], service: TheService) -> TableState:
    """Correct the last throw of own dice."""
    return await _do(request, service, table, Correct(device(request), data.turn, tuple(data.faces)))


@post("/tables/{table:str}/leave", status_code=200, responses=REFUSALS)
async def leave(request: Visit, table: TableId, data: JSONBody[OneSeat], service: TheService) -> TableState:
    """Give a seat up, or, as the host, empty it."""
    return await _do(request, service, table, Leave(device(request), data.seat))


@post("/tables/{table:str}/rename", status_code=200, responses=REFUSALS)
async def rename(request: Visit, table: TableId, data: JSONBody[NewSeatName], service: TheService) -> TableState:
    """Change a seat's name."""
    return await _do(request, service, table, Rename(device(request), data.seat, data.name))


@post("/tables/{table:str}/replace", status_code=200, responses=REFUSALS)
async def replace(request: Visit, table: TableId, data: JSONBody[NewBot], service: TheService) -> TableState:
    """Let a bot play on for a seat, or its person again."""
    return await _do(request, service, table, Replace(device(request), data.seat, data.bot))


@post("/tables/{table:str}/stand-in", status_code=200, responses=REFUSALS)
async def stand_in(request: Visit, table: TableId, data: JSONBody[OneSeat], service: TheService) -> TableState:
    """Let a bot act on this throw for somebody who is away."""
    return _told(request, service, await service.stand_in(table, device(request), data.seat))


@post("/tables/{table:str}/remove-recent", status_code=200, responses=REFUSALS)
async def remove_recent(request: Visit, table: TableId, service: TheService) -> TableState:
    """Empty the seats of all who came in the last two minutes; only the host may."""
    return _told(request, service, await service.remove_recent(table, device(request)))


@post("/tables/{table:str}/settings", status_code=200, responses=REFUSALS)
async def configure(request: Visit, table: TableId, data: JSONBody[e.Settings], service: TheService) -> TableState:
    """Change how the table is played."""
    return await _do(request, service, table, Configure(device(request), data))


@post("/tables/{table:str}/host", status_code=200, responses=REFUSALS)
async def host(request: Visit, table: TableId, data: JSONBody[NewHost], service: TheService) -> TableState:
    """Hand the role of the host to a seat, or take it over while the host is away."""
    now, me = await service.table(table), device(request)
    place = now.places.get(data.seat) if data.seat is not None else None
    if data.seat is not None and place is None:
        raise Illegal("no_such_seat", seat=data.seat, last=now.seats - 1)
    return await _do(request, service, table, Host(me, place.device if place else me))


@post("/tables/{table:str}/extend", status_code=200, responses=REFUSALS)
async def extend(request: Visit, table: TableId, data: JSONBody[NewTime], service: TheService) -> TableState:
    """Ask for more time on this throw."""
    return await _do(request, service, table, Extend(device(request), data.turn, data.seat))


@post("/tables/{table:str}/close", status_code=200, responses=REFUSALS)
async def close(request: Visit, table: TableId, service: TheService) -> TableState:
    """End the game; the secret of the dice is told."""
    return await _do(request, service, table, Close(device(request)))


@post("/tables/{table:str}/invite", status_code=200, responses=REFUSALS)
async def invite(request: Visit, table: TableId, service: TheService, joining: TheJoining) -> Invited:
    """Give the table a code, or hear the one that it has."""
    check(rights.invite(await service.table(table), device(request)))
    return Invited(await joining.give_code(table))


@post("/tables/{table:str}/rematch", status_code=200, responses=REFUSALS)
async def rematch(request: Visit, table: TableId, service: TheService, joining: TheJoining) -> TableState:
    """The next game with the same people."""
    await joining.count_rematch(visitor_of(request).address, table, device(request))
    return _told(request, service, await service.rematch(table, device(request)))


@get("/tables/{table:str}/record", responses=REFUSALS, media_type="application/jsonl")
async def record(table: TableId, service: TheService) -> Response[bytes]:
    """The game so far as a record."""
    return Response((await service.record(table)).text, media_type="application/jsonl; charset=utf-8")


@get("/tables/{table:str}/stream", responses=REFUSALS, media_type="text/event-stream")
async def stream(
    request: Visit,
    table: TableId,
    service: TheService,
    channels: TheChannels,
    signals: TheSignals,
    after: Annotated[int, QueryParameter(ge=0, le=10**12)] = 0,
    throws: Annotated[int, QueryParameter(ge=0, le=1)] = 0,
    also: Annotated[int, QueryParameter(name="signals", ge=0, le=1)] = 0,
    last_event_id: Annotated[int | None, HeaderParameter(name="Last-Event-ID", ge=0, le=10**12)] = None,
) -> EventStream:
    """What happens at the table, as server-sent events with the place in the log as their id.

    It begins after `Last-Event-ID`, or after `after`. With `throws=1`, for halls, only throws are told, at once,
    how many have still to pick, at most twice a second, and the end. Each is an object with `turn`, `faces`,
    `owing` and `over`, and the first one tells how it stands now. With `signals=1`, events named `signal`
    come, too: reactions and nudges, which are in no log and have no id.
    """
    visit = visitor_of(request)
    me, start, queue = device(request), after if last_event_id is None else last_event_id, EventQueue()
    now = await channels.admit(visit, table, me)
    if throws:
        held = channels.program_subscribed(table, queue, me)
    else:
        held = filled(queue, _events(service.follow(table, me, Seq(start))))
    held = channels.admission.counted(visit, now, queue, held)
    return EventStream(queue, _with_signals(signals, table, queue, held) if also else held)


@asynccontextmanager
async def _with_signals(signals: Signals, table: str, queue: EventQueue, held: Held) -> AsyncGenerator[None]:
    with signals.heard_by(table, queue):
        async with held:
            yield


async def _events(news: AsyncGenerator[tuple[Seq, e.AnyEvent]]) -> AsyncGenerator[bytes]:
    async with aclosing(news):
        async for seq, event in news:
            yield b"id: %d\ndata: %s\n\n" % (seq, msgspec.json.encode(event))


@get("/rooms/{code:str}", responses=REFUSALS)
async def room(
    request: Visit, code: Annotated[str, PathParameter(max_length=20)], joining: TheJoining, service: TheService
) -> TableState:
    """The table that a short code leads to, while somebody may sit down there, or wait for the next game."""
    return _told(request, service, await joining.find(visitor_of(request), code))


API = [
    open_table,
    sit,
    wait,
    state,
    roll,
    play,
    take_back,
    correct,
    leave,
    rename,
    replace,
    stand_in,
    remove_recent,
    configure,
    host,
    extend,
    close,
    invite,
    rematch,
    record,
    stream,
    room,
    *LISTS,
]
