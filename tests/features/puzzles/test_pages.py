"""Puzzles: each is what it claims to be by the coach's own values, and an answer is explained, kept and rated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from make_puzzles import ERRS_FROM, OBVIOUS_LOSES, SURE, find_puzzle, surely, write

from kasta.bots.base import Sight, bots_of
from kasta.coach.puzzles import LEVELS, Puzzle, of_day, puzzles_of, read, with_puzzles
from kasta.coach.reasons.reason import reason
from kasta.features.puzzles.pages import BEGINNING, STRENGTHS, new_rating
from kasta.games import GAMES, OURS, find_game
from kasta.games.traits import find_valuer
from kasta.i18n import words
from kasta.page.sheet_html import with_dice

EXACT = "yatzy15"


def test_puzzles_are_read_as_they_were_written():
    for found in with_puzzles().values():
        assert all(read(write(puzzle)) == puzzle for puzzle in found)


def test_every_game_of_ours_has_puzzles_of_three_levels():
    for name in OURS:
        levels = Counter(puzzle.level for puzzle in puzzles_of(GAMES[name]))
        assert set(levels) == set(LEVELS), name
        assert min(levels.values()) >= 15, name


@pytest.mark.parametrize("name", with_puzzles())
def test_every_puzzle_is_legal_and_its_answer_is_what_nobody_at_a_glance_would_choose(name: str):
    game = find_game(name)
    for puzzle in puzzles_of(GAMES[name]):
        sheet = puzzle.sheet(game)
        legal = {str(action): action for action in game.solo.legal(sheet)}
        assert {choice.do for choice in puzzle.choices} <= set(legal)
        assert puzzle.best != puzzle.obvious
        assert puzzle.level < ERRS_FROM or puzzle.best != puzzle.played
        values = [choice.value for choice in puzzle.choices]
        assert values == sorted(values, reverse=True)
        pays = {do: game.solo.total(game.solo.act(sheet, action)) for do, action in legal.items()}
        assert pays[puzzle.best] < pays[puzzle.obvious] == max(pays.values())


@pytest.mark.parametrize("name", with_puzzles())
def test_the_best_choice_of_a_puzzle_is_ahead_by_what_its_level_says(name: str):
    """Before what looking ahead cannot tell is taken off every loss."""
    valuer: Any = find_valuer(find_game(name))
    spread, room = valuer.spread, getattr(valuer, "indistinct", 0.0) + 0.01  # values are rounded
    for puzzle in puzzles_of(GAMES[name]):
        best, second = puzzle.choices[:2]
        ahead = best.value - second.value + room
        assert ahead >= LEVELS[puzzle.level] * spread
        assert ahead >= SURE * second.error
        assert puzzle.lost(puzzle.obvious) + room >= OBVIOUS_LOSES * spread


def same_again(name: str, puzzle: Puzzle) -> bool:
    """Whether a puzzle is found again in its position, with the values made anew."""
    game = find_game(name)
    sheet, played = puzzle.sheet(game), game.solo.read_action(puzzle.played)
    found = find_puzzle(game, puzzle.steps, sheet, played, find_valuer(game))
    return found is not None and (found.best, found.level) == (puzzle.best, puzzle.level)


@pytest.mark.parametrize("name", ["yatzy", "yatzy15", "maxi"])
def test_the_coach_finds_the_same_puzzles_in_the_same_positions(name: str):
    assert all(same_again(name, puzzle) for puzzle in puzzles_of(GAMES[name])[:12])


@pytest.mark.parametrize("name", ["knister", "knaster"])
def test_hints_find_the_answers_of_puzzles_and_say_what_they_say(name: str):
    game = find_game(name)
    for puzzle in puzzles_of(GAMES[name]):
        options = find_valuer(game).options(puzzle.sheet(game))
        said = {str(option.action): option.value for option in options}
        assert str(options[0].action) == puzzle.best
        assert all(choice.value == pytest.approx(said[choice.do], abs=0.01) for choice in puzzle.choices)


@pytest.mark.parametrize("name", ["knister", "knaster"])
def test_short_searches_find_the_best_choice_of_puzzles_by_estimates(name: str):
    """Of level 1: there they are sure enough."""
    game, puzzle = find_game(name), puzzles_of(GAMES[name])[0]
    valuer: Any = find_valuer(game)
    best, second, *_ = surely(valuer, puzzle.sheet(game), 2)
    assert str(best.action) == puzzle.best
    assert best.value - second.value >= LEVELS[2] * valuer.spread


@pytest.mark.prove
@pytest.mark.parametrize("name", ["knister", "knaster"])
def test_long_searches_find_the_same_puzzles_in_the_same_positions(name: str):
    assert all(same_again(name, puzzle) for puzzle in puzzles_of(GAMES[name])[:6])


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
    assert "Numbers" not in page.text, "nothing is given away"
    buttons = set(re.findall(r'form="play" name="do" value="([^"]+)"', page.text))
    assert {choice.do for choice in puzzle.choices} <= buttons, "all is answered on the sheet"
    assert (await client.post(f"/puzzle/{EXACT}/3", data={"do": "fill nothing"})).status_code == 400
    assert (await client.post(f"/puzzle/{EXACT}/3", data={"do": puzzle.obvious})).status_code == 303
    told = (await client.get(f"/puzzle/{EXACT}/3")).text
    assert "Even better: " in told
    assert 'class="pointed ' in told, "what is best has a ring"
    assert f"{puzzle.choices[0].value:.1f}" in told
    rating = re.search(r"Your rating: (\d+)", told)
    assert rating
    assert int(rating[1]) < BEGINNING
    await client.post(f"/puzzle/{EXACT}/3", data={"do": puzzle.best})
    assert "Even better: " in (await client.get(f"/puzzle/{EXACT}/3")).text, "the first answer counts"
    await client.post("/games/delete")
    assert "Your rating" not in (await client.get("/puzzle")).text


async def test_dice_are_kept_by_a_tap_and_a_right_answer_is_told_of_what_was_chosen(visit: Callable[..., Any]):
    client, game = await visit(), find_game("yatzy")
    number, puzzle = next(
        (n, each) for n, each in enumerate(puzzles_of(GAMES["yatzy"])) if each.best.startswith("keep ")
    )
    _, *kept = puzzle.best.split()
    address = f"/puzzle/yatzy/{number}"
    assert (await client.get(address)).text.count('name="kept"') == 5
    answer = await client.post(address, data={"do": "keep", "kept": kept})
    assert answer.status_code == 303
    told = (await client.get(address)).text
    assert "That is it!" in told
    own = reason(game, puzzle.sheet(game), puzzle.best, puzzle.best, words("en"))
    assert str(with_dice(own)) in told
    assert (await client.post(f"/puzzle/yatzy/{number + 1}", data={"do": "fly"})).status_code == 400


async def test_the_list_of_puzzles_shows_their_positions(visit: Callable[..., Any]):
    page = (await (await visit()).get("/puzzle")).text
    assert page.count('class="miniature"') == page.count('class="little"') == len(with_puzzles())


@pytest.mark.parametrize("path", ["/puzzle/nothing", f"/puzzle/{EXACT}/100000", f"/puzzle/{EXACT}/-1"])
async def test_puzzles_that_are_none_are_not_found(path: str, visit: Callable[..., Any]):
    assert (await (await visit()).get(path)).status_code == 404


def test_what_is_no_puzzle_is_none():
    """Five sixes on an empty sheet: what pays most at once is best."""
    game = find_game(EXACT)
    sheet = game.solo.throw(game.solo.start(), (6, 6, 6, 6, 6))
    assert find_puzzle(game, (), sheet, game.solo.legal(sheet)[0], find_valuer(game)) is None


def test_the_collector_keeps_most_of_a_kind_and_then_takes_what_pays_most():
    game = find_game(EXACT)
    sheet = game.solo.throw(game.solo.start(), (3, 5, 5, 3, 1))
    (glance,) = bots_of(game).glances.values()
    for chosen, faces in (("keep 5 5", (5, 5, 1)), ("keep 5 5 5 5", (1,)), ("fill chance", ())):
        done = glance.choose(Sight(game, sheet), game.solo.legal(sheet), Random(1))
        assert str(done) == chosen
        sheet = game.solo.throw(game.solo.act(sheet, done), faces) if faces else sheet
