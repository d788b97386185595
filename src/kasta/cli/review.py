"""A game reviewed, on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kasta.bots.base import bots_of
from kasta.cli.common import (
    MOST_SHOWN,
    Cluster,
    Json,
    Language,
    Processes,
    Resume,
    SeatNumber,
    echo_all,
    open_file,
    print_json,
    printable,
    write_file,
)
from kasta.cli.output.plotting import plot
from kasta.cli.output.positions import dice_of, sheet_rows
from kasta.cli.output.progress import progress_bar
from kasta.cli.output.terminal import language_of_terminal, own_words
from kasta.coach.marks import class_of, error_rate, mark
from kasta.coach.reasons.reason import reason
from kasta.coach.report import html_report
from kasta.coach.review import Move, SeatReview, review as review_all
from kasta.coach.saying import SHOWN, action_said, choice_said, figure, rate_said, sums_said
from kasta.errors import Illegal
from kasta.games.traits import AnyGame, find_reviewer
from kasta.i18n import Words, words
from kasta.jobs.run import run
from kasta.lab.folder import lines, review_job
from kasta.record import walk

DRAWN = 3  # of the dearest decisions, with their sheets


FileOrFolder = Annotated[
    str, typer.Argument(metavar="FILE", help="A record, - for standard input, or a folder of records.")
]


def review(
    file: FileOrFolder,
    seat: SeatNumber = None,
    processes: Processes = None,
    cluster: Cluster = None,
    resume: Resume = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every decision, each with its sheet.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write it as one page of HTML.")] = None,
    lang: Language = None,
    as_json: Json = False,
) -> None:
    """What every decision gave away, and what the dice brought: expected + luck - lost + early + drift = total.

    Early is what it brought or cost that others filled their sheets sooner or later than usual. Drift is how much
    an estimate shifted; where values are exact, there is none.

    For a folder, each seat of each record gets a line, and each player one for all games; --html OUT is then a
    folder.

    Example: kasta review evening.jsonl
    """
    said = words(lang or language_of_terminal())
    if Path(file).is_dir():
        with progress_bar(said.say("reviewing")) as progress:
            job = review_job(Path(file), said.language, pages=html is not None)
            found = list(run(job, processes=processes, cluster=cluster, resume=resume, progress=progress))
        _folder(found, html, said, as_json=as_json)
        return
    game, reviews, spread = reviewed(file, seat)
    if html is not None:
        write_file(html, html_report(game, reviews, spread, said))
    if as_json:
        from kasta.coach.reviewed import told_review

        print_json({"seats": [told_review(one, game, spread) for one in reviews]})
    if as_json or html is not None:
        return
    for number, one in enumerate(reviews):
        if number:
            typer.echo()
        echo_all(seat_said(one, game, spread, said, every=every))


def _folder(found: list[dict[str, Any]], pages: Path | None, said: Words, *, as_json: bool) -> None:
    for record in found:
        if "page" in record and pages is not None:
            to = (pages / record["file"]).with_suffix(".html")
            to.parent.mkdir(parents=True, exist_ok=True)
            write_file(to, record.pop("page"))
    if as_json:
        print_json({"records": found})
    else:
        for line in lines(found, said):
            typer.echo(printable(line))
    if any("error" in record for record in found):
        raise typer.Exit(1)


def reviewed(file: str, seat: int | None) -> tuple[AnyGame, list[SeatReview], float]:
    """The game of a record, the reviews of all seats or of one, and the game's spread."""
    with open_file(file) as source, progress_bar(own_words().say("reviewing")) as progress:
        moments = list(walk(source))
        game = moments[0].game
        valuer = find_reviewer(game, progress)
        reviews = review_all(moments, valuer=valuer)
    if seat is not None and not 0 <= seat < len(reviews):
        raise Illegal("no_such_seat", seat=seat, last=len(reviews) - 1)
    return game, reviews if seat is None else [reviews[seat]], valuer.spread


def seat_said(one: SeatReview, game: AnyGame, spread: float, said: Words, *, every: bool) -> Iterator[str]:
    """The review of a seat, line by line: its sum, its course, and what was dearest, or every decision."""
    yield f"{printable(one.name)}: {_sum(one, said)}"
    rate = error_rate(one.moves, spread)
    yield from rate_said(rate, class_of(rate, spread, bots_of(game).classes), said)
    if len(one.course) > 1:
        yield said.say("the total to be expected, round by round:")
        yield from plot(one.course)
    if every:
        for move in one.moves:
            yield from _decision(move, game, spread, said, with_sheet=True)
    else:
        yield from _dearest(one.moves, game, spread, said)


def _dearest(moves: Sequence[Move], game: AnyGame, spread: float, said: Words) -> Iterator[str]:
    dear = sorted((move for move in moves if move.lost > 0), key=lambda move: -move.lost)[:MOST_SHOWN]
    drawn = {move.line for move in dear[:DRAWN] if mark(move, spread)}
    for move in sorted(dear, key=moves.index):
        yield from _decision(move, game, spread, said, with_sheet=move.line in drawn)
    if rest := len(moves) - len(dear):
        yield said.say("{number} more decisions with --all", number=rest)


def _sum(one: SeatReview, said: Words) -> str:
    """Where the points come from."""
    total = said.count("{number} point", "{number} points", one.total)
    if one.worth != one.total:
        total = said.say("{total} so far, {worth} to be expected", total=total, worth=figure(one.worth, 2, said))
    return f"{total} = {sums_said(one, said)}"


def _decision(move: Move, game: AnyGame, spread: float, said: Words, *, with_sheet: bool) -> Iterator[str]:
    """One decision: dice and sheet, what was done, what was best, by how much, and why."""
    luck = figure(move.luck, 2, said, sign=True)
    lucky = ", " + said.say("luck {points}", points=luck) if abs(move.luck) >= SHOWN else ""
    dice = dice_of(game, move.sheet, move.roll, said)
    yield said.say("round {round}, {dice}", round=move.round, dice=dice) + lucky
    if with_sheet:
        yield from sheet_rows(game, move.sheet, said)
    done, best = (action_said(game, str(action), said) for action in (move.do, move.best))
    yield f"    {choice_said(done, best, move.lost, move.error, mark(move, spread), said)}"
    if move.lost and (why := reason(game, move.sheet, move.do, move.best, said)):
        yield f"    {why}"
