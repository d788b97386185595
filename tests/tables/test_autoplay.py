"""What the table does beside a command: picks that move, turns that go on, actions that leave no choice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from kasta.core import Throw
from kasta.db.sqlite.memory import MemoryLog
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.jobs.bots import BotProcesses
from kasta.tables import autoplay, events as e
from kasta.tables.commands import Correct, Play, Roll, Sit, TakeBack
from kasta.tables.log import Change, Seq, change
from kasta.tables.service import Service
from kasta.tables.state import Table


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with MemoryLog() as log:
        served = Service(log, auto_seconds=0)
        yield served
        await served.close()


async def seated(service: Service, game: str, *people: str, **settings: Any) -> Table:  # noqa: ANN401
    table = await service.open("anna", game, settings=e.Settings(**settings))
    for name in people or ("Anna", "Tim"):
        table = await service.do(table.id, Sit(name.lower(), name))
    return table


async def events(service: Service, table: Table) -> list[str]:
    log = service._log  # noqa: SLF001 - what stands in the log
    return [type(stored.event).__name__ for stored in await log.read(table.id)]


def sheet(table: Table, seat: int = 0) -> str:
    return table.game.solo.write_sheet(table.game.sheet(table.play, seat))


async def test_a_pick_that_was_finished_is_moved_by_picking_again(service: Service):
    table = await seated(service, "knister")
    await service.do(table.id, Roll("anna", 0))
    await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
    table = await service.do(table.id, Play("anna", 1, 0, 1, "a1"))
    assert sheet(table).split()[0] != "."
    assert sheet(table).splitlines()[2] == " .  .  .  .  ."
    assert (table.step(0), table.owing) == (3, 1)
    assert (await events(service, table))[-3:] == ["Acted", "TakenBack", "Acted"]


async def test_nothing_is_taken_back_for_something_that_cannot_be_done(service: Service):
    table = await seated(service, "knister")
    await service.do(table.id, Roll("anna", 0))
    before = await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
    with pytest.raises(Illegal):
        await service.do(table.id, Play("tim", 1, 0, 1, "a1"))
    for do in ("z9", "keep 1"):
        with pytest.raises(KastaError):
            await service.do(table.id, Play("anna", 1, 0, 1, do))
    assert await service.table(table.id) == before


async def test_a_pick_is_not_moved_twice_by_a_double_tap(service: Service):
    table = await seated(service, "knister")
    await service.do(table.id, Roll("anna", 0))
    await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
    taps = [service.do(table.id, Play("anna", 1, 0, 1, "a1")) for _ in range(4)]
    outcomes = await asyncio.gather(*taps, return_exceptions=True)
    assert sum(isinstance(outcome, Table) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 3
    assert (await service.table(table.id)).step(0) == 3


async def test_a_pick_stays_where_nothing_is_taken_back(service: Service):
    table = await seated(service, "knister", take_back=False)
    await service.do(table.id, Roll("anna", 0))
    await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
    with pytest.raises(Illegal, match="Anna has picked on this throw already"):
        await service.do(table.id, Play("anna", 1, 0, 1, "a1"))


async def test_a_pick_is_moved_that_another_process_has_seen(service: Service):
    other = Service(service._log)  # noqa: SLF001 - a second process on the same store
    table = await seated(service, "knister")
    await service.do(table.id, Roll("anna", 0))
    await other.do(table.id, Play("anna", 1, 0, 0, "c3"))
    assert (await service.do(table.id, Play("anna", 1, 0, 1, "a1"))).step(0) == 3
    await other.close()


@pytest.mark.parametrize("thrower", ["turn", "host", "auto"])
async def test_a_turn_that_goes_on_is_thrown_for_whoever_throws_otherwise(service: Service, thrower: str):
    table = await seated(service, "yatzy", "Tim", "Anna", thrower=thrower)
    table = await service.do(table.id, Roll("anna", 0))
    table = await service.do(table.id, Play("tim", 1, 0, 0, f"keep {table.faces[0]}"))
    assert (table.turn, len(table.faces), table.is_due(0)) == (2, 4, True)
    await asyncio.sleep(0.01)
    assert (await events(service, table)).count("Rolled") == 2, "it is thrown once"
    with pytest.raises(Conflict) as stale:
        await service.do(table.id, Roll("tim", 1))
    assert stale.value.params["turn"] == 2


async def test_own_dice_are_thrown_by_hand(service: Service):
    table = await seated(service, "yatzy", dice="own")
    table = await service.do(table.id, Roll("anna", 0, (1, 1, 2, 3, 4)))
    table = await service.do(table.id, Play("anna", 1, 0, 0, "keep 1 1"))
    assert table.next() == Throw(3, 0)
    table = await service.do(table.id, Roll("anna", 1, (1, 1, 1)))
    assert (await service.do(table.id, Correct("anna", 2, (6, 6, 6)))).faces == (6, 6, 6)


async def test_after_the_last_box_of_a_turn_the_next_one_throws(service: Service):
    table = await seated(service, "yatzy")
    await service.do(table.id, Roll("anna", 0))
    table = await service.do(table.id, Play("anna", 1, 0, 0, "fill chance"))
    await asyncio.sleep(0.01)
    assert (await service.table(table.id)).next() == Throw(5, 1)


async def test_a_turn_that_waits_for_its_throw_since_before_goes_on_by_itself(service: Service):
    """As an older version left it, or a process that ended there."""
    table = await seated(service, "yatzy", "Anna")
    table = await service.do(table.id, Roll("anna", 0))
    log = service._log  # noqa: SLF001 - without the service
    await log.append(change(table, e.Acted(1, 0, 0, f"keep {table.faces[0]}")))
    again = Service(log)
    while (await again.table(table.id)).turn < 2:
        await asyncio.sleep(0.01)
    await again.close()


async def nearly_done(service: Service) -> Table:
    """A sheet of Knaster, full of sevens, where e5 gives column e two circles that leave no choice."""
    table = await seated(service, "knaster", "Anna", dice="own")
    actions = [f"{column}{row}" for row in (1, 2, 3) for column in "abcde"]
    for row in (1, 2, 3):
        end = actions.index(f"e{row}") + 1
        actions[end:end] = [f"{row}({column}{row})" for column in "edc"]
    for do in [*actions, "e4"]:
        if "(" not in do:
            await service.do(table.id, Roll("anna", table.turn, (3, 4)))
            table = await service.table(table.id)
        table = await service.do(table.id, Play("anna", table.turn, 0, table.step(0), do))
    return await service.do(table.id, Roll("anna", table.turn, (3, 4)))


async def test_circles_that_leave_no_choice_are_drawn_by_the_table(service: Service):
    table = await nearly_done(service)
    before = sheet(table).count("(")
    table = await service.do(table.id, Play("anna", table.turn, 0, 0, "e5"))
    assert not table.is_due(0)
    assert sheet(table).count("(") == before + 2
    with pytest.raises(Conflict):
        await service.do(table.id, Play("anna", table.turn, 0, 1, "e(e4)"))


async def test_what_the_table_drew_may_be_taken_back_one_by_one_and_stays_so(service: Service):
    table = await nearly_done(service)
    table = await service.do(table.id, Play("anna", table.turn, 0, 0, "e5"))
    circles = sheet(table).count("(")
    for fewer in (1, 2):
        table = await service.do(table.id, TakeBack("anna", table.turn, 0, table.step(0)))
        await asyncio.sleep(0.01)
        assert sheet(await service.table(table.id)).count("(") == circles - fewer


async def test_a_pick_with_its_circles_is_moved_at_once(service: Service):
    table = await nearly_done(service)
    before = sheet(table).count("(")
    table = await service.do(table.id, Play("anna", table.turn, 0, 0, "e5"))
    table = await service.do(table.id, Play("anna", table.turn, 0, table.step(0), "a5"))
    assert sheet(table).count("(") == before
    assert not table.is_due(0)


async def test_bots_think_at_once_about_a_throw_that_they_share(service: Service, monkeypatch: pytest.MonkeyPatch):
    both, choose = asyncio.Barrier(2), BotProcesses.choose

    async def together(self: BotProcesses, *asked: Any) -> str:  # noqa: ANN401
        await both.wait()  # until the other one is asked, too
        return await choose(self, *asked)

    monkeypatch.setattr(BotProcesses, "choose", together)
    service.autoplay.bots.most = 2  # whatever the machine has
    table = await service.open("anna", "knister", settings=e.Settings(thrower="host"))
    for number in range(4):
        await service.do(table.id, Sit("anna", f"Bot {number}", bot="greedy"))
    await service.do(table.id, Roll("anna", 0))
    async with asyncio.timeout(60), aclosing(service.changes(table.id)) as changes:
        async for now in changes:
            if not now.owing:
                return


async def test_a_throw_that_the_store_could_not_take_is_thrown_again_without_anybody_looking(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(autoplay, "BEAT_SECONDS", 0)
    table = await seated(service, "knister", "Anna", thrower="auto")
    log = service._log  # noqa: SLF001 - what fails for a moment
    append, failures = log.append, iter(range(2))

    async def sometimes(made: Change, at: float | None = None) -> Seq:
        if isinstance(made.event, e.Rolled) and next(failures, None) is not None:
            raise Unavailable("store_failed", reason="it is away")
        return await append(made, at)

    await service.do(table.id, Roll("anna", 0))
    async with asyncio.timeout(60), aclosing(service.changes(table.id)) as page:
        await anext(page)
        monkeypatch.setattr(log, "append", sometimes)
        await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
        while (await anext(page)).turn == 1:
            pass
    assert next(failures, None) is None
