"""A game reviewed, on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from kasta.analysis.folder import for_programs, lines, review_job
from kasta.analysis.marks import class_of, error_rate, mark
from kasta.analysis.reasons import reason
from kasta.analysis.report import html_report
from kasta.analysis.review import Move, SeatReview, review as review_all
from kasta.bots.base import bots_of
from kasta.cli.common import Json, open_file, print_json, printable
from kasta.cli.many import Cluster, Processes, Resume
from kasta.cli.plotting import plot
from kasta.cli.positions import ENGLISH, dice_of, sheet_rows
from kasta.cli.worth import MOST_SHOWN, SeatNumber, plus_minus, progress_bar
from kasta.errors import Illegal, Unreadable
from kasta.games.traits import AnyGame, find_reviewer
from kasta.i18n import DEFAULT, words
from kasta.jobs.run import run
from kasta.record import walk

SHOWN = 0.005  # points
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
    lang: Annotated[str, typer.Option(metavar="L", help="Of that page: en, sv, nb, de or fr.")] = DEFAULT,
    as_json: Json = False,
) -> None:
    """What every decision gave away, and what the dice brought: expected + luck - lost + drift = total.

    Drift is by how much an estimate changed its mind; where values are exact, there is none.

    Of a folder, each seat of each record gets a line, and each player one for all games; --html OUT is a folder
    then.

    Example: kasta review evening.jsonl
    """
    if Path(file).is_dir():
        with progress_bar("reviewing") as progress:
            job = review_job(Path(file), lang, pages=html is not None)
            found = list(run(job, processes=processes, cluster=cluster, resume=resume, progress=progress))
        _folder(found, html, lang, as_json=as_json)
        return
    game, reviews, spread = reviewed(file, seat)
    if html is not None:
        _write(html, html_report(game, reviews, spread, words(lang)))
    if as_json:
        print_json({"seats": [for_programs(one, game, spread) for one in reviews]})
    if as_json or html is not None:
        return
    for number, one in enumerate(reviews):
        if number:
            typer.echo()
        for line in _seat(one, game, spread, every=every):
            typer.echo(line)


def _folder(found: list[dict[str, Any]], pages: Path | None, lang: str, *, as_json: bool) -> None:
    for record in found:
        if "page" in record and pages is not None:
            to = (pages / record["file"]).with_suffix(".html")
            to.parent.mkdir(parents=True, exist_ok=True)
            _write(to, record.pop("page"))
    if as_json:
        print_json({"records": found})
    else:
        for line in lines(found, words(lang)):
            typer.echo(printable(line))
    if any("error" in record for record in found):
        raise typer.Exit(1)


def reviewed(file: str, seat: int | None) -> tuple[AnyGame, list[SeatReview], float]:
    """The game of a record, the reviews of all seats or of one, and the game's spread."""
    with open_file(file) as source, progress_bar("reviewing") as progress:
        moments = list(walk(source))
        game = moments[0].game
        valuer = find_reviewer(game, progress)
        reviews = review_all(moments, valuer=valuer)
    if seat is not None and not 0 <= seat < len(reviews):
        raise Illegal("no_such_seat", seat=seat, last=len(reviews) - 1)
    return game, reviews if seat is None else [reviews[seat]], valuer.spread


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Unreadable("cannot_write", path=str(path), reason=error.strerror) from None


def _seat(one: SeatReview, game: AnyGame, spread: float, *, every: bool) -> Iterator[str]:
    drift = f" {one.drift:+.2f} drift" if abs(one.drift) >= SHOWN else ""
    split = f"{one.expected:.2f} expected {one.luck:+.2f} luck {-one.lost:+.2f} given away{drift}"
    is_over = one.worth == one.total
    points = f"{one.total} points" if is_over else f"{one.total} points so far, {one.worth:.2f} to be expected"
    yield f"{printable(one.name)}: {points} = {split}"
    rate = error_rate(one.moves, spread)
    if rate is not None:
        yield f"{rate:.2f} points given away in an open decision: {class_of(rate, spread, bots_of(game).classes)}"
    if len(one.course) > 1:
        yield "the total to be expected, round by round:"
        yield from plot(one.course)
    dear = sorted((move for move in one.moves if move.lost > 0), key=lambda move: -move.lost)[:MOST_SHOWN]
    drawn = {move.line for move in dear[:DRAWN] if mark(move, spread)}
    for move in one.moves:
        if every or move in dear:
            yield from _decision(move, game, spread, with_sheet=every or move.line in drawn)
    rest = len(one.moves) - len(dear)
    if rest and not every:
        yield f"{rest} more decisions with --all"


def _decision(move: Move, game: AnyGame, spread: float, *, with_sheet: bool) -> Iterator[str]:
    """One decision: dice and sheet, what was done, what was best, by how much, and why."""
    said = (mark(move, spread) or "").replace("_", " ")
    gave = f"{-move.lost:+.2f}{plus_minus(move.error)}" if move.lost else "best"
    instead = f" instead of {move.best}" if move.lost else ""
    luck = f", luck {move.luck:+.2f}" if abs(move.luck) >= SHOWN else ""
    yield f"round {move.round}, {dice_of(game, move.sheet, move.roll)}{luck}"
    if with_sheet:
        yield from sheet_rows(game, move.sheet)
    yield f"    {move.do}{instead}: {gave}{f', {said}' if said else ''}"
    if move.lost and (why := reason(game, move.sheet, move.do, move.best, ENGLISH)):
        yield f"    {why}"
