"""The `kasta` command."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from kasta import __version__
from kasta.cli import bridge, engine, match, play, quiz, records, review, serve, sheet, store, training, worth
from kasta.cli.common import report
from kasta.errors import KastaError
from kasta.games import GAMES

FIRST_SCREEN = """\
Kasta plays dice games exactly by their rule sheets. The games are {games}.

  kasta play GAME            play in the terminal
  kasta rules GAME           how to play
  kasta sheet GAME           a pad to print and play on
  kasta score GAME FILE      what a sheet is worth, line by line
  kasta replay FILE          check a game record and say who won
  kasta advise FILE          what every choice is worth in the position after a record
  kasta review FILE          what every decision gave away, and how lucky the dice were
  kasta quiz FILE            your own mistakes, asked again
  kasta simulate GAME        how bots do over many games
  kasta solve GAME           the best player's expected total, exactly
  kasta verify FILE          were the dice those that had been fixed beforehand?
  kasta train GAME           learn again what the bots know, from a seed
  kasta match A B            let two bots, or programs of others, play each other
  kasta engine               one of our bots for programs of others, line by line
  kasta engine-check CMD     does a program speak as it must?
  kasta bridge               seat a program at a table of a server
  kasta serve                the web app
  kasta store check          look after the tables that are kept

Try this first: kasta rules {first}
Every command explains itself with --help."""

app = typer.Typer(
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Dice games, exactly by their rule sheets.",
)
COMMANDS = (
    serve.serve,
    play.play,
    records.rules,
    sheet.sheet,
    records.score,
    records.replay,
    records.verify,
    worth.advise,
    review.review,
    quiz.quiz,
    worth.simulate,
    worth.solve,
    training.train,
    match.match,
    engine.engine,
    engine.engine_check,
    bridge.bridge,
)
for command in COMMANDS:
    app.command()(command)
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
        typer.echo(FIRST_SCREEN.format(games=", ".join(GAMES), first=next(iter(GAMES))))


def main() -> None:
    """Run the command; whatever goes wrong ends in one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except KastaError as error:
        report(error, as_json="--json" in sys.argv)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
