"""`kasta store`: for the person who hosts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO, TypeVar
from urllib.parse import unquote

import typer

from kasta.cli.backup_file import dated, keep_newest, new_file, standard_output
from kasta.cli.common import File, Json, echo_all, open_file, print_json
from kasta.cli.output.localised import App
from kasta.cli.output.terminal import own_words
from kasta.core import Seat
from kasta.errors import Illegal, KastaError, Unavailable, Unreadable
from kasta.extras import extra
from kasta.i18n import Words
from kasta.record import write_record

if TYPE_CHECKING:
    from kasta.tables.log import Log

T = TypeVar("T")

app = App(help="Look after the tables that are kept.")

Url = Annotated[str, typer.Option("--store", metavar="URL", help="sqlite:///path, postgresql://host/name.")]
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table.")]


@app.callback(invoke_without_command=True)
def store(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _about_keys(said: Words) -> dict[str, str]:
    """Whose tokens hold after a backup is restored."""
    return {
        "taken": said.say(
            "The store signs with the backup's key: restart what serves it, and the backup's players go on."
        ),
        "same": said.say("The store signs with the same key as the backup: its players go on."),
        "kept": said.say("The store keeps its own key: the backup's players have to claim their seats anew."),
        "none": said.say("The backup holds no key: it was never served."),
    }


@app.add
def check(store: Url = "", *, as_json: Json = False) -> None:
    """Read everything, and say what is wrong.

    Example: kasta store check
    """

    async def work(log: Log) -> list[dict[str, str | None]]:
        from kasta.db import admin

        return [{"table": table, "problem": problem} async for table, problem in admin.check(log)]

    with extra("web"):
        from kasta.db.sqlite.reading import unchanged

    with unchanged(_place(store)) as place:
        problems = _run(place, work)
    if as_json:
        print_json({"problems": problems})
    else:
        said = own_words()
        for problem in problems:
            typer.echo(f"{problem['table'] or said.say('store')}: {problem['problem']}")
        found = said.say("{number} found.", number=len(problems))
        typer.echo(found if problems else said.say("All is well."))
    raise typer.Exit(1 if problems else 0)


@app.add
def backup(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="A new file, or - for standard output.")] = "",
    to: Annotated[Path | None, typer.Option(metavar="DIR", help="A folder for files with dates as names.")] = None,
    keep: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="With --to: when all went well, keep the newest N.")
    ] = None,
    store: Url = "",
) -> None:
    """Write every table to a file, as they are at one moment, also while the store is in use.

    Keep it safe: it holds the secrets of open games.

    Example: kasta store backup --to backups --keep 14
    """
    if bool(to) == bool(file) or (keep and not to):
        raise typer.BadParameter(own_words().say("Give FILE, or --to DIR with or without --keep."))

    async def work(log: Log) -> Path:
        path = dated(to) if to else Path(file)
        with standard_output() if file == "-" else new_file(path) as target:
            damaged = await _write_backup(log, target)
        if damaged:
            raise Unavailable("backup_partial", count=len(damaged))
        return path

    path = _run(store, work)
    if keep:
        removed = keep_newest(path, keep)
        typer.echo(own_words().say("{number} old files removed.", number=removed), err=True)


async def _write_backup(log: Log, target: TextIO) -> list[KastaError]:
    with extra("web"):
        from kasta.app import all_features
        from kasta.db.backup import backup as lines_of
        from kasta.feature import backup_parts

    tables, damaged = 0, list[KastaError]()
    async for line in lines_of(log, damaged.append, backup_parts(all_features())):
        target.write(line)
        tables += line.startswith('{"table":')
    typer.echo(own_words().say("{number} tables written.", number=tables), err=True)
    return damaged


@app.add
def restore(
    file: File,
    store: Url = "",
    *,
    replace_key: Annotated[
        bool, typer.Option("--replace-key", help="Take the backup's key: tokens of the store's players are void.")
    ] = False,
    keep_key: Annotated[
        bool, typer.Option("--keep-key", help="Keep the store's key: tokens of the backup's players are void.")
    ] = False,
) -> None:
    """Put a backup into a store, of the same kind or another, all of it or nothing.

    Tables that are there already are left alone. The key that signs who is who comes along. If the store has
    tables and another key, you must say which of them shall hold.

    Example: kasta store restore kasta-backup.jsonl --store postgresql://localhost/kasta
    """
    with extra("web"):
        from kasta.app import all_features
        from kasta.db.backup import restore as put
        from kasta.feature import backup_parts

    if replace_key and keep_key:
        raise typer.BadParameter(own_words().say("Give --replace-key or --keep-key."))
    on_keys: Literal["replace", "keep"] | None = "replace" if replace_key else "keep" if keep_key else None

    place = _place(store)
    if place == "memory:":
        raise Unreadable("unknown_store", example="sqlite:///path, postgresql://host/name")
    with open_file(file) as source, _gone_if_refused(place):
        restored = _run(place, lambda log: put(log, source, backup_parts(all_features()), on_keys), make=True)
    said = own_words()
    tables = {"number": restored.tables, "left": restored.left_alone}
    typer.echo(said.say("{number} tables restored, {left} were there already and left alone.", **tables))
    typer.echo(said.say("{number} results of finished games restored.", number=restored.results))
    typer.echo(_about_keys(said)[restored.key])


@app.add
def export(table: TableId, store: Url = "") -> None:
    """Print a table as a game record.

    Example: kasta store export TABLE > evening.jsonl
    """
    with extra("web"):
        from kasta.tables.records import record

    async def work(log: Log) -> list[str]:
        return list(write_record(*record(stored.event for stored in await log.read(table))))

    echo_all(_run(store, work))


@app.add
def forget(
    table: TableId,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Only the names of this seat; the first is 0.")
    ] = None,
    store: Url = "",
) -> None:
    """Forget the names at a table; the game itself stays.

    Example: kasta store forget TABLE --seat 2
    """
    with extra("web"):
        from kasta.app import all_features
        from kasta.db import admin
        from kasta.feature import personal_data

    only = None if seat is None else Seat(seat)
    forgotten = _run(store, lambda log: admin.forget(log, personal_data(all_features()), table, only))
    typer.echo(own_words().say("{number} names forgotten.", number=forgotten))


@app.add
def undelete(
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="The id of a hidden table.")] = "",
    store: Url = "",
) -> None:
    """Bring back a table that was hidden because nobody touched it for long; without TABLE, list what is hidden.

    Example: kasta store undelete TABLE
    """
    said = own_words()

    async def work(log: Log) -> list[str]:
        from kasta.db.trash import Trash

        trash = Trash(log.db)
        if table:
            if not await trash.bring_back(table, await log.now()):
                raise Illegal("not_hidden")
            return [said.say("{table} is back.", table=table)]
        hidden = (await trash.hidden()).items()
        told = [f"{name}  {said.say('hidden since {date}', date=_date(at))}" for name, at in hidden]
        return told or [said.say("Nothing is hidden.")]

    echo_all(_run(store, work))


def _date(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


@contextmanager
def _gone_if_refused(place: str) -> Iterator[None]:
    """A new SQLite file into which nothing was put is taken away again."""
    path = Path(unquote(place.removeprefix("sqlite:///")))
    is_new = place.startswith("sqlite:///") and not path.exists()
    try:
        yield
    except KastaError:
        if is_new:
            for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
                path.with_name(name).unlink(missing_ok=True)
        raise


def _place(url: str) -> str:
    """The store that is meant."""
    with extra("web"):
        from kasta.cli.serve.settings import configured
        from kasta.db import default_url

    return configured(store=url or None).store or default_url()


def _run(url: str, work: Callable[[Log], Awaitable[T]], *, make: bool = False) -> T:
    with extra("web"):
        from kasta.app import all_features
        from kasta.db import open_log
        from kasta.feature import prepare

    store = _place(url)

    async def run() -> T:
        async with await open_log(store, make=make) as log:
            await prepare(log, all_features())
            return await work(log)

    return asyncio.run(run())
