"""The service: bots, dice, absence, rematches, and tables that come and go from memory."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from kasta import dice
from kasta.core import Over, Pick, Throw
from kasta.db import open_log
from kasta.db.sqlite.writer import WriterThread
from kasta.errors import Conflict, Illegal, Unreadable
from kasta.record import replay
from kasta.tables import events as e
from kasta.tables.commands import (
    Close,
    Extend,
    Host,
    Leave,
    MoveSeat,
    Play,
    Replace,
    Roll,
    Sit,
    TakeBack,
    Wait,
)
from kasta.tables.log import Seq
from kasta.tables.rights import AWAY_SECONDS, HOST_AWAY_SECONDS
from kasta.tables.service import RECENT_SECONDS, Service
from kasta.tables.state import Table
from kasta.verify import check_dice
from support.ahead import let_pass

HOST = "host"


@pytest.fixture(params=["memory:", "sqlite:///{}/kasta.sqlite"], ids=["memory", "sqlite"])
async def service(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Service]:
    async with await open_log(request.param.format(tmp_path)) as log:
        served = Service(log, auto_seconds=0)
        yield served
        await served.close()


async def seated(service: Service, *people: str, game: str = "knister", **settings: Any) -> Table:  # noqa: ANN401
    table = await service.open(HOST, game, settings=e.Settings(**settings))
    for name in people:
        table = await service.do(table.id, Sit(name.lower(), name))
    return table


async def play_out(service: Service, table: Table, rng: random.Random) -> Table:
    """Everybody plays at random until it is over; bots and the table's own throws are waited for."""
    while not isinstance(expected := table.next(), Over):
        seq = table
        match expected:
            case Throw(_, roller) if table.turn == 0 or roller not in table.bots:
                if table.settings.thrower == "turn" or table.turn == 0:
                    by = table.places[roller].device if table.turn else HOST
                    table = await service.do(table.id, Roll(by, table.turn))
            case Pick(_, is_due):
                due = [seat for seat in table.places if is_due(seat) and seat not in table.bots]
                if due:
                    seat = rng.choice(due)
                    do = str(rng.choice(table.game.legal(table.play, seat)))
                    by = table.places[seat].device
                    table = await service.do(table.id, Play(by, table.turn, seat, table.step(seat), do))
        if table is seq:
            await asyncio.sleep(0.001)
            table = await service.table(table.id)
    while not table.is_closed:
        await asyncio.sleep(0.001)
        table = await service.table(table.id)
    return table


@pytest.mark.parametrize("thrower", ["turn", "auto"])
@pytest.mark.parametrize("game", ["knister", "knaster", "yatzy"])
async def test_people_and_bots_play_a_whole_game_whose_dice_are_proven(service: Service, game: str, thrower: str):
    table = await seated(service, "Anna", "Tim", game=game, thrower=thrower)
    await service.do(table.id, Sit(HOST, "Robot", bot="greedy"))
    table = await play_out(service, await service.table(table.id), random.Random(1))
    record = (await service.record(table.id)).text
    end = replay(io.BytesIO(record))
    assert [end.game.total(end.table, seat) for seat in range(3)] == [
        table.game.total(table.play, seat) for seat in range(3)
    ]
    assert check_dice(io.BytesIO(record)).dice == "proven"
    assert b'"by": "bot"' in record


async def test_what_a_device_says_of_the_dice_is_nothing_unless_they_are_its_own(service: Service):
    app, own = await seated(service, "Anna"), await seated(service, "Anna", dice="own")
    fixed = (await service.do(app.id, Roll(HOST, 0, (6, 6)))).faces
    assert (await service.do(own.id, Roll(HOST, 0, (6, 6)))).faces == (6, 6)
    secret = await service._log.secret(app.id)  # noqa: SLF001 - what no device can see
    assert fixed == dice.throw(secret, dice.salt(app.id, [""]), 0, 2)


async def test_nobody_speaks_for_the_service(service: Service):
    table = await seated(service, "Anna")
    with pytest.raises(Illegal):
        await service.do(table.id, Close(""))


async def test_a_bot_that_does_not_exist_cannot_sit_down(service: Service):
    table = await seated(service, "Anna")
    for command in (Sit(HOST, "Robot", bot="deep"), Replace(HOST, 0, "deep")):
        with pytest.raises(Unreadable, match="greedy"):
            await service.do(table.id, command)


async def test_three_hundred_join_at_once(service: Service):
    table = await seated(service)
    await asyncio.gather(*(service.do(table.id, Sit(f"d{number}", f"Pupil {number}")) for number in range(300)))
    assert len((await service.table(table.id)).places) == 300


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much each commit holds."""
    found, commit = list[int](), WriterThread._commit  # noqa: SLF001

    def counted(self: WriterThread, jobs: Sequence[Any]) -> list[Any]:
        found.append(len(jobs))
        return commit(self, jobs)

    monkeypatch.setattr(WriterThread, "_commit", counted)
    return found


async def test_dice_that_are_kept_and_the_throw_of_the_others_are_one_commit(tmp_path: Path, batches: list[int]):
    async with await open_log(f"sqlite:///{tmp_path}/kasta.sqlite") as log:
        service = Service(log)
        table = await seated(service, "Anna", game="yatzy")
        table = await service.do(table.id, Roll(HOST, 0))
        batches.clear()
        table = await service.do(table.id, Play("anna", 1, 0, 0, f"keep {table.faces[0]}"))
        assert (table.turn, len(table.faces), len(batches)) == (2, 4, 1)
        acted, rolled = (each.event for each in await log.read(table.id, Seq(table.seq - 2)))
        assert (type(acted), type(rolled)) == (e.Acted, e.Rolled)
        await service.close()


async def test_what_a_process_wrote_itself_it_does_not_read_again(service: Service):
    table, read = await seated(service, "Anna"), list[str]()
    async with aclosing(service.changes(table.id)) as changes:
        await anext(changes)
        await asyncio.sleep(0.01)
        log = service._log  # noqa: SLF001
        log.read = lambda name, *rest, _read=log.read: read.append(name) or _read(name, *rest)  # type: ignore[func-returns-value,method-assign]
        table = await service.do(table.id, Roll(HOST, 0))
        await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
        await asyncio.sleep(0.01)
    assert not read


async def test_who_sits_down_in_a_crowd_does_not_wait_for_the_others_to_be_written(
    tmp_path: Path, batches: list[int]
):
    async with await open_log(f"sqlite:///{tmp_path}/kasta.sqlite") as log:
        service = Service(log)
        table = await service.open(HOST, "knister")
        batches.clear()
        names = ["Guest"] * 20 + [f"Pupil {number}" for number in range(300)]
        sat = (service.do(table.id, Sit(f"d{number}", name)) for number, name in enumerate(names))
        outcomes = await asyncio.gather(*sat, return_exceptions=True)
        refused = [outcome for outcome in outcomes if isinstance(outcome, Illegal)]
        assert [error.code for error in refused] == ["name_taken"] * 19
        assert len((await service.table(table.id)).places) == 301
        assert len(batches) < 40
        await service.close()


async def test_many_picks_at_once_and_double_clicks_among_them_count_once(service: Service):
    table = await seated(service, *(f"P{number}" for number in range(50)))
    table = await service.do(table.id, Roll(HOST, 0))
    commands = [Play(f"p{seat}", 1, seat, 0, "c3") for seat in range(50) for _ in range(3)]
    outcomes = await asyncio.gather(
        *(service.do(table.id, command) for command in commands), return_exceptions=True
    )
    assert sum(isinstance(outcome, Table) for outcome in outcomes) == 50
    assert sum(isinstance(outcome, Conflict) and outcome.code == "stale" for outcome in outcomes) == 100
    assert (await service.table(table.id)).owing == 0


async def test_an_error_is_about_the_table_as_it_is_and_not_as_it_was(service: Service):
    other = Service(service._log)  # noqa: SLF001 - a second process on the same store
    table = await seated(service, "Anna", "Tim")
    await service.do(table.id, Roll(HOST, 0))
    await other.do(table.id, Play("anna", 1, 0, 0, "c3"))
    await service.do(table.id, Play("tim", 1, 1, 0, "c3"))
    assert (await other.do(table.id, Roll("tim", 1))).turn == 2
    with pytest.raises(Conflict) as stale:
        await service.do(table.id, TakeBack("tim", 1, 1, 1))
    assert stale.value.params["turn"] == 2
    await other.close()


async def test_idle_tables_leave_memory_and_come_back_from_the_log():
    async with await open_log("memory:") as log:
        service = Service(log, most_live=2)
        tables = [await seated(service, "Anna") for _ in range(5)]
        for table in tables:
            await service.do(table.id, Roll(HOST, 0))
        assert len(service._tables) == 2  # noqa: SLF001
        for table in tables:
            assert (await service.do(table.id, Play("anna", 1, 0, 0, "c3"))).owing == 0
        await service.close()


async def test_who_follows_hears_others_picks_only_when_the_round_is_over(service: Service):
    table = await seated(service, "Anna", "Tim")
    heard: list[e.AnyEvent] = []

    async def listen() -> None:
        async for _, event in service.follow(table.id, "tim"):
            heard.append(event)
            if isinstance(event, e.Rolled) and event.turn == 2:
                return

    listening = asyncio.create_task(listen())
    await service.do(table.id, Roll(HOST, 0))
    for name, seat in (("anna", 0), ("tim", 1)):
        await service.do(table.id, Play(name, 1, seat, 0, "c3"))
        await asyncio.sleep(0.05)
    await service.do(table.id, Roll("tim", 1))
    await asyncio.wait_for(listening, 30)
    assert [event.do for event in heard if isinstance(event, e.Acted)] == ["", "c3"]


async def away(service: Service, monkeypatch: pytest.MonkeyPatch, table: str, device: str, seconds: float) -> None:
    """Open a stream, close it, and let time pass."""
    stream = service.follow(table, device)
    await anext(stream)
    await stream.aclose()
    let_pass(monkeypatch, seconds)


async def test_nobody_can_stall_a_table(service: Service, monkeypatch: pytest.MonkeyPatch):
    table = await seated(service, "Anna", "Tim")
    await service.do(table.id, Roll(HOST, 0))
    with pytest.raises(Illegal, match="not away"):
        await service.stand_in(table.id, HOST, 0)
    await away(service, monkeypatch, table.id, "tim", AWAY_SECONDS + 1)
    with pytest.raises(Illegal, match="Only the host"):
        await service.stand_in(table.id, "anna", 1)
    now = await service.stand_in(table.id, HOST, 1)
    assert now.stood_in(1)
    await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
    assert (await service.do(table.id, Roll("anna", 1))).turn == 2


async def test_the_first_seat_takes_over_from_a_host_who_is_away(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    table = await seated(service, "Anna", "Tim")
    with pytest.raises(Illegal):
        await service.do(table.id, Host("anna", "anna"))
    await away(service, monkeypatch, table.id, HOST, HOST_AWAY_SECONDS + 1)
    assert (await service.do(table.id, Host("anna", "anna"))).host == "anna"


async def test_the_host_removes_all_who_came_a_moment_ago(service: Service, monkeypatch: pytest.MonkeyPatch):
    import time

    table = await seated(service, "Anna", "Tim")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + RECENT_SECONDS + 1)
    for device, name in ((HOST, "Sarah"), ("eve", "Rude"), ("eve", "Ruder")):
        await service.do(table.id, Sit(device, name))
    with pytest.raises(Illegal, match="Only the host"):
        await service.remove_recent(table.id, "eve")
    left = await service.remove_recent(table.id, HOST)
    assert [left.places[seat].name for seat in sorted(left.places)] == ["Anna", "Tim", "Sarah"]
    assert await service.remove_recent(table.id, HOST) == left
    await service.do(table.id, Sit("nora", "Nora"))
    await service.do(table.id, Roll(HOST, 0))
    assert (await service.remove_recent(table.id, HOST)).owing == 3, "who is emptied owes nothing"


async def test_who_leaves_meanwhile_spoils_no_removal(service: Service):
    table = await seated(service, "Tim", "Eve", "Evil", "Rude")
    await asyncio.gather(
        service.remove_recent(table.id, HOST),
        service.do(table.id, Leave("evil", 2)),
        service.remove_recent(table.id, HOST),
        return_exceptions=True,
    )
    assert not (await service.table(table.id)).places


async def test_who_came_along_to_a_rematch_has_not_just_come(service: Service):
    table = await seated(service, "Anna", "Tim", "Eve")
    await service.do(table.id, Roll(HOST, 0))
    await service.do(table.id, Leave(HOST, 2))
    await service.do(table.id, Close(HOST))
    again = await service.rematch(table.id, HOST)
    await service.do(again.id, Sit("eve", "Rude"))
    left = await service.remove_recent(again.id, HOST)
    assert {place.name for place in left.places.values()} == {"Anna", "Tim"}


async def test_a_rematch_takes_everybody_along_with_the_tally(service: Service):
    table = await seated(service, "Anna", "Tim", "Linus")
    await service.do(table.id, Roll(HOST, 0))
    await service.do(table.id, Leave("linus", 2))
    table = await play_out(service, await service.table(table.id), random.Random(2))
    totals = [table.game.total(table.play, seat) for seat in (0, 1)]
    again, same = await asyncio.gather(service.rematch(table.id, "tim"), service.rematch(table.id, "anna"))
    assert again.id == same.id != table.id
    assert [place.name for _, place in sorted(again.places.items())] == ["Anna", "Tim"]
    assert [place.points for _, place in sorted(again.places.items())] == totals
    assert sum(place.wins for place in again.places.values()) == totals.count(max(totals))
    assert again.previous == table.id
    assert again.commitment != table.commitment


async def test_a_rematch_seats_whoever_came_too_late_once_and_after_all_who_played(service: Service):
    table = await seated(service, "Anna", "Tim")
    await service.do(table.id, Roll(HOST, 0))
    await service.do(table.id, Wait("eva", "Eva"))
    await service.do(table.id, Wait("bo", "Bo"))
    await service.do(table.id, MoveSeat("tim", 1, "bo"))  # he has got a seat after all
    await service.do(table.id, Close(HOST))
    await service.do(table.id, Wait("late", "Later"))
    again = await service.rematch(table.id, HOST)
    assert [(place.name, place.device) for _, place in sorted(again.places.items())] == [
        ("Anna", "anna"),
        ("Tim", "bo"),
        ("Eva", "eva"),
        ("Later", "late"),
    ]
    assert (await service.remove_recent(again.id, HOST)).places == again.places
    with pytest.raises(Illegal, match="sit down"):
        await service.do(table.id, Wait("latest", "Latest"))


async def test_a_rematch_brings_bots_and_people_for_whom_a_bot_plays(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    table = await seated(service, "Anna", "Tim")
    await service.do(table.id, Sit(HOST, "Pixel", bot="greedy"))
    await service.do(table.id, Roll(HOST, 0))
    await away(service, monkeypatch, table.id, "tim", AWAY_SECONDS + 1)
    await service.do(table.id, Replace(HOST, 1, "greedy"))
    await service.do(table.id, Close(HOST))
    again = await service.rematch(table.id, HOST)
    assert [(again.places[seat].bot, again.places[seat].is_program) for seat in range(3)] == [
        (None, False),
        ("greedy", False),
        ("greedy", True),
    ]


async def test_a_device_finds_the_tables_it_plays_at_hosts_or_waits_for(service: Service):
    first, second = await seated(service, "Anna", "Tim"), await seated(service, "Tim")
    await service.do(first.id, Roll(HOST, 0))
    await service.do(first.id, Wait("eva", "Eva"))
    assert {table.id for table in await service.tables_of(HOST, 9)} == {first.id, second.id}
    assert [table.id for table in await service.tables_of("eva", 9)] == [first.id]
    await service.do(first.id, Leave("tim", 1))
    assert [table.id for table in await service.tables_of("tim", 9)] == [second.id]


async def test_a_bot_stands_in_for_whoever_is_late_and_more_time_can_be_had(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.tables.autoplay.CLOCK_SECONDS", 0.01)
    table = await seated(service, "Anna", "Tim", pace=1)
    await service.do(table.id, Roll(HOST, 0))
    await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
    assert (await service.do(table.id, Extend("tim", 1, 1))).more_time == 1
    begin = asyncio.get_running_loop().time()
    while (await service.table(table.id)).owing:
        await asyncio.sleep(0.02)
    assert asyncio.get_running_loop().time() - begin > 1
    table = await service.table(table.id)
    assert (table.stood_in(0), table.stood_in(1)) == (False, True)
    assert (await service.do(table.id, TakeBack("tim", 1, 1, 1))).owing == 1


async def test_after_a_restart_whoever_does_not_come_back_is_away(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    table = await seated(service, "Anna", "Tim")
    await service.do(table.id, Roll(HOST, 0))
    again = Service(service._log)  # noqa: SLF001 - the same store, served anew
    await again.table(table.id)
    assert again.silence(table.id)("tim") < AWAY_SECONDS
    let_pass(monkeypatch, AWAY_SECONDS + 1)
    assert again.silence(table.id)("tim") > AWAY_SECONDS
    assert (await again.stand_in(table.id, HOST, 1)).stood_in(1)
    await again.close()
