"""`kasta serve`: the web app."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, ParamSpec
from urllib.parse import urlsplit

import typer

from kasta import __version__
from kasta.cli.common import echo_all
from kasta.cli.output.terminal import own_words
from kasta.cli.serve import listen
from kasta.cli.serve.workers import supervise
from kasta.errors import Unreadable
from kasta.extras import extra
from kasta.i18n import Words

if TYPE_CHECKING:
    from kasta.edge.config import Config
    from kasta.edge.exposition import Exposition

logger = logging.getLogger(__name__)

AS_ROOT = "Kasta runs as root, which it need not: give it a user of its own."
IN_THE_OPEN = "Open to the network without https: fine at home. On the internet, put an https proxy in front."

P = ParamSpec("P")


Port = Annotated[int | None, typer.Option(help="The port to listen on; 8000 by default.")]
Store = Annotated[str | None, typer.Option(metavar="URL", help="sqlite:///path, postgresql://host/name, memory:.")]
Lan = Annotated[bool | None, typer.Option("--lan", help="Open to the phones in the same network.")]
Host = Annotated[str | None, typer.Option(help="The address to listen on.")]
Uds = Annotated[str | None, typer.Option(metavar="PATH", help="Listen on a Unix socket instead, for a proxy.")]
Url = Annotated[str | None, typer.Option(help="How others reach this server, if not by where it listens.")]
Proxy = Annotated[list[str] | None, typer.Option(help="An address or network whose X-Forwarded-For is believed.")]
Allow = Annotated[list[str] | None, typer.Option(help="A host name to answer to; others are refused.")]
Workers = Annotated[int | None, typer.Option(help="How many processes share the work.")]
LogLevel = Annotated[str | None, typer.Option(help="debug, info, warning or error.")]
LogFormat = Annotated[str | None, typer.Option(help="text, or json for programs.")]
File = Annotated[str, typer.Option(metavar="FILE", help="A TOML file of settings.")]


def serve(
    port: Port = None,
    store: Store = None,
    *,
    lan: Lan = None,
    host: Host = None,
    uds: Uds = None,
    url: Url = None,
    proxy: Proxy = None,
    allow: Allow = None,
    workers: Workers = None,
    log_level: LogLevel = None,
    log_format: LogFormat = None,
    config: File = "",
) -> None:
    """Play in the browser, on this machine only or, with --lan, on every phone in the house.

    What is not said here is taken from KASTA_* variables, then from a file: docs/hosting.md lists all settings.

    Example: kasta serve --lan
    """
    given = {**locals()}
    from kasta.cli.serve.settings import configured

    _begin(configured(given.pop("config"), **given))


def _begin(config: Config) -> None:
    if config.workers > 1 and config.store == "memory:":
        raise Unreadable("workers_need_store")
    allow_files()
    with listen.opened(config) as listener:
        _run(_opened, config)
        _greet(config, listener)
        if config.workers == 1:
            _run(_serve, config, listener)
        else:
            with TemporaryDirectory(prefix="kasta-") as folder:
                supervise(config.workers, _serve_beside, config, listener, folder)


def allow_files() -> None:
    """Let this process open as many files as the system lets it: each visitor's stream is one."""
    with suppress(ImportError, OSError, ValueError):  # where there are no such limits, or others
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _run(work: Callable[P, Coroutine[None, None, None]], *args: P.args, **options: P.kwargs) -> None:
    """On uvloop, where it can be had: thousands of streams cost half as much."""
    try:
        from uvloop import new_event_loop
    except ImportError:  # there is none for Windows
        new_event_loop = None  # type: ignore[assignment]
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(work(*args, **options))


async def _opened(config: Config) -> None:
    """Make the store or bring it up to date, or say why that cannot be, before anything else."""
    with extra("web"):
        from kasta.db import default_url, open_log

    async with await open_log(config.store or default_url()):
        pass


def _serve_beside(place: int, config: Config, listener: socket.socket, folder: str) -> None:
    """One of several that listen at one address; what they measure they leave for each other in a folder."""
    from kasta.edge.exposition import Exposition

    _run(_serve, config, listen.beside(listener), Exposition(Path(folder), place))


async def _serve(config: Config, listener: socket.socket, exposed: Exposition | None = None) -> None:
    with extra("web"):
        from kasta.app import create_app
        from kasta.db import default_url, open_log
        from kasta.edge import logs
        from kasta.edge.protocol import serve_app

    logs.begin(config.log_level, config.log_format)
    async with await open_log(config.store or default_url()) as log:
        await serve_app(await create_app(log, config, exposed), listener, config)


def _greet(config: Config, listener: socket.socket) -> None:
    """Say to people where it is, and to whoever reads the log what is in force."""
    from kasta.edge import logs

    logs.begin(config.log_level, config.log_format)
    port = "" if config.uds else str(listener.getsockname()[1])
    link = config.url or (f"unix:{config.uds}" if config.uds else f"http://{_name(config)}:{port}")
    if config.log_format == "text":
        said = own_words()
        shared = ", " + said.say("{number} workers", number=config.workers) if config.workers > 1 else ""
        typer.echo(f"{said.say('Kasta is at {link}', link=link)}{shared}  ({said.say('Ctrl+C ends it')})")
        if config.lan:
            import segno

            segno.make(link).terminal(compact=True)
            echo_all(help_for_phones(said, port))
    logger.info(in_force(config, f"unix:{config.uds}" if config.uds else f"{config.address}:{port}"))
    warn(config)


def help_for_phones(said: Words, port: str) -> Iterator[str]:
    """What to try where a phone cannot open the link."""
    yield said.say("Open the link on your phone or scan the code. If that does not work:")
    yield "  - " + said.say("it must be in the same Wi-Fi as this computer,")
    yield "  - " + said.say("not in a guest network, which keeps devices apart,")
    yield "  - " + said.say("and this computer's firewall must allow port {port}.", port=port)


def warn(config: Config) -> None:
    """What an operator had better change."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        logger.warning(AS_ROOT)
    if config.is_open and not config.secure:
        logger.warning(IN_THE_OPEN)


def in_force(config: Config, listens: str) -> str:
    """The settings that an operator looks for first, in a line; no password."""
    parts = (
        f"Kasta {__version__} at {listens}",
        "https" if config.secure else "no https",
        f"store {_store(config.store)}",
        f"workers {config.workers}",
        f"tables kept {config.retention_days} days",
        f"metrics {'on' if config.metrics_token else 'off'}",
        f"proxies {', '.join(config.proxy) or 'none'}",
    )
    return "; ".join(parts)


def _store(url: str) -> str:
    from kasta.db import default_url

    parts = urlsplit(url or default_url())
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}" if parts.scheme != "memory" else "memory"


def _name(config: Config) -> str:
    if config.lan:
        return listen.own_address()
    return config.host if config.is_open else "localhost"
