"""Nothing exists that no page mentions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kasta import GAMES
from kasta.cli import FIRST_SCREEN, app
from kasta.errors import MESSAGES

ROOT = Path(__file__).parents[2]
SOURCE = "\n".join(
    path.read_text("utf-8") for path in (ROOT / "src/kasta").rglob("*.py") if path.stem != "messages"
)
COMMANDS = [command.callback for command in app.registered_commands if command.callback]


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_every_error_code_is_raised_and_documented(code: str):
    assert f'"{code}"' in SOURCE
    row = rf"\| `{code}` \| [a-z, ]+ \| {re.escape(MESSAGES[code])} \|"
    assert re.search(row, (ROOT / "docs/errors.md").read_text("utf-8"))


def test_every_error_that_is_raised_has_a_sentence():
    raised = set(re.findall(r'(?:Unreadable|Illegal|Conflict)\(\s*"(\w+)"', SOURCE))
    assert raised <= set(MESSAGES)
    assert len(raised) > 20


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_explains_itself_with_an_example(command: object):
    assert "Example: " in (command.__doc__ or "")
    assert f"kasta {command.__name__}" in FIRST_SCREEN


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_english(game: str):
    text = (ROOT / f"src/kasta/rules/en/{game}.md").read_text("utf-8")
    assert len(text.splitlines()) > 30
    for rules in GAMES[game]:
        assert len(GAMES[game]) == 1 or f"`{rules}`" in text


def test_readme_says_that_kasta_is_not_the_publishers():
    assert "not affiliated with the publishers" in (ROOT / "README.md").read_text("utf-8")
