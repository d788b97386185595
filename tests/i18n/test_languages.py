"""Everything is said in all five languages."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po
from collect_messages import collect

from kasta import GAMES
from kasta.edge.templates import render
from kasta.errors import Illegal
from kasta.features.lobby.pages import NewPage
from kasta.games import OURS
from kasta.i18n import DEFAULT, LANGUAGES, MOST_GAMES, ROLLING, choose, words
from kasta.page.models import game_card
from kasta.rulebook.html import rules_page
from kasta.tables.events import Settings

TRANSLATED = [language for language in LANGUAGES if language != DEFAULT]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{[\w!]*\}")


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_message_is_missing_and_none_is_left_over(language: str):
    catalog = read_po(io.BytesIO((files("kasta.i18n") / f"{language}.po").read_bytes()), locale=language)
    wanted = {(message.id, message.context) for message in collect() if message.id}
    found = {(message.id, message.context) for message in catalog if message.id}
    assert wanted == found, "make messages brings the files up to date"
    for message in catalog:
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(texts), f"{language}: {message.id!r} is missing"
        assert not message.fuzzy, f"{language}: {message.id!r} is fuzzy"


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_read_is_what_was_written(language: str):
    """The .mo file, which is made of the .po file when the package is built."""
    written = read_po(io.BytesIO((files("kasta.i18n") / f"{language}.po").read_bytes()), locale=language)
    made = words(language).catalog
    for message in written:
        match _texts(message.id):
            case [one, many]:
                assert [made.ngettext(one, many, 1), made.ngettext(one, many, 2)] == _texts(message.string)
            case [one] if message.context:
                assert made.pgettext(message.context, one) == message.string
            case [one] if one:
                assert made.gettext(one) == message.string


def _texts(said: str | Sequence[str | None] | None) -> list[str]:
    """One text, or one for each form of the plural."""
    return [said] if isinstance(said, str) else [text for text in said or () if text]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_fills_the_same_blanks(language: str):
    catalog = read_po(io.BytesIO((files("kasta.i18n") / f"{language}.po").read_bytes()), locale=language)
    for message in catalog:
        if not message.id:
            continue
        ids = _texts(message.id)
        wanted = {blank for text in ids for blank in PLACEHOLDER.findall(text)}
        for text in _texts(message.string):
            assert set(PLACEHOLDER.findall(text)) <= wanted, f"{language}: {message.id!r}"
            if len(ids) == 1:
                assert set(PLACEHOLDER.findall(text)) == wanted, f"{language}: {message.id!r}"


def test_french_marks_stay_with_the_word_before_them():
    for message in read_po(io.BytesIO((files("kasta.i18n") / "fr.po").read_bytes()), locale="fr"):
        for text in _texts(message.string) if message.id else ():
            assert not re.search(r"\S [:;?!»](\W|$)|« ", text), text


def test_one_english_word_may_have_another_in_each_game():
    german = words("de")
    assert german.term("knister", "three of a kind") == "Drilling"
    assert german.term("yatzy", "three of a kind") == "Dreierpasch"
    assert words("fr").term("knaster", "five of a kind") == "yam"
    assert words("sv").term("knister", "full house") == "kåk"


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", TRANSLATED)
def test_every_game_throws_in_every_language(language: str, game: str):
    """Where a game has no word of its own, it has that of most games, and never the English one."""
    said = words(language)
    for text in ROLLING:
        own, usual = said.catalog.pgettext(game, text), said.catalog.pgettext(MOST_GAMES, text)
        assert said.term(game, text, name="Anna") == (usual if own == text else own).format(name="Anna")
        assert said.term(game, text, name="Anna") != text.format(name="Anna")


def test_plurals_follow_the_language():
    assert words("en").count("{number} point", "{number} points", 1) == "1 point"
    assert words("fr").count("{number} point", "{number} points", 0).startswith("0 point")
    assert not words("fr").count("{number} point", "{number} points", 0).endswith("s")
    assert words("de").count("{number} point", "{number} points", 2) == "2 Punkte"


@pytest.mark.parametrize(
    ("accepted", "kept", "chosen"),
    [
        ("sv-SE,sv;q=0.9,en;q=0.8", None, "sv"),
        ("fi,de;q=0.5,fr;q=0.7", None, "fr"),
        ("no", None, "nb"),
        ("nn-NO", None, "nb"),
        ("da", None, "nb"),
        ("da-DK,en;q=0.8", None, "nb"),
        ("ja", None, "en"),
        ("", None, "en"),
        (None, None, "en"),
        ("de", "fr", "fr"),
        ("de", "xx", "de"),
        ("de;q=oh", None, "en"),
        ("x" * 100_000, None, "en"),
    ],
)
def test_the_browser_chooses_and_what_was_chosen_is_kept(accepted: str | None, kept: str | None, chosen: str):
    assert choose(accepted, kept) == chosen


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_there_in_every_language_with_the_same_tables(language: str, game: str):
    title, body = rules_page(language, game)
    _, english = rules_page(DEFAULT, game)
    assert title == GAMES[game].heading(words(language))
    for tag in ("<h2>", "<tr>", "<li>"):
        assert body.count(tag) == english.count(tag), tag
    assert "|" not in body
    assert "**" not in body


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_people_choose_among_rule_sets_by_names_in_their_language(language: str, game: str):
    page = NewPage(game_card(GAMES[game], words(language)), Settings())
    shown = render(words(language), "lobby/new.html", page)
    options = dict(re.findall(r'<option value="(\w+)">([^<]+)</option>', shown))
    rule_sets = list(GAMES[game].rule_sets)
    for rules in rule_sets if len(rule_sets) > 1 else ():
        assert options[rules] not in rule_sets
        assert f"<strong>{options[rules]}</strong>" in rules_page(language, game)[1]
        assert f"**{options[rules]}** (`{rules}`)" in GAMES[game].rules_page(language)  # for a terminal
        if language != DEFAULT:
            assert options[rules] != GAMES[game].rule_set_title(words(DEFAULT), rules)


@pytest.mark.parametrize(
    ("game", "sheet", "throw"), [("knister", "Din spelbricka", "slag"), ("yatzy", "Ditt poängblock", "kast")]
)
def test_swedes_have_other_words_for_grids_than_for_blocks(game: str, sheet: str, throw: str):
    swedish, kind = words("sv"), GAMES[game].kind
    assert swedish.term(kind, "Your sheet") == sheet
    assert swedish.term(kind, "allowed until the next throw") == f"tillåtet fram till nästa {throw}"


def test_a_seat_without_a_name_is_spoken_of_in_the_reader_s_language():
    assert words("de").error(Illegal("seat_left", seat=2)) == "Platz 2 hat das Spiel verlassen."
