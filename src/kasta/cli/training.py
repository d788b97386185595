"""Learning, on the command line: the values of estimated games again, from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kasta.cli.common import Cluster, GameName, Processes, Resume
from kasta.cli.output.progress import progress_bar
from kasta.cli.output.terminal import own_words
from kasta.jobs.run import run


def train(
    game: GameName,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the values go; GAME.values here.")] = None,
    games: Annotated[int | None, typer.Option(metavar="N", min=1000, help="How many to learn from.")] = None,
    seed: Annotated[
        list[int] | None, typer.Option(metavar="S", help="Another seed than that of the package; or several.")
    ] = None,
    processes: Processes = None,
    cluster: Cluster = None,
    resume: Resume = None,
) -> None:
    """Learn the values that bots and advice come from. What is interrupted goes on where it stopped.

    The same seed and number of games give the same file, bit by bit.

    With several seeds, several learn at once, and the seed is part of the file's name.

    Example: kasta train GAME --games 100000 --to trial.values
    """
    from kasta.lab.learners import Lesson, learn, train_job, write_values

    said = own_words()
    file = to or Path(f"{game}.values")
    seeds: list[int | None] = [*seed] if seed else [None]
    if len(seeds) == 1 and cluster is None:
        with progress_bar(said.say("learning")) as progress:
            learn(Lesson(game, games, seeds[0]), file, progress, typer.echo)
        typer.echo(said.say("Kept in {file}.", file=file))
        return
    files = [file.with_stem(f"{file.stem}-{each}") for each in seeds] if len(seeds) > 1 else [file]
    lessons = [
        Lesson(game, games, each, None if cluster else str(path.absolute()))
        for each, path in zip(seeds, files, strict=True)
    ]
    with progress_bar(said.say("learning")) as progress:
        done = run(train_job(lessons), processes=processes, cluster=cluster, resume=resume, progress=progress)
        for result, path in zip(done, files, strict=True):
            write_values(result, path)
            typer.echo(f"{result['told']}. " + said.say("Kept in {file}.", file=path))
