"""What circles keep of a person can be had, taken along, saved and deleted; then nothing of it stands anywhere."""

from __future__ import annotations

import json

import pytest

from features.circle.people import (
    KNISTER,
    circles_of,
    come_in,
    counted,
    founded,
    game,
    member_of,
    rows,
    traces,
    visitor,
)
from kasta.db import open_log
from kasta.db.personal import delete_all, delete_idle, move_all
from kasta.errors import Illegal
from kasta.features.circle.model import PairTally
from kasta.features.circle.personal import PERSONAL
from kasta.features.circle.service import Circles
from kasta.tables.log import Log
from support.sites import backup, forget, restore, served_site

BOTH = pytest.mark.parametrize("store_url", ["memory", "postgres"], indirect=True)
ONE = pytest.mark.parametrize("store_url", ["memory"], indirect=True)


async def played(circles: Circles, circle: str, *devices: str) -> list[str]:
    """Three games between members; their ids."""
    members = [await member_of(circles, circle, device) for device in devices]
    for number in range(3):
        totals = {member: 40 + (7 * number + 5 * place) % 11 for place, member in enumerate(members)}
        await counted(circles.store, circle, game(number, **totals))
    return members


@BOTH
@pytest.mark.parametrize("how", ["in the circle", "all data of the device", "expiry"])
async def test_whoever_is_forgotten_leaves_no_trace_and_the_games_of_others_stay(log: Log, how: str):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim", "mia")
        eva, tim, mia = await played(circles, circle, "eva", "tim", "mia")
        table = await circles.open(circle, visitor("eva"), "knister", None)
        await log.db.execute("UPDATE kasta_circle_devices SET seen = 5 WHERE device = 'eva'")
        assert set(await traces(log, eva)) >= {"members", "devices", "tables", "games", "scores", "pairs"}
        if how == "in the circle":
            await circles.forget_me(circle, "eva")
        elif how == "expiry":
            await delete_idle(log.db, [PERSONAL], 10)
        else:
            await delete_all(log.db, site.personal, "eva")
        assert await traces(log, eva, "Eva", "'eva'") == []
        assert set(await circles.store.scores(circle, 0, KNISTER)) == {tim, mia}
        assert await circles.store.pairs(circle, tim) == {mia: PairTally(3, 1, 2)}
        assert (await circles.of(circle, "tim")).me.is_host
        assert [each.table.id for each in await circles.tables(circle, "tim")] == [table.id]
        with pytest.raises(Illegal):
            await circles.of(circle, "eva")


@ONE
async def test_a_member_with_a_device_in_use_does_not_expire_and_is_forgotten_with_all_devices(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        link = await circles.device_link(circle, "eva")
        await circles.add_device(circle, link, "laptop")
        assert await member_of(circles, circle, "laptop") == await member_of(circles, circle, "eva")
        with pytest.raises(Illegal):
            await circles.add_device(circle, link, "another")
        await log.db.execute("UPDATE kasta_circle_devices SET seen = 5 WHERE device = 'eva'")
        await delete_idle(log.db, [PERSONAL], 10)
        assert len(await traces(log, "'eva'")) == 1
        await delete_all(log.db, [PERSONAL], "laptop")
        assert await traces(log, "Eva", "'eva'", "laptop") == []


@ONE
async def test_whoever_leaves_keeps_games_there_and_can_take_the_name_out_later_or_come_back(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, _ = await played(circles, circle, "eva", "tim")
        await circles.leave(circle, "eva")
        assert await circles.mine("eva") == []
        assert eva in await circles.store.scores(circle, 0, KNISTER)
        assert (await circles.of(circle, "tim")).me.is_host
        await come_in(circles, circle, "tim", "eva")
        assert await member_of(circles, circle, "eva") == eva
        assert not (await circles.of(circle, "eva")).me.is_host
        await circles.leave(circle, "eva")
        await circles.forget_me(circle, "eva")
        assert await traces(log, eva, "Eva", "'eva'") == []


@ONE
async def test_a_circle_is_deleted_with_its_last_member(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        await played(circles, circle, "eva", "tim")
        await circles.open(circle, visitor("eva"), "knister", None)
        await circles.leave(circle, "eva")
        await circles.leave(circle, "tim")
        assert not any((await rows(log.db)).values())


@BOTH
async def test_a_person_moves_to_another_device_and_two_devices_of_one_person_become_one_member(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "old", "tim", "new")
        old, tim, new = await played(circles, circle, "old", "tim", "new")
        await move_all(log.db, site.personal, "tim", "tims-laptop")
        assert await member_of(circles, circle, "tims-laptop") == tim
        await counted(circles.store, circle, game(9, **{old: 60, tim: 50}))
        await move_all(log.db, site.personal, "old", "new")
        assert await traces(log, old, "'old'") == []
        assert (await circles.of(circle, "new")).me.is_host
        scores = await circles.store.scores(circle, 0, KNISTER)
        assert (scores[new].games, scores[new].best) == (4, 60)
        assert (await circles.store.pairs(circle, tim)).keys() == {new}


@ONE
async def test_a_person_can_have_all_that_is_kept(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        await played(circles, circle, "eva", "tim")
        files = {name: text async for name, text in PERSONAL.files(log.db.fetch, "eva")}
        told = [json.loads(line) for line in files["circles.jsonl"].splitlines()]
        assert (told[0]["circle"], told[0]["name"], told[0]["left"]) == ("Our kitchen table", "Eva", None)
        assert [each["total"] for each in told[1:]] == [40, 47, 43]
        assert "Tim" not in files["circles.jsonl"]


@ONE
async def test_a_forgotten_table_takes_its_game_out_of_the_counts(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, tim = [await member_of(circles, circle, name) for name in ("eva", "tim")]
        table = await circles.open(circle, visitor("eva"), "knister", None)
        await circles.sit(circle, visitor("tim"), table.id)
        played = [row._replace(name=table.id) for row in game(1, **{eva: 90, tim: 50})]
        await counted(circles.store, circle, played)
        await forget(log, table.id, 1)
        assert set(await circles.store.scores(circle, 0, KNISTER)) == {eva}
        await forget(log, table.id)
        assert await traces(log, table.id) == []
        assert await circles.store.all_scores(circle) == {}


@BOTH
async def test_circles_are_in_a_backup_with_all_that_is_counted(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        await played(circles, circle, "eva", "tim")
        await circles.new_season(circle, "eva")
        await circles.open(circle, visitor("eva"), "knister", None)
        await circles.leave(circle, "tim")
        lines = [line.encode() async for line in backup(log, print)]
    async with await open_log("memory:") as other:
        await restore(other, lines)
        assert await rows(other.db) == await rows(log.db)
