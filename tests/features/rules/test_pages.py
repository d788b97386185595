"""The rules pages are right: every worked example is recomputed, and all languages have the same ones."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest
from markupsafe import escape
from rich.console import Console

from kasta import GAMES
from kasta.cli.output.pages import PLAIN, page_for_terminal
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import DEFAULT, LANGUAGES, words
from kasta.rulebook import Picture, read_page
from kasta.rulebook.html import NUMBERS, rules_page

EXAMPLE = re.compile(
    r"^\| (?P<word>[^:|\n]+?)(?:\s?:[^|\n]*)? \| `(?P<numbers>[\d ]+)` \| (?P<number>\d+) \|$", re.MULTILINE
)
PAGES = [pytest.param(game, language, id=f"{game}-{language}") for game, language in product(GAMES, LANGUAGES)]


def pictures(game: str, language: str) -> list[Picture]:
    return [part for part in read_page(GAMES[game].rules_page(language)) if isinstance(part, Picture)]


def examples(game: str, language: str) -> list[tuple[str, str, int]]:
    """The rows of tables that have an example: the word for it, its numbers, and what they bring."""
    found = EXAMPLE.findall(GAMES[game].rules_page(language))
    return [(word, numbers, int(number)) for word, numbers, number in found]


def facts(picture: Picture) -> dict[str, object]:
    """Every number that a sheet has, by name: sums, what its parts score, or, of a line, the circles it owes."""
    solo, sheet = picture.game.solo, picture.after
    found: dict[str, object] = {}
    for name, value in solo.score(sheet).items():
        rows = value if isinstance(value, list) else [{"name": name, "points": value}]
        found |= {str(next(iter(row.values()))): row["points"] for row in rows}
    drawn = picture.game.traits.draw(solo, sheet, words(DEFAULT))
    lines = drawn.lines.values() if isinstance(drawn, drawing.DrawnGrid) else ()
    return found | {line.name: line.owes for line in lines if line.owes}


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_captions_tell_the_numbers_that_the_rules_give(game: str, language: str):
    for picture in pictures(game, language):
        told = Counter(re.findall(r"\d+", picture.caption))
        known = facts(picture)
        missing = Counter(str(known[name]) for name in picture.tells) - told
        assert not missing, picture.caption
    assert sum(len(picture.tells) for picture in pictures(game, language)) > 3


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_tables_give_the_numbers_that_the_rules_give(game: str, language: str):
    playing = next(iter(GAMES[game].games.values()))
    for word, numbers, number in examples(game, language):
        assert scored(playing, language, numbers) | {(word.casefold(), number)} == scored(
            playing, language, numbers
        )
    assert [word.casefold() for word, _, _ in examples(game, language)] == scoring(playing, language)


def scoring(game: AnyGame, language: str) -> list[str]:
    """The game's words for all that scores, in their order: its boxes, or its hands."""
    drawn, legend = (
        game.traits.draw(game.solo, game.solo.start(), words(language)),
        game.traits.legend(words(language)),
    )
    if isinstance(drawn, drawing.Block):
        return [box.label.casefold() for box in drawn.boxes.values()]
    return [hand.casefold() for hand, _ in legend.rows] if legend else []


def scored(game: AnyGame, language: str, numbers: str) -> set[tuple[str, int]]:
    """What numbers bring, by the game's words for it: as dice in each box, or written as a line's hand."""
    solo, said = game.solo, words(language)
    empty = game.traits.draw(solo, solo.start(), said)
    if isinstance(empty, drawing.Block):
        score = solo.score(solo.read_sheet(numbers))["boxes"]
        assert isinstance(score, list)
        return {(empty.boxes[row["box"]].label.casefold(), row["points"]) for row in score}
    *before, last = numbers.split()
    rest = "\n".join([". . . . ."] * 4)
    face = min(int(last) - 1, 6)
    sheet = solo.throw(solo.read_sheet(f"{' '.join(before)} .\n{rest}"), (face, int(last) - face))
    drawn = game.traits.draw(solo, solo.act(sheet, solo.read_action("e1")), said)
    assert isinstance(drawn, drawing.DrawnGrid)
    line = drawn.lines["1"]
    return {(line.hand.casefold(), line.owes or int(line.text))}


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_all_languages_have_the_same_examples(game: str, language: str):
    def shown(language: str) -> list[object]:
        return [(each.before, each.thrown, each.after, each.tells, each.only) for each in pictures(game, language)]

    assert shown(language) == shown(DEFAULT)
    assert [row[1:] for row in examples(game, language)] == [row[1:] for row in examples(game, DEFAULT)]
    assert len({picture.caption for picture in pictures(game, language)}) == len(shown(language))


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_a_page_begins_with_a_first_game_in_three_pictures(game: str, language: str):
    parts = [
        part for part in read_page(GAMES[game].rules_page(language)) if isinstance(part, Picture) or part.strip()
    ]
    assert [type(part) for part in parts[:5]] == [str, Picture, Picture, Picture, str]
    assert str(parts[0]).count("\n## ") == 1


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_a_page_shows_every_picture_and_says_what_it_shows(game: str, language: str):
    _, body = rules_page(language, game)
    rows = [
        text for text in re.findall(r"`([^`\n]+)`", GAMES[game].rules_page(language)) if NUMBERS.fullmatch(text)
    ]
    drawn = len(pictures(game, language)) + len(rows)
    assert body.count("<svg ") == body.count('role="img" aria-label="') == drawn
    assert "```" not in body
    for picture in pictures(game, language):
        assert escape(picture.caption) in body
    assert "--rules" not in body


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_a_terminal_shows_the_pictures_as_text(game: str, language: str):
    page = GAMES[game].rules_page(language)
    text = page_for_terminal(page, words(language))
    told = " ".join(text.split())
    assert not re.search(r"```|\*\*|`|^#|^\||\n\n\n| \n|\x1b", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 100
    for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE):
        assert re.search(rf"^{re.escape(heading)}\n[═─]+$", text, re.MULTILINE)
    for row in re.findall(r"^\| (.*) \|$", page, re.MULTILINE):
        first, *_ = re.sub(r"[`*]", "", row).split(" | ")
        assert "---" in first or re.search(rf"^ {re.escape(first.split()[0])}", text, re.MULTILINE)
    for picture in pictures(game, language):
        assert " ".join(picture.caption.split()) in told
        for row in picture.text(words(language)).splitlines():
            assert row.rstrip() in text


def test_a_page_is_bold_on_a_screen_and_without_colours_where_none_are_wanted():
    page = GAMES["knister"].rules_page("en")
    screen = Console(force_terminal=True, theme=PLAIN, color_system="truecolor")
    assert set(re.findall(r"\x1b\[([\d;]*)m", page_for_terminal(page, words("en"), screen))) == {"0", "1"}
    narrow = page_for_terminal(page, words("en"), Console(width=50, theme=PLAIN))
    assert max(map(len, narrow.splitlines())) <= 50


def test_what_was_done_stands_out_and_dice_are_drawn():
    _, written, circled = (picture.svg(words("en")).inline("") for picture in pictures("knaster", "en")[:3])
    assert [drawn.count("cell fresh") for drawn in (written, circled)] == [1, 1]
    assert [drawn.count('class="circle"') for drawn in (written, circled)] == [1, 2]
    assert written.count('class="die"') == 2
    kept = pictures("yatzy", "en")[1].svg(words("en")).inline("")
    assert kept.count('class="die"') == 3


def test_what_a_picture_shows_is_said_in_the_language_of_the_page():
    knaster = pictures("knaster", "sv")[-1]
    assert "Inringat: a1, b1" in knaster.said(words("sv"))
    assert "Vågrät rad 1: 7, 8, 9, 10, 11; stege, 9 poäng" in knaster.said(words("sv"))
    yatzy = pictures("yatzy", "sv")[2]
    assert yatzy.said(words("sv")).startswith("Kastat: 4, 4, 4, 6, 1. ")
    assert "tretal 19" in yatzy.said(words("sv")).casefold()
