"""The events of a table, as a server sends them: without end, and without losing one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Generic, Self, TypeVar

import httpx

from kasta.client.connection import (
    GONE,
    SECONDS,
    Refused,
    ServerConnection,
    pause,
    refusal,
    told,
    unreadable,
    whole,
)

T = TypeVar("T")

SILENT_SECONDS = 45.0  # a stream has a heartbeat more often than that
LONGEST_LINE = 2**20  # of a stream
TOO_OFTEN, BUSY = 429, 503


class TableStream(AsyncIterator[T], Generic[T]):
    """An iterator that you may leave at any time: `aclose` ends it, and so does the client that made it.

    It is not a generator: those of a loop that ends are closed all at once, inner ones before outer ones.
    """

    def __init__(
        self,
        connection: ServerConnection,
        path: str,
        read: Callable[[int | None, bytes], T | None],
        after: int = 0,
    ) -> None:
        self._connection, self._path, self._read, self._after = connection, path, read, after
        self._failures = 0
        self._ready = deque[T]()
        self._seq: int | None = None  # of the data that comes next
        self._rest = b""
        self._answer: httpx.Response | None = None
        self._pieces: AsyncGenerator[bytes] | None = None
        self._closed = False

    async def __anext__(self) -> T:
        while not self._ready:
            if self._closed:
                raise StopAsyncIteration
            try:
                await self._more()
            except httpx.TransportError:
                await self._again()
            except StopAsyncIteration:
                await self._again()
            except Refused as refused:
                await self._drop()
                if refused.status not in {TOO_OFTEN, BUSY, *GONE}:
                    raise
                await self._again()
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Hear no more."""
        self._closed = True
        self._ready.clear()
        await self._drop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    def __del__(self) -> None:
        """Somebody left the loop: the connection is given back, if there still is somebody to do it."""
        if self._answer is not None:
            with suppress(RuntimeError):
                self._connection.close_later(self._drop_these(self._answer, self._pieces))

    async def _more(self) -> None:
        """Read one piece of the stream, which may end a line or not."""
        if self._pieces is None:
            await self._begin()
        assert self._pieces is not None  # noqa: S101 - it has begun
        *lines, self._rest = (self._rest + await anext(self._pieces)).split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            raise unreadable("it is too long")
        for line in lines:
            self._take(line.rstrip(b"\r"))

    async def _begin(self) -> None:
        headers = {**self._connection.headers, "last-event-id": str(self._after)}
        timeout = httpx.Timeout(SECONDS, read=SILENT_SECONDS)
        self._answer = await self._connection.begin("GET", self._path, headers=headers, timeout=timeout)
        if self._answer.is_error:
            raise refusal(await whole(self._answer))
        self._pieces, self._rest, self._seq = self._answer.aiter_bytes().__aiter__(), b"", None  # type: ignore[assignment]

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b": ")
        if name == b"id":
            self._seq = told(value, int)
        elif name == b"data" and value:
            read = self._read(self._seq, value)
            self._failures, self._after = 0, self._after if self._seq is None else self._seq
            self._seq = None
            if read is not None:
                self._ready.append(read)

    async def _again(self) -> None:
        await self._drop()
        await pause(self._failures)
        self._failures += 1

    async def _drop(self) -> None:
        answer, pieces = self._answer, self._pieces
        self._answer = self._pieces = None
        await self._drop_these(answer, pieces)

    @staticmethod
    async def _drop_these(answer: httpx.Response | None, pieces: AsyncGenerator[bytes] | None) -> None:
        if pieces is not None:
            with suppress(RuntimeError):  # somebody else reads it just now
                await pieces.aclose()
        if answer is not None:
            await asyncio.shield(answer.aclose())
