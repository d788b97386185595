"""Nothing exists that no page mentions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from kasta import GAMES
from kasta.cli import SUMMARIES, app, store
from kasta.games import OURS
from kasta.i18n import DEFAULT, LANGUAGES, words
from kasta.messages import MESSAGES
from kasta.tables.events import Settings
from support.fixtures.golden import Golden

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
RAISED = set(re.findall(rf'\b({"|".join(KINDS)})\(\s*"(\w+)"', SOURCE))
HEAD = """\
# Errors

Every error has a kind, a stable code, and parameters for its sentence (`{...}`); one in a file or record also has
a line. **unreadable**: it means nothing in our notation. **illegal**: clear, but against the rules now.
**conflict**: fine when it was sent, but something else came first. **unavailable**: the store cannot be used, or
holds what must not be played on, or a part of Kasta is not installed."""
WORDS_HEAD = """\
# Words for native readers to check

No rule sheet that we have gives all of these words in every language: some we chose, as players commonly say them.
If you speak one of the languages, please read its column once, and tell us what you would say instead. `{name}` is
a player's name, `{number}` a number. The app calls players *du* in Swedish, Norwegian and German, and *vous* in
French.

This page is made from the catalogues in `src/kasta/i18n` by `pytest tests/docs --rewrite`."""
SCREEN = (
    "Play",
    "Together",
    "Room code",
    "Own dice: we throw real ones and type what they show",
    "Who throws",
    "Bots",
    "Hand the phone to %(name)s",
    "Write the {number}",
    "Write or circle the {number}",
    "Which line first? Choose its box at the edge.",
    "Choose dice to keep",
    "Throw the others again",
    "Take back",
    "Make host",
    "You are watching.",
    "away",
    "Upper section",
    "Lower section",
    "Upper total",
    "Joker marks",
    "Play again",
    "Check the dice",
    "The host\N{RIGHT SINGLE QUOTATION MARK}s computer does not answer. Trying again.",
)
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
            kinds = [KINDS[kind] for kind in KINDS if (kind, code) in RAISED] or ["illegal"]
            lines.append(f"| `{code}` | {', '.join(kinds)} | {MESSAGES[code]} |")
    return "\n".join(lines) + "\n"


def words_page() -> str:
    """docs/words.md as it must be: the words of every game and of the screen, in all languages."""
    catalogs = {language: words(language).catalog for language in LANGUAGES if language != DEFAULT}
    lines = [WORDS_HEAD]
    for game in OURS:
        lines += ["", f"## {game.capitalize()}", "", *_head(catalogs)]
        for term in sorted(set(GAMES[game].terms())):
            lines.append(_row(term, [catalog.pgettext(game, term) for catalog in catalogs.values()]))
    lines += ["", "## The screen", "", *_head(catalogs)]
    lines += [_row(text, [catalog.gettext(text) for catalog in catalogs.values()]) for text in SCREEN]
    return "\n".join(lines) + "\n"


def _head(languages: Iterable[str]) -> list[str]:
    return [_row("English", list(languages)), _row("---", ["---" for _ in languages])]


def _row(first: str, others: list[str]) -> str:
    return f"| {' | '.join([first, *others])} |".replace("%(name)s", "{name}")


PAGES = {"errors": errors_page, "words": words_page}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_made_from_the_source_is_up_to_date(name: str, golden: Golden):
    golden(ROOT / f"docs/{name}.md", PAGES[name]())


@pytest.mark.parametrize("text", SCREEN)
def test_every_text_that_is_asked_about_is_in_the_app(text: str):
    assert all(words(language).catalog.gettext(text) != text for language in LANGUAGES if language != DEFAULT)


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
    names = {name.split()[0] for name in SUMMARIES}
    assert command.__name__.replace("_", "-") in names or command in HOSTING


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_english(game: str):
    text = GAMES[game].rules_page("en")
    assert len(text.splitlines()) > 30
    for rules in GAMES[game].rule_sets:
        assert len(GAMES[game].rule_sets) == 1 or f"`{rules}`" in text


@pytest.mark.parametrize("name", Settings.__struct_fields__)
def test_every_setting_of_a_table_is_on_its_page(name: str):
    assert f"\n| `{name}` | " in (ROOT / "docs/tables.md").read_text("utf-8")


def test_every_address_of_the_api_is_on_its_page():
    page = (ROOT / "docs/json-api.md").read_text("utf-8")
    sources = [
        path.read_text("utf-8")
        for path in [
            *(ROOT / "src/kasta/features/api").glob("*.py"),
            *(ROOT / "src/kasta/features").glob("*/api.py"),
        ]
    ]
    routes = re.findall(r'@(?:get|post)\("([^"]+)"', "\n".join(sources))
    assert len(routes) > 10
    for route in routes:
        assert f"`/api{route.replace(':str', '')}`" in page


def test_readme_says_that_kasta_is_not_the_publishers():
    assert "not affiliated with the publishers" in (ROOT / "README.md").read_text("utf-8")
