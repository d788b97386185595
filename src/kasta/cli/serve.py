"""`kasta serve`: the web app."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from kasta.cli.workers import supervise
from kasta.errors import Unavailable, Unreadable
from kasta.extras import extra

if TYPE_CHECKING:
    from kasta.web.config import Config

LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - only with --lan
HELP = """\
Phones open the link or scan the code. If one cannot:
  - it must be in the same Wi-Fi as this computer,
  - not in a guest network, which keeps devices apart,
  - and this computer's firewall must let port {port} in."""

P = ParamSpec("P")


def serve(
    port: Annotated[int, typer.Option(help="Where to listen.")] = 8000,
    store: Annotated[
        str, typer.Option(metavar="URL", help="sqlite:///path, postgresql://host/name, memory:.")
    ] = "",
    *,
    lan: Annotated[bool, typer.Option("--lan", help="Open to the phones in the same network.")] = False,
    url: Annotated[
        str, typer.Option(help="How others reach this server, if not by the address it listens on.")
    ] = "",
    proxy: Annotated[list[str] | None, typer.Option(help="An address whose X-Forwarded-For is believed.")] = None,
    allow: Annotated[list[str] | None, typer.Option(help="A host name to answer to; others are refused.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes share the work.")] = 1,
) -> None:
    """Play in the browser, on this machine only or, with --lan, on every phone in the house.

    Example: kasta serve --lan
    """
    from kasta.web.config import Config

    config = Config(
        url=url.rstrip("/") or None,
        hosts=_hosts(url, allow or [], lan=lan),
        proxies=tuple(proxy or ()),
        secure=url.startswith("https://"),
    )
    if workers > 1 and store == "memory:":
        raise Unreadable("workers_need_store")
    allow_files()
    with _bound(EVERYWHERE if lan else LOCAL, port) as door:
        link = config.url or f"http://{_address() if lan else 'localhost'}:{door.getsockname()[1]}"
        _run(_opened, store)
        _greet(link, door.getsockname()[1], workers, show_code=lan)
        if workers == 1:
            _run(_serve, config, door, store)
        else:
            supervise(workers, _serve_beside, config, door, store)


def allow_files() -> None:
    """Let this process open as many files as the system lets it: each visitor's stream is one."""
    with suppress(ImportError, OSError, ValueError):  # where there are no such limits, or others
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _run(work: Callable[P, Coroutine[None, None, None]], *args: P.args, **options: P.kwargs) -> None:
    """On uvloop, where it can be had: thousands of streams cost half as much."""
    with extra("web"):
        from uvicorn.loops.auto import auto_loop_factory
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(work(*args, **options))


def _bound(host: str, port: int) -> socket.socket:
    """The port, taken before anything else is begun: a server that cannot be reached says so, and nothing more."""
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except (OSError, OverflowError) as error:
        door.close()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Unavailable("port_taken", port=port, reason=reason) from None
    return door


async def _opened(store: str) -> None:
    """Make the store or bring it up to date, or say why that cannot be, before anything else."""
    with extra("web"):
        from kasta.store import default_url, open_log

    async with await open_log(store or default_url()):
        pass


def _serve_beside(config: Config, door: socket.socket, store: str) -> None:
    """Serve a port together with others. Linux shares connections evenly if each has a socket of its own."""
    if sys.platform == "linux":
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        own = socket.socket()
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            own.setsockopt(socket.SOL_SOCKET, option, 1)
        own.bind(door.getsockname())
        door = own
    _run(_serve, config, door, store)


async def _serve(config: Config, door: socket.socket, store: str) -> None:
    with extra("web"):
        import uvicorn

        from kasta.store import default_url, open_log
        from kasta.web.app import create_app
        from kasta.web.outlets import end_streams

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            end_streams()  # they never would by themselves
            asyncio.get_running_loop().call_later(1, end_streams)  # nor those that were about to begin
            await super().shutdown(sockets)

    async with await open_log(store or default_url()) as log:
        settings = uvicorn.Config(
            await create_app(log, config),
            access_log=False,  # links are as good as keys: they are in no log
            server_header=False,
            log_level="warning",
            proxy_headers=False,  # the middleware believes whom it is told to
            ws="none",
            timeout_keep_alive=65,  # longer than a proxy keeps a connection that it may use again
            timeout_graceful_shutdown=3,
        )
        server = Server(settings)
        await server.serve(sockets=[door])


def _hosts(url: str, allow: list[str], *, lan: bool) -> tuple[str, ...]:
    """Names to answer to, none: all. On this machine only, no other site's name may be made to lead here."""
    from urllib.parse import urlsplit

    named = [*allow, *([urlsplit(url).hostname or ""] if url and (allow or not lan) else [])]
    local = [] if lan and not named else ["localhost", LOCAL, "[::1]"]
    return tuple(name.lower() for name in (*named, *local))


def _greet(link: str, port: int, workers: int, *, show_code: bool) -> None:
    shared = f", {workers} workers" if workers > 1 else ""
    typer.echo(f"Kasta is at {link}{shared}  (Ctrl+C ends it)")
    if show_code:
        import segno

        segno.make(link).terminal(compact=True)
        typer.echo(HELP.format(port=port))


def _address() -> str:
    """The address by which this computer is known in its network: that of its default route. Nothing is sent."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"
