"""Puzzles: each is what it claims to be by the coach's own values, and an answer is explained, kept and rated."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from kasta.analysis.puzzles import (
    LEVELS,
    OBVIOUS_LOSES,
    find_puzzle,
    of_day,
    puzzles_of,
    read,
    with_puzzles,
    write,
)
from kasta.games import GAMES, find_game
from kasta.games.traits import find_valuer
from kasta.web.puzzle import BEGINNING, STRENGTHS, new_rating

EXACT = "yatzy15"


def test_puzzles_are_read_as_they_were_written():
    for found in with_puzzles().values():
        assert all(read(write(puzzle)) == puzzle for puzzle in found)


@pytest.mark.parametrize("game", with_puzzles())
def test_in_every_puzzle_the_best_choice_is_legal_and_not_the_obvious_one(game: str):
    found = puzzles_of(GAMES[game])
    assert {puzzle.level for puzzle in found} == set(LEVELS)
    for puzzle in found:
        legal = {str(action) for action in find_game(game).solo.legal(puzzle.sheet(find_game(game)))}
        assert {choice.do for choice in puzzle.choices} <= legal
        assert puzzle.best != puzzle.obvious
        values = [choice.value for choice in puzzle.choices]
        assert values == sorted(values, reverse=True)


def test_the_coach_s_values_make_the_same_puzzles_of_the_same_positions():
    game = find_game(EXACT)
    valuer = find_valuer(game)
    for puzzle in puzzles_of(GAMES[EXACT])[:6]:
        sheet = puzzle.sheet(game)
        assert puzzle.lost(puzzle.obvious) >= OBVIOUS_LOSES * valuer.spread - 0.01
        options = valuer.options(sheet)
        assert [str(option.action) for option in options[:2]] == [choice.do for choice in puzzle.choices[:2]]
        assert options[0].value - options[1].value >= LEVELS[puzzle.level] * valuer.spread


def test_each_puzzle_has_its_day():
    count = len(puzzles_of(GAMES[EXACT]))
    assert of_day(EXACT, "2026-11-18") == (of_day(EXACT, "2026-11-17") + 1) % count


@pytest.mark.parametrize("level", LEVELS)
def test_a_rating_goes_towards_the_strength_of_what_is_solved(level: int):
    up = new_rating(BEGINNING, 0, level, is_right=True)
    down = new_rating(BEGINNING, 0, level, is_right=False)
    assert down < BEGINNING < up
    assert new_rating(STRENGTHS[level], 50, level, is_right=True) - STRENGTHS[level] == 8
    rating = 2_000.0
    for number in range(4_000):
        rating = new_rating(rating, number, level, is_right=number % 2 == 0)
    assert abs(rating - STRENGTHS[level]) < 20, "half of them solved: as strong as they are"


async def test_an_answer_is_explained_kept_and_rated_once(visit: Callable[..., Any]):
    client = await visit()
    puzzle = puzzles_of(GAMES[EXACT])[3]
    page = await client.get(f"/puzzle/{EXACT}/3")
    assert page.status_code == 200
    assert "Expected total" not in page.text, "nothing is given away"
    buttons = re.findall(r'name="do" value="([^"]+)"', page.text)
    assert set(buttons) == {choice.do for choice in puzzle.choices}
    assert (await client.post(f"/puzzle/{EXACT}/3", data={"do": "fill nothing"})).status_code == 400
    assert (await client.post(f"/puzzle/{EXACT}/3", data={"do": puzzle.obvious})).status_code == 303
    told = (await client.get(f"/puzzle/{EXACT}/3")).text
    assert "There is something better" in told
    assert f"{puzzle.choices[0].value:.1f}" in told
    rating = re.search(r"Your rating: (\d+)", told)
    assert rating
    assert int(rating[1]) < BEGINNING
    await client.post(f"/puzzle/{EXACT}/3", data={"do": puzzle.best})
    assert "There is something better" in (await client.get(f"/puzzle/{EXACT}/3")).text, "the first answer counts"
    await client.post("/games/delete")
    assert "Your rating" not in (await client.get("/puzzle")).text


@pytest.mark.parametrize("path", ["/puzzle/nothing", f"/puzzle/{EXACT}/100000", f"/puzzle/{EXACT}/-1"])
async def test_puzzles_that_are_none_are_not_found(path: str, visit: Callable[..., Any]):
    assert (await (await visit()).get(path)).status_code == 404


def test_what_is_no_puzzle_is_none():
    """Five sixes on an empty sheet: what pays most at once is best."""
    game = find_game(EXACT)
    sheet = game.solo.throw(game.solo.start(), (6, 6, 6, 6, 6))
    assert find_puzzle(game, (), sheet, find_valuer(game), Random(1)) is None
