"""Where the server listens: a port or a Unix socket, taken before anything else is begun."""

from __future__ import annotations

import os
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kasta.errors import Unavailable

if TYPE_CHECKING:
    from kasta.edge.config import Config

OWNER_AND_GROUP = 0o117  # as a umask: a proxy must be in the group
NO_NAME = "Name or service not known"


@contextmanager
def opened(config: Config) -> Iterator[socket.socket]:
    """A server that cannot be reached says so, and nothing more."""
    if not config.uds:
        with closing(_port(config.address, config.port)) as listener:
            yield listener
        return
    with closing(_unix(Path(config.uds))) as listener:
        try:
            yield listener
        finally:
            Path(config.uds).unlink(missing_ok=True)


def beside(listener: socket.socket) -> socket.socket:
    """A socket for one of several processes. Linux shares connections evenly if each has a socket of its own."""
    if sys.platform != "linux" or listener.family == socket.AF_UNIX:
        return listener
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    own = socket.socket(listener.family)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        own.setsockopt(socket.SOL_SOCKET, option, 1)
    own.bind(listener.getsockname())
    return own


def own_address() -> str:
    """The address by which this computer is known in its network: that of its default route. Nothing is sent."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


def _port(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.socket(family)
    except (OSError, UnicodeError) as error:  # the latter for what can be no name
        raise Unavailable("no_such_host", host=host, reason=getattr(error, "strerror", NO_NAME)) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise Unavailable("port_taken", port=port, reason=error.strerror) from None
    return listener


def _unix(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(OWNER_AND_GROUP)
    try:
        if _is_left_over(path):
            path.unlink()
        listener.bind(str(path))
        listener.listen()  # else another server would take it for left over
    except OSError as error:
        listener.close()
        raise Unavailable("socket_taken", path=path, reason=error.strerror or str(error)) from None
    finally:
        os.umask(before)
    return listener


def _is_left_over(path: Path) -> bool:
    """Whether it is a socket at which nobody answers."""
    with suppress(FileNotFoundError), closing(socket.socket(socket.AF_UNIX)) as probe:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            return False
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False
