"""Learn from your mistakes, and practice boards, as a browser without a script gets them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from html import unescape
from random import Random
from typing import Any

import httpx
import pytest

from kasta.core import Pick
from kasta.features.practice.positions import Setup, field_names, position, shape_of
from kasta.games import OURS, find_game
from kasta.i18n import LANGUAGES, words
from support.play import random_game

Visits = Callable[..., Any]


async def played_badly(visit: Visits, coach: str = "after") -> tuple[httpx.AsyncClient, str]:
    """A game of two seats that was ended after a round of mistakes; the first seat is Anna's."""
    anna = await visit()
    answer = await anna.post("/new/yatzy", data={"name": "Anna", "bots": "0", "dice": "own", "coach": coach})
    table = answer.headers["location"].rsplit("/", 1)[-1]
    for turn, faces, do in ((0, "6 6 6 2 1", "keep 1"), (1, "6 6 6 6", "fill ones")):
        await anna.post(f"/t/{table}/roll", data={"turn": turn, "faces": faces})
        await anna.post(f"/t/{table}/play", data={"turn": turn + 1, "seat": 0, "step": turn and 0, "do": do})
    await anna.post(f"/t/{table}/end")
    return anna, table


async def reviewed(client: httpx.AsyncClient, address: str) -> str:
    """A page, once the coach has looked at the game."""
    for _ in range(600):
        page = await client.get(address)
        assert page.status_code == 200
        if "The coach is looking" not in page.text:
            return unescape(page.text)
        await asyncio.sleep(0.1)
    raise AssertionError("the coach does not answer")


async def test_what_was_given_away_is_asked_again(visit: Visits):
    anna, table = await played_badly(visit)
    quiz = f"/t/{table}/quiz"
    page = await reviewed(anna, quiz)
    assert "Question 1 of 2: round 1" in page
    wrong = unescape((await anna.get(quiz, params={"seat": 0, "number": 1, "do": "keep", "kept": "1"})).text)
    assert "Better: Keep 6 6 6" in wrong
    assert "With 6 6 6, the chance of" in wrong
    assert "In the game you chose: Keep 1" in wrong
    right = unescape(
        (await anna.get(quiz, params={"seat": 0, "number": 1, "do": "keep", "kept": ["6", "6", "6"]})).text
    )
    assert "Right!" in right
    assert "number=2&score=1" in right
    second = await anna.get(quiz, params={"seat": 0, "number": 2, "score": "1", "text": "fill ones"})
    assert "score=10" in second.text
    end = await anna.get(quiz, params={"seat": 0, "number": 3, "score": "10"})
    assert "That was all: 1 of 2 right." in end.text
    await bears_rubbish(anna, table)


async def bears_rubbish(anna: httpx.AsyncClient, table: str) -> None:
    """An answer that is none is told, and the question asked again."""
    for answer in ("fly", "fill nothing", "keep 4", "<b>"):
        page = await anna.get(f"/t/{table}/quiz", params={"text": answer})
        assert page.status_code == 200
        assert 'role="alert"' in page.text
        assert "<b>" not in page.text
        assert "Question 1 of 2" in page.text
    for rubbish in ({"number": "x"}, {"number": "99999999"}, {"score": "2;"}, {"kept": "z"}):
        assert (await anna.get(f"/t/{table}/quiz", params=rubbish)).status_code == 200


async def test_nobody_is_asked_anothers_mistakes(visit: Visits):
    anna, table = await played_badly(visit)
    tim = await visit()
    for params in ({}, {"seat": 0}, {"seat": "x"}):
        assert (await tim.get(f"/t/{table}/quiz", params=params)).status_code == 422
    assert (await anna.get(f"/t/{table}/quiz", params={"seat": 1})).status_code == 422


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
    assert "I would do this: Keep 6 6 6" in page.text
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
