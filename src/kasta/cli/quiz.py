"""Your own mistakes, asked again in the terminal, line by line: also for screen readers and pipes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import typer

from kasta.cli.common import File, Json, SeatNumber, echo_all, print_json, printable
from kasta.cli.output.localised import figure, plus_minus, sentence
from kasta.cli.output.positions import dice_of, sheet_rows
from kasta.cli.output.terminal import own_words
from kasta.cli.review import reviewed
from kasta.coach.quiz import Question, questions, read_answer
from kasta.coach.reasons.reason import reason
from kasta.core import listed
from kasta.errors import KastaError
from kasta.games.traits import AnyGame
from kasta.i18n import DEFAULT, Words, words

MOST_LISTED = 40  # legal actions; a throw of five dice can be kept in many ways


def quiz(file: File, seat: SeatNumber = None, *, as_json: Json = False) -> None:
    """Your own mistakes, asked again: every position of a record where something was given away.

    Answer in notation (c3, keep 3 3 5, fill chance). Any answer that gives away next to nothing counts as right.

    Example: kasta quiz evening.jsonl --seat 0
    """
    game, found, spread = reviewed(file, seat)
    asked = [(one.name, each) for one in found for each in questions(one.moves, spread)]
    if as_json:
        print_json({"questions": [_for_programs(game, name, each) for name, each in asked]})
        return
    said = own_words()
    if not asked:
        typer.echo(said.say("You made no mistake worth a question."))
        return
    right = answered = 0
    for number, (name, each) in enumerate(asked, 1):
        place = {"number": number, "count": len(asked), "name": printable(name), "round": each.round}
        typer.echo(said.say("Question {number} of {count}: {name}, round {round}", **place))
        do = _ask(game, each, said)
        if do is None:
            break
        if do:
            answered += 1
            right += each.is_right(do)
        echo_all(_answer(game, each, do, said))
    typer.echo(said.say("{right} of {answered} right.", right=right, answered=answered))


def _ask(game: AnyGame, asked: Question, said: Words) -> str | None:
    """The answer in notation; "" where it was skipped, None where nobody answers any more."""
    typer.echo(said.say("Dice: {dice}", dice=dice_of(game, asked.sheet, asked.roll, said)))
    for row in sheet_rows(game, asked.sheet, said):
        typer.echo(row)
    typer.echo(said.say("What do you do? (? lists what is legal, an empty line skips, q ends)"))
    for line in _lines():
        match line:
            case "":
                return ""
            case "q":
                return None
            case "?":
                legal = game.solo.legal(asked.sheet)
                rest = len(legal) - MOST_LISTED
                more = " " + said.say("and {number} more", number=rest) if rest > 0 else ""
                typer.echo(listed(legal[:MOST_LISTED]) + more)
            case _:
                try:
                    return read_answer(game, asked, line)
                except KastaError as error:
                    typer.echo(printable(sentence(error)))
    return None


def _lines() -> Iterator[str]:
    """What is typed, line by line, until the end of the input."""
    while line := sys.stdin.readline():
        yield line.strip().lower()


def _answer(game: AnyGame, asked: Question, do: str, said: Words) -> Iterator[str]:
    best = asked.options[0]
    worth = {"best": best.action, "value": f"{figure(best.value, 2)}{plus_minus(best.error)}"}
    if not do:
        yield said.say("Best is {best}: {value} to be expected.", **worth)
    elif do == best.action:
        yield said.say("Right, {best} is best: {value} to be expected.", **worth)
    else:
        lost = f"{figure(asked.lost(do), 2)}{plus_minus(asked.option(do).error)}"
        blanks = {"do": do, "lost": lost, "best": best.action}
        if asked.is_right(do):
            yield said.say("Right: {do} gives away {lost}; best is {best}.", **blanks)
        else:
            yield said.say("No: {do} gives away {lost}; best is {best}.", **blanks)
    if asked.did not in {do, best.action}:
        lost = figure(asked.lost(asked.did), 2)
        yield said.say("You did {do} then, which gave away {lost}.", do=asked.did, lost=lost)
    worse = do if do and do != best.action else asked.did
    if why := reason(game, asked.sheet, worse, best.action, said):
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
        "reason": reason(game, asked.sheet, asked.did, asked.best, words(DEFAULT)),
        "actions": [{"do": each.action, "value": each.value, "error": each.error} for each in asked.options],
    }
