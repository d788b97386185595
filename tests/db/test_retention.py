"""Nothing is forgotten because of one look at a clock, however wrong, and what is hidden can be brought back."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kasta.db.retention import DAY
from kasta.db.trash import Trash
from kasta.errors import KastaError
from kasta.feature import Site
from kasta.features.puzzles.store import Answer, PuzzleAnswers
from kasta.results.store import Results
from kasta.tables import events as e
from kasta.tables.commands import Play, Rename, Roll, Sit
from kasta.tables.log import PIECE, Log, Seq, Stored, change
from kasta.tables.service import Service
from support.room import HOST
from support.sites import served_site
from support.stores.clock import Calendar
from support.stores.finishing import made_up

HOUR = DAY / 24


async def new_game(service: Service, *, throw: bool = True) -> str:
    table = await service.open(HOST, "knister")
    await service.do(table.id, Sit("anna", "Anna"))
    if throw:
        await service.do(table.id, Roll(HOST, 0))
    return table.id


async def play_on(service: Service, name: str) -> None:
    table = await service.table(name)
    await service.do(name, Play("anna", table.turn, 0, 0, str(table.game.legal(table.play, 0)[0])))
    await service.do(name, Roll("anna", table.turn))


async def look_on(site: Site, calendar: Calendar, days: float, step: float = 7 * DAY) -> None:
    """Time passes, the clock is looked at now and then, and somebody is always playing somewhere."""
    busy = await new_game(site.service)
    await site.retention.sweep()
    for _ in range(round(days * DAY / step)):
        await calendar.go_on(step)
        await site.service._log.append(change(await site.service.table(busy), e.Hosted(HOST)))  # noqa: SLF001
        await site.retention.sweep()


async def hidden(log: Log) -> set[str]:
    return set(await Trash(log.db).hidden())


async def test_what_nobody_touches_is_hidden_after_90_days_and_deleted_a_week_later(
    log: Log, calendar: Calendar, caplog: pytest.LogCaptureFixture
):
    async with served_site(log) as site:
        game = await new_game(site.service)
        await look_on(site, calendar, 28)
        assert not (await site.service.table(game)).is_closed
        await look_on(site, calendar, 7)
        assert (await site.service.table(game)).is_closed, "abandoned"
        await look_on(site, calendar, 84)
        assert await hidden(log) == set()
        await look_on(site, calendar, 7)
        assert await hidden(log) == {game}
        assert "1 tables that nobody has touched for 90 days are hidden, and deleted after 20" in caplog.text
        await look_on(site, calendar, 6, DAY)
        assert await hidden(log) == {game}
        assert "deleted\n" not in caplog.text
        await look_on(site, calendar, 2, DAY)
        assert await hidden(log) == set()
        assert "1 hidden tables are deleted" in caplog.text
        assert not await Trash(log.db).bring_back(game, await log.now())


async def test_what_was_never_played_is_hidden_after_a_day(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        unplayed = await new_game(site.service, throw=False)
        await look_on(site, calendar, 0.9, DAY * 0.3)
        assert await hidden(log) == set()
        await look_on(site, calendar, 0.2, DAY * 0.2)
        assert await hidden(log) == {unplayed}


async def test_a_hidden_table_is_there_for_nobody_until_it_is_brought_back_and_then_stays(
    log: Log, calendar: Calendar
):
    async with served_site(log) as site:
        game = await new_game(site.service, throw=False)
        await log.claim_code(game, "BCDFGH")
        before, table = await log.read(game), await site.service.table(game)
        await look_on(site, calendar, 2, DAY / 4)
        assert game in await hidden(log)
        for asked in (log.read(game), log.secret(game), log.counters(game), site.service.table(game)):
            with pytest.raises(KastaError, match="no such table"):
                await asked
        with pytest.raises(KastaError):
            await log.append(change(table, e.Renamed(0, "Eve")))
        assert game not in await log.tables()
        assert await log.by_code("BCDFGH") is None
        assert game not in await log.tables_of("anna", 100)

        assert await Trash(log.db).bring_back(game, await log.now())
        await site.retention.sweep()
        assert await log.read(game) == before
        assert await log.by_code("BCDFGH") == game
        await site.service.do(game, Roll(HOST, 0))


async def test_a_long_game_is_read_in_pieces_to_see_whether_it_was_abandoned(
    log: Log, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
):
    async with served_site(log) as site:
        game, pieces, read = await new_game(site.service), list[int](), log.read
        for number in range(2 * PIECE):
            await site.service.do(game, Rename("anna", 0, f"Anna {number}"))

        async def count(table: str, *where: Any) -> list[Stored]:  # noqa: ANN401 - as of `read`
            found = await read(table, *where)
            pieces.extend([len(found)] * (table == game))
            return found

        await look_on(site, calendar, 28)
        site.service._tables.drop(game)  # noqa: SLF001 - nobody has looked at it since
        monkeypatch.setattr(log, "read", count)
        await look_on(site, calendar, 7)
        assert max(pieces) == PIECE
        assert (await site.service.table(game)).is_closed


async def test_games_in_play_survive_a_restart_with_the_clock_91_days_ahead(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        games = [await new_game(site.service) for _ in range(5)]
        await look_on(site, calendar, 1, DAY / 4)
    await calendar.set(92 * DAY)
    async with served_site(log) as site:
        for _ in range(3):
            await site.retention.sweep()
        await look_on(site, calendar, 20, 2 * DAY)  # somebody begins to play by the wrong clock
        assert await hidden(log) == set()
    await calendar.set(21 * DAY)
    async with served_site(log) as site:
        await look_on(site, calendar, 2, DAY / 4)
        assert set(games) <= set(await log.tables())
        for game in games:
            await play_on(site.service, game)


async def test_a_game_played_while_the_clock_was_400_days_back_is_there_when_it_is_right_again(
    log: Log, calendar: Calendar
):
    async with served_site(log) as site:
        old = await new_game(site.service)
        await look_on(site, calendar, 1, DAY / 4)
    await calendar.set(-400 * DAY)
    async with served_site(log) as site:
        games = [old, await new_game(site.service), await new_game(site.service, throw=False)]
        await play_on(site.service, games[1])
        await play_on(site.service, old)
        await site.retention.sweep()
    await calendar.set(DAY + HOUR)
    async with served_site(log) as site:
        await look_on(site, calendar, 0.5, DAY / 4)
        assert set(games) <= set(await log.tables())
        await look_on(site, calendar, 28)
        assert set(games[:2]) <= set(await log.tables())
        assert not (await site.service.table(old)).is_closed


@pytest.mark.parametrize("days", [91, -91, 5, -5, 0.1, -0.1])
async def test_a_clock_that_jumps_begins_the_count_anew(
    log: Log, calendar: Calendar, caplog: pytest.LogCaptureFixture, days: float
):
    async with served_site(log) as site:
        await look_on(site, calendar, 1, DAY / 4)
        since = await Trash(log.db).last_reading()
        await calendar.set(DAY + days * DAY)
        await site.retention.sweep()
        now, after = await log.now(), await Trash(log.db).last_reading()
        assert since is not None
        assert after is not None
        assert since.since < now - HOUR or days < 0
        assert after.since == after.last == pytest.approx(now, abs=60)
        assert "nothing is forgotten, the days are counted anew: the clock has jumped" in caplog.text


@pytest.mark.parametrize(
    ("days", "reason"),
    [(9, "the last look was 8 days ago"), (-3, "the newest event is 4 days after the clock")],
)
async def test_a_restart_after_long_or_with_the_clock_back_begins_the_count_anew(
    log: Log, calendar: Calendar, caplog: pytest.LogCaptureFixture, days: float, reason: str
):
    async with served_site(log) as site:
        await look_on(site, calendar, 1, DAY / 4)
    await calendar.set(days * DAY + HOUR)
    async with served_site(log) as site:
        await site.retention.sweep()
        assert reason in caplog.text
    after = await Trash(log.db).last_reading()
    assert after is not None
    assert after.since == after.last


async def test_restarts_do_not_make_two_looks_of_one_and_a_short_pause_counts(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        unplayed = await new_game(site.service, throw=False)
        await look_on(site, calendar, 0.1, HOUR)
    for _ in range(20):
        async with served_site(log) as site:
            await site.retention.sweep()
    assert await hidden(log) == set()
    await calendar.set(2 * DAY)
    async with served_site(log) as site:
        await site.retention.sweep()
        assert await hidden(log) == {unplayed}


async def test_where_nobody_plays_nothing_is_forgotten_until_somebody_does(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        game = await new_game(site.service)
        for _ in range(30):
            await calendar.go_on(7 * DAY)
            await site.retention.sweep()
        assert await log.tables() == [game]
        await new_game(site.service)
        await site.retention.sweep()
        assert await hidden(log) == {game}


async def test_a_damaged_table_keeps_no_other_from_being_closed(log: Log, calendar: Calendar):
    async with served_site(log) as site:
        damaged, game = await new_game(site.service), await new_game(site.service)
        await log.rewrite(damaged, [(Seq(2), e.Rolled(9, (7, 7)))])  # what no command does
    async with served_site(log) as site:
        await look_on(site, calendar, 35)
        assert (await site.service.table(game)).is_closed


async def test_results_outlive_tables_and_go_two_years_after_a_device_s_last_game(log: Log, calendar: Calendar):
    now = await log.now()
    (old, young) = (each for each in made_up(2))
    for result, device, days in ((old, "gone", 700), (young, "here", 500)):
        await Results(log.db).add(device, [replace(result, table=device, device=device, ended=now - days * DAY)])
        await PuzzleAnswers(log.db).add(device, Answer("knister", 1, "c3", 1200.0, now - days * DAY))
    async with served_site(log) as site:
        await look_on(site, calendar, 28)
        assert await Results(log.db).played("gone"), "the clock has not been watched for long"
        await look_on(site, calendar, 70)
    assert await Results(log.db).played("gone") == {}
    assert await Results(log.db).played("here")
    assert [len(await PuzzleAnswers(log.db).of_device(device)) for device in ("gone", "here")] == [0, 1]
