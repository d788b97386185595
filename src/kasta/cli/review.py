"""A game reviewed, on the command line."""

from __future__ import annotations

from typing import Any

import typer

from kasta.analysis.marks import class_of, error_rate, mark
from kasta.analysis.review import Move, SeatReview, review as review_all
from kasta.bots.base import bots_of
from kasta.cli.common import File, Json, open_file, print_json, printable
from kasta.cli.worth import MOST_SHOWN, SeatNumber, plus_minus, progress_bar
from kasta.errors import Illegal
from kasta.games.traits import AnyGame, find_reviewer
from kasta.record import walk

SHOWN = 0.005  # points
BARS = "▁▂▃▄▅▆▇█"


def review(file: File, seat: SeatNumber = None, *, as_json: Json = False) -> None:
    """What every decision gave away, and what the dice brought: expected + luck - lost + drift = total.

    Drift is by how much an estimate changed its mind; where values are exact, there is none.

    Example: kasta review evening.jsonl
    """
    with open_file(file) as source, progress_bar("reviewing") as progress:
        moments = list(walk(source))
        game = moments[0].game
        valuer = find_reviewer(game, progress)
        reviews = review_all(moments, valuer=valuer)
    if seat is not None and not 0 <= seat < len(reviews):
        raise Illegal("no_such_seat", seat=seat, last=len(reviews) - 1)
    reviews = reviews if seat is None else [reviews[seat]]
    if as_json:
        print_json({"seats": [for_programs(one, game, valuer.spread) for one in reviews]})
        return
    for one in reviews:
        _print_seat(one, game, valuer.spread)


def for_programs(one: SeatReview, game: AnyGame, spread: float) -> dict[str, Any]:
    """A seat's review in the shape that docs/notation.md states."""
    rate = error_rate(one.moves, spread)
    return {
        "name": one.name,
        "total": one.total,
        "expected": one.expected,
        "luck": one.luck,
        "lost": one.lost,
        "drift": one.drift,
        "error_rate": rate,
        "class": class_of(rate, spread, bots_of(game).classes),
        "moves": [
            {
                "line": move.line,
                "round": move.round,
                "roll": move.roll,
                "do": move.do,
                "best": move.best,
                "lost": move.lost,
                "error": move.error,
                "luck": move.luck,
                "mark": mark(move, spread),
            }
            for move in one.moves
        ],
    }


def _print_seat(one: SeatReview, game: AnyGame, spread: float) -> None:
    drift = f" {one.drift:+.2f} drift" if abs(one.drift) >= SHOWN else ""
    split = f"{one.expected:.2f} expected {one.luck:+.2f} luck {-one.lost:+.2f} given away{drift}"
    is_over = one.worth == one.total
    points = f"{one.total} points" if is_over else f"{one.total} points so far, {one.worth:.2f} to be expected"
    typer.echo(f"{printable(one.name)}: {points} = {split}")
    rate = error_rate(one.moves, spread)
    if rate is not None:
        typer.echo(
            f"{rate:.2f} points given away in an open decision: {class_of(rate, spread, bots_of(game).classes)}"
        )
    if one.course:
        typer.echo(
            f"expected total, round by round: {_bars(one.course)}  {one.course[0]:.0f} to {one.course[-1]:.0f}"
        )
    dear = sorted((move for move in one.moves if move.lost > 0), key=lambda move: -move.lost)[:MOST_SHOWN]
    for move in dear:
        typer.echo(_decision(move, spread))
    if dear and mark(dear[0], spread):
        typer.echo(f"before the dearest of them, in round {dear[0].round}:")
        typer.echo(game.solo.write_sheet(dear[0].sheet), nl=False)


def _decision(move: Move, spread: float) -> str:
    dice = " ".join(map(str, move.roll))
    what = f"{dice:<12}{move.do:<22}instead of {move.best:<22}"
    said = (mark(move, spread) or "").replace("_", " ")
    return f"  round {move.round:<3}{what}{-move.lost:8.2f}{plus_minus(move.error)}  {said}".rstrip()


def _bars(values: list[float]) -> str:
    low, high = min(values), max(values)
    step = (high - low) / (len(BARS) - 1) or 1.0
    return "".join(BARS[round((value - low) / step)] for value in values)
