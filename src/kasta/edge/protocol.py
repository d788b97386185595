"""Connections, before and below requests: how many, whose, and for how long they may say or take nothing."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import uvicorn
from litestar.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from kasta.edge.config import Config
from kasta.edge.identity import network
from kasta.edge.limits import Limits, Shares, most_connections
from kasta.edge.sse import end_streams

logger = logging.getLogger(__name__)

quiet = logging.getLogger("kasta.edge.requests")  # what others send wrongly fills no log
quiet.setLevel(logging.ERROR)

LONGEST_HEAD = 65_536
SWEEP_SECONDS = 1.0
LOG_SECONDS = 60.0
SEND_BUFFER = 131_072  # bytes that the system takes for somebody who does not read
LOOKED_AT = 64  # of the oldest connections, for one to spare
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"content-length: 19\r\nconnection: close\r\n\r\nThe server is full."
)


class Connections:
    """All connections of a process. Whoever owes us a request, or takes no answer, is dropped after a while.

    A connection is counted by whom it served last: a device with a seat, else the strangers at an address. Before
    its first request nobody knows who it is, and of too many the one that was silent for longest makes room. Those
    of a proxy serve everybody, and are counted only in all. When there is no room, the address with the most gives
    way to others.
    """

    def __init__(self, limits: Limits, proxies: Container[str] = ()) -> None:
        self.limits, self.proxies = limits, proxies
        self._most = most_connections(limits)
        self._all: set[Connection] = set()
        self._by_owner, self._by_address = Shares[Connection](), Shares[Connection]()
        self.owing: dict[Connection, float] = {}  # a request, since; the oldest first
        self.stuck: dict[Connection, float] = {}  # who takes nothing, since; the oldest first
        self._sweeping: asyncio.TimerHandle | None = None
        self._refused = 0
        self._last_log = -LOG_SECONDS

    def __len__(self) -> int:
        return len(self._all)

    def add(self, connection: Connection) -> bool:
        """Take a new connection up; False if there is no room for it."""
        if len(self._all) >= self._most and not self._make_room(connection.address):
            self._refused += 1
            self._log()
            return False
        self._all.add(connection)
        self._count(connection)
        if connection.address:
            self._by_address.add(connection.address, connection)
        self.owing[connection] = time.monotonic()
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep)
        return True

    def give(self, connection: Connection, owner: str) -> None:
        """A connection serves somebody else than before."""
        self._by_owner.remove(connection)
        connection.owner = owner
        self._count(connection)

    def remove(self, connection: Connection) -> None:
        self._all.discard(connection)
        self._by_owner.remove(connection)
        self._by_address.remove(connection)
        self.owing.pop(connection, None)
        self.stuck.pop(connection, None)

    def _make_room(self, address: str) -> bool:
        """Hang up on who owes a request for longest, or on an address that has more connections than this one."""
        theirs = self._by_address.of_larger(address)
        return _drop_first(self.owing, _is_spare) or _drop_first(theirs, _is_spare) or _drop_first(theirs)

    def _count(self, connection: Connection) -> None:
        """Of too many, the oldest to spare makes room; where none is, the new one ends after its answer."""
        if not connection.owner:
            return
        theirs, is_device = self._by_owner.of(connection.owner), connection.owner[0] not in "@?"
        most = self.limits.connections_a_device if is_device else self.limits.connections_an_address
        connection.ends_soon = len(theirs) >= most and not _drop_first(theirs, _is_spare)
        self._by_owner.add(connection.owner, connection)

    def _sweep(self) -> None:
        now = time.monotonic()
        for waiting, seconds in (
            (self.owing, self.limits.request_seconds),
            (self.stuck, self.limits.taking_seconds),
        ):
            for connection, since in list(waiting.items()):
                if now - since < seconds:
                    break
                connection.drop()
        again = asyncio.get_running_loop().call_later
        self._sweeping = again(SWEEP_SECONDS, self._sweep) if self._all else None

    def _log(self) -> None:
        now = time.monotonic()
        if now - self._last_log >= LOG_SECONDS:
            logger.warning("full: %d connections; %d more were refused", len(self._all), self._refused)
            self._last_log, self._refused = now, 0


def _is_spare(connection: Connection) -> bool:
    """Whether its request is not there yet, or has been answered."""
    return connection.is_idle or connection.owes


def _drop_first(connections: Iterable[Connection], which: Callable[[Connection], bool] | None = None) -> bool:
    """Hang up on the oldest of a kind, if there is one among the first."""
    found = next(filter(which, islice(connections, LOOKED_AT)), None)
    if found is not None:
        found.drop()
    return found is not None


class Connection(HttpToolsProtocol):
    """One connection. `http_protocol` makes a class of it that knows the others."""

    kept: Connections
    address = ""  # of a proxy, or through a Unix socket: none
    owner = ""
    ends_soon = False
    is_gone = False
    unread = 0  # bytes of a head that has not ended
    served: RequestResponseCycle | None = None

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - as uvicorn has it
        super().__init__(*args, **options)
        self.logger = quiet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self.address = network(address) if address and address not in self.kept.proxies else ""
        self.owner = f"?{self.address}" if self.address else ""
        if not self.kept.add(self):
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_gone = True
        self.kept.remove(self)
        super().connection_lost(exc)
        if self.served is not None and not self.served.response_complete:  # others may wait behind it
            self.served.disconnected = True
            self.served.message_event.set()

    def data_received(self, data: bytes) -> None:
        if self.is_idle:
            self.kept.owing.setdefault(self, time.monotonic())
        self.unread += len(data)
        super().data_received(data)
        if self.unread > LONGEST_HEAD:
            self.drop()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["kasta.connection"] = self  # type: ignore[typeddict-unknown-key]

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= self.kept.limits.pipelined:
            raise ValueError("too many requests at once")  # which the parser takes for a fault of theirs
        self.unread = 0
        super().on_headers_complete()
        if not self.pipeline:  # else it waits behind another one
            self.served = self.cycle

    def on_body(self, body: bytes) -> None:
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.unread = 0
        self.kept.owing.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.pipeline:
            self.served = self.pipeline[-1][0]  # the next
        super().on_response_complete()
        if self.ends_soon:
            self.drop()

    def pause_writing(self) -> None:
        self.kept.stuck.setdefault(self, time.monotonic())
        super().pause_writing()

    def resume_writing(self) -> None:
        self.kept.stuck.pop(self, None)
        super().resume_writing()

    def push(self, told: bytes) -> bool:
        """Write a piece of the answer that is under way, without waking a task; False if it has to wait."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(b"%x\r\n%b\r\n" % (len(told), told))
        return True

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked or answered here."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def owes(self) -> bool:
        """Whether we wait for a request, or for the rest of one."""
        return self in self.kept.owing

    def serve(self, owner: str) -> None:
        """Somebody asks for something on this connection."""
        if self.owner and owner != self.owner:
            self.kept.give(self, owner)

    def drop(self) -> None:
        """Hang up, without waiting for anything."""
        self.kept.remove(self)
        self.transport.abort()


def http_protocol(limits: Limits, proxies: Container[str] = ()) -> type[Connection]:
    """What uvicorn makes of each connection to a server with these limits."""
    return type("KastaConnection", (Connection,), {"kept": Connections(limits, proxies)})


def prepare(listener: socket.socket, limits: Limits) -> None:
    """What accepted connections take over from the socket that listens: the system drops who is long silent."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux" and listener.family != socket.AF_UNIX:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1_000 * limits.taking_seconds))


class Server(uvicorn.Server):
    """Ends streams before it ends itself."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        end_streams()  # they never would by themselves
        asyncio.get_running_loop().call_later(1, end_streams)  # nor those that were about to begin
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Not raised again, as uvicorn does: that would end the process before the store is closed."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


async def serve_app(app: ASGIApp, listener: socket.socket, config: Config) -> None:
    """Serve until a signal says that it is enough."""
    prepare(listener, config.limits)
    settings = uvicorn.Config(
        app,
        access_log=False,  # links are as good as keys: they are in no log
        server_header=False,
        log_config=None,
        proxy_headers=False,  # the middleware believes whom it is told to
        ws="none",
        http=http_protocol(config.limits, config.proxies),
        timeout_keep_alive=65,  # longer than a proxy keeps a connection that it may use again
        timeout_graceful_shutdown=3,
    )
    await Server(settings).serve(sockets=[listener])
