"""The client: one method for each address of the API. Streams continue after a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar
from weakref import WeakSet

from kasta.extras import extra

with extra("client"):
    import httpx

from kasta.client.connection import LONGEST_WAIT, PATIENCE, ServerConnection, retry_after, told, unreadable
from kasta.client.stream import TableStream
from kasta.core import Seat
from kasta.errors import KastaError
from kasta.i18n import DEFAULT
from kasta.tables.events import AnyEvent, Settings, decode
from kasta.wire import tables as wire
from kasta.wire.reviews import Review

T = TypeVar("T")

IN_THE_MAKING = 202


class Client:
    """A device at a server. Without a token it is a new one: the first table or seat gives it its `token`.

    The server's sentences come in `language`. Where it says that something was too much at once, the client
    waits, and tries again. It also waits `patience` seconds for a server that was there and is gone.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = DEFAULT,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._connection = ServerConnection(url, token, language, transport, patience)
        self._streams = WeakSet[TableStream[Any]]()

    @property
    def token(self) -> str | None:
        """The token of this device."""
        return self._connection.token

    @token.setter
    def token(self, token: str | None) -> None:
        self._connection.token = token

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close its connections."""
        for stream in list(self._streams):
            await stream.aclose()
        await self._connection.aclose()

    async def open(
        self, game: str, rules: str | None = None, settings: Settings | None = None, *, room: bool = False
    ) -> wire.Opened:
        """Open a table, as its host; `room` gives it a code."""
        body = {"game": game, "rules": rules, "settings": settings or Settings(), "room": room}
        opened = await self._post("/tables", wire.Opened, body, once=True)
        self.token = opened.token
        return opened

    async def sit(
        self, table: str, name: str, bot: str | None = None, entropy: str = "", *, program: bool = False
    ) -> wire.Seated:
        """Sit down, or, as the host, seat a bot. `program`: say that no person plays there."""
        body = {"name": name, "bot": bot, "entropy": entropy, "program": program}
        seated = await self._post(f"/tables/{table}/seats", wire.Seated, body, once=True)
        self.token = seated.token
        return seated

    async def state(self, table: str) -> wire.TableState:
        """The table as this device may see it."""
        return await self._get(f"/tables/{table}", wire.TableState)

    async def find(self, code: str) -> wire.TableState:
        """The table that a room's code leads to."""
        return await self._get(f"/rooms/{code}", wire.TableState)

    async def roll(self, table: str, turn: int, faces: Sequence[int] = ()) -> wire.TableState:
        """Throw, or type what own dice show."""
        return await self._change(table, "roll", turn=turn, faces=list(faces))

    async def play(self, table: str, turn: int, seat: Seat, step: int, do: str) -> wire.TableState:
        """Act, in our notation."""
        return await self._change(table, "play", turn=turn, seat=seat, step=step, do=do)

    async def take_back(self, table: str, turn: int, seat: Seat, step: int) -> wire.TableState:
        """Take the seat's last action on this throw back."""
        return await self._change(table, "take-back", turn=turn, seat=seat, step=step)

    async def correct(self, table: str, turn: int, faces: Sequence[int]) -> wire.TableState:
        """Correct the last throw of own dice."""
        return await self._change(table, "correct", turn=turn, faces=list(faces))

    async def extend(self, table: str, turn: int, seat: Seat) -> wire.TableState:
        """Ask for more time."""
        return await self._change(table, "extend", turn=turn, seat=seat)

    async def leave(self, table: str, seat: Seat) -> wire.TableState:
        """Give a seat up, or, as the host, empty it."""
        return await self._change(table, "leave", seat=seat)

    async def wait(self, table: str, name: str) -> wire.TableState:
        """Put a name down for the next game."""
        return await self._change(table, "wait", name=name)

    async def rename(self, table: str, seat: Seat, name: str) -> wire.TableState:
        """Change a seat's name."""
        return await self._change(table, "rename", seat=seat, name=name)

    async def replace(self, table: str, seat: Seat, bot: str | None) -> wire.TableState:
        """Let a bot play on for a seat; with None its person is back."""
        return await self._change(table, "replace", seat=seat, bot=bot)

    async def stand_in(self, table: str, seat: Seat) -> wire.TableState:
        """Let a bot act once for somebody who is away."""
        return await self._change(table, "stand-in", seat=seat)

    async def remove_recent(self, table: str) -> wire.TableState:
        """Empty the seats of all who came in the last two minutes."""
        return await self._change(table, "remove-recent")

    async def configure(self, table: str, settings: Settings) -> wire.TableState:
        """Change how the table is played."""
        return await self._post(f"/tables/{table}/settings", wire.TableState, settings)

    async def host(self, table: str, seat: Seat | None = None) -> wire.TableState:
        """Hand the role of the host to a seat, or take it over while the host is away."""
        return await self._change(table, "host", seat=seat)

    async def close_table(self, table: str) -> wire.TableState:
        """End the game."""
        return await self._change(table, "close")

    async def rematch(self, table: str) -> wire.TableState:
        """The next game with the same people."""
        return await self._change(table, "rematch")

    async def games(self) -> list[wire.GameTold]:
        """The games of the server."""
        return (await self._get("/games", wire.GamesTold)).games

    async def bots(self) -> list[wire.BotTold]:
        """The bots of the server, the strongest of each game first."""
        return (await self._get("/bots", wire.BotsTold)).bots

    async def open_tables(self) -> list[wire.ListedTable]:
        """Tables where strangers are welcome."""
        return (await self._get("/tables", wire.ListedTables)).tables

    async def my_tables(self) -> list[wire.OwnTable]:
        """The tables at which this device plays, waits or hosts; what was played last comes first."""
        return (await self._get("/mine/tables", wire.OwnTables)).tables

    async def my_games(self, skip: int = 0) -> list[wire.OwnGame]:
        """The finished games of this device, a hundred at a time."""
        return (await self._get(f"/mine/games?skip={skip}", wire.OwnGames)).games

    async def invite(self, table: str) -> str:
        """The code by which others find the table; it gets one if it has none."""
        return (await self._post(f"/tables/{table}/invite", wire.Invited, {})).code

    async def make_token(self, name: str) -> wire.TokenMade:
        """A named token for a program that acts for this device."""
        return await self._post("/tokens", wire.TokenMade, {"name": name}, once=True)

    async def tokens(self) -> list[wire.TokenTold]:
        """The named tokens of this device."""
        return (await self._get("/tokens", wire.TokensTold)).tokens

    async def revoke_token(self, token: str) -> list[wire.TokenTold]:
        """Take a named token back, by its id."""
        return (await self._post(f"/tokens/{token}/revoke", wire.TokensTold, {})).tokens

    async def hint(self, table: str, seat: Seat) -> wire.Hint:
        """The best actions of a seat that has to decide, where the table's coach is live."""
        return await self._post(f"/tables/{table}/hint", wire.Hint, {"seat": seat})

    async def review(self, table: str) -> Review:
        """The review of your seats in a game that is over; waits until it is complete."""
        while True:
            answer = await self._connection.ask("GET", f"/tables/{table}/review")
            if answer.status_code != IN_THE_MAKING:
                return told(answer.content, Review)
            await asyncio.sleep(min(max(retry_after(answer) or 1, 1), LONGEST_WAIT))

    async def record(self, table: str) -> bytes:
        """The game so far as a record, without picks of a round that is still open."""
        return (await self._connection.ask("GET", f"/tables/{table}/record")).content

    def events(self, table: str, after: int = 0) -> TableStream[tuple[int, AnyEvent]]:
        """The events of the table, each with its place in the log, without end; a lost connection loses none."""
        return self._heard(f"/tables/{table}/stream", _event, after)

    def throws(self, table: str) -> TableStream[wire.Hearing]:
        """For halls: throws, how many have still to pick, and the end."""
        return self._heard(f"/tables/{table}/stream?throws=1", lambda _seq, data: told(data, wire.Hearing))

    def _heard(self, path: str, read: Callable[[int | None, bytes], T | None], after: int = 0) -> TableStream[T]:
        stream = TableStream(self._connection, path, read, after)
        self._streams.add(stream)
        return stream

    async def _change(self, table: str, what: str, **body: Any) -> wire.TableState:  # noqa: ANN401 - fields of a body
        return await self._post(f"/tables/{table}/{what}", wire.TableState, body)

    async def _post(self, path: str, kind: type[T], body: object, *, once: bool = False) -> T:
        return told((await self._connection.ask("POST", path, body, once=once)).content, kind)

    async def _get(self, path: str, kind: type[T]) -> T:
        return told((await self._connection.ask("GET", path)).content, kind)


def _event(seq: int | None, data: bytes) -> tuple[int, AnyEvent] | None:
    if seq is None:
        return None
    try:
        return seq, decode(data)
    except KastaError as error:
        raise unreadable(str(error)) from None
