"""The `kasta` command."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from typing import Annotated, Any, BinaryIO

import typer

from kasta.core import Over, Pick, Seat, Throw, places
from kasta.errors import KastaError, Unreadable
from kasta.notation import Moment, replay as replay_record
from kasta.registry import GAMES, find_game

LONGEST_SHEET = 4096
FIRST_SCREEN = """\
Kasta knows the dice games Knister, Knaster and Yatzy, to the letter of their rule sheets.

  kasta rules knister        how to play
  kasta score knister FILE   what a sheet is worth, line by line
  kasta replay FILE          check a game record and say who won
  kasta serve                the web app

Try this first: kasta rules knister
Every command explains itself with --help."""

app = typer.Typer(
    add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None, help="Knister, Knaster and Yatzy."
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(GAMES)}.")]
RulesName = Annotated[str, typer.Option("--rules", metavar="R", help="A rule set of the game.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result for programs.")]


@app.callback(invoke_without_command=True)
def first_screen(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(FIRST_SCREEN)


@app.command()
def score(game: GameName, file: File = "-", rules: RulesName = "sheet", *, as_json: Json = False) -> None:
    """What a sheet is worth: hand and points of every line, and the total.

    A grid is five lines of five, a free cell a dot, a circled 7 as (7). A Yatzy sheet has a line such as
    "fives 15" for each filled box; or give five dice to see what each box would pay.

    Example: echo 2 2 5 5 5 | kasta score yatzy -
    """
    solo = find_game(game, rules).solo
    result = {"game": game, **solo.score(solo.read_sheet(_read_text(file)))}
    _print_json(result) if as_json else _print_score(result)


@app.command()
def replay(file: File, *, as_json: Json = False) -> None:
    """Check a game record and say how it ends; the first line that breaks the rules is named.

    Example: kasta replay evening.jsonl
    """
    with _open(file) as source:
        end = replay_record(source)
    result = _standing(end)
    _print_json(result) if as_json else _print_standing(end, result)


@app.command()
def rules(game: GameName, lang: Annotated[str, typer.Option(help="The language: en.")] = "en") -> None:
    """The rules of a game, in our own words.

    Example: kasta rules knaster
    """
    find_game(game)
    pages = files("kasta") / "rules"
    known = sorted(page.name for page in pages.iterdir())
    if lang not in known:
        raise Unreadable("unknown_language", text=lang, known=", ".join(known))
    typer.echo((pages / lang / f"{game}.md").read_text("utf-8"), nl=False)


@app.command()
def serve() -> None:
    """The web app; for now, what there is so far.

    Example: kasta serve
    """
    typer.echo("The web app is still to be built. What is there so far:\n")
    typer.echo(FIRST_SCREEN)


def main() -> None:
    """Run the command; whatever goes wrong ends in one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except KastaError as error:
        _report(error)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _report(error: KastaError) -> None:
    if "--json" in sys.argv:
        about = {"kind": error.kind, "code": error.code, "line": error.line, "message": str(error)}
        _print_json({"error": about})
    else:
        where = f"line {error.line}: " if error.line else ""
        typer.echo(f"{where}{_printable(str(error))} ({error.kind}: {error.code})", err=True)


@contextmanager
def _open(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        with open(file, "rb") as source:  # noqa: PTH123 - a Path would turn "" into "."
            yield source
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable("cannot_open", path=file, reason=reason) from None


def _read_text(file: str) -> str:
    with _open(file) as source:
        raw = source.read(LONGEST_SHEET + 1)
    if len(raw) > LONGEST_SHEET:
        raise Unreadable("file_too_long")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Unreadable("not_utf8") from None


def _standing(end: Moment) -> dict[str, Any]:
    """The JSON of `kasta replay`: nobody has a place before the end."""
    totals = [end.game.total(end.table, Seat(seat)) for seat in range(len(end.header.seats))]
    over = isinstance(end.game.next(end.table), Over)
    ranks = places(totals) if over else [None] * len(totals)
    seats = [
        {"name": name, "total": total, "place": place}
        for name, total, place in zip(end.header.seats, totals, ranks, strict=True)
    ]
    return {"game": end.header.game, "rules": end.header.rules, "over": over, "seats": seats}


def _print_standing(end: Moment, result: dict[str, Any]) -> None:
    names = end.header.seats
    match end.game.next(end.table):
        case Throw(_, roller):
            what = f"not over, {_printable(names[roller])} throws next"
        case Pick(count):
            what = f"not over, {count} still to act on the last throw"
        case Over():
            what = "over"
    typer.echo(f"{end.header.game}, rules {end.header.rules}: {what}")
    for seat in sorted(result["seats"], key=lambda seat: -seat["total"]):
        place = f"{seat['place']}." if seat["place"] else ""
        typer.echo(f"{place:>4} {seat['total']:>5}  {_printable(seat['name'])}")
    if result["over"] and len(names) == 1:
        _print_verdict(end.game.solo.verdicts("en"), result["seats"][0]["total"])


def _print_verdict(verdicts: Mapping[str, int], total: int) -> None:
    """What the sheet says of a total when playing alone, or how much is missing to its first grade."""
    for grade, least in sorted(verdicts.items(), key=lambda verdict: -verdict[1]):
        if total >= least:
            typer.echo(f"Playing alone, that is {_shown(grade)}.")
            return
    for grade, least in list(verdicts.items())[:1]:
        typer.echo(f'{least - total} points to "{_shown(grade)}".')


def _print_score(result: dict[str, Any]) -> None:
    rows = result.pop("lines", None) or result.pop("boxes")
    result.pop("game")
    for row in rows:
        texts = [_shown(value) for key, value in row.items() if key not in {"points", "complete"}]
        typer.echo("".join(f"{text:<20}" for text in texts).ljust(24) + f"{_shown(row['points']):>5}")
    for key, value in result.items():
        typer.echo(f"{key:<24}{value:>5}")


def _shown(value: object) -> str:
    return "-" if value is None else str(value).replace("_", " ")


def _printable(text: str) -> str:
    """Names come from files: nothing in them may move the cursor or turn the text around."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def _print_json(data: object) -> None:
    typer.echo(json.dumps(data, ensure_ascii=False))
