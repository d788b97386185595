"""Nothing exists that no page mentions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kasta import GAMES
from kasta.cli import FIRST_SCREEN, app, store
from kasta.messages import MESSAGES

ROOT = Path(__file__).parents[2]
SOURCE = "\n".join(
    path.read_text("utf-8") for path in (ROOT / "src/kasta").rglob("*.py") if path.stem != "messages"
)
KINDS = {
    "Unreadable": "unreadable",
    "Illegal": "illegal",
    "Conflict": "conflict",
    "Unavailable": "unavailable",
    "NotInstalled": "unavailable",
}
HEAD = """\
# Errors

Every error has a kind, a stable code, and parameters for its sentence (`{...}`); one in a file or record also has
a line. **unreadable**: it means nothing in our notation. **illegal**: clear, but against the rules now.
**conflict**: fine when it was sent, but something else came first. **unavailable**: the store cannot be used, or
holds what must not be played on, or a part of Kasta is not installed."""
HOSTING = [command.callback for command in store.app.registered_commands if command.callback]
COMMANDS = [*(command.callback for command in app.registered_commands if command.callback), *HOSTING]


def errors_page() -> str:
    """docs/errors.md as it must be: a table for each part of messages.py."""
    lines = [HEAD]
    for line in (ROOT / "src/kasta/messages.py").read_text("utf-8").splitlines():
        if line.startswith("    # "):
            lines += [
                "",
                f"## {line[6].upper()}{line[7:]}",
                "",
                "| code | kind | sentence |",
                "| --- | --- | --- |",
            ]
        elif match := re.match(r'    "(\w+)":', line):
            code = match[1]
            kinds = [KINDS[kind] for kind in KINDS if re.search(rf'\b{kind}\(\s*"{code}"', SOURCE)] or ["illegal"]
            lines.append(f"| `{code}` | {', '.join(kinds)} | {MESSAGES[code]} |")
    return "\n".join(lines) + "\n"


def test_every_error_is_documented(request: pytest.FixtureRequest):
    page = ROOT / "docs/errors.md"
    if request.config.getoption("--rewrite"):
        page.write_text(errors_page(), "utf-8")
    assert page.read_text("utf-8") == errors_page(), "pytest tests/docs --rewrite writes it anew"


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_every_sentence_belongs_to_an_error_that_is_raised(code: str):
    assert f'"{code}"' in SOURCE


def test_every_error_that_is_raised_has_a_sentence():
    raised = set(re.findall(rf'(?:{"|".join(KINDS)})\(\s*"(\w+)"', SOURCE))
    assert raised <= set(MESSAGES)
    assert len(raised) > 20


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_explains_itself_with_an_example(command: Callable[..., Any]):
    assert "Example: " in (command.__doc__ or "")
    assert f"kasta {command.__name__}" in FIRST_SCREEN or command in HOSTING


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_english(game: str):
    text = GAMES[game].rules_page("en")
    assert len(text.splitlines()) > 30
    for rules in GAMES[game].rule_sets:
        assert len(GAMES[game].rule_sets) == 1 or f"`{rules}`" in text


def test_readme_says_that_kasta_is_not_the_publishers():
    assert "not affiliated with the publishers" in (ROOT / "README.md").read_text("utf-8")
