"""Engines on the command line: our bots for others, and others' programs tried."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from kasta.cli.common import Json, RulesName, print_json, printable
from kasta.cli.output.localised import reworded
from kasta.cli.output.terminal import own_words
from kasta.errors import Unreadable
from kasta.games import OURS, find_game

if TYPE_CHECKING:
    from kasta.engine.check import Check

Seconds = Annotated[float, typer.Option(metavar="S", help="How long an engine may think about one answer.")]
OneGame = Annotated[str, typer.Option("--game", metavar="GAME", help="A game: `kasta` lists them.")]
FIRST = next(iter(OURS))
LONGEST_WAIT = 3600.0


def engine(
    bot: Annotated[str | None, typer.Option(metavar="B", help="Who plays; by default, the strongest.")] = None,
) -> None:
    """One of our bots as a program for others: positions in, actions out, a line each (docs/engines.md).

    Example: kasta engine --bot quick
    """
    from kasta.engine.speak import speak

    speak(sys.stdin, lambda line: print(line, flush=True), bot)  # noqa: T201 - others read it


def engine_check(
    command: Annotated[str, typer.Argument(metavar="CMD", help="The command that starts the engine.")],
    game: OneGame = FIRST,
    rules: RulesName = None,
    seconds: Seconds = 10.0,
    positions: Annotated[int, typer.Option(metavar="N", help="How many positions are asked about.")] = 50,
    *,
    as_json: Json = False,
) -> None:
    """Does an engine answer as docs/engines.md asks: legally, in time, and whatever it was asked before?

    Example: kasta engine-check "python my_engine.py" --game GAME
    """
    from kasta.engine.check import check_engine
    from kasta.engine.process import EngineProcess

    found, process = find_game(game, rules), EngineProcess(command, check_seconds(seconds), tell=tell)
    if positions < 1:
        raise Unreadable("no_games")
    good = True
    told = []
    try:
        for check in check_engine(process, found, positions):
            good &= check.good is not False
            told.append({"what": check.what, "good": check.good, "why": str(check.why)})
            if not as_json:
                _tell(check)
    finally:
        process.close()
    if as_json:
        print_json({"engine": process.name, "game": game, "good": good, "checks": told})
    raise typer.Exit(0 if good else 1)


def _tell(check: Check) -> None:
    said = own_words()
    verdicts = {True: said.say("good"), False: said.say("BAD"), None: said.say("not tried")}
    verdict = verdicts[check.good]
    typer.echo(f"{verdict}: {reworded(check.what)}")
    if check.why:
        typer.echo(f"      {printable(reworded(check.why))}")


def tell(text: str) -> None:
    """What an engine is waited for, on the screen but not among the results."""
    typer.echo(printable(reworded(text)), err=True)


def check_seconds(seconds: float) -> float:
    """The same number, where it is a time that anybody would wait."""
    if not 0 < seconds <= LONGEST_WAIT:
        raise Unreadable("wrong_type", key="--seconds", wanted=f"a number of seconds up to {LONGEST_WAIT:.0f}")
    return seconds
