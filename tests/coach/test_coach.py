"""What a game was worth splits exactly into expectation, luck and what was given away."""

from __future__ import annotations

import zlib
from dataclasses import replace
from io import BytesIO
from itertools import product
from typing import Any

import pytest

from kasta.coach.advice import advise
from kasta.coach.marks import error_rate, mark
from kasta.coach.quiz import questions
from kasta.coach.review import Reviewer, SeatReview, review
from kasta.core import FACES, Over, Pick, Throw
from kasta.errors import Illegal, Unreadable
from kasta.games import find_game
from kasta.games.composers import Shared
from kasta.games.knister import Knister
from kasta.games.traits import find_valuer
from kasta.games.yatzy import RULE_SETS
from kasta.record import Do, Header, Moment, Roll, Step, replay, walk, write_record
from kasta.values import Option
from support.bot_games import as_record, play
from support.play import random_game

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
    [best], [weak] = (reviewed(play("sheet", [name], 12)) for name in ("best", "weak"))
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


def test_what_a_seat_was_worth_when_it_left_is_not_its_total():
    lines = play("sheet", ["weak", "weak"], 14, most=9).read() + b'\n{"leave": 1}\n'
    *_, left = walk(BytesIO(lines))
    game, table, steps = left.game, left.table, list[Step]()
    while not isinstance(expected := game.next(table), Over):
        step = Roll(expected.dice * (3,)) if isinstance(expected, Throw) else Do(0, str(game.legal(table, 0)[-1]))
        table = step.apply(game, table)
        steps.append(step)
    rest = "\n".join(list(write_record(left.header, steps))[1:]).encode()
    first, second = reviewed(BytesIO(lines + rest))
    assert first.worth == first.total > second.total
    assert second.worth == second.course[-1] == reviewed(BytesIO(lines))[1].worth > 100


class Guess:
    """Values sheets by a rough rule, with an error of one point."""

    spread = 50.0

    def __init__(self, name: str) -> None:
        self.solo = find_game(name).solo

    def value(self, sheet: Any) -> float:  # noqa: ANN401 - of any game
        return 50.0 + zlib.crc32(repr(sheet).encode()) % 7

    def mean(self, sheet: Any) -> float:  # noqa: ANN401
        return self.value(sheet)

    def options(self, sheet: Any) -> list[Option[Any]]:  # noqa: ANN401
        return [Option(action, self.value(sheet) - i, 1.0) for i, action in enumerate(self.solo.legal(sheet))]


def test_estimates_split_exactly_as_well():
    [one] = review(walk(play("sheet", ["anything"], 15)), valuer=Guess("yatzy"))
    assert one.lost == pytest.approx(sum(move.lost for move in one.moves), abs=1e-9)
    assert one.luck == pytest.approx(sum(move.luck for move in one.moves), abs=1e-9)
    assert one.worth == one.total, "drift is what is left of it"
    assert abs(one.drift) > 1
    assert {(move.lost > 0, move.error) for move in one.moves} == {(True, 2**0.5), (False, 0.0)}


def test_luck_is_told_once_where_several_decisions_answer_a_throw():
    knaster, steps = find_game("knaster"), list[Step]()
    table = knaster.start(1)
    for sum_, cell in zip((5, 6, 8, 9, 7), ("a1", "b1", "d1", "e1", "c1"), strict=True):  # a straight
        steps += [Roll((sum_ // 2, sum_ - sum_ // 2)), Do(0, cell)]
    for step in steps:
        table = step.apply(knaster, table)
    while isinstance(knaster.next(table), Pick):
        steps.append(Do(0, str(knaster.legal(table, 0)[0])))  # a circle
        table = steps[-1].apply(knaster, table)
    [one] = review(walk(as_record(Header("knaster", "sheet", ("Ann",)), steps)), valuer=Guess("knaster"))
    assert len(one.moves) > one.moves[-1].round == 5
    assert sum(move.luck for move in one.moves) == pytest.approx(one.luck, abs=1e-9)


def test_nobody_is_lucky_on_average_when_another_s_full_sheet_makes_the_throw_the_last():
    """Over all throws that may come, by any value: also where one's own sheet does not say that it is the last."""
    knaster, valuer = find_game("knaster"), Guess("knaster")
    tables = (table for table, _ in random_game(knaster, 2, seed=1) if isinstance(knaster.next(table), Throw))
    table = next(table for table in tables if knaster.is_ending(table))
    before = Moment(Header("knaster", "sheet", ("Ann", "Ben")), knaster, 1, None, table)
    lucks = list[list[float]]()
    for faces in product(FACES, repeat=2):
        reviewer = Reviewer(before, valuer)
        reviewer.take(replace(before, step=Roll(faces), table=knaster.throw(table, faces)))
        lucks.append([one.luck for one in reviewer.reviews])
    for of_seat in zip(*lucks, strict=True):
        assert sum(of_seat) == pytest.approx(0, abs=1e-9)
    assert any(any(luck) for luck in lucks)


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
