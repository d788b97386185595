"""Challenges in every store: the same throws at all nodes, one try a device, and what is kept and forgotten."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from features.day.playing import HOUR, play
from features.day.test_results import settle
from kasta import dice
from kasta.core import Over, Throw
from kasta.db import open_log
from kasta.db.personal import delete_all, move_all
from kasta.db.sqlite.memory import MemoryLog
from kasta.errors import Illegal, KastaError
from kasta.feature import Site
from kasta.features.challenge.comparison import Comparisons
from kasta.features.challenge.service import MOST_RUNNING
from kasta.features.challenge.store import Challenge, Placed
from kasta.games import OURS
from kasta.i18n import words
from kasta.tables.commands import Close, Play, Roll, Sit
from kasta.tables.log import Log
from kasta.verify import check_dice
from support.sites import PERSONAL, backup, challenges_of, forget, restore, served_site
from support.stores.clock import Calendar

DAY = 24 * HOUR


async def made(site: Site, game: str = "knister", games: int = 1, days: int = 3) -> Challenge:
    return await challenges_of(site).make("anna", "Anna", game, None, games, days)


async def finish(site: Site, one: Challenge, *who: str, leg: int = 1) -> None:
    for each in who:
        await play(site.service, await challenges_of(site).play(one, leg, each, each.title()))
    await settle(site)


@asynccontextmanager
async def finished(log: Log) -> AsyncIterator[tuple[Site, Challenge]]:
    """Anna and Tim have played Anna's challenge."""
    async with served_site(log) as site:
        one = await made(site)
        await finish(site, one, "anna", "tim")
        yield site, one


async def results(site: Site, one: Challenge, device: str, leg: int = 1) -> Sequence[Placed]:
    """What a device may know of others."""
    open_legs = await Comparisons(challenges_of(site)).open_legs(one, device)
    found = await challenges_of(site).book.standings(one, open_legs, device, range(100))
    return found[leg].people if leg in found else ()


async def until_told(site: Site, calendar: Calendar, one: Challenge) -> Challenge:
    """Look at the clock every hour until the secret is told."""
    now = one
    for _ in range(100):
        await site.retention.sweep()
        if (now := await challenges_of(site).find(one.id)).told is not None:
            return now
        await calendar.go_on(HOUR)
    raise AssertionError(now)


@pytest.mark.parametrize("game", OURS)
async def test_everybody_throws_the_same_at_every_node(durable_url: str, game: str):
    async with (
        await open_log(durable_url) as one_log,
        await open_log(durable_url) as other_log,
        served_site(one_log) as here,
        served_site(other_log) as there,
    ):
        one = await made(here, game)
        twice = await asyncio.gather(*(challenges_of(site).play(one, 1, "anna", "Anna") for site in (here, there)))
        assert twice[0].id == twice[1].id, "one try a device"
        tim = await challenges_of(there).play(one, 1, "tim", "Tim")
        assert len((await here.service.table(tim.id)).places) == 1
        first = await here.service.do(twice[0].id, Roll("anna", 0))
        assert (await there.service.do(tim.id, Roll("tim", 0))).faces == first.faces
        salt = dice.salt(f"challenge/{one.id}/{game}", [])
        assert first.faces == dice.throw(one.secret, salt, 0, len(first.faces))


async def test_the_games_of_a_challenge_have_throws_of_their_own(log: Log):
    async with served_site(log) as site:
        one = await made(site, games=3)
        fell = []
        for leg in (1, 2, 3):
            table = await challenges_of(site).play(one, leg, "anna", "Anna")
            fell.append(tuple(await play(site.service, table, 10)))
        assert len(set(fell)) == 3
        with pytest.raises(KastaError, match="3 games"):
            await challenges_of(site).play(one, 4, "anna", "Anna")


async def test_results_are_known_to_whoever_has_finished_and_to_nobody_else(log: Log):
    async with finished(log) as (site, one):
        lena = await challenges_of(site).play(one, 1, "lena", "Lena")
        await play(site.service, lena, 24)
        assert not await results(site, one, "lena")
        assert not await results(site, one, "somebody")
        assert {each.name for each in await results(site, one, "tim")} == {"Anna", "Tim"}
        await play(site.service, await site.service.table(lena.id))
        await settle(site)
        assert {each.name for each in await results(site, one, "lena")} == {"Anna", "Tim", "Lena"}


async def test_of_several_games_only_those_are_known_that_one_has_finished(log: Log):
    async with served_site(log) as site:
        one = await made(site, games=3)
        for leg in one.legs:
            await finish(site, one, "anna", leg=leg)
        await finish(site, one, "tim", leg=2)
        assert [bool(await results(site, one, "tim", leg)) for leg in one.legs] == [False, True, False]
        found = await Comparisons(challenges_of(site)).of(one, "tim", words("en"))
        assert found is not None
        assert (found.leg, found.legs, found.together) == (2, (2,), ())
        for leg in (1, 3):
            await finish(site, one, "tim", leg=leg)
        found = await Comparisons(challenges_of(site)).of(one, "tim", words("en"), {"game": "1"})
        assert found is not None
        assert (found.leg, found.of) == (1, 2)
        assert {each.name for each in found.together} == {"Anna", "Tim"}
        assert sum(each.wins for each in found.together) >= 3


async def test_a_try_that_was_given_up_stays_the_only_one_and_tells_nothing(log: Log):
    async with finished(log) as (site, one):
        table = await challenges_of(site).play(one, 1, "lena", "Lena")
        await play(site.service, table, 3)
        closed = await site.service.do(table.id, Close("lena"))
        assert closed.secret == "", "others still play with these dice"
        again = await challenges_of(site).play(one, 1, "lena", "Lena")
        assert (again.counted, again.challenge) == (False, one.id)
        await play(site.service, again)
        await settle(site)
        assert not await results(site, one, "lena")
        assert len(await results(site, one, "anna")) == 2


async def test_nobody_sits_beside_and_no_bot_helps(log: Log):
    async with served_site(log) as site:
        table = await challenges_of(site).play(await made(site), 1, "anna", "Anna")
        for command in (Sit("tim", "Tim"), Sit("anna", "Bot", bot="greedy")):
            with pytest.raises(Illegal):
                await site.service.do(table.id, command)


async def test_a_secret_is_told_hours_after_the_end_and_then_all_is_open_and_proven(log: Log, calendar: Calendar):
    async with finished(log) as (site, one):
        late = await challenges_of(site).play(one, 1, "lena", "Lena")
        await play(site.service, late, 3)
        await site.retention.sweep()
        assert await challenges_of(site).book.untold(await log.now()) == [], "those that run are not looked at"
        while await challenges_of(site).is_open(one):
            await calendar.go_on(HOUR)
            await site.retention.sweep()
        assert (await challenges_of(site).find(one.id)).told is None, "one look"
        with pytest.raises(Illegal, match="This challenge is over"):
            await challenges_of(site).play(one, 1, "new", "New")
        told = await until_told(site, calendar, one)
        assert len(await results(site, told, "somebody")) == 2
        await calendar.go_on(1.0)
        await play(site.service, await site.service.table(late.id))
        await settle(site)
        assert len(await results(site, told, "lena")) == 2, "who finishes after the secret is told plays for fun"
        mine = (await challenges_of(site).tables(told, "anna"))[1]
        assert mine is not None
        assert check_dice(io.BytesIO((await site.service.record(mine.id)).text)).dice == "proven"


async def test_a_clock_that_jumps_ahead_tells_nothing(log: Log, calendar: Calendar):
    async with finished(log) as (site, one):
        await site.retention.sweep()
        await calendar.go_on(HOUR)
        await calendar.set(4 * DAY)
        for _ in range(3):
            await site.retention.sweep()
            await calendar.go_on(HOUR)
        assert (await challenges_of(site).find(one.id)).told is None


async def test_a_challenge_is_forgotten_with_its_tries_as_long_after_its_end_as_tables_are(
    log: Log, calendar: Calendar
):
    async with finished(log) as (site, one):
        at = (await until_told(site, calendar, one)).told
        assert at is not None
        await challenges_of(site).look(at + 89 * DAY, is_sure=True)
        assert await challenges_of(site).find(one.id)
        await challenges_of(site).look(at + 91 * DAY, is_sure=False)
        assert await challenges_of(site).find(one.id)
        await challenges_of(site).look(at + 91 * DAY, is_sure=True)
        with pytest.raises(Illegal, match="no such challenge"):
            await challenges_of(site).find(one.id)
        assert await log.db.fetch("SELECT 1 FROM kasta_tries WHERE day LIKE 'challenge/%'") == []


async def test_a_backup_holds_challenges_results_and_whose_try_counts(log: Log):
    async with finished(log) as (site, one):
        begun = await challenges_of(site).play(one, 1, "lena", "Lena")
        lines = [line.encode() async for line in backup(log, _complain)]
        async with MemoryLog() as other, served_site(other) as copy:
            await restore(other, lines)
            assert await challenges_of(copy).find(one.id) == one
            assert (await challenges_of(copy).play(one, 1, "lena", "Lena")).id == begun.id
            assert await results(copy, one, "anna") == await results(site, one, "anna")


async def test_what_a_person_has_is_exported_moved_and_deleted(log: Log):
    async with finished(log) as (site, one):
        assert await _kept(log, "anna") == {"challenges.jsonl"}
        await move_all(log.db, PERSONAL, "anna", "tablet")
        assert await _kept(log, "anna") == set()
        assert (await challenges_of(site).find(one.id)).host == "tablet"
        assert [each.id for each in await challenges_of(site).book.of_device("tablet", 9)] == [one.id]
        assert len(await results(site, one, "tablet")) == 2
        await move_all(log.db, PERSONAL, "tablet", "tim")
        await delete_all(log.db, PERSONAL, "tim")
        left = await challenges_of(site).find(one.id)
        assert (left.host, left.name) == ("", "")
        assert await _kept(log, "tim") == set()
        assert not await results(site, one, "tim")


async def _kept(log: Log, device: str) -> set[str]:
    """The files that a device may have, without its games."""
    exists = [kind for kind in PERSONAL if await log.db.fetch(kind.exists, device)]
    return {name for kind in exists for name, text in [each async for each in kind.files(log.db.fetch, device)]}


async def test_a_name_can_be_taken_out_of_everything(log: Log):
    async with finished(log) as (site, one):
        mine = (await challenges_of(site).tables(one, "anna"))[1]
        assert mine is not None
        await forget(log, mine.id)
        assert (await challenges_of(site).find(one.id)).name == ""
        assert sorted(each.name or "" for each in await results(site, one, "tim")) == ["", "Tim"]


async def test_a_challenge_has_room_for_so_many_and_a_device_makes_so_many(
    log: Log, monkeypatch: pytest.MonkeyPatch
):
    async with served_site(log) as site:
        monkeypatch.setattr(challenges_of(site)._play, "_most", 2)  # noqa: SLF001
        one = await made(site)
        for who in ("anna", "tim", "anna"):
            await challenges_of(site).play(one, 1, who, who)
        with pytest.raises(Illegal, match="2 people"):
            await challenges_of(site).play(one, 1, "lena", "Lena")
        for _ in range(MOST_RUNNING - 1):
            await made(site)
        with pytest.raises(Illegal, match=f"{MOST_RUNNING} challenges"):
            await made(site)


@pytest.mark.parametrize("wrong", [{"games": 2}, {"games": 7}, {"games": -1}, {"days": 0}, {"days": 15}])
async def test_what_cannot_be_agreed_is_refused(wrong: dict[str, Any]):
    async with MemoryLog() as log, served_site(log) as site:
        with pytest.raises(KastaError, match="odd number"):
            await made(site, **wrong)


def _complain(error: KastaError) -> None:
    raise error


async def known(site: Site, game: str, *who: str) -> tuple[Challenge, list[tuple[int, ...]]]:
    """A challenge with the throws of a game that these have played, and what fell for the first of them."""
    table = await site.service.open(who[0], game)
    for each in who:
        table = await site.service.do(table.id, Sit(each, each.title(), entropy=each))
    fell, rng = list[tuple[int, ...]](), random.Random(3)
    while not isinstance(expected := table.next(), Over):
        if isinstance(expected, Throw):
            roller, is_mine = expected.roller, table.game.hides_picks or expected.roller == 0
            table = await site.service.do(table.id, Roll(who[roller], table.turn))
            fell += [table.faces] * is_mine
            continue
        seat = next(seat for seat in range(len(who)) if expected.is_due(seat))
        do = str(rng.choice(table.game.legal(table.play, seat)))
        turn = table.turn
        table = await site.service.do(table.id, Play(who[seat], turn, seat, table.step(seat), do))
        fell += [table.faces] * (table.turn > turn and seat == 0)
    await settle(site)
    return await challenges_of(site).make_known(who[0], table.id, 3), fell


@pytest.mark.parametrize("game", OURS)
async def test_the_throws_of_a_finished_game_are_played_again(durable_url: str, game: str):
    """What somebody made of them is told; who was there does not play again, and others throw the same."""
    async with await open_log(durable_url) as log, served_site(log) as site:
        one, fell = await known(site, game, "anna", "tim")
        book = challenges_of(site).book
        assert one.known is not None
        assert [await book.knows(one, who) for who in ("anna", "tim", "lena")] == [True, True, False]
        assert [each.total for each in await results(site, one, "tim")] == [one.known.total]
        assert not await results(site, one, "lena")
        assert not (await challenges_of(site).play(one, 1, "tim", "Tim")).counted
        table = await challenges_of(site).play(one, 1, "lena", "Lena")
        assert table.counted
        assert (await site.service.do(table.id, Roll("lena", 0))).faces == fell[0]
        found = await Comparisons(challenges_of(site)).of(one, "anna", words("en"))
        assert found is not None
        assert (found.names, found.totals) == (("Anna",), (one.known.total,))
        lines = [line.encode() async for line in backup(log, _complain)]
        async with MemoryLog() as other, served_site(other) as copy:
            await restore(other, lines)
            assert await challenges_of(copy).find(one.id) == one
            assert await challenges_of(copy).book.knows(one, "tim")


async def test_known_throws_are_proven_and_their_table_is_named_only_then(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        one, fell = await known(site, "knister", "anna", "tim")
        assert one.known is not None
        table = await challenges_of(site).play(one, 1, "lena", "Lena")
        assert await play(site.service, table) == fell
        await settle(site)
        before = (await site.service.record(table.id)).text
        assert one.known.table.encode() not in before
        assert b"secret" not in before
        assert check_dice(io.BytesIO(before)).dice == "unproven"
        found = [event async for _, event in _events(log, table.id)]
        assert not [event for event in found if one.known.table in repr(event)]
        await until_told(site, calendar, one)
        record = (await site.service.record(table.id)).text
        assert check_dice(io.BytesIO(record)).dice == "proven"
        wrong = record.replace(one.known.table.encode(), b"another-table")
        assert check_dice(io.BytesIO(wrong)).dice == "wrong"


async def _events(log: Log, table: str) -> AsyncIterator[tuple[int, object]]:
    async for stored in log.events(table):
        yield stored.seq, stored.event


async def test_where_fewer_dice_or_throws_were_needed_others_get_more_of_the_same(log: Log):
    """Anna threw once in her first turn: whoever throws three times gets throws that nobody has seen."""
    async with served_site(log) as site:
        table = await site.service.open("anna", "yatzy15")
        table = await site.service.do(table.id, Sit("anna", "Anna"))
        while not isinstance(table.next(), Over):
            table = await site.service.do(table.id, Roll("anna", table.turn))
            do = next(str(do) for do in table.game.legal(table.play, 0) if str(do).startswith("fill"))
            table = await site.service.do(table.id, Play("anna", table.turn, 0, 0, do))
        await settle(site)
        one = await challenges_of(site).make_known("anna", table.id, 3)
        assert one.known is not None
        assert one.known.numbers == tuple((number,) for number in range(15))
        lena = await challenges_of(site).play(one, 1, "lena", "Lena")
        lena = await site.service.do(lena.id, Roll("lena", 0))
        lena = await site.service.do(lena.id, Play("lena", 1, 0, 0, f"keep {lena.tray[0]}"))
        salt = dice.salt(table.id, [""])
        assert lena.faces == dice.throw(one.secret, salt, 2**32 + 1, 4)
        lena = await site.service.do(lena.id, Play("lena", 2, 0, 0, "fill chance"))
        lena = await site.service.do(lena.id, Roll("lena", lena.turn))
        assert lena.faces == dice.throw(one.secret, salt, 1, 5), "the second round begins with Anna's second throw"


async def test_only_a_game_of_ones_own_that_is_over_can_be_a_challenge(log: Log, monkeypatch: pytest.MonkeyPatch):
    async with served_site(log) as site:
        table = await site.service.open("anna", "knister")
        table = await site.service.do(table.id, Sit("anna", "Anna"))
        await play(site.service, table, 3)
        for who in ("anna", "tim"):
            with pytest.raises(Illegal, match="Only a game that you have played to its end"):
                await challenges_of(site).make_known(who, table.id, 3)
        await play(site.service, await site.service.table(table.id))
        await settle(site)
        with pytest.raises(Illegal, match="Only a game that you have played to its end"):
            await challenges_of(site).make_known("tim", table.id, 3)
        with monkeypatch.context() as reading:
            reading.setattr(site.service, "record", None)  # a long one is not played again for a page
            _, total, name = await challenges_of(site).player(table.id, "anna")
        one = await challenges_of(site).make_known("anna", table.id, 3)
        assert one.known is not None
        assert (one.known.total, one.name) == (total, name)
        mine = await challenges_of(site).play(one, 1, "lena", "Lena")
        await play(site.service, mine)
        await settle(site)
        with pytest.raises(Illegal, match="Only a game that you have played to its end"):
            await challenges_of(site).make_known("lena", mine.id, 3)


async def test_others_see_the_strength_of_whoever_wishes_it(log: Log):
    async with finished(log) as (site, one):
        for number in range(5):
            await log.db.execute(
                """INSERT INTO kasta_results (name, seat, device, kind, game, rules, ended, total, place, seats,
                    bots, is_helped, hands, record, luck)
                    SELECT $1, seat, device, $2, game, rules, ended, 52, 1, 1, 0, is_helped, hands, record, 0
                    FROM kasta_results WHERE kind = $3 AND device = 'anna'""",
                f"table {number}",
                f"day/2026-11-1{number}",
                one.series(1),
            )
        comparisons = Comparisons(challenges_of(site))
        for wish, told in ((False, ""), (True, "20 ± 1 points behind the strongest bot"), (False, "")):
            await challenges_of(site).strengths.show("anna", wish=wish)
            found = await comparisons.of(one, "tim", words("en"))
            assert found is not None
            assert {each.name: each.strength for each in found.ranked} == {"Anna": told, "Tim": ""}
