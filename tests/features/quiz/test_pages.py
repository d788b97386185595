"""Learn from your mistakes, as a browser without a script gets them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import httpx

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
    assert re.search('Even better: Keep <span[^>]*"6 6 6"', wrong)
    assert re.search('With <span[^>]*"6 6 6">.*</span>, the chance of', wrong)
    assert re.search('In the game you chose: Keep <span[^>]*"1"', wrong)
    right = unescape(
        (await anna.get(quiz, params={"seat": 0, "number": 1, "do": "keep", "kept": ["6", "6", "6"]})).text
    )
    assert "That is it!" in right
    assert re.search('</h2>\\s*<p>With <span[^>]*"6 6 6"', right), "of the answer itself"
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
