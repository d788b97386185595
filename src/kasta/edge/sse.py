"""Event streams, as they are written: one queue each, whose messages wait until the visitor takes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from functools import partial
from typing import Any

from litestar import Response
from litestar.types import Receive, Send

from kasta.edge.visitor import visitor_of
from kasta.errors import KastaError

HEARTBEAT_SECONDS = 15.0
MOST_WAITING = 16  # messages; who is so slow begins anew
WELCOME, BEAT, GONE = b": welcome\n\n", b"event: beat\ndata:\n\n", b"event: gone\ndata:\n\n"
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy passes on at once what it is sent
]

Held = AbstractAsyncContextManager[None]

_open: set[EventQueue] = set()  # of this process


class EventQueue:
    """Where one visitor's stream takes its messages from."""

    __slots__ = ("_room", "_waiting", "_woken", "is_open", "push")

    def __init__(self) -> None:
        self.is_open = True
        self.push: Callable[[bytes], bool] | None = None  # straight to the visitor; False if it has to wait
        self._waiting: list[bytes] = [WELCOME]
        self._woken: asyncio.Future[None] | None = None  # while nothing waits
        self._room: asyncio.Future[None] | None = None  # while too much does

    def send(self, told: bytes) -> None:
        """Tell something. Whoever takes nothing any more is cut off: a page comes back, and is told all."""
        if not self.is_open or (self._is_asleep and self.push is not None and self.push(told)):
            return
        self._waiting.append(told)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.clear()
            self.is_open = False
        _wake(self._woken)

    async def put(self, told: bytes) -> None:
        """Tell something as soon as there is room for it."""
        while len(self._waiting) >= MOST_WAITING and self.is_open:
            self._room = asyncio.get_running_loop().create_future()
            await self._room
        self.send(told)

    def close(self, last: bytes = b"") -> None:
        """Say a last word, and end."""
        self._waiting.append(last)
        self.is_open = False
        _wake(self._woken)

    @property
    def _is_asleep(self) -> bool:
        """Whether all that came before has been taken."""
        return self._woken is not None and not self._woken.done()

    async def messages(self) -> AsyncIterator[bytes]:
        """What was sent, as soon as it is; several at once are one."""
        while self.is_open or self._waiting:
            if not self._waiting:
                self._woken = asyncio.get_running_loop().create_future()
                await self._woken
            told, self._waiting = b"".join(self._waiting), []
            _wake(self._room)
            if told:
                yield told


def _wake(sleeper: asyncio.Future[None] | None) -> None:
    if sleeper is not None and not sleeper.done():
        sleeper.set_result(None)


def end_streams() -> None:
    """Let all streams of this process end: it is about to."""
    for queue in _open:
        queue.close()


class EventStream(Response[None]):
    """Sends what a queue is told for as long as the visitor stays; `held` lasts as long, and tells it."""

    def __init__(self, queue: EventQueue, held: Held) -> None:
        super().__init__(None)
        self._queue, self._held = queue, held

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401 - as Litestar has it
        return partial(serve, self._queue, self._held)


async def serve(queue: EventQueue, held: Held, scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401
    """Send what a queue is told for as long as the visitor stays. To thousands, most is pushed."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    ends = [asyncio.create_task(_gone(receive))]
    if (token := visitor_of(scope).named_token) is not None:
        ends.append(asyncio.create_task(token.revoked()))
    for end in ends:
        end.add_done_callback(lambda _: queue.close())
    if (connection := scope.get("kasta.connection")) is not None:
        queue.push = connection.push
    _open.add(queue)
    try:
        async with held:
            async for told in queue.messages():
                await send({"type": "http.response.body", "body": told, "more_body": True})
    finally:
        _open.discard(queue)
        for end in ends:
            end.cancel()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def filled(queue: EventQueue, news: AsyncGenerator[bytes]) -> AsyncGenerator[None]:
    """While this lasts, the queue is told these news, and that we are there."""

    async def tell() -> None:
        try:
            async with aclosing(news):
                async for told in news:
                    await queue.put(told)
        except KastaError:
            queue.close()  # what is wrong is told to whoever asks again

    async def beat() -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            queue.send(BEAT)

    tasks = [asyncio.create_task(tell()), asyncio.create_task(beat())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
