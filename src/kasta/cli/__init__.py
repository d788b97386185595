"""The `kasta` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from kasta import __version__
from kasta.cli import (
    advise,
    bridge,
    engine,
    match,
    play,
    quiz,
    records,
    review,
    serve,
    sheet,
    simulate,
    site,
    solve,
    store,
    training,
)
from kasta.cli.common import echo_all, report
from kasta.cli.output.localised import App, complain, own_words
from kasta.errors import KastaError
from kasta.games import GAMES
from kasta.i18n import Words

SUMMARIES = {
    "play GAME": "play in the terminal",
    "rules GAME": "how to play",
    "sheet GAME": "a pad to print and play on",
    "score GAME FILE": "what a sheet is worth, line by line",
    "replay FILE": "check a game record and say who won",
    "advise FILE": "what every choice is worth in the position after a record",
    "review FILE": "what every decision gave away, and how lucky the dice were",
    "quiz FILE": "your own mistakes, asked again",
    "simulate GAME": "how bots do over many games",
    "solve GAME": "the best player's expected total, exactly",
    "verify FILE": "were the dice those that had been fixed beforehand?",
    "train GAME": "learn again what the bots know, from a seed",
    "match A B": "let two bots, or programs of others, play each other",
    "engine": "one of our bots for programs of others, line by line",
    "engine-check CMD": "does a program speak as it must?",
    "bridge": "seat a program at a table of a server",
    "serve": "the web app",
    "site": "pages that need no server, as files",
    "store check": "look after the tables that are kept",
}

app = App(help="Dice games, exactly by their rule sheets.")
COMMANDS = (
    serve.serve,
    site.site,
    play.play,
    records.rules,
    sheet.sheet,
    records.score,
    records.replay,
    records.verify,
    advise.advise,
    review.review,
    quiz.quiz,
    simulate.simulate,
    solve.solve,
    training.train,
    match.match,
    engine.engine,
    engine.engine_check,
    bridge.bridge,
)
for command in COMMANDS:
    app.add(command)
app.add_typer(store.app, name="store")


@app.callback(invoke_without_command=True)
def first_screen(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Which version this is.")] = False,
) -> None:
    if version:
        typer.echo(f"kasta {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        echo_all(_first_screen(own_words()))


def _first_screen(said: Words) -> Iterator[str]:
    yield said.say(
        "Kasta plays dice games exactly by their rule sheets. The games are {games}.", games=", ".join(GAMES)
    )
    yield ""
    for command, summary in SUMMARIES.items():
        yield f"  kasta {command:<21}{said.catalog.gettext(summary)}"
    yield ""
    yield said.say("Try this first: {command}", command=f"kasta rules {next(iter(GAMES))}")
    yield said.say("Every command explains itself with --help.")


def main() -> None:
    """Run the command; whatever goes wrong ends in one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.exit(app(standalone_mode=False))
    except typer.TyperException as error:
        complain(error)
        sys.exit(error.exit_code)
    except KastaError as error:
        report(error, as_json="--json" in sys.argv)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
