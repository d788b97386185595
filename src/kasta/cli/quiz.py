"""Your own mistakes, asked again in the terminal, line by line: also for screen readers and pipes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import typer

from kasta.analysis.quiz import Question, questions, read_answer
from kasta.analysis.reasons import reason
from kasta.cli.common import File, Json, print_json, printable
from kasta.cli.positions import ENGLISH, dice_of, sheet_rows
from kasta.cli.review import reviewed
from kasta.cli.worth import SeatNumber, plus_minus
from kasta.core import listed
from kasta.errors import KastaError
from kasta.games.traits import AnyGame

MOST_LISTED = 40  # legal actions; a throw of five dice can be kept in many ways


def quiz(file: File, seat: SeatNumber = None, *, as_json: Json = False) -> None:
    """Your own mistakes, asked again: every position of a record where something was given away.

    Answer in notation (c3, keep 3 3 5, fill chance). Every answer counts that gives next to nothing away.

    Example: kasta quiz evening.jsonl --seat 0
    """
    game, found, spread = reviewed(file, seat)
    asked = [(one.name, each) for one in found for each in questions(one.moves, spread)]
    if as_json:
        print_json({"questions": [_for_programs(game, name, each) for name, each in asked]})
        return
    if not asked:
        typer.echo("Nothing was given away that is worth a question.")
        return
    right = answered = 0
    for number, (name, each) in enumerate(asked, 1):
        typer.echo(f"Question {number} of {len(asked)}: {printable(name)}, round {each.round}")
        do = _ask(game, each)
        if do is None:
            break
        if do:
            answered += 1
            right += each.is_right(do)
        for line in _answer(game, each, do):
            typer.echo(line)
    typer.echo(f"{right} of {answered} right.")


def _ask(game: AnyGame, asked: Question) -> str | None:
    """The answer in notation; "" where it was skipped, None where nobody answers any more."""
    typer.echo(f"Dice: {dice_of(game, asked.sheet, asked.roll)}")
    for row in sheet_rows(game, asked.sheet):
        typer.echo(row)
    typer.echo("What do you do? (? lists what is legal, an empty line skips, q ends)")
    for line in _lines():
        match line:
            case "":
                return ""
            case "q":
                return None
            case "?":
                legal = game.solo.legal(asked.sheet)
                more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
                typer.echo(listed(legal[:MOST_LISTED]) + more)
            case _:
                try:
                    return read_answer(game, asked, line)
                except KastaError as error:
                    typer.echo(printable(str(error)))
    return None


def _lines() -> Iterator[str]:
    """What is typed, line by line, until the end of the input."""
    while line := sys.stdin.readline():
        yield line.strip().lower()


def _answer(game: AnyGame, asked: Question, do: str) -> Iterator[str]:
    best = asked.options[0]
    if not do:
        yield f"Best is {best.action}: {best.value:.2f}{plus_minus(best.error)} to be expected."
    elif do == best.action:
        yield f"Right, {do} is best: {best.value:.2f}{plus_minus(best.error)} to be expected."
    else:
        verdict = "Right" if asked.is_right(do) else "No"
        lost = f"{asked.lost(do):.2f}{plus_minus(asked.option(do).error)}"
        yield f"{verdict}: {do} gives away {lost}; best is {best.action}."
    if asked.did not in {do, best.action}:
        yield f"You did {asked.did} then, which gave away {asked.lost(asked.did):.2f}."
    worse = do if do and do != best.action else asked.did
    if why := reason(game, asked.sheet, worse, best.action, ENGLISH):
        yield why
    yield ""


def _for_programs(game: AnyGame, name: str, asked: Question) -> dict[str, Any]:
    return {
        "name": name,
        "line": asked.line,
        "round": asked.round,
        "roll": asked.roll,
        "sheet": game.solo.write_sheet(asked.sheet),
        "did": asked.did,
        "lost": asked.lost(asked.did),
        "tolerance": asked.tolerance,
        "reason": reason(game, asked.sheet, asked.did, asked.best, ENGLISH),
        "actions": [{"do": each.action, "value": each.value, "error": each.error} for each in asked.options],
    }
