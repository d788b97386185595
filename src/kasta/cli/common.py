"""What all commands share: their arguments, files, and how results and errors are shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from kasta.cli.output.localised import sentence
from kasta.errors import KastaError, Unreadable

LONGEST_SHEET = 4096
MOST_SHOWN = 10  # of a long list; --json has them all
FRENCH = "\N{NO-BREAK SPACE}"  # before a colon

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game: `kasta` lists them.")]
RulesName = Annotated[
    str | None, typer.Option("--rules", metavar="R", help="A rule set of the game; by default, its first.")
]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="L", help="sv, nb, de, fr or en; by default that of the terminal.")
]
File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or - for standard input.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result for programs.")]
SeatNumber = Annotated[int | None, typer.Option("--seat", metavar="N", help="A seat, counted from 0.")]
# of commands that take many cores, or many machines:
Processes = Annotated[
    int | None, typer.Option("--processes", metavar="P", help="How many work; by default, one for each core.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Have a Dask cluster do it (docs/clusters.md)."),
]
Resume = Annotated[
    Path | None, typer.Option("--resume", metavar="FILE", help="Keep what is done there, and go on from it.")
]


@contextmanager
def open_file(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        with open(file, "rb") as source:  # noqa: PTH123 - a Path would turn "" into "."
            yield source
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable("cannot_open", path=file, reason=reason) from None


def read_text(file: str) -> str:
    with open_file(file) as source:
        raw = source.read(LONGEST_SHEET + 1)
    if len(raw) > LONGEST_SHEET:
        raise Unreadable("file_too_long")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Unreadable("not_utf8") from None


def write_file(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise Unreadable("cannot_write", path=str(path), reason=error.strerror) from None


def echo_all(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


def report(error: KastaError, *, as_json: bool) -> None:
    if as_json:
        about = {"kind": error.kind, "code": error.code, "line": error.line, "message": str(error)}
        print_json({"error": about})
    else:
        typer.echo(f"{printable(sentence(error))} ({error.kind}: {error.code})", err=True)


def printable(text: str) -> str:
    """Names come from files: nothing in them may move the cursor or turn the text around."""
    return "".join(each if each.isprintable() or each in FRENCH else "\N{REPLACEMENT CHARACTER}" for each in text)


def print_json(data: object) -> None:
    """What `printable` takes out is escaped, so that programs still read it."""
    text = json.dumps(data, ensure_ascii=False)
    typer.echo("".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text))
