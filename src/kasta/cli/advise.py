"""kasta advise: what every choice is worth in the position after a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from kasta.cli.common import MOST_SHOWN, Json, SeatNumber, echo_all, open_file, print_json, printable
from kasta.cli.output.localised import figure, plus_minus
from kasta.cli.output.progress import progress_bar
from kasta.cli.output.terminal import own_words
from kasta.coach.advice import (
    advise as advise_seat,
    chances_to_reach,
    chances_to_win,
    seat_to_act,
)
from kasta.core import Seat
from kasta.errors import Unreadable
from kasta.record import Moment, walk
from kasta.values import Option


def advise(
    game_or_file: Annotated[
        str, typer.Argument(metavar="[GAME] FILE", help="A record; you may also give the name of its game.")
    ],
    file: Annotated[str | None, typer.Argument(metavar="", show_default=False)] = None,
    seat: SeatNumber = None,
    reach: Annotated[int | None, typer.Option(metavar="TOTAL", help="Chances of reaching it.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="CMD", help="Another program gives its opinion.")] = None,
    *,
    win: Annotated[bool, typer.Option("--win", help="Chances of winning.")] = False,
    as_json: Json = False,
) -> None:
    """Every legal action in the position after a record, with the final total to be expected, best first.

    With --reach or --win the values are chances, and the best action is the one with the best chance.

    Example: kasta advise evening.jsonl
    """
    game = game_or_file if file is not None else None
    with open_file(file if file is not None else game_or_file) as source:
        moments = list(walk(source))
    moment = moments[-1]
    if game not in {None, moment.header.game}:
        raise Unreadable("other_game", found=moment.header.game, game=game)
    whose = seat_to_act(moment, seat)
    with progress_bar(own_words().say("thinking")) as progress:
        if win:
            options = chances_to_win(moment, whose)
        elif reach is not None:
            options = chances_to_reach(moment, reach, whose, progress)
        elif engine is not None:
            options = opinion(engine, moments, whose)
        else:
            options = advise_seat(moment, whose, progress=progress).options
    if as_json:
        actions = [{"do": str(option.action), "value": option.value, "error": option.error} for option in options]
        print_json({"seat": whose, "actions": actions})
        return
    echo_all(_advice(printable(moment.header.seats[whose]), options, reach, win=win))


def _advice(name: str, options: Sequence[Option[Any]], reach: int | None, *, win: bool) -> Iterator[str]:
    said = own_words()
    what = said.say("expected total")
    if win:
        what = said.say("chance of winning")
    elif reach is not None:
        what = said.say("chance of {total} or more", total=reach)
    yield f"{name}: {what}"
    for option in options[:MOST_SHOWN]:
        yield _option(option, options[0], chance=win or reach is not None)
    if len(options) > MOST_SHOWN:
        yield said.say("{number} more with --json", number=len(options) - MOST_SHOWN)


def opinion(command: str, moments: Sequence[Moment], seat: Seat) -> list[Option[Any]]:
    """What an engine thinks that actions are worth; `Unreadable` where it does not say."""
    from kasta.cli.engine import tell
    from kasta.engine.position import turns_after
    from kasta.engine.process import EngineProcess

    with EngineProcess(command, tell=tell) as engine:
        answer = engine.ask(turns_after(moments, seat).position(seat), wants_values=True)
    if not answer.options:
        raise Unreadable("engine_no_values", text=str(answer.action))
    return list(answer.options)


def _option(option: Option[Any], best: Option[Any], *, chance: bool) -> str:
    scale, unit = (100, " %") if chance else (1, "")
    lost = (best.value - option.value) * scale
    given_away = f"   {figure(-lost, 3)}" if lost > 0 else ""
    value = f"{figure(option.value * scale, 3):>9}{unit}{plus_minus(option.error * scale)}"
    return f"  {option.action!s:<22}{value}{given_away}"
