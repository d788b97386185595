"""Lines to a server that can be cut and mended: for pages and for nodes, that is the network coming and going."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from support.visitors import free_port


@dataclass
class Relay:
    """Passes everything on to a port of this machine, from one of its own."""

    to: int
    port: int = field(default_factory=free_port)
    delay: float = 0.0  # seconds, by which answers come later
    _listener: socket.socket | None = None
    _open: list[socket.socket] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def mend(self) -> None:
        """Let all through."""
        listener = self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        """Refuse who comes, and drop who is there."""
        for each in (self._listener, *self._open):
            if each:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()
        self._open.clear()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Without a network for a while."""
        self.cut()
        yield
        self.mend()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return  # cut
            far = socket.create_connection(("127.0.0.1", self.to))
            self._open += [near, far]
            for source, sink, delay in ((near, far, 0.0), (far, near, self.delay)):
                threading.Thread(target=_pass, args=(source, sink, delay), daemon=True).start()


def _pass(source: socket.socket, sink: socket.socket, delay: float) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            time.sleep(delay)
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


class SilentRelay:
    """Passes bytes on to PostgreSQL. What is frozen stays open, takes what is sent, and passes nothing on.

    While it is cut, new connections are frozen, too.
    """

    def __init__(self, target: Path) -> None:
        self._target, self._thawed, self.is_cut = target, dict[asyncio.StreamWriter, bool](), False
        self._tasks = set[asyncio.Task[None]]()
        self.server: asyncio.Server | None = None

    async def start(self) -> str:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self.server.sockets[0].getsockname()[1]
        return f"postgresql://postgres@127.0.0.1:{port}/postgres?sslmode=disable"

    def freeze(self) -> None:
        """All that are open now."""
        self._thawed = dict.fromkeys(self._thawed, False)

    def drop(self) -> None:
        """Close all that are open now."""
        for writer in self._thawed:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back, on = await asyncio.open_unix_connection(str(self._target))
        except OSError:  # it is not there just now
            writer.close()
            return
        self._thawed[writer] = not self.is_cut
        passing = {
            asyncio.create_task(self._pass(reader, on, writer)),
            asyncio.create_task(self._pass(back, writer, writer)),
        }
        self._tasks |= passing
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        for each in (on, writer):
            each.close()

    async def _pass(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, key: asyncio.StreamWriter
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65_536):
                if self._thawed[key]:
                    to.write(data)
                    await to.drain()

    async def stop(self) -> None:
        assert self.server
        self.server.close()
        for writer in self._thawed:
            writer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
