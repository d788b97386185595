"""A program of others at a table of a server, on the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from kasta.cli.common import printable
from kasta.cli.engine import Seconds, check_seconds, tell
from kasta.cli.output.localised import reworded
from kasta.cli.output.terminal import own_words
from kasta.extras import extra


def bridge(
    engine: Annotated[str, typer.Option("--engine", metavar="CMD", help="The command that starts the engine.")],
    table: Annotated[
        str, typer.Option("--table", metavar="LINK", help="The link of a table, as people share it.")
    ],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="By default, what it calls itself.")] = None,
    seconds: Seconds = 10.0,
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keeps the seat's token, so that it can be played on later."),
    ] = None,
) -> None:
    """Seat an engine at a table of a server, and let it play there until the game is over.

    Example: kasta bridge --engine "python my_engine.py" --table http://localhost:8000/t/TABLE
    """
    with extra("client"):
        from kasta.client.bridge import Guest, play_at
        from kasta.client.plainly import plainly
    from kasta.engine.process import EngineProcess

    with EngineProcess(engine, check_seconds(seconds), tell=tell) as process:
        guest = Guest(process, name, lambda text: typer.echo(printable(reworded(text))))
        token = token_file.read_text("utf-8").strip() if token_file and token_file.exists() else None
        keep = (lambda token: _write(token_file, token)) if token_file else None
        total = asyncio.run(plainly(play_at(table, guest, token, keep)))
    said = own_words()
    if total is None:
        typer.echo(said.say("The game is over."))
    else:
        typer.echo(said.say("The game is over: {total} points.", total=total))


def _write(file: Path, token: str) -> None:
    """Whoever has it plays that seat: nobody else may read it."""
    file.touch(mode=0o600)
    file.write_text(f"{token}\n", "utf-8")
