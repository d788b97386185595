"""A circle's counts: kept with the results, the same as if they were made anew from all its games."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from functools import partial

import pytest
from msgspec.structs import replace

from features.circle.people import KNISTER, circles_of, counted, founded, game, member_of, rows, visitor
from kasta.features.circle import counting, leaving
from kasta.features.circle.model import CircleScore, PairTally
from kasta.results.model import Result
from kasta.tables.commands import Sit
from kasta.tables.log import Log
from support.sites import served_site
from support.stores.finishing import made_up, play_on

BOTH = pytest.mark.parametrize("store_url", ["memory", "postgres"], indirect=True)
ONE = pytest.mark.parametrize("store_url", ["memory"], indirect=True)


@ONE
async def test_games_of_the_circle_and_their_rematches_count_for_members_and_nobody_else(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, tim = [await member_of(circles, circle, name) for name in ("eva", "tim")]
        table = await circles.open(circle, visitor("eva"), "yatzy15", None)
        await circles.sit(circle, visitor("tim"), table.id)
        await site.service.do(table.id, Sit("stranger", "Guest"))
        first = await site.service.table(await play_on(site.service, await site.service.table(table.id)))
        after = (await site.service.rematch(first.id, "eva")).id
        second = await site.service.table(await play_on(site.service, await site.service.table(after)))
        await site.collector.settled()
        await site.collector.collect_missing()
        scores = (await circles.store.all_scores(circle))["yatzy15", "sheet"]
        totals = [
            {place.device: table.game.total(table.play, seat) for seat, place in table.places.items()}
            for table in (first, second)
        ]
        assert set(scores) == {eva, tim}
        for member, device in ((eva, "eva"), (tim, "tim")):
            assert scores[member].games == 2
            assert scores[member].points == sum(each[device] for each in totals)
            assert scores[member].best == max(each[device] for each in totals)
            assert scores[member].wins == sum(each[device] == max(each["eva"], each["tim"]) for each in totals)
        assert (await circles.store.pairs(circle, eva))[tim].games == 2
        assert await circles.tables(circle, "eva") == []
        other = await site.service.open("eva", "yatzy15")
        await site.service.do(other.id, Sit("eva", "Eva"))
        await site.service.do(other.id, Sit("tim", "Tim"))
        await play_on(site.service, await site.service.table(other.id))
        await site.collector.settled()
        await site.collector.collect_missing()
        assert (await circles.store.all_scores(circle))["yatzy15", "sheet"] == scores


@BOTH
async def test_results_are_counted_when_they_are_written_and_once(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        table = await circles.open(circle, visitor("eva"), "knister", None)
        await circles.sit(circle, visitor("tim"), table.id)
        table = await site.service.table(table.id)
        made = [
            replace(next(made_up(1)), table=table.id, seat=seat, device=place.device, game="knister")
            for seat, place in table.places.items()
        ]
        for _ in range(2):
            await site.results.add(table.id, made, [partial(counting.taken, table, made)])
        assert [score.games for score in (await circles.store.scores(circle, 0, KNISTER)).values()] == [1, 1]
        assert await circles.store.tables(circle, 9) == []


@BOTH
async def test_kept_counts_are_those_of_all_games_also_after_a_merge_and_a_forgotten_table(log: Log):
    async with served_site(log) as site:
        circles, rng = circles_of(site), random.Random(7)
        circle, store = await founded(circles, "a", "b", "c", "d"), circles.store
        a, b, c, d = [await member_of(circles, circle, name) for name in "abcd"]
        for number in range(60):
            if number == 40:
                await circles.new_season(circle, "a")
            playing = rng.sample((a, b, c, d), rng.randrange(2, 5))
            await counted(
                store, circle, game(number, 1 + number // 40, **{each: rng.randrange(9) for each in playing})
            )
        kept = await rows(log.db)
        for member in (a, b, c, d):
            await log.db.transaction(partial(counting.recount, circle, member))
        assert await rows(log.db) == kept
        await log.db.transaction(lambda: leaving.merge(circle, d, a))
        await log.db.transaction(lambda: counting.forget_table("table 3", None))
        after = await rows(log.db)
        for member in (a, b, c):
            await log.db.transaction(partial(counting.recount, circle, member))
        assert await rows(log.db) == after
        games = Counter(row[3] for row in after["games"])
        assert {each: score.games for each, score in (await store.scores(circle, 0, KNISTER)).items()} == games
        assert not any("table 3" in row for row in after["games"])


@BOTH
async def test_games_that_end_at_the_same_moment_are_all_counted(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle, store = await founded(circles, "a", "b", "c"), circles.store
        a, b, c = [await member_of(circles, circle, name) for name in "abc"]
        games = [game(number, **{a: 50, b: 40 + number, c: number}) for number in range(12)]
        await asyncio.gather(*(counted(store, circle, each) for each in games))
        scores = await store.scores(circle, 0, KNISTER)
        assert {each: (score.games, score.wins) for each, score in scores.items()} == {
            a: (12, 11),
            b: (12, 2),
            c: (12, 0),
        }
        assert await store.pairs(circle, a) == {b: PairTally(12, 10, 1), c: PairTally(12, 12, 0)}


@ONE
async def test_seasons_count_apart_and_all_time_has_all(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle, store = await founded(circles, "a", "b"), circles.store
        a, b = [await member_of(circles, circle, name) for name in "ab"]
        await counted(store, circle, game(1, 1, **{a: 50, b: 40}))
        await circles.new_season(circle, "a")
        await counted(store, circle, game(2, 2, **{a: 30, b: 60}))
        await counted(store, circle, game(3, 2, **{a: 60, b: 60}))
        assert await store.scores(circle, 1, KNISTER) == {
            a: CircleScore(1, 1, 50, 50, 1_001.0, 1, 1),
            b: CircleScore(1, 0, 40, 40, 1_001.0, 0, 0),
        }
        assert (await store.scores(circle, 2, KNISTER))[b] == CircleScore(2, 2, 120, 60, 1_002.0, 2, 2)
        assert (await store.scores(circle, 0, KNISTER))[a] == CircleScore(3, 2, 140, 60, 1_003.0, 1, 1)
        assert await store.pairs(circle, a) == {b: PairTally(3, 1, 1)}
        assert await store.pairs(circle, b, 2) == {a: PairTally(2, 1, 0)}


def test_whose_seat_it_was_is_known_by_the_device_and_by_names_where_several_share_one():
    def result(seat: int, device: str) -> Result:
        return replace(next(made_up(1)), seat=seat, device=device)

    devices, names = {"tablet": "eva", "phone": "tim"}, {"eva": "eva", "tim": "tim", "mia": "mia"}
    seats = {0: "Eva", 1: "Mia", 2: "Grandma", 3: "T.", 4: "Eva"}
    found = counting.who_played(
        devices,
        names,
        seats,
        [result(0, "tablet"), result(1, "tablet"), result(2, "tablet"), result(3, "phone"), result(4, "other")],
    )
    assert {member: each.seat for member, each in found.items()} == {"eva": 0, "mia": 1, "tim": 3}


def test_a_helped_game_is_no_record():
    score = CircleScore()
    for row, helped in zip(game(1, a=70) + game(2, a=90), (0, 1), strict=True):
        score = score.after(row._replace(is_helped=helped))
    assert (score.best, score.games, score.points, score.longest) == (70, 2, 160, 2)
