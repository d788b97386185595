"""The command line, made of its commands by Typer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Annotated

import typer

from kasta.cli import COMMANDS, print_first_screen, print_version
from kasta.cli.output.localised import App


def app_of(commands: Iterable[str]) -> App:
    """The command line with some of its commands; only their modules are imported."""
    app = App(help="Dice games, exactly by their rule sheets.")
    for name in commands:
        module = import_module(f"kasta.cli.{COMMANDS[name]}")
        if name == "store":
            app.add_typer(module.app, name=name)
        else:
            app.add(getattr(module, name.replace("-", "_")))
    app.callback(invoke_without_command=True)(_first_screen)
    return app


@cache
def whole_app() -> App:
    """The command line with all that it has."""
    return app_of(COMMANDS)


def _first_screen(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Which version this is.")] = False,
) -> None:
    if version:
        print_version()
        raise typer.Exit
    if context.invoked_subcommand is None:
        print_first_screen()
