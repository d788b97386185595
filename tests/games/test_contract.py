"""What every game and every rule set must keep, shown by random play. A new game is tested by being in GAMES."""

import pickle
from dataclasses import FrozenInstanceError, fields
from random import Random

import pytest
from hypothesis import given

from kasta.core import Over, Pick, Seat, Throw
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.games import GAMES, find_game
from kasta.games.composers import Shared
from kasta.games.traits import AnyGame
from kasta.record import Do
from support.play import (
    ACTIONS,
    Table,
    due_seats,
    every_rule_set,
    random_faces,
    random_game,
    refused,
    rule_sets,
    seeds,
)


def seen(game: AnyGame, table: Table) -> tuple[object, ...]:
    """All that anybody can know of a table."""
    seats = list(range(table.seats))
    coming = game.next(table)
    return (
        coming if isinstance(coming, Throw) else type(coming),
        due_seats(game, table),
        [game.sheet(table, seat) for seat in seats],
        [game.legal(table, seat) for seat in seats],
    )


def test_every_game_has_a_list_of_all_its_actions():
    assert set(GAMES) <= set(ACTIONS)


@every_rule_set
def test_act_accepts_exactly_what_is_legal_and_refuses_the_rest_with_a_reason(name: str, rules: str):
    game = find_game(name, rules)
    pool = [game.solo.read_action(text) for text in ACTIONS[name]]
    for number, (table, _) in enumerate(random_game(game, 2, seed=12)):
        for seat in (0, 1) if number % 8 < 2 else ():  # a throw and an answer to it, of every fourth pair
            legal = game.legal(table, seat)
            assert len(set(legal)) == len(legal)
            assert bool(legal) == (seat in due_seats(game, table))
            accepted = []
            for action in pool:
                try:
                    game.act(table, seat, action)
                except Illegal as error:
                    assert str(error)  # noqa: PT017 - one of hundreds
                else:
                    accepted.append(action)
            assert set(accepted) == set(legal)


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_shown_as_it_is_read(name: str):
    solo = find_game(name).solo
    for text in ACTIONS[name]:
        action = solo.read_action(text)
        assert str(action) == repr(action) == text
        assert solo.read_action(str(action)) == action
        assert pickle.loads(pickle.dumps(action)) == action  # noqa: S301 - our own


NO_ACTIONS = [
    *("", " ", "-- ", "--", "- ", "\u2013", "\u00b2"),
    *("c", "c0", "c6", "f1", "C3", "c3 ", " c3", "c3\n", "c\u0663"),
    *("()", "((c3))", "(c3", "c3)", "(c6)", "6(a1)", "f(a1)", "33(c3)"),
    *("keep 0", "keep 7", "keep 33", "keep 3 ", "keep  3", "keep\t3", "Keep 3", "keep3", "keep \u0663"),
    *("fill", "fill ", "fill sevens", "fill Ones", "fill ones twos", "fill  ones"),
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "text",
    NO_ACTIONS,
)
def test_what_is_no_action_is_unreadable(name: str, text: str):
    with pytest.raises(Unreadable) as error:
        find_game(name).solo.read_action(text)
    assert str(error.value)


@every_rule_set
def test_throws_are_refused_unless_that_many_dice_are_due(name: str, rules: str):
    game = find_game(name, rules)
    for table, _ in random_game(game, 2, seed=2):
        match game.next(table):
            case Throw(dice):
                for faces in [(1,) * (dice - 1), (1,) * (dice + 1), ()]:
                    with refused("wrong_number_of_dice"):
                        game.throw(table, faces)
                for face in (0, 7, -1, 10**30):
                    with refused("no_such_face"):
                        game.throw(table, (*(1,) * (dice - 1), face))
            case Pick(count):
                with refused("picks_owed") as error:
                    game.throw(table, (1, 1))
                assert error.value.params["count"] == count
            case Over():
                with refused("game_over"):
                    game.throw(table, (1, 1))


@given(rule_sets, seeds)
def test_next_says_who_acts_and_who_rests(which: tuple[str, str], seed: int):
    game = find_game(*which)
    for table, _ in random_game(game, 3, seed):
        due = due_seats(game, table)
        match game.next(table):
            case Pick(count, is_due):
                assert count == len(due) > 0
                assert not is_due(3)
                assert not is_due(-1)
                assert not any(game.solo.rests(game.sheet(table, seat)) for seat in due)
            case Throw(dice, roller):
                assert dice > 0
                assert 0 <= roller < 3
                assert not any(game.legal(table, seat) for seat in range(3))
            case Over():
                assert all(game.solo.rests(game.sheet(table, seat)) for seat in range(3))


@given(rule_sets, seeds)
def test_a_game_ends_and_its_totals_are_those_of_its_sheets(which: tuple[str, str], seed: int):
    game = find_game(*which)
    *_, (table, _) = random_game(game, 3, seed)
    assert game.next(table) == Over()
    for seat in range(3):
        sheet = game.sheet(table, seat)
        total = game.total(table, seat)
        assert total == game.solo.total(sheet) == game.solo.score(sheet)["total"]
        assert total >= 0
        with refused("game_over"):
            game.take_back(table, seat)


@every_rule_set
def test_states_are_frozen_hashable_and_pickle(name: str, rules: str):
    game = find_game(name, rules)
    for table, _ in random_game(game, 2, seed=3):
        for state in (table, game.sheet(table, 0)):
            again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own
            assert again == state
            assert hash(again) == hash(state)
            with pytest.raises(FrozenInstanceError):
                setattr(state, fields(state)[0].name, None)


@given(rule_sets, seeds)
def test_nothing_changes_a_table_that_somebody_still_holds(which: tuple[str, str], seed: int):
    game = find_game(*which)
    tables = [(table, pickle.dumps(seen(game, table))) for table, _ in random_game(game, 2, seed)]
    assert all(pickle.dumps(seen(game, table)) == before for table, before in tables)


@given(rule_sets, seeds)
def test_sheets_that_rest_round_trip_through_text(which: tuple[str, str], seed: int):
    game = find_game(*which)
    for table, _ in random_game(game, 1, seed):
        sheet = game.sheet(table, 0)
        if game.solo.rests(sheet):
            text = game.solo.write_sheet(sheet)
            again = game.solo.read_sheet(text)
            assert game.solo.write_sheet(again) == text
            assert game.solo.score(again) == game.solo.score(sheet)


@pytest.mark.parametrize("name", [name for name in GAMES if isinstance(find_game(name), Shared)])
@given(seed=seeds)
def test_picks_of_different_seats_on_one_throw_commute(name: str, seed: int):
    game, rng = find_game(name), Random(seed)
    for table, _ in random_game(game, 3, seed):
        due = due_seats(game, table)
        if len(due) < 2:
            continue
        picks = [(seat, rng.choice(game.legal(table, seat))) for seat in due]
        forwards = backwards = table
        for seat, action in picks:
            forwards = game.act(forwards, seat, action)
        for seat, action in reversed(picks):
            backwards = game.act(backwards, seat, action)
        assert forwards == backwards


@given(rule_sets, seeds)
def test_taking_back_restores_what_was_seen_before(which: tuple[str, str], seed: int):
    game = find_game(*which)
    for table, step in random_game(game, 2, seed):
        if not isinstance(step, Do):
            continue
        acted = step.apply(game, table)
        if isinstance(game.next(acted), Over) or step.text.startswith("keep"):
            with pytest.raises(KastaError):
                game.take_back(acted, step.seat)
        else:
            back = game.take_back(acted, step.seat)
            assert seen(game, back) == seen(game, table)
            assert step.apply(game, back) == acted


@given(rule_sets, seeds)
def test_whoever_leaves_the_others_finish(which: tuple[str, str], seed: int):
    game, rng = find_game(*which), Random(seed)
    tables = [table for table, _ in random_game(game, 3, seed)]
    gone = Seat(rng.randrange(3))
    table = game.leave(rng.choice(tables[:-1]), gone)
    sheet = game.sheet(table, gone)
    while (coming := game.next(table)) != Over():
        if isinstance(coming, Throw):
            assert coming.roller != gone
            table = game.throw(table, random_faces(coming.dice, rng))
        else:
            due = due_seats(game, table)
            assert gone not in due
            assert isinstance(coming, Pick)
            assert len(due) == coming.count
            table = game.act(table, due[0], rng.choice(game.legal(table, due[0])))
    assert game.sheet(table, gone) == sheet
