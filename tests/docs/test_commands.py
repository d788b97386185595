"""The synopsis and the options of each command on its page are those of the code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typer.main import get_command

from kasta.cli import app
from support.fixtures.golden import Golden

PAGE = Path(__file__).parents[2] / "docs/command-line.md"


def commands(group: Any, prefix: str = "") -> Iterable[tuple[str, Any]]:  # noqa: ANN401 - typer's own click, or click
    """Every command with its path, groups by their members."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def synopsis(path: str, command: Any) -> str:  # noqa: ANN401
    words = [path]
    for each in command.params:
        if each.param_type_name == "argument" and each.metavar:
            is_free = not each.required and not each.metavar.startswith("[")
            words.append(f"[{each.metavar}]" if is_free else each.metavar)
        elif each.param_type_name == "option" and each.required:
            words.append(f"{each.opts[0]} {each.metavar}")
    return f"    kasta {' '.join(words)} [options]"


def option(each: Any) -> str:  # noqa: ANN401
    names = ", ".join(f"`{name}{f' {each.metavar}' if each.metavar else ''}`" for name in each.opts)
    about = [each.help]
    if each.multiple:
        about.append("May be repeated.")
    if isinstance(each.default, str | int | float) and each.default not in {False, ""}:
        about.append(f"Default: `{each.default}`.")
    return f"| {names} | {' '.join(about)} |"


def table(path: str, command: Any) -> list[str]:  # noqa: ANN401
    options = [option(each) for each in command.params if each.param_type_name == "option"]
    return ["", synopsis(path, command), "", "| option | meaning |", "| --- | --- |", *options, ""]


def test_every_command_has_its_synopsis_and_options_as_in_the_code(golden: Golden):
    text = PAGE.read_text("utf-8")
    for path, command in commands(get_command(app)):
        before, begin, rest = text.partition(f"<!-- kasta {path} -->\n")
        _, end, after = rest.partition(f"<!-- /kasta {path} -->\n")
        assert begin
        assert end, path
        text = before + begin + "\n".join(table(path, command)) + "\n" + end + after
    golden(PAGE, text)


def test_every_command_and_option_is_on_the_page_of_the_command_line():
    page = PAGE.read_text("utf-8")
    options = 0
    for path, command in commands(get_command(app)):
        found = re.search(rf"^### `kasta {path}[` ].*?(?=^##)", page + "\n##", re.MULTILINE | re.DOTALL)
        assert found, path
        section = found[0]
        for option in (name for each in command.params if each.param_type_name == "option" for name in each.opts):
            assert f"`{option}" in section, f"{path} {option}"
            options += 1
    assert options > 20
