"""For whoever watches the server: is it alive, is it ready, what does it measure, and who looks after it?"""

from __future__ import annotations

import asyncio
import hmac
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotAuthorizedException, NotFoundException

from kasta import metrics
from kasta.edge import exposition
from kasta.edge.config import Config
from kasta.edge.exposition import Exposition
from kasta.errors import KastaError
from kasta.tables.log import Log
from kasta.tables.service import Service

READY_SECONDS = 1.0  # to answer in, and how long an answer holds
STUCK_SECONDS = 3.0  # for a write: whoever waits longer had better ask another node
LOOK_SECONDS = 0.25
SECURITY_TXT_FOR = timedelta(days=180)  # RFC 9116 advises less than a year


class Operation:
    """Asks the store whether it answers: at most once a second, however many want to know."""

    def __init__(self, log: Log, service: Service, config: Config, exposed: Exposition) -> None:
        self._log, self._service, self._token, self._exposed = log, service, config.metrics_token, exposed
        self._asked: asyncio.Task[bool] | None = None
        self._asked_at = 0.0
        self._ping: asyncio.Task[bool] | None = None
        counters = service.counters
        metrics.TABLES.ask = lambda: counters()["tables"]
        metrics.STREAMS.ask = lambda: counters()["streams"]
        metrics.WRITES_WAITING.ask = lambda: log.waiting
        metrics.STORE_FREE_BYTES.ask = lambda: log.free_bytes

    def alive(self) -> dict[str, int]:
        return self._service.counters()

    async def ready(self) -> bool:
        now = time.monotonic()
        if self._asked is None or now - self._asked_at > READY_SECONDS:
            self._asked, self._asked_at = asyncio.create_task(self._ask()), now
        return await asyncio.shield(self._asked)

    async def _ask(self) -> bool:
        """Whether the store answers at once, and takes what is written. Cancelling might wait for the store."""
        if self._ping is None or self._ping.done():
            self._ping = asyncio.create_task(self._answers())
        await asyncio.wait({self._ping}, timeout=READY_SECONDS)
        answers = self._ping.done() and self._ping.result()
        return answers and self._log.waiting_seconds < STUCK_SECONDS

    async def _answers(self) -> bool:
        try:
            await self._log.ping()
        except KastaError:
            return False
        return True

    def exposed_to(self, authorization: str) -> str:
        """All metrics, for who shows the token."""
        if not self._token:
            raise NotFoundException
        if not hmac.compare_digest(authorization.encode(), f"Bearer {self._token}".encode()):
            raise NotAuthorizedException(headers={"www-authenticate": "Bearer"})
        return self._exposed.text()

    async def watch(self) -> None:
        """If anybody asks for metrics, measure how late the event loop is, and leave them to the other workers."""
        left = 0.0
        while self._token:
            before = time.monotonic()
            await asyncio.sleep(LOOK_SECONDS)
            now = time.monotonic()
            metrics.LOOP_DELAY_SECONDS.observe(max(0.0, now - before - LOOK_SECONDS))
            if now - left > exposition.LEAVE_SECONDS:
                self._exposed.leave()
                left = now


@get("/health", include_in_schema=False)
async def health(operation: NamedDependency[Operation]) -> dict[str, int]:
    """It is alive: how many tables are in memory, and how many streams are open. The store is not asked."""
    return operation.alive()


@get("/ready", include_in_schema=False)
async def ready(operation: NamedDependency[Operation]) -> Response[str]:
    if await operation.ready():
        return Response("ready", media_type="text/plain")
    return Response("the store does not answer", status_code=503, media_type="text/plain")


@get("/metrics", include_in_schema=False)
async def measured(request: Request[Any, Any, Any], operation: NamedDependency[Operation]) -> Response[str]:
    return Response(operation.exposed_to(request.headers.get("authorization", "")), media_type=exposition.TYPE)


HANDLERS = [health, ready, measured]


def security_txt(config: Config) -> list[Any]:
    """Says whom to tell about a security hole; nothing if the operator has named nobody."""
    if not config.security_contact:
        return []

    @get("/.well-known/security.txt", media_type="text/plain", include_in_schema=False)
    async def tell() -> str:
        return _security_txt(config, datetime.now(UTC))

    return [tell]


def _security_txt(config: Config, now: datetime) -> str:
    """As RFC 9116 has it. It expires by and by, since a server that runs is one that somebody looks after."""
    contact = config.security_contact
    lines = [
        f"Contact: {contact if ':' in contact else f'mailto:{contact}'}",
        f"Expires: {now + SECURITY_TXT_FOR:%Y-%m-%dT%H:%M:%SZ}",
    ]
    if config.secure:
        lines.append(f"Canonical: {config.url}/.well-known/security.txt")
    return "".join(f"{line}\n" for line in lines)
