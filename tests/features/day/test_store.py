"""The throws of the day in every store: one secret for all nodes, told when the day is surely over."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys

import pytest

from features.day.playing import HOUR, begin, play, until_over
from kasta import dice
from kasta.db import open_log
from kasta.errors import Illegal, KastaError
from kasta.features.day.service import day_after, end_of
from kasta.features.day.store import DayStore
from kasta.games import GAMES
from kasta.tables.commands import Close, Play, Roll
from kasta.tables.log import Log
from kasta.verify import check_dice
from support.sites import days_of, served_site
from support.stores.clock import Calendar


async def told(log: Log, day: str) -> list[bool]:
    return [each.told is not None for each in await DayStore(log.db).since(day) if each.day == day]


async def test_the_commitments_of_tomorrow_are_there_today(log: Log):
    async with served_site(log) as site:
        today = await days_of(site).prepare()
        tomorrow = day_after(today)
        found = await DayStore(log.db).since(today)
        assert [(each.day, each.game) for each in found] == [
            (day, game) for day in (tomorrow, today) for game in sorted(GAMES)
        ]
        assert len({each.secret for each in found}) == len(found)
        assert all(each.made < end_of(today) for each in found)


async def test_a_secret_is_told_by_the_second_look_that_finds_the_day_over_hours_after_the_first(
    log: Log, calendar: Calendar
):
    async with served_site(log) as site:
        today = await until_over(site, calendar)
        assert not any(await told(log, today)), "one look"
        await calendar.go_on(HOUR)
        await site.retention.sweep()
        assert not any(await told(log, today)), "not hours apart"
        await calendar.go_on(HOUR)
        await site.retention.sweep()
        assert all(await told(log, today))
        assert not any(await told(log, day_after(today)))


async def test_a_restart_at_midnight_loses_neither_the_dice_nor_the_first_look(
    durable_url: str, monkeypatch: pytest.MonkeyPatch
):
    calendar = Calendar(durable_url, monkeypatch)
    async with await open_log(durable_url) as log, served_site(log) as site:
        table = await begin(site, "anna", "knister", await days_of(site).today(), "Anna")
        fell = await play(site.service, table, 3)
        before = await DayStore(log.db).since(await days_of(site).today())
        today = await until_over(site, calendar)
    async with await open_log(durable_url) as log, served_site(log) as site:
        after = [
            each._replace(ended=None) for each in await DayStore(log.db).since(today) if each.day <= before[0].day
        ]
        assert after == before
        await calendar.go_on(2 * HOUR)
        again = await begin(site, "anna", "knister", today, "Anna")
        assert (again.id, again.turn, again.counted) == (table.id, 3, True)
        fell += await play(site.service, again)
        assert len(fell) == 25
        await site.retention.sweep()
        assert all(await told(log, today))
        record = (await site.service.record(table.id)).text
        assert check_dice(io.BytesIO(record)).dice == "proven"


@pytest.mark.parametrize("ahead", [26 * HOUR, 40 * 24 * HOUR], ids=["a day", "forty days"])
async def test_a_clock_that_jumps_ahead_tells_nothing(log: Log, calendar: Calendar, ahead: float):
    async with served_site(log) as site:
        today = await days_of(site).prepare()
        table = await begin(site, "anna", "knister", today, "Anna")
        await play(site.service, table, 2)
        await site.retention.sweep()
        await calendar.go_on(HOUR)
        await calendar.set(ahead)
        await site.retention.sweep()
        assert not any(await told(log, today)), "the clock has jumped"
        await calendar.go_on(HOUR)
        await calendar.set(2 * HOUR)
        await site.retention.sweep()
        assert not any(await told(log, today))
        assert [each.ended for each in await DayStore(log.db).since(today) if each.day == today] == [None] * len(
            GAMES
        )


async def test_a_server_that_begins_with_a_clock_a_day_ahead_tells_nothing_for_hours(log: Log, calendar: Calendar):
    """It knows of no jump. If nobody sets the clock right for a day, it is believed."""
    async with served_site(log) as site:
        today = await days_of(site).prepare()
        await begin(site, "anna", "knister", today, "Anna")
    await calendar.set(24 * HOUR)
    async with served_site(log) as site:
        for _ in range(20):
            await calendar.go_on(HOUR)
            await site.retention.sweep()
        assert not any(await told(log, today))
        for _ in range(5):
            await calendar.go_on(HOUR)
            await site.retention.sweep()
        assert all(await told(log, today))


async def test_a_clock_that_is_behind_what_was_played_tells_nothing(log: Log, calendar: Calendar):
    """The looks agree that the day is over, but the last move is still to come."""
    async with served_site(log) as site:
        today = await days_of(site).prepare()
        await calendar.go_on(6 * 24 * HOUR)
        await begin(site, "anna", "knister", await days_of(site).today(), "Anna")
        await calendar.set(3 * 24 * HOUR)
    async with served_site(log) as site:  # it knows of no jump
        for _ in range(5):
            await site.retention.sweep()
            await calendar.go_on(HOUR)
        assert not any(await told(log, today))


async def test_two_processes_on_one_file_and_two_nodes_on_one_server_agree_on_a_day(durable_url: str):
    program = (
        "import asyncio, sys\n"
        "from kasta.db import open_log\n"
        "from kasta.features.day.store import DayStore\n"
        "from kasta.features.day.service import Days\n"
        "async def main():\n"
        "    async with await open_log(sys.argv[1]) as log:\n"
        "        day = await Days(log).prepare()\n"
        "        print([each.secret.hex() for each in await DayStore(log.db).since(day)])\n"
        "asyncio.run(main())\n"
    )
    async with await open_log(durable_url):  # it is there before they are
        commands = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", program, durable_url, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            for _ in range(2)
        ]
        answers = [await each.communicate() for each in commands]
    assert answers[0][0] == answers[1][0] != b"", answers


async def test_two_nodes_give_everybody_the_same_throws_and_each_device_one_try(durable_url: str):
    async with (
        await open_log(durable_url) as one_log,
        await open_log(durable_url) as other_log,
        served_site(one_log) as one,
        served_site(other_log) as other,
    ):
        today = await days_of(one).today()
        anna = await asyncio.gather(*(begin(node, "anna", "yatzy", today, "Anna") for node in (one, other)))
        tim = await begin(other, "tim", "yatzy", today, "Tim")
        assert anna[0].id == anna[1].id != tim.id
        assert len((await other.service.table(anna[0].id)).places) == 1
        first = await one.service.do(anna[0].id, Roll("anna", 0))
        assert (await other.service.do(tim.id, Roll("tim", 0))).faces == first.faces


async def test_the_throws_of_a_round_do_not_depend_on_the_rounds_before(log: Log):
    """Anna fills after the first throw, Tim throws as often as he may: the second round is the same for both."""
    async with served_site(log) as site:
        today = await days_of(site).today()
        anna, tim = [await begin(site, who, "yatzy", today, who) for who in ("anna", "tim")]
        anna = await site.service.do(anna.id, Roll("anna", 0))
        anna = await site.service.do(anna.id, Play("anna", 1, 0, 0, "fill chance"))
        anna = await site.service.do(anna.id, Roll("anna", 1))
        tim = await site.service.do(tim.id, Roll("tim", 0))
        for _ in range(2):
            tim = await site.service.do(tim.id, Play("tim", tim.turn, 0, 0, f"keep {tim.tray[0]}"))
        assert tim.turn == 3
        tim = await site.service.do(tim.id, Play("tim", 3, 0, 0, "fill chance"))
        tim = await site.service.do(tim.id, Roll("tim", 3))
        assert tim.faces == anna.faces


async def test_what_was_picked_cannot_be_taken_back_once_the_next_throw_is_told(log: Log):
    async with served_site(log) as site:
        today = await days_of(site).today()
        table = await begin(site, "anna", "knister", today, "Anna")
        table = await site.service.do(table.id, Roll("anna", 0))
        table = await site.service.do(table.id, Play("anna", 1, 0, 0, "c3"))
        table = await site.service.do(table.id, Play("anna", 1, 0, 1, "a1"))  # moved, before the throw
        seen = (await site.service.do(table.id, Roll("anna", 1))).faces
        with pytest.raises(KastaError):
            await site.service.do(table.id, Play("anna", 1, 0, 3, "b2"))
        secret = (await days_of(site).dice(today, "knister")).secret
        assert seen == dice.throw(secret, dice.salt(f"day/{today}/knister", []), 256, 2)


async def test_one_try_counts_and_others_for_fun_only_when_it_is_over(log: Log):
    async with served_site(log) as site:
        today = await days_of(site).today()
        first = await begin(site, "anna", "knister", today, "Anna")
        assert first.counted
        assert (await begin(site, "anna", "knister", today, "Anna")).id == first.id
        closed = await site.service.do(first.id, Close("anna"))
        assert closed.secret == "", "others still play with these dice"
        again = await begin(site, "anna", "knister", today, "Anna")
        assert (again.id != first.id, again.counted, again.day) == (True, False, today)
        yesterday = day_after(today, -1)
        await DayStore(log.db).keep((await days_of(site).dice(today, "knister"))._replace(day=yesterday))
        with pytest.raises(Illegal, match="That day is over"):
            await begin(site, "anna", "knister", yesterday, "Anna")
