"""The command speaks the language of the terminal: its help, what it tells, and what it complains of.

All of it is written in English where it belongs: help in docstrings and options, texts in `own_words().say(...)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from kasta.cli.output.terminal import own_words
from kasta.coach import saying
from kasta.errors import KastaError
from kasta.messages import MESSAGES, REASONS, Note

OF_TYPER = (
    "Usage:",
    "Arguments:",
    "Options:",
    "Commands:",
    "default:",
    "required",
    "Show this message and exit.",
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
)
SENTENCES = (
    "No such command {name}. Did you mean {near}?",
    "No such command {name}.",
    "No such option: {name} (Possible options: {near})",
    "No such option: {name}",
    "Missing argument {name}.",
    "Missing option {name}.",
    "Missing command.",
    "Got unexpected extra argument(s) ({text})",
    "Option {name} requires an argument.",
    "Option {name} does not take a value.",
    "Invalid value for {name}: {reason}",
    "Invalid value: {reason}",
    "Input should be a valid integer, unable to parse string as an integer",
    "Input should be a valid number, unable to parse string as a number",
    "Input should be greater than or equal to {least}",
    "Input should be less than or equal to {most}",
)
"""Sentences that reach us made up, from Typer; the longer ones first."""

EXAMPLE = "Example: "
_FRAME = re.compile(r"^(Usage|Arguments|Options|Commands):|(?<=\[)default:|required(?=\])", re.MULTILINE)
_BLANK = re.compile(r"\\\{(\w+)\\\}")


def figure(value: float, digits: int = 0, *, sign: bool = False) -> str:
    """A number as the language of the terminal writes it."""
    return saying.figure(value, digits, own_words(), sign=sign)


def plus_minus(error: float, digits: int = 2) -> str:
    return f" ± {figure(error, digits)}" if error else ""


def sentence(error: KastaError) -> str:
    """An error in the words of the terminal: where it is, what is wrong, and what would have been legal."""
    said, blanks = own_words(), error.blanks
    blanks |= {key: reworded(blanks[key]) for key in ("reason", "wanted") if key in blanks}
    if "name" not in error.params:
        blanks["name"] = said.say("Seat {seat}", seat=error.params.get("seat"))
    where = said.say("line {line}: ", line=error.line) if error.line else ""
    allowed = " " + said.say("Allowed: {legal}.", legal=error.params["legal"]) if "legal" in error.params else ""
    return where + said.say(MESSAGES[error.code], **blanks) + allowed


def reworded(told: object) -> str:
    """What was told in English, in the words of the terminal; what nobody foresaw stays as it is."""
    match told:
        case KastaError():
            return sentence(told)
        case Note():
            return own_words().say(told.text, **{name: reworded(part) for name, part in told.blanks.items()})
    for pattern, text in _patterns():
        if found := pattern.fullmatch(str(told)):
            return own_words().say(text, **{name: reworded(part) for name, part in found.groupdict().items()})
    return str(told)


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    sentences = (*SENTENCES, *REASONS)
    return [(re.compile(_BLANK.sub(r"(?P<\1>.+?)", re.escape(each)), re.DOTALL), each) for each in sentences]


class App(typer.Typer):
    """Commands whose help is translated, without Rich's frames."""

    def __init__(self, *, help: str) -> None:  # noqa: A002 - Typer's word
        super().__init__(cls=_Group, help=help, rich_markup_mode=None, pretty_exceptions_enable=False)

    def add(self, work: Any) -> Any:  # noqa: ANN401 - any function
        """A function is a command: its docstring is the help."""
        return self.command(cls=_Command)(work)


class _Translated:
    """What commands and groups of them have in common: all that they say of themselves is put into other words."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Typer's
        super().__init__(*args, **options)
        self.english = _translate(self)

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401
        return _framed(super().get_help(ctx))  # type: ignore[misc]

    def get_usage(self, ctx: Any) -> str:  # noqa: ANN401
        return _framed(super().get_usage(ctx))  # type: ignore[misc]

    def get_params(self, ctx: Any) -> Any:  # noqa: ANN401
        return _told(super().get_params(ctx))  # type: ignore[misc]


class _Command(_Translated, TyperCommand):
    """One command."""


class _Group(_Translated, TyperGroup):
    """The commands below a name."""


def _translate(command: Any) -> list[str]:  # noqa: ANN401 - of either kind
    """Put its help into the words of the terminal; the English texts, for translators."""
    gettext = own_words().catalog.gettext
    texts = [" ".join(part.split()) for part in (command.help or "").split("\n\n")]
    command.help = "\n\n".join(
        gettext(EXAMPLE) + text.removeprefix(EXAMPLE) if text.startswith(EXAMPLE) else gettext(text)
        for text in texts
    )
    own = [text for text in texts if text and not text.startswith(EXAMPLE)]
    return [*own, *(param.help for param in command.params if param.help)]


def _framed(help_text: str) -> str:
    """Help with the headings and notes that Typer writes around ours."""
    return _FRAME.sub(lambda found: own_words().catalog.gettext(found[0]), help_text)


def _told(params: list[Any]) -> list[Any]:
    """Options, among them those that Typer adds by itself. A text in other words already stays as it is."""
    for param in params:
        if param.help:
            param.help = own_words().catalog.gettext(param.help)
    return params


def help_texts(command: Any) -> Iterator[str]:  # noqa: ANN401 - of either kind
    """The English help of a command, and of all below it."""
    yield from command.english
    for each in getattr(command, "commands", {}).values():
        yield from help_texts(each)


def complain(error: typer.TyperException) -> None:
    """Say what is wrong with a command that was given."""
    said, context = own_words(), getattr(error, "ctx", None)
    if context is not None:
        asked = f"{context.command_path} {context.help_option_names[0]}"
        typer.echo(context.get_usage(), err=True)
        typer.echo(said.say("Try '{command}' for help.", command=asked) + "\n", err=True)
    typer.echo(said.say("Error: {reason}", reason=reworded(error.format_message())), err=True)
