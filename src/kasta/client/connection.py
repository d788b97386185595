"""Requests to a server: tried again where it says so, and where it was just gone."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from kasta.extras import extra

with extra("client"):
    import httpx
    import msgspec

from kasta.wire import tables as wire

T = TypeVar("T")

SECONDS = 30.0  # until an answer is there
LONGEST_WAIT = 60  # seconds that are waited when a server asks for it
PATIENCE = 120.0  # seconds for a server that was there to come back
LONGEST_ANSWER = 64 * 2**20  # bytes: the record of the largest hall has a quarter of that
TRIES = 4
GONE = {502, 504}  # what a proxy says of a server that is starting again
PAUSES = (0.2, 0.5, 1.0, 3.0, 10.0)  # before a server that is gone is asked again
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Refused(Exception):  # noqa: N818 - as our errors are named
    """The server did not do it: `problem` has the code, `status` the HTTP status. `str()` is the sentence."""

    def __init__(self, status: int, problem: wire.Problem, retry_after: int | None = None) -> None:
        super().__init__(problem.message)
        self.status, self.problem, self.retry_after = status, problem, retry_after

    @property
    def code(self) -> str:
        """The stable code of the error (docs/errors.md)."""
        return self.problem.code


class ServerConnection:
    """What a device says to a server, with its token.

    A server that has answered once may be gone for `patience` seconds, as when it is started again: what it was
    asked is asked again. What would be done twice then (`once`) is asked again only if it was never sent.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        language: str,
        transport: httpx.AsyncBaseTransport | None,
        patience: float,
    ) -> None:
        self.token, self._patience = token, patience
        self._known = False
        self._closing = set[asyncio.Task[None]]()
        self._http = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/api",
            headers={"accept-language": language},
            transport=transport,
            timeout=SECONDS,
        )

    async def aclose(self) -> None:
        if self._closing:
            await asyncio.wait(self._closing)
        await self._http.aclose()

    def close_later(self, closing: Coroutine[Any, Any, None]) -> None:
        """Give a connection back that somebody has forgotten; `RuntimeError` where nothing runs any more."""
        try:
            task = asyncio.get_running_loop().create_task(closing)
        except RuntimeError:
            closing.close()
            raise
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def ask(self, method: str, path: str, body: object = None, *, once: bool = False) -> httpx.Response:
        """The whole answer; `Refused` where it is none, `httpx.TransportError` where nobody is there."""
        deadline, failures, tries = time.monotonic() + self._patience, 0, 0
        while True:
            try:
                answer = await self._asked(method, path, body)
            except httpx.TransportError as error:
                waits = self._known and (isinstance(error, NEVER_SENT) or not once)
                if not waits or time.monotonic() > deadline:
                    raise
                await pause(failures)
                failures += 1
                continue
            if not answer.is_error:
                self._known = True
                return answer
            refused, tries = refusal(answer), tries + 1
            if answer.status_code in GONE and self._known and not once and time.monotonic() < deadline:
                await pause(failures)
                failures += 1
            elif tries < TRIES and refused.retry_after is not None and refused.retry_after <= LONGEST_WAIT:
                await asyncio.sleep(refused.retry_after)
            else:
                raise refused

    async def _asked(self, method: str, path: str, body: object) -> httpx.Response:
        content = msgspec.json.encode(body) if method == "POST" else None
        headers = {**self.headers, "content-type": "application/json"}
        async with self.begun(method, path, content=content, headers=headers) as begun:
            return await whole(begun)

    @asynccontextmanager
    async def begun(self, method: str, path: str, **options: Any) -> AsyncIterator[httpx.Response]:  # noqa: ANN401
        """An answer before its content. What a server calls a table may be no part of an address."""
        answer = await self.begin(method, path, **options)
        try:
            yield answer
        finally:
            await answer.aclose()

    async def begin(self, method: str, path: str, **options: Any) -> httpx.Response:  # noqa: ANN401
        """The same, for whoever closes it."""
        try:
            request = self._http.build_request(method, path, **options)
            return await self._http.send(request, stream=True)
        except httpx.InvalidURL as error:
            raise unreadable(str(error)) from None

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}


async def pause(failures: int) -> None:
    """The longer, the more often it was in vain."""
    await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])


def refusal(answer: httpx.Response) -> Refused:
    """What an answer that is an error says."""
    try:
        problem = msgspec.json.decode(answer.content, type=wire.Refusal).error
    except msgspec.MsgspecError:  # from a proxy, say
        problem = wire.Problem("http", str(answer.status_code), answer.reason_phrase)
    return Refused(answer.status_code, problem, retry_after(answer))


def retry_after(answer: httpx.Response) -> int | None:
    text = answer.headers.get("retry-after", "")
    return int(text) if re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


def unreadable(reason: str, status: int = 200) -> Refused:
    """What answers is no server of ours, or has a fault."""
    return Refused(status, wire.Problem("http", "unreadable", f"The answer makes no sense: {reason}"))


def told(data: bytes, kind: type[T]) -> T:
    """What an answer says, as the type that it should be."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise unreadable(str(error)) from None


async def whole(begun: httpx.Response) -> httpx.Response:
    """An answer with all of its content, unless that does not end."""
    content = bytearray()
    async for piece in begun.aiter_bytes():
        content += piece
        if len(content) > LONGEST_ANSWER:
            raise unreadable("it is too long", begun.status_code)
    headers = begun.headers.copy()
    headers.pop("content-encoding", None)
    return httpx.Response(begun.status_code, headers=headers, content=bytes(content), request=begun.request)
