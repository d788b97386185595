"""`kasta store`: for the person who hosts."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kasta.cli.common import File, Json, open_file, print_json
from kasta.errors import Unreadable
from kasta.extras import extra
from kasta.record import write_record

if TYPE_CHECKING:
    from kasta.table.log import Log

T = TypeVar("T")

app = typer.Typer(help="Look after the tables that are kept.", no_args_is_help=True, rich_markup_mode=None)

Url = Annotated[str, typer.Option("--store", metavar="URL", help="sqlite:///path, postgresql://host/name.")]
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table.")]


@app.command()
def check(store: Url = "", *, as_json: Json = False) -> None:
    """Read everything, and say what is wrong.

    Example: kasta store check
    """
    with extra("web"):
        from kasta.table import admin

    async def work(log: Log) -> list[dict[str, str | None]]:
        return [{"table": table, "problem": problem} async for table, problem in admin.check(log)]

    problems = _run(store, work)
    if as_json:
        print_json({"problems": problems})
    else:
        for problem in problems:
            typer.echo(f"{problem['table'] or 'store'}: {problem['problem']}")
        typer.echo("All is well." if not problems else f"{len(problems)} found.")
    raise typer.Exit(1 if problems else 0)


@app.command()
def backup(file: File, store: Url = "") -> None:
    """Write every table to a file, also while the store is in use.

    Keep it safe: it holds the secrets of open games.

    Example: kasta store backup kasta-backup.jsonl
    """
    with extra("web"):
        from kasta.table import admin

    async def work(log: Log) -> int:
        lines = 0
        with sys.stdout if file == "-" else os.fdopen(_new_file(file), "w", encoding="utf-8") as target:
            async for line in admin.backup(log):
                target.write(line)
                lines += 1
        return lines

    typer.echo(f"{_run(store, work)} lines written.", err=True)


@app.command()
def restore(file: File, store: Url = "") -> None:
    """Put a backup into a store, of the same kind or another. Tables that are there already are left alone.

    Example: kasta store restore kasta-backup.jsonl --store postgresql://localhost/kasta
    """
    with extra("web"):
        from kasta.table import admin

    async def work(log: Log) -> int:
        with open_file(file) as source:
            return await admin.restore(log, source)

    typer.echo(f"{_run(store, work)} tables restored.")


@app.command()
def export(table: TableId, store: Url = "") -> None:
    """Print a table as a game record.

    Example: kasta store export TABLE > evening.jsonl
    """
    with extra("web"):
        from kasta.table.export import record

    async def work(log: Log) -> list[str]:
        return list(write_record(*record(stored.event for stored in await log.read(table))))

    for line in _run(store, work):
        typer.echo(line)


@app.command()
def forget(table: TableId, store: Url = "") -> None:
    """Forget the names at a table; the game itself stays.

    Example: kasta store forget TABLE
    """
    with extra("web"):
        from kasta.table import admin

    typer.echo(f"{_run(store, lambda log: admin.forget(log, table))} names forgotten.")


def _run(url: str, work: Callable[[Log], Awaitable[T]]) -> T:
    with extra("web"):
        from kasta.cli.settings import configured
        from kasta.store import default_url, open_log

    store = configured(store=url or None).store or default_url()

    async def run() -> T:
        async with await open_log(store) as log:
            return await work(log)

    return asyncio.run(run())


def _new_file(file: str) -> int:
    """A file for its owner only; one that is there already is not overwritten."""
    try:
        return os.open(Path(file), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Unreadable("cannot_open", path=file, reason=error.strerror) from None
