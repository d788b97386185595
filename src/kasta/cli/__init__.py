"""The `kasta` command. Only the module of the command that is run is imported, and Typer only if one is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from errno import ENOSPC
from typing import TYPE_CHECKING, Any

from kasta import GAMES, KastaError, __version__

if TYPE_CHECKING:
    from kasta.cli.output.localised import App
    from kasta.i18n import Words

    app: App

SUMMARIES = {
    "play GAME": "play in the terminal",
    "rules GAME": "how to play",
    "sheet GAME": "a pad to print and play on",
    "score GAME FILE": "what a sheet is worth, line by line",
    "replay FILE": "check a game record and say who won",
    "advise FILE": "what every choice is worth in the position after a record",
    "review FILE": "what every decision gave away, and how lucky the dice were",
    "quiz FILE": "your own mistakes, asked again",
    "simulate GAME": "how bots do over many games",
    "solve GAME": "the best player's expected total, exactly",
    "verify FILE": "were the dice those that had been fixed beforehand?",
    "train GAME": "learn again what the bots know, from a seed",
    "match A B": "let two bots, or programs of others, play each other",
    "engine": "one of our bots for programs of others, line by line",
    "engine-check CMD": "does a program speak as it must?",
    "bridge": "seat a program at a table of a server",
    "serve": "the web app",
    "site": "pages that need no server, as files",
    "store check": "look after the tables that are kept",
}

COMMANDS = {
    "serve": "serve",
    "site": "site",
    "play": "play",
    "rules": "records",
    "sheet": "sheet",
    "score": "records",
    "replay": "records",
    "verify": "records",
    "advise": "advise",
    "review": "review",
    "quiz": "quiz",
    "simulate": "simulate",
    "solve": "solve",
    "train": "training",
    "match": "match",
    "engine": "engine",
    "engine-check": "engine",
    "bridge": "bridge",
    "store": "store",
}
"""Each command, in the order of the help, and its module in this package."""


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name == "app":
        from kasta.cli.commands import whole_app

        return whole_app()
    raise AttributeError(f"module 'kasta.cli' has no attribute {name!r}")


def print_version() -> None:
    sys.stdout.write(f"kasta {__version__}\n")


def print_first_screen() -> None:
    from kasta.cli.output.terminal import own_words

    for line in _first_screen(own_words()):
        sys.stdout.write(f"{line}\n")


def _first_screen(said: Words) -> Iterator[str]:
    yield said.say(
        "Kasta plays dice games exactly by their rule sheets. The games are {games}.", games=", ".join(GAMES)
    )
    yield ""
    for command, summary in SUMMARIES.items():
        yield f"  kasta {command:<21}{said.catalog.gettext(summary)}"
    yield ""
    yield said.say("Try this first: {command}", command=f"kasta rules {next(iter(GAMES))}")
    yield said.say("Every command explains itself with --help.")


def main() -> None:
    """Run the command; whatever goes wrong ends in one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # where somebody has closed it
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()  # what cannot be written is told here, not after the end
        sys.exit(code)
    except KastaError as error:
        from kasta.cli.common import report

        report(error, as_json="--json" in sys.argv)
        sys.exit(1)
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(1)
    except OSError as error:
        if error.errno != ENOSPC:
            raise
        _let_go_of_output()
        sys.stderr.write(f"kasta: {error.strerror}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _let_go_of_output() -> None:
    """What is left to be written has nowhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> Any:  # noqa: ANN401 - an exit code, or nothing
    """Run a command; where the first word is none, all are there to say so."""
    if words == ["--version"]:
        return print_version()
    if not words and "_KASTA_COMPLETE" not in os.environ:
        return print_first_screen()
    import typer

    from kasta.cli.commands import app_of, whole_app
    from kasta.cli.output.localised import complain

    app = app_of(words[:1]) if words and words[0] in COMMANDS else whole_app()
    try:
        return app(standalone_mode=False)
    except typer.TyperException as error:
        complain(error)
        sys.exit(error.exit_code)
