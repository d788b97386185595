"""One mind: hints, advice, reviews and bots judge by the same values, also on sheets that weak players leave."""

from __future__ import annotations

from copy import copy
from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from kasta.bots.base import Sight, find_bot
from kasta.bots.by_value import ByValue
from kasta.coach.advice import advise
from kasta.coach.marks import BAD_MARKS, mark
from kasta.coach.process import _options as hint
from kasta.coach.review import review
from kasta.core import FACES, Throw
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_reviewer, find_valuer
from kasta.record import Do, replay, walk
from kasta.values import beside
from support.bot_games import record

GRID_GAMES = ["knister", "knaster"]
PLAYERS = ["child", "casual", "seasoned", "quick"]
FEW, MANY = 10, 200
WEAK_SHEETS = 40
MOST_LOST = 0.02  # of the spread, on average, that quick gives away on sheets that a child leaves

UNUSUAL = b"""{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Ann"]}
{"roll": [6, 5]}
{"seat": 0, "do": "c3"}
{"roll": [5, 2]}
"""
PLAYED_OUT, DOUBT = 61.6, 2.4  # what `strong` made of it in 200 games: 61.6 ± 0.8


def test_an_unusual_sheet_is_worth_the_same_to_all_and_what_is_made_of_it():
    moment = replay(BytesIO(UNUSUAL))
    game, sheet = moment.game, moment.game.sheet(moment.table, 0)
    advice = advise(moment).options
    assert advice[0].value == pytest.approx(PLAYED_OUT, abs=DOUBT)
    assert hint("knister", "sheet", sheet) == advice
    [seat] = review(walk(BytesIO(UNUSUAL + b'{"seat": 0, "do": "a1"}\n')))
    assert seat.moves[-1].options == advice
    quick = find_bot("quick", game).choose(Sight(game, sheet), game.solo.legal(sheet), Random(1))
    chosen = next(option for option in advice if option.action == quick)
    assert advice[0].value - chosen.value < 1, "by the values of good players' sheets it lost ten"


def never_blamed(name: str, seeds: range) -> None:
    for seed in seeds:
        game = record(name, "sheet", {"Ann": ByValue()}, seed)
        [seat] = review(walk(game))
        marks = [mark(move, find_valuer(find_game(name)).spread) for move in seat.moves]
        assert not set(marks) & set(BAD_MARKS)
        assert seat.lost == 0


@pytest.mark.parametrize("name", GRID_GAMES)
def test_who_follows_every_hint_is_never_blamed(name: str):
    never_blamed(name, range(FEW))


@pytest.mark.prove
@pytest.mark.parametrize("name", GRID_GAMES)
def test_who_follows_every_hint_is_never_blamed_in_many_games(name: str):
    never_blamed(name, range(FEW, MANY))


class WithoutLuck:
    """The game's valuer, but for the means over throws, which take most of the time of a review."""

    def __init__(self, game: AnyGame) -> None:
        self._valuer = find_reviewer(game)
        self.spread, self.value, self.options = self._valuer.spread, self._valuer.value, self._valuer.options

    def mean(self, _sheet: object) -> float:
        return 0.0

    def beside(self, lacks: int) -> WithoutLuck:
        found = copy(self)
        found.options = beside(self._valuer, lacks).options
        found.value = lambda sheet: 0.0  # noqa: ARG005
        return found


def all_say_the_same(name: str, player: str, seeds: range) -> None:
    """At every decision of these games: the hint on the page, `kasta advise` and the review."""
    game = find_game(name)
    for seed in seeds:
        steps = list(walk(record(name, "sheet", {"Ann": find_bot(player, game)}, seed)))
        [seat] = review(steps, valuer=WithoutLuck(game))
        decided = [before for before, moment in pairwise(steps) if isinstance(moment.step, Do)]
        for moment, move in zip(decided, seat.moves, strict=True):
            sheet = game.sheet(moment.table, 0)
            assert hint(name, "sheet", sheet) == advise(moment).options == move.options
            assert move.best == str(move.options[0].action)


@pytest.mark.parametrize("name", GRID_GAMES)
@pytest.mark.parametrize("player", PLAYERS)
def test_hints_advice_and_reviews_say_the_same_of_every_decision(name: str, player: str):
    all_say_the_same(name, player, range(FEW))


@pytest.mark.parametrize("name", GRID_GAMES)
def test_at_a_table_too_hints_advice_and_reviews_say_the_same(name: str):
    """In Knaster they know how near the others are to the end: so the review of one seat must be told."""
    game = find_game(name)
    players = {player: find_bot(player, game) for player in ("child", "quick", "casual")}
    steps = list(walk(record(name, "sheet", players, 3)))
    reviews = review(steps, valuer=WithoutLuck(game))
    asked = [(before, moment.step.seat) for before, moment in pairwise(steps) if isinstance(moment.step, Do)]
    left = [iter(each.moves) for each in reviews]
    for before, seat in asked:
        said = hint(name, "sheet", game.sheet(before.table, seat), game.others_lack(before.table, seat))
        assert said == advise(before, seat).options == next(left[seat]).options


@pytest.mark.prove
@pytest.mark.parametrize("name", GRID_GAMES)
@pytest.mark.parametrize("player", PLAYERS)
def test_hints_advice_and_reviews_say_the_same_in_many_games(name: str, player: str):
    all_say_the_same(name, player, range(FEW, MANY))


def left_by(player: str, game: AnyGame, rng: Random) -> Any:  # noqa: ANN401 - a sheet
    """A sheet with a throw on it, from a game of a bot."""
    solo, bot, turns, sheet = game.solo, find_bot(player, game), rng.randrange(3, 16), game.solo.start()
    while True:
        if isinstance(expected := solo.next(sheet), Throw):
            sheet = solo.throw(sheet, tuple(rng.choices(FACES, k=expected.dice)))
            turns -= 1
            if turns == 0:
                return sheet
        else:
            sheet = solo.act(sheet, bot.choose(Sight(game, sheet), solo.legal(sheet), rng))


@pytest.mark.parametrize("name", GRID_GAMES)
def test_quick_bots_are_right_on_sheets_that_a_child_leaves(name: str):
    game, rng, lost = find_game(name), Random(7), 0.0
    valuer, quick = find_valuer(game), find_bot("quick", game)
    for _ in range(WEAK_SHEETS):
        sheet = left_by("child", game, rng)
        options = valuer.options(sheet)
        done = quick.choose(Sight(game, sheet), game.solo.legal(sheet), rng)
        lost += options[0].value - next(option.value for option in options if option.action == done)
    assert lost / WEAK_SHEETS < MOST_LOST * valuer.spread
