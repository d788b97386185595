"""A line to a server that can be cut and mended: for pages, that is the network coming and going."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

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
