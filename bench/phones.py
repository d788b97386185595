"""Phones that do over HTTP what the page does, and the table at which they all play.

Each phone opens the link, joins, opens the table's page and its stream, and picks by the page's own form after
each throw. No static files are fetched, and posts share connections as behind a proxy.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from kasta.core import Faces
from kasta.games import find_game

MOST_CONNECTIONS = 2_000  # that posts share
KEPT_SECONDS = 50.0  # connections that nobody uses: shorter than the server keeps them, as proxies are told to
ARRIVING = 100  # phones that open the page at the same time
STYLES = 40  # ways to fill a sheet in; phones of one style play alike
ROUND_SECONDS = 120.0  # then a round has failed
JOIN_SECONDS = 300.0
END_SECONDS = 30.0
PARTS = "application/vnd.kasta.parts+json"


@dataclass(frozen=True)
class Size:
    """How large a hall is, how long people think, and after how many rounds we stop if the game goes on."""

    game: str
    phones: int
    think: tuple[float, float] = (3.0, 20.0)
    rounds: int = 1_000


class RefusedError(RuntimeError):
    """The server does not do what it was asked."""


class Line:
    """A connection that is kept; one request at a time."""

    _writer: asyncio.StreamWriter

    def __init__(self, port: int) -> None:
        self.port = port
        self._free = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._used = 0.0

    async def ask(self, method: str, path: str, cookie: str, body: str = "", more: str = "") -> tuple[str, str]:
        """The answer's head and body."""
        here = f"127.0.0.1:{self.port}"
        request = (
            f"{method} {path} HTTP/1.1\r\nhost: {here}\r\norigin: http://{here}\r\ncookie: {cookie}\r\n"
            f"accept-encoding: gzip\r\ncontent-type: application/x-www-form-urlencoded\r\n"
            f"content-length: {len(body)}\r\n{more}\r\n{body}"
        )
        async with self._free:
            is_old = time.monotonic() - self._used > KEPT_SECONDS
            if self._reader is None or is_old or self._reader.at_eof() or self._writer.is_closing():
                if self._reader is not None:
                    self._writer.close()
                self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            self._writer.write(request.encode())
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
            answer = await self._reader.readexactly(int(length[1])) if length else b""
            self._used = time.monotonic()
        if re.search("content-encoding: gzip", head, re.IGNORECASE):
            answer = gzip.decompress(answer)
        if head[9:12] not in {"200", "303"}:
            raise RefusedError(f"{path.rpartition('/')[2]}: {head[9:12]} {answer[:200]!r}")
        return head, answer.decode()

    def close(self) -> None:
        if self._reader is not None:
            self._writer.close()


class Styles:
    """Sheets that are filled in at random: what phones do on each throw, with the step that it is."""

    def __init__(self, game: str) -> None:
        self._game, self._random = find_game(game), random.Random(1)
        self._sheets = [self._game.solo.start() for _ in range(STYLES)]
        self.actions: list[list[tuple[int, str]]] = []

    def throw(self, faces: Faces) -> None:
        """Decide for each style what to do; what leaves no choice is done by the table."""
        last = any(map(self._game.solo.ends, self._sheets))
        both = [self._answer(self._game.solo.throw(sheet, faces, last=last)) for sheet in self._sheets]
        self._sheets = [sheet for sheet, _ in both]
        self.actions = [actions for _, actions in both]

    def _answer(self, sheet: object) -> tuple[object, list[tuple[int, str]]]:
        solo, step, done = self._game.solo, 0, []
        while not solo.rests(sheet):
            action = self._game.traits.follow_up(solo, sheet) if step else None
            if action is None:
                action = self._random.choice(list(solo.legal(sheet)))
                done.append((step, str(action)))
            sheet = solo.act(sheet, action)
            step += 1
        return sheet, done


@dataclass
class Round:
    """When phones heard of a throw, how long their picks took, and when they had done all that they owed."""

    thrown_at: float
    heard: list[float] = field(default_factory=list)
    picks: list[float] = field(default_factory=list)
    done: list[float] = field(default_factory=list)


class Phone(asyncio.Protocol):
    """One guest's browser."""

    def __init__(self, hall: Hall, number: int) -> None:
        self._hall, self._number = hall, number
        self._line = hall.lines[number % len(hall.lines)]
        self._cookie = self._page = ""
        self._seat = 0
        self._held = b""
        self._turn = 0

    async def join(self) -> None:
        """Open the link, sit down, open the page and its stream."""
        table = self._hall.table
        head, _ = await self._line.ask("GET", table, "")
        self._cookie = cookie_in(head)
        await self._line.ask("POST", f"{table}/sit", self._cookie, f"name=Guest+{self._number}")
        await self.open_page()

    async def open_page(self, cookie: str = "") -> None:
        self._cookie = cookie or self._cookie
        _, page = await self._line.ask("GET", self._hall.table, self._cookie)
        digest = re.search(r'data-digest="([^"]*)"', page)[1]  # type: ignore[index]
        if mine := re.search(r'name="seat"\s+value="(\d+)"', page):
            self._seat = int(mine[1])
        self._page = secrets.token_urlsafe(6)
        await self.listen(digest)

    async def listen(self, digest: str) -> None:
        """Open the stream of a page that shows this already."""
        port, loop = self._line.port, asyncio.get_running_loop()
        transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", port)
        self._hall.streams.append(transport)
        transport.write(
            f"GET {self._hall.table}/stream?page={self._page}&digest={digest} HTTP/1.1\r\n"
            f"host: 127.0.0.1:{port}\r\ncookie: {self._cookie}\r\n\r\n".encode()
        )

    async def post(self, action: str, body: str) -> None:
        more = f"accept: {PARTS}\r\nx-kasta-page: {self._page}\r\n"
        await self._line.ask("POST", f"{self._hall.table}/{action}", self._cookie, body, more)

    def data_received(self, data: bytes) -> None:
        held = self._held + data
        if not held.endswith(b"\n\n\r\n"):
            self._held = held
            return
        self._held = b""
        self.told(held)

    def told(self, held: bytes) -> None:
        """Whole messages have come."""
        for found in re.finditer(rb'event: (?:crowd|news)\ndata: \{"turn": (\d+), "over": (\w+)', held):
            self.see(int(found[1]), held, is_over=found[2] == b"true")

    def see(self, turn: int, told: bytes, *, is_over: bool) -> None:
        """The page shows this throw, or the results."""
        if is_over:
            self._hall.ended.setdefault(self._number, time.monotonic())
        elif turn > self._turn:
            self._turn = turn
            if self._number:  # the host heard of it by the answer to the throw
                self._hall.hear(turn, told)
                asyncio.get_running_loop().call_later(random.uniform(*self._hall.size.think), self._pick, turn)

    def connection_lost(self, _error: Exception | None) -> None:
        if not self._hall.is_closing:
            self._hall.errors.append("a stream was lost")

    def _pick(self, turn: int) -> None:
        self._hall.begin(self._play(turn))

    async def _play(self, turn: int) -> None:
        now = self._hall.rounds[turn]
        for step, do in self._hall.styles.actions[self._number % STYLES]:
            begun = time.monotonic()
            await self.post("play", f"turn={turn}&seat={self._seat}&step={step}&do={do}".replace("+", "%2B"))
            now.picks.append(time.monotonic() - begun)
        now.done.append(time.monotonic())


class Hall:
    """A table, its host, who is phone 0 and throws, and all who play."""

    kind = Phone
    settings = "thrower=host&room=1"

    def __init__(self, port: int, size: Size) -> None:
        self.port, self.size = port, size
        self.lines = [Line(port) for _ in range(min(size.phones, MOST_CONNECTIONS))]
        self.styles = Styles(size.game)
        self.table = ""
        self.rounds: dict[int, Round] = {}
        self.ended: dict[int, float] = {}
        self.errors: list[str] = []
        self.streams: list[asyncio.Transport] = []
        self.is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.errors.append(repr(error))

    def hear(self, turn: int, told: bytes) -> None:
        """A phone hears of a throw, by a stream or by its page; the first one tells what fell."""
        now = self.rounds.setdefault(turn, Round(time.monotonic()))
        if not now.heard:
            total = int(re.search(rb'(?:"sum": |data-sum=\\")(\d+)', told)[1])  # type: ignore[index]
            self.styles.throw((total // 2, total - total // 2))
        now.heard.append(time.monotonic())

    async def open(self) -> float:
        """Open the table and let everybody in."""
        head, _ = await self.lines[0].ask("GET", "/", "")
        cookie = cookie_in(head)
        head, _ = await self.lines[0].ask("POST", f"/new/{self.size.game}", cookie, self.settings)
        self.table = re.search(r"location: (\S+)", head, re.IGNORECASE)[1]  # type: ignore[index]
        self.host = self.kind(self, 0)
        await self.host.open_page(cookie)
        return await self.let_in()

    async def let_in(self) -> float:
        """Everybody joins the table; how many seconds that took."""
        gate, begun = asyncio.Semaphore(ARRIVING), time.monotonic()

        async def arrive(number: int) -> None:
            async with gate:
                await self.kind(self, number).join()

        arriving = (arrive(number) for number in range(1, self.size.phones + 1))
        await asyncio.wait_for(asyncio.gather(*arriving), JOIN_SECONDS)
        return time.monotonic() - begun

    async def play(self) -> float:
        """Play until it is over, or as many rounds as wanted; seconds until the last phone has the results."""
        turn = 0
        while not self.ended and turn < self.size.rounds:
            turn += 1
            self.rounds[turn] = now = Round(time.monotonic())
            await self.host.post("roll", f"turn={turn - 1}")
            await self.until(lambda now=now: len(now.done) == self.size.phones, ROUND_SECONDS)  # type: ignore[misc]
            await asyncio.sleep(0.2)  # the host looks up
        if not self.ended:
            return 0.0
        last = max(self.rounds[turn].done)
        await self.until(lambda: len(self.ended) == self.size.phones + 1, END_SECONDS)
        return max(self.ended.values()) - last

    async def until(self, holds: Callable[[], bool], seconds: float) -> None:
        begun = time.monotonic()
        while not holds():
            if time.monotonic() - begun > seconds:
                raise RuntimeError(f"not in {seconds} s: {self.errors[:3]}")
            await asyncio.sleep(0.02)

    def close(self) -> None:
        """Hang up."""
        self.is_closing = True
        for transport in self.streams:
            transport.close()
        for line in self.lines:
            line.close()


def cookie_in(head: str) -> str:
    return re.search(r"set-cookie: ([\w-]+=[^;]+)", head, re.IGNORECASE)[1]  # type: ignore[index]
