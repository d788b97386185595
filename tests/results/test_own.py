"""What a person's book says: worked out from results, in whatever order they come, and nothing twice."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as some

from kasta.games import GAMES, OURS
from kasta.games.badges import Made
from kasta.page.end.past import Past
from kasta.results.model import hands_of
from kasta.results.own import OwnBook, PlayedGame, earned, of_one_person, past
from kasta.results.store import Results
from kasta.tables.log import Log
from support.sites import new_site
from support.stores.finishing import BOARD, finish_game, made_up

KNISTER = GAMES["knister"]
MAY, JUNE, NOVEMBER = 1_777_800_000.0, 1_780_500_000.0, 1_794_960_000.0  # 3 May, 3 June, 17 or 18 November 2026


def knister(total: int, ended: float = MAY, table: str = "", **hands: tuple[int, int]) -> PlayedGame:
    return PlayedGame(table or f"{ended} {total}", "sheet", ended, total, hands)


def codes(game: str, total: int, hands: dict[str, tuple[int, int]]) -> set[str]:
    solo, made = GAMES[game].rule_sets["sheet"], Made(total, hands)
    return {badge.code for badge in GAMES[game].badges if badge.is_earned(solo, made)}


UPPER = "ones 3\ntwos 6\nthrees 9\nfours 12\nfives 15\nsixes 18\n"
LOWER = "three_of_a_kind 20\nfour_of_a_kind 20\nfull_house 25\nsmall_straight 30\nlarge_straight 40\nchance 20\n"
EVERYTHING = {"points_200", "points_300", "yatzy", "upper_bonus", "large_straight", "every_box"}


@pytest.mark.parametrize(
    ("game", "text", "wanted"),
    [
        (
            "knister",
            "2 2 2 2 2\n3 3 3 3 3\n4 4 4 4 4\n5 5 5 5 5\n6 6 6 6 6\n",
            {"points_50", "points_100", "five_of_a_kind", "diagonal_straight", "every_line"},
        ),
        ("knister", "7 2 8 9 3\n6 10 3 5 6\n6 3 11 5 9\n4 11 11 5 8\n6 5 12 7 9\n", set()),
        ("yatzy", f"{UPPER}{LOWER}yatzy 50\n", EVERYTHING),
        ("yatzy", f"{UPPER}{LOWER}yatzy 50\njokers 1\n", EVERYTHING | {"joker"}),
        ("yatzy", f"{UPPER}{LOWER}yatzy 0\n".replace("ones 3", "ones 2"), {"points_200", "large_straight"}),
    ],
)
def test_a_sheet_earns_what_it_shows(game: str, text: str, wanted: set[str]):
    solo = GAMES[game].rule_sets["sheet"]
    sheet = solo.read_sheet(text)
    assert codes(game, solo.total(sheet), hands_of(solo.score(sheet))) == wanted


def test_a_sheet_full_of_circles_is_known_by_its_total():
    assert "all_circled" in codes("knaster", 25 + 90, {})
    assert "all_circled" not in codes("knaster", 25 + 89, {})


@pytest.mark.parametrize("game", OURS)
def test_badges_are_few_and_told_apart(game: str):
    badges = GAMES[game].badges
    assert 5 <= len(badges) == len({badge.code for badge in badges}) == len({badge.name for badge in badges})


RESULTS = some.lists(
    some.builds(
        knister,
        some.integers(0, 168),
        some.sampled_from([MAY, JUNE, NOVEMBER]),
        five_of_a_kind=some.tuples(some.integers(1, 3), some.just(10)),
    ),
    max_size=12,
)


@given(RESULTS, some.randoms())
def test_no_order_changes_what_was_earned_and_nothing_is_earned_twice(games: list[PlayedGame], chance: Random):
    mixed = chance.sample(games, len(games))
    assert earned(KNISTER, mixed) == earned(KNISTER, games)
    new, known = list[str](), list[PlayedGame]()
    for number, game in enumerate(sorted(mixed, key=lambda each: each.ended)):
        now = game._replace(table=f"t{number}")
        new += past(KNISTER, now, known).badges
        known.append(now)
    assert sorted(new) == sorted(earned(KNISTER, games))


def test_the_best_before_is_found_with_its_day():
    now, before = knister(62, NOVEMBER), [knister(54, MAY), knister(41, JUNE)]
    found = past(KNISTER, now, [*before, knister(90, NOVEMBER + 9), now])  # one is later, one is itself
    assert (found.totals, found.best, found.best_day, found.badges) == ((54, 41), 54, "2026-05-03", ())
    assert past(KNISTER, now, []) == Past(day=found.day, badges=("points_50",), is_first=True)


def test_of_equal_totals_the_first_is_the_best_so_far():
    found = past(KNISTER, knister(62, NOVEMBER), [knister(54, JUNE), knister(54, MAY)])
    assert (found.best, found.best_day) == (54, "2026-05-03")


async def test_what_came_before_a_game_came_before_its_own_end(log: Log):
    site = new_site(log)
    names = [await finish_game(site, "anna") for _ in range(3)]
    book, (first, second, third) = OwnBook(Results(log.db)), [await site.service.table(name) for name in names]
    await site.close()
    totals = tuple(table.game.total(table.play, 0) for table in (first, second))
    assert (await book.past(first, "anna")).is_first
    assert (await book.past(second, "anna")).totals == totals[:1]
    assert (await book.past(third, "anna")).totals == totals


def test_only_the_last_nine_before_are_told():
    games = [knister(total, MAY + total) for total in range(20)]
    assert past(KNISTER, knister(62, NOVEMBER), games).totals == tuple(range(11, 20))


def test_games_of_several_on_one_device_are_nobodys_own():
    one, two = knister(50, table="t"), knister(60, table="t")
    assert of_one_person([one, knister(70), two], KNISTER) == [knister(70)]


async def test_the_games_of_a_device_are_read_on_every_store_the_oldest_first(log: Log):
    made = list(made_up(40))
    for each in made:
        await Results(log.db).add(each.table, [each])
    wanted = sorted((each for each in made if each.device == made[0].device), key=lambda each: each.ended)
    found = await OwnBook(Results(log.db)).games(made[0].device, BOARD.game)
    assert [(each.ended, each.hands) for each in found] == [(each.ended, each.hands) for each in wanted]


async def test_of_a_device_that_has_played_very_much_the_last_games_are_read(
    log: Log, monkeypatch: pytest.MonkeyPatch
):
    """It is done whenever somebody looks: whoever brings home thousands would hold up all others."""
    monkeypatch.setattr("kasta.results.store.MOST_COUNTED", 2)
    made = list(made_up(40))
    for each in made:
        await Results(log.db).add(each.table, [each])
    ended = sorted(each.ended for each in made if each.device == made[0].device)
    assert len(ended) > 2
    found = await OwnBook(Results(log.db)).games(made[0].device, BOARD.game)
    assert [each.ended for each in found] == ended[-2:]
