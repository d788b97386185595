"""Playing in the terminal, by the command."""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
import threading
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kasta.cli.common import Language, RulesName, printable, write_file
from kasta.cli.output.terminal import language_of_terminal
from kasta.extras import extra
from kasta.i18n import Words, words

if TYPE_CHECKING:
    from kasta.tui.sitting import Sitting

Names = Annotated[list[str], typer.Option("--name", metavar="NAME", help="Who plays; several names take turns.")]
Bots = Annotated[list[str], typer.Option("--bot", metavar="LEVEL", help="A bot that plays along; also several.")]


def play(
    game: Annotated[str, typer.Argument(metavar="GAME|LINK", help="A game, or the link of a table at a server.")],
    rules: RulesName = None,
    name: Names = [],  # noqa: B006 - Typer's way
    bot: Bots = [],  # noqa: B006
    lang: Language = None,
    *,
    is_plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, for screen readers and scripts; an empty line throws.")
    ] = False,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Write the game there at the end.")
    ] = None,
) -> None:
    """Play in the terminal: alone, against bots, several people at one keyboard, or at a table of a server.

    A room of a server is its address with the room's code, such as https://example.org/ABCD.

    Example: kasta play GAME --bot strong
    """
    said = words(lang or language_of_terminal())
    names = [printable(each) for each in name] or [default_name()]
    is_plain = is_plain or not sys.stdin.isatty() or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb"
    while asyncio.run(_play(_sit(game, rules, names, bot, said.language), said, record, is_plain=is_plain)):
        pass


def _sit(
    game: str, rules: str | None, names: Sequence[str], bots: Sequence[str], language: str
) -> Awaitable[Sitting]:
    if "://" not in game:
        with extra("web"):
            from kasta.tui.sitting import Here
        return Here.open(game, rules, names, bots)
    with extra("client"):
        from kasta.tui.far import Far
    return Far.join(game, names[0], language)


async def _play(opening: Awaitable[Sitting], said: Words, record: str | None, *, is_plain: bool) -> bool:
    """Sit down first: whoever cannot is told before a screen begins. Returns whether a new game is wanted."""
    sitting, wants_more = await opening, False
    try:
        if is_plain:
            from kasta.tui.plain import PlainGame

            await PlainGame(sitting, said, _Lines().ask, typer.echo).play()
        else:
            with extra("play"):
                from kasta.tui.screen import Screen

            wants_more = bool(await Screen(sitting, said, await sitting.state()).run_async())
        if record is not None:
            write_file(Path(record), "".join(f"{line}\n" for line in await sitting.record()))
        return wants_more
    finally:
        await sitting.close()


class _Lines:
    """The lines of standard input. A thread of its own reads them, so that the game goes on meanwhile."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._came: asyncio.Queue[str] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        threading.Thread(target=self._read, daemon=True).start()

    async def ask(self, prompt: str) -> str | None:
        typer.echo(prompt, nl=not sys.stdin.isatty())
        self._wanted.release()
        return await self._came.get() or None

    def _read(self) -> None:
        while self._wanted.acquire():
            line = sys.stdin.readline()
            self._loop.call_soon_threadsafe(self._came.put_nowait, line)
            if not line:
                return


def default_name() -> str:
    try:
        return printable(getpass.getuser())[:20].capitalize() or "1"
    except (OSError, KeyError):  # nobody is logged in
        return "1"
