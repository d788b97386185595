"""Learning, on the command line: the values of estimated games again, from a seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kasta.cli.common import GameName
from kasta.cli.spoken import own_words
from kasta.cli.worth import progress_bar
from kasta.extras import extra
from kasta.games import find_game


def train(
    game: GameName,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the values go; GAME.values here.")] = None,
    games: Annotated[int | None, typer.Option(metavar="N", min=1000, help="How many to learn from.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Another seed than that of the package.")] = None,
    *,
    reviews: Annotated[bool, typer.Option("--reviews", help="Go on to the values that reviews go by.")] = False,
) -> None:
    """Learn the values that bots and advice come from. What is interrupted goes on where it stopped.

    The same seed and number of games give the same file, bit by bit.

    Example: kasta train GAME --games 100000 --to trial.values
    """
    with extra("solve"):
        from kasta.solve.grid.training import find_training, go_on, train as learn

    said, found = own_words(), find_game(game)
    training = find_training(found)
    planned, learner = training.plans, training.learner(found.solo)
    if reviews:
        planned, learner = training.review_plans, go_on(learner, training.shipped(found.solo))
    share = games / sum(plan.games for plan in planned) if games else 1
    plans = [
        replace(plan, games=round(plan.games * share), seed=plan.seed if seed is None else seed)
        for plan in planned
    ]
    file = to or Path(f"{game}-review.values" if reviews else f"{game}.values")
    with progress_bar(said.say("learning")) as progress:
        learn(learner, plans, file, progress=progress, report=typer.echo)
    typer.echo(said.say("Kept in {file}.", file=file))
