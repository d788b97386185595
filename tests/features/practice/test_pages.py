"""Practice sheets, as a browser without a script gets them."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from random import Random
from typing import Any

import pytest

from kasta.core import Pick
from kasta.features.practice.positions import Setup, field_names, position, shape_of
from kasta.games import OURS, find_game
from kasta.i18n import LANGUAGES, words
from support.play import random_game

Visits = Callable[..., Any]


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_practice_board_is_there_in_every_language(visit: Visits, game: str, language: str):
    anna = await visit(headers={"accept-language": language})
    page = await anna.get(f"/practice/{game}")
    assert page.status_code == 200
    assert words(language).say("What is every choice worth?") in page.text


async def test_a_practice_board_tells_what_every_choice_is_worth(visit: Visits):
    anna = await visit()
    page = await anna.get("/practice/yatzy", params={"dice": "6 6 6 2 1", "throw": 2, "at-ones": "3"})
    assert re.search('I would do this: Keep <span[^>]*"6 6 6"', page.text)
    assert page.text.count("<li>") == 5
    assert page.text.count('<th scope="row">') > 20
    same = await anna.get("/practice/yatzy", params={"dice": "66621", "throw": 2, "text": "ones 3\njokers 0"})
    assert re.findall("<strong>.*", same.text) == re.findall("<strong>.*", page.text)


@pytest.mark.parametrize(
    ("game", "asked", "trouble"),
    [
        ("yatzy", {"dice": "6 6"}, "Wrong number of dice"),
        ("yatzy", {"dice": "6 6 6 2 9"}, "No die shows 9"),
        ("yatzy", {"dice": "6 6 6 2 1", "throw": 9}, "all your throws"),
        ("yatzy", {"dice": "6 6 6 2 1", "at-ones": "x"}, "ones"),
        ("yatzy", {"dice": "6 6 6 2 1", "at-ones": "17"}, "cannot hold 17"),
        ("knister", {"dice": "3 4", "at-a1": "99"}, "99"),
        ("knister", {"dice": "3 4", "at-a1": "7 8"}, "78"),
        ("knister", {"dice": "3 4", "at-a1": "(7)"}, "circle"),
        ("knister", {"dice": "", "text": ""}, "Wrong number of dice"),
        ("knister", {"dice": "3 4", "text": "x" * 900}, "has 5 rows"),
        ("knister", {"dice": "3 4", "then": "c3"}, "Throw the dice first"),
        ("knaster", {"dice": "3 4", "then": "-"}, "last throw"),
    ],
)
async def test_a_board_that_cannot_be_says_why(visit: Visits, game: str, asked: dict[str, Any], trouble: str):
    page = await (await visit()).get(f"/practice/{game}", params=asked)
    told = re.search(r'role="alert">(.*?)<', page.text)
    assert page.status_code == 422
    assert told
    assert trouble in unescape(told[1])


async def test_only_games_that_are_there_have_a_board(visit: Visits):
    anna = await visit()
    assert (await anna.get("/practice/chess")).status_code == 404
    assert (await anna.get("/practice/yatzy", params={"rules": "mine"})).status_code == 400


@pytest.mark.parametrize("name", OURS)
def test_every_position_of_a_game_can_be_set_up(name: str):
    game, said, rng = find_game(name), words("en"), Random(3)
    fresh = [t for t, _ in random_game(game, 1, 7) if not isinstance(game.next(t), Pick)]
    for table in [table for table in fresh if game.solo.rests(game.sheet(table, 0))][::5]:
        sheet = game.sheet(table, 0)
        if not hasattr(game.next(table), "dice"):
            continue
        text = game.solo.write_sheet(sheet)
        faces = [rng.randint(1, 6) for _ in range(game.next(table).dice)]  # type: ignore[union-attr]
        typed = _fields(name, text)
        assert set(typed) <= set(field_names(game, said))
        found = position(game, Setup(typed, dice=" ".join(map(str, faces))), said)
        assert found == game.solo.throw(game.solo.read_sheet(text), tuple(faces))


def _fields(name: str, text: str) -> dict[str, str]:
    """A sheet's text as somebody types it into fields."""
    if name in {"knister", "knaster"}:
        cells = [column + row for row in "12345" for column in "abcde"]
        return {cell: value for cell, value in zip(cells, text.split(), strict=True) if value != "."}
    return dict(line.split() for line in text.splitlines())


def test_a_turn_of_several_throws_is_found_by_the_rules():
    assert shape_of("yatzy", "sheet").throws == 3
    assert shape_of("yatzy", "sheet").counts == ("jokers",)
    assert shape_of("knaster", "sheet").has_last
    assert shape_of("knaster", "sheet").has_circles
    assert not shape_of("knister", "sheet").has_last
    assert not shape_of("knister", "sheet").has_circles
    assert shape_of("knister", "sheet").throws == 1
