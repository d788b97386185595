"""The client: one method for each address of the API. Streams go on by themselves after a lost connection."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, Self, TypeVar

from kasta.extras import extra

with extra("client"):
    import httpx
    import msgspec

from kasta.core import Seat
from kasta.errors import KastaError
from kasta.i18n import DEFAULT
from kasta.tables.events import AnyEvent, Settings, decode
from kasta.wire import tables as wire
from kasta.wire.reviews import Review

T = TypeVar("T")

SECONDS = 30.0  # until an answer is there
SILENT_SECONDS = 45.0  # a stream has a heartbeat more often than that
IN_THE_MAKING = 202
LONGEST_WAIT = 60  # seconds that are waited when a server asks for it
LONGEST_ANSWER = 64 * 2**20  # bytes: the record of the largest hall has a quarter of that
LONGEST_LINE = 2**20  # of a stream
TRIES = 4
TOO_OFTEN, BUSY = 429, 503
PAUSES = (0.2, 1.0, 3.0, 10.0)  # before a stream is asked for again


class Refused(Exception):  # noqa: N818 - as our errors are named
    """The server did not do it: `problem` has the code, `status` the HTTP status. `str()` is the sentence."""

    def __init__(self, status: int, problem: wire.Problem, retry_after: int | None = None) -> None:
        super().__init__(problem.message)
        self.status, self.problem, self.retry_after = status, problem, retry_after

    @property
    def code(self) -> str:
        """The stable code of the error (docs/errors.md)."""
        return self.problem.code


class Client:
    """A device at a server. Without a token it is a new one: the first table or seat gives it its `token`.

    The server's sentences come in `language`. Where it says that something was too much at once, the client
    waits as told, and tries again.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = DEFAULT,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.token = token
        self._http = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/api",
            headers={"accept-language": language},
            transport=transport,
            timeout=SECONDS,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def open(
        self, game: str, rules: str | None = None, settings: Settings | None = None, *, room: bool = False
    ) -> wire.Opened:
        """Open a table, as its host; `room` gives it a code."""
        body = {"game": game, "rules": rules, "settings": settings or Settings(), "room": room}
        opened = await self._post("/tables", wire.Opened, body)
        self.token = opened.token
        return opened

    async def sit(
        self, table: str, name: str, bot: str | None = None, entropy: str = "", *, program: bool = False
    ) -> wire.Seated:
        """Sit down, or, as the host, seat a bot. `program`: say that no person plays there."""
        body = {"name": name, "bot": bot, "entropy": entropy, "program": program}
        seated = await self._post(f"/tables/{table}/seats", wire.Seated, body)
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

    async def make_token(self, name: str) -> wire.TokenMade:
        """A named token for a program that shall act for this device."""
        return await self._post("/tokens", wire.TokenMade, {"name": name})

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
        """What one's seats gave away in a game that is over; waits until all of it is made."""
        while True:
            answer = await self._ask("GET", f"/tables/{table}/review")
            if answer.status_code != IN_THE_MAKING:
                return _told(answer.content, Review)
            await asyncio.sleep(min(max(_retry_after(answer) or 1, 1), LONGEST_WAIT))

    async def record(self, table: str) -> bytes:
        """The game so far as a record, without picks of a round that is still open."""
        return (await self._ask("GET", f"/tables/{table}/record")).content

    async def events(self, table: str, after: int = 0) -> AsyncGenerator[tuple[int, AnyEvent]]:
        """What happens at the table, with its place in the log, for ever; a lost connection loses nothing."""
        async with aclosing(self._stream(f"/tables/{table}/stream", after)) as told:
            async for seq, data in told:
                if seq is not None:
                    try:
                        event = decode(data)
                    except KastaError as error:
                        raise _unreadable(str(error)) from None
                    yield seq, event

    async def throws(self, table: str) -> AsyncGenerator[wire.Hearing]:
        """For halls: throws, how many have still to pick, and the end."""
        async with aclosing(self._stream(f"/tables/{table}/stream?throws=1")) as told:
            async for _, data in told:
                yield _told(data, wire.Hearing)

    async def _stream(self, path: str, after: int = 0) -> AsyncGenerator[tuple[int | None, bytes]]:
        failures = 0
        while True:
            try:
                async with aclosing(self._once(path, after)) as told:
                    async for seq, data in told:
                        failures, after = 0, after if seq is None else seq
                        yield seq, data
            except httpx.TransportError:
                pass
            except Refused as refused:
                if refused.status not in {TOO_OFTEN, BUSY}:
                    raise
            await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
            failures += 1

    async def _once(self, path: str, after: int) -> AsyncGenerator[tuple[int | None, bytes]]:
        headers, timeout = (
            {**self._headers, "last-event-id": str(after)},
            httpx.Timeout(SECONDS, read=SILENT_SECONDS),
        )
        async with self._begun("GET", path, headers=headers, timeout=timeout) as answer:
            if answer.is_error:
                raise _refused(await _whole(answer))
            seq: int | None = None
            async for line in _lines(answer):
                name, _, value = line.partition(b": ")
                if name == b"id":
                    seq = _told(value, int)
                elif name == b"data" and value:
                    yield seq, value
                    seq = None

    async def _change(self, table: str, what: str, **body: Any) -> wire.TableState:  # noqa: ANN401 - fields of a body
        return await self._post(f"/tables/{table}/{what}", wire.TableState, body)

    async def _post(self, path: str, kind: type[T], body: object) -> T:
        return _told((await self._ask("POST", path, body)).content, kind)

    async def _get(self, path: str, kind: type[T]) -> T:
        return _told((await self._ask("GET", path)).content, kind)

    async def _ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        content = msgspec.json.encode(body) if method == "POST" else None
        headers = {**self._headers, "content-type": "application/json"}
        for left in reversed(range(TRIES)):
            async with self._begun(method, path, content=content, headers=headers) as begun:
                answer = await _whole(begun)
            if not answer.is_error:
                break
            refused = _refused(answer)
            if not left or refused.retry_after is None or refused.retry_after > LONGEST_WAIT:
                raise refused
            await asyncio.sleep(refused.retry_after)
        return answer

    @asynccontextmanager
    async def _begun(self, method: str, path: str, **options: Any) -> AsyncIterator[httpx.Response]:  # noqa: ANN401
        """An answer before its content. What a server calls a table may be no part of an address."""
        try:
            async with self._http.stream(method, path, **options) as answer:
                yield answer
        except httpx.InvalidURL as error:
            raise _unreadable(str(error)) from None

    @property
    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}


def _refused(answer: httpx.Response) -> Refused:
    try:
        problem = msgspec.json.decode(answer.content, type=wire.Refusal).error
    except msgspec.MsgspecError:  # from a proxy, say
        problem = wire.Problem("http", str(answer.status_code), answer.reason_phrase)
    return Refused(answer.status_code, problem, _retry_after(answer))


def _retry_after(answer: httpx.Response) -> int | None:
    text = answer.headers.get("retry-after", "")
    return int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


def _unreadable(reason: str, status: int = 200) -> Refused:
    """What answers is no server of ours, or has a fault."""
    return Refused(status, wire.Problem("http", "unreadable", f"The answer makes no sense: {reason}"))


def _told(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _unreadable(str(error)) from None


async def _whole(begun: httpx.Response) -> httpx.Response:
    """An answer with all of its content, unless that does not end."""
    content = bytearray()
    async for piece in begun.aiter_bytes():
        content += piece
        if len(content) > LONGEST_ANSWER:
            raise _unreadable("it is too long", begun.status_code)
    headers = begun.headers.copy()
    headers.pop("content-encoding", None)
    return httpx.Response(begun.status_code, headers=headers, content=bytes(content), request=begun.request)


async def _lines(begun: httpx.Response) -> AsyncIterator[bytes]:
    """The lines of a stream, none of which is without end."""
    rest = b""
    async for piece in begun.aiter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r")
        if len(rest) > LONGEST_LINE:
            raise _unreadable("it is too long")
