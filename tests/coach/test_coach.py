"""What a game was worth splits exactly into expectation, luck and what was given away."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from kasta.coach.advice import advise
from kasta.coach.marks import error_rate, mark
from kasta.coach.quiz import questions
from kasta.coach.review import SeatReview, review
from kasta.errors import Illegal, Unreadable
from kasta.games import find_game
from kasta.games.composers import Shared
from kasta.games.knister import Knister
from kasta.games.traits import find_valuer
from kasta.games.yatzy import RULE_SETS, Sheet
from kasta.record import replay, walk
from kasta.values import Option
from support.bot_games import play

SPREAD = 59.8  # of Yatzy


def reviewed(record: BytesIO) -> list[SeatReview]:
    return review(walk(record))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_start_and_luck_less_what_was_lost_is_the_total(rules: str):
    for one in reviewed(play(rules, ["weak", "anything"], 11)):
        assert one.expected + one.luck - one.lost == pytest.approx(one.total, abs=1e-9)
        assert one.drift == pytest.approx(0, abs=1e-9)
        assert one.lost == pytest.approx(sum(move.lost for move in one.moves))
        assert min(move.lost for move in one.moves) >= 0


def test_the_best_player_gives_nothing_away():
    best, weak = reviewed(play("sheet", ["best", "weak"], 12))
    assert best.lost == 0
    assert weak.lost > 5
    assert all(move.do == move.best for move in best.moves)


def test_a_move_names_its_line_and_what_would_have_been_better():
    record = b"""{"kasta": 1, "game": "yatzy", "rules": "sheet", "seats": ["Ann"]}
{"roll": [6, 6, 6, 6, 1]}
{"seat": 0, "do": "keep 1"}
{"roll": [6, 6, 6, 6]}
{"seat": 0, "do": "fill ones"}
"""
    [ann] = reviewed(BytesIO(record))
    assert [(move.line, move.do, move.best) for move in ann.moves] == [
        (3, "keep 1", "keep 6 6 6 6"),
        (5, "fill ones", "keep 6 6 6 6"),
    ]
    assert ann.moves[0].lost > 30
    assert ann.total == 1


ABSENT = b"""{"kasta": 1, "game": "yatzy", "rules": "sheet", "seats": ["Ann"]}
{"roll": [6, 6, 6, 6, 1]}
{"seat": 0, "do": "keep 6 6 6 6"}
{"roll": [6]}
{"seat": 0, "do": "fill ones", "by": "bot"}
"""


def test_what_a_bot_does_for_somebody_absent_is_not_their_error():
    [ann] = reviewed(BytesIO(ABSENT))
    assert [mark(move, SPREAD) for move in ann.moves] == ["lucky", "stand_in"]
    assert ann.moves[1].lost == ann.lost > 30, "the figures still add up"
    assert error_rate(ann.moves, SPREAD) in {None, 0}
    assert questions(ann.moves, SPREAD) == []


def test_a_bot_in_a_seat_of_its_own_answers_for_itself():
    [bot] = reviewed(BytesIO(ABSENT.replace(b'6 6 6 6"', b'6 6 6 6", "by": "bot"')))
    assert [mark(move, SPREAD) for move in bot.moves] == ["lucky", "very_bad"]


def test_a_game_that_goes_on_has_luck_and_loss_so_far():
    record = play("sheet", ["weak"], 13, most=20)
    [one] = reviewed(record)
    record.seek(0)
    end = replay(record)
    worth = find_valuer(end.game).value(end.game.sheet(end.table, 0))
    assert one.expected + one.luck - one.lost == pytest.approx(worth, abs=1e-6)


def test_the_expected_total_is_told_round_by_round_and_ends_with_the_total():
    [one] = reviewed(play("sheet", ["weak"], 13))
    assert len(one.course) == one.moves[-1].round == 13
    assert one.course[-1] == one.total == one.worth


def test_luck_stands_with_the_first_decision_on_a_throw():
    [one] = reviewed(play("sheet", ["weak"], 13))
    assert sum(move.luck for move in one.moves) == pytest.approx(one.luck, abs=1e-9)


def test_a_seat_that_left_keeps_its_luck_until_then():
    lines = play("sheet", ["weak", "weak"], 14, most=9).read() + b'\n{"leave": 1}\n'
    first, second = reviewed(BytesIO(lines))
    assert first.moves
    assert second.total >= 0


def test_estimates_split_exactly_as_well():
    class Guess:
        def value(self, sheet: object) -> float:
            return 50.0 + hash(sheet) % 7

        spread = 50.0
        mean = value

        def options(self, sheet: Sheet) -> list[Option[Any]]:
            actions = find_game("yatzy").solo.legal(sheet)
            return [Option(action, self.value(sheet) - i, 1.0) for i, action in enumerate(actions)]

    [one] = review(walk(play("sheet", ["anything"], 15)), valuer=Guess())
    assert one.expected + one.luck - one.lost + one.drift == pytest.approx(one.total, abs=1e-9)
    assert abs(one.drift) > 1


def test_advice_lists_every_legal_action_best_first():
    moment = replay(play("official", ["weak", "weak"], 16, most=41))
    advice = advise(moment)
    values = [option.value for option in advice.options]
    assert values == sorted(values, reverse=True)
    assert {option.action for option in advice.options} == set(moment.game.legal(moment.table, advice.seat))
    assert {option.error for option in advice.options} == {0.0}


def test_advice_is_refused_where_there_is_nothing_to_decide():
    valuer = find_valuer(find_game("yatzy"))
    pick = replay(play("sheet", ["weak", "weak"], 17, most=1))
    with pytest.raises(Illegal, match="nothing to decide"):
        advise(pick, 1, valuer=valuer)
    with pytest.raises(Illegal, match="no seat 2"):
        advise(pick, 2, valuer=valuer)
    with pytest.raises(Illegal, match="Throw the dice first"):
        advise(replay(play("sheet", ["weak"], 17, most=0)), valuer=valuer)
    with pytest.raises(Illegal, match="over"):
        advise(replay(play("sheet", ["weak"], 17)), valuer=valuer)


def test_where_several_could_be_meant_the_seat_must_be_said():
    record = b'{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Ann", "Ben"]}\n{"roll": [1, 2]}'
    with pytest.raises(Illegal, match="Several"):
        advise(replay(BytesIO(record)))


def test_games_that_nobody_knows_the_values_of_are_named_as_such():
    with pytest.raises(Unreadable, match="no coach yet"):
        find_valuer(Shared(Knister()))  # of no name, and so without traits
