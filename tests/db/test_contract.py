"""What every store must do, whichever it is."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing

import pytest

from kasta import dice
from kasta.core import Seat
from kasta.db.postgres.append import PendingEvent, parts
from kasta.db.trash import Trash
from kasta.errors import Conflict, Illegal
from kasta.results.review_store import ReviewStore
from kasta.tables import events as e
from kasta.tables.commands import Sit, decide
from kasta.tables.log import UNKNOWN, Change, Log, Seq, change
from kasta.tables.service import Service
from kasta.tables.state import Table, evolve, replay
from support.room import HOST, SECRET
from support.sites import forget


async def opened(log: Log, name: str = "t1") -> Table:
    event = e.OpenedEvent(name, "knister", "sheet", e.Settings(), HOST, dice.commitment(SECRET))
    await log.create(event, SECRET)
    return evolve(None, event)


async def add(log: Log, table: Table, event: e.AnyEvent) -> Table:
    await log.append(change(table, event))
    return evolve(table, event)


async def thrown(log: Log, seats: int = 3) -> Table:
    """A table whose seats owe a pick on the first throw."""
    table = await opened(log)
    for seat in range(seats):
        table = await add(log, table, e.SeatedEvent(seat, f"P{seat}", f"d{seat}"))
    return await add(log, table, e.Rolled(1, (3, 5)))


def pick(seat: int, step: int = 0, do: str = "a1", turn: int = 1) -> e.Acted:
    return e.Acted(turn, seat, step, do)


async def test_a_log_keeps_its_events_in_order_and_tells_when_they_came(log: Log):
    before = time.time()
    table = await thrown(log)
    stored = await log.read("t1")
    assert [each.seq for each in stored] == [1, 2, 3, 4, 5]
    assert replay([each.event for each in stored]) == table
    assert all(before <= each.at <= time.time() for each in stored)
    assert await log.read("t1", Seq(4)) == stored[4:]
    assert await log.read("t1", Seq(5)) == []


async def test_a_table_is_created_with_what_follows_at_it_and_at_another(log: Log):
    old, event = await thrown(log), _next_opened()
    new, then = evolve(None, event), [change(old, e.Rematched("t2"))]
    for seat in range(3):
        then.append(change(new, e.SeatedEvent(seat, f"P{seat}", f"d{seat}")))
        new = then[-1].after
    heads = await watched(log, "t1")
    await log.create(event, SECRET, then=then)
    while await asyncio.wait_for(heads.get(), 5) < 6:
        pass  # what was written before is told late
    assert replay([each.event for each in await log.read("t2")]) == new
    assert replay([each.event for each in await log.read("t1")]).next_table == "t2"
    assert await log.counters("t2") == (new.turn, new.owing, new.guard)
    assert await log.append(change(new, e.SeatedEvent(3, "D", "d3"))) == 5


async def test_a_table_is_not_created_if_what_follows_no_longer_holds(log: Log):
    old, event = await thrown(log), _next_opened()
    seated = change(evolve(None, event), e.SeatedEvent(0, "A", "a"))
    stale = change(old, e.Rematched("t2"))
    await add(log, old, e.Renamed(0, "Anna"))
    before = await log.read("t1")
    with pytest.raises(Conflict):
        await log.create(event, SECRET, then=[seated, stale])
    with pytest.raises(Conflict):
        await log.create(event, SECRET, then=[stale, seated])
    assert await log.tables() == ["t1"]
    assert await log.read("t1") == before
    await log.create(event, SECRET, then=[seated])
    assert len(await log.read("t2")) == 2


def _next_opened() -> e.OpenedEvent:
    return e.OpenedEvent("t2", "knister", "sheet", e.Settings(), HOST, dice.commitment(SECRET), previous="t1")


async def test_append_says_where_the_event_stands(log: Log):
    table = await opened(log)
    assert await log.append(change(table, e.SeatedEvent(0, "A", "a"))) == 2


def in_a_row(table: Table, *names: str) -> list[Change]:
    """Seats that are each decided on the one before."""
    row = list[Change]()
    for name in names:
        row.append(change(row[-1].after if row else table, e.SeatedEvent(len(row), name, name)))
    return row


async def test_events_in_a_row_are_written_together(log: Log):
    row = in_a_row(await opened(log), "A", "B", "C")
    assert [seq async for seq in log.append_in_a_row(row)] == [2, 3, 4]
    assert [seq async for seq in log.append_in_a_row([])] == []
    assert replay([each.event for each in await log.read("t1")]) == row[-1].after
    assert await log.counters("t1") == (0, 0, 3)


async def test_nothing_of_a_row_is_written_after_what_no_longer_holds(log: Log):
    table = await opened(log)
    row = in_a_row(table, "A", "B", "C")
    await add(log, table, e.Configured(e.Settings(open=False)))  # which raises the guard to what B expects
    with pytest.raises(Conflict):
        _ = [seq async for seq in log.append_in_a_row(row)]
    assert len(await log.read("t1")) == 2
    assert await log.counters("t1") == (0, 0, 1)


async def test_a_pick_is_written_with_the_throw_that_follows_on_it_or_refused_as_a_double(log: Log):
    opening = e.OpenedEvent("t1", "yatzy", "sheet", e.Settings(), HOST, dice.commitment(SECRET))
    await log.create(opening, SECRET)
    table = await add(log, evolve(None, opening), e.SeatedEvent(0, "A", "a"))
    table = await add(log, table, e.Rolled(1, (1, 2, 3, 4, 6)))
    kept = change(table, pick(0, do="keep 1 2 3"))
    row = [kept, change(kept.after, e.Rolled(2, (5, 5)))]
    assert [seq async for seq in log.append_in_a_row(row)] == [4, 5]
    assert await log.counters("t1") == (2, 1, 1)
    table = row[-1].after
    filled = change(table, pick(0, do="fill chance", turn=2))
    kept = change(table, pick(0, do="keep 1 2 3", turn=2))
    assert await log.append(filled) == 6
    with pytest.raises(Conflict):
        _ = [seq async for seq in log.append_in_a_row([kept, change(kept.after, e.Rolled(3, (5, 5)))])]
    assert replay([each.event for each in await log.read("t1")]) == filled.after


async def test_the_secret_is_kept_apart(log: Log):
    await opened(log)
    assert await log.secret("t1") == SECRET
    assert SECRET not in b"".join(e.encode(each.event) for each in await log.read("t1"))


async def test_a_table_is_created_once(log: Log):
    await opened(log)
    with pytest.raises(Conflict):
        await opened(log)


async def test_there_is_nothing_to_know_of_a_table_that_is_not_there(log: Log):
    for asked in (log.read("t9"), log.secret("t9")):
        with pytest.raises(Illegal, match="no such table"):
            await asked
    await log.delete("t9")


async def test_picks_of_different_seats_do_not_conflict(log: Log):
    table = await thrown(log)
    places = await asyncio.gather(*(log.append(change(table, pick(seat))) for seat in range(3)))
    assert sorted(places) == [6, 7, 8]
    assert replay([each.event for each in await log.read("t1")]).owing == 0


async def test_the_same_pick_is_there_once_however_often_it_is_sent(log: Log):
    table = await thrown(log)
    sent = [log.append(change(table, pick(0, do=cell))) for cell in ("a1", "a1", "b2")]
    outcomes = await asyncio.gather(*sent, return_exceptions=True)
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 2
    assert len(await log.read("t1")) == 6
    assert replay([each.event for each in await log.read("t1")]).owing == 2


async def test_a_pick_for_a_throw_that_is_over_conflicts(log: Log):
    table = await thrown(log, seats=1)
    after = await add(log, table, pick(0))
    await add(log, after, e.Rolled(2, (1, 1)))
    with pytest.raises(Conflict):
        await log.append(change(table, pick(0, do="b2")))


async def test_only_one_of_two_throws_counts(log: Log):
    table = await add(log, await thrown(log, seats=1), pick(0))
    outcomes = await asyncio.gather(
        *(log.append(change(table, e.Rolled(2, faces))) for faces in ((1, 1), (2, 2))), return_exceptions=True
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1


async def test_a_take_back_cannot_slip_in_after_the_throw_nor_a_throw_after_the_take_back(log: Log):
    table = await add(log, await thrown(log, seats=1), pick(0))
    events: list[e.AnyEvent] = [e.TakenBack(1, 0, 1), e.Rolled(2, (1, 1))]
    outcomes = await asyncio.gather(
        *(log.append(change(table, event)) for event in events), return_exceptions=True
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    replay([each.event for each in await log.read("t1")])


async def test_a_take_back_conflicts_with_a_pick_it_has_not_seen(log: Log):
    table = await add(log, await thrown(log), pick(0))
    await add(log, table, pick(1))
    with pytest.raises(Conflict):
        await log.append(change(table, e.TakenBack(1, 0, 1)))


async def test_nobody_sits_down_while_the_first_throw_falls(log: Log):
    table = await opened(log)
    table = await add(log, table, e.SeatedEvent(0, "A", "a"))
    events = [e.Rolled(1, (1, 1)), decide(table, Sit("b", "B"))]
    outcomes = await asyncio.gather(
        *(log.append(change(table, event)) for event in events), return_exceptions=True
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1


async def test_leaving_and_picking_do_not_both_happen_on_one_step(log: Log):
    table = await thrown(log)
    events: list[e.AnyEvent] = [pick(0), e.Left(1, 0, 0)]
    outcomes = await asyncio.gather(
        *(log.append(change(table, event)) for event in events), return_exceptions=True
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert replay([each.event for each in await log.read("t1")]).owing == 2


async def test_a_conflict_leaves_nothing_behind(log: Log):
    table = await thrown(log)
    await log.append(change(table, pick(0)))
    for _ in range(3):
        with pytest.raises(Conflict):
            await log.append(change(table, pick(0)))
    after = evolve(table, pick(0))
    assert await log.append(change(after, e.TakenBack(1, 0, 1))) == 7


async def test_news_say_how_far_a_log_has_come_without_its_being_read(log: Log):
    table = await thrown(log)
    heads = await watched(log, "t1")
    for seat in (0, 1):
        await log.append(change(table, pick(seat)))
    while (head := await asyncio.wait_for(heads.get(), 30)) < 7:
        pass
    assert head == 7


async def watched(log: Log, table: str) -> asyncio.Queue[Seq]:
    """How far a table's log comes from now on."""
    heads = asyncio.Queue[Seq]()
    log.watch(table, lambda _, head: heads.put_nowait(head))
    assert await heads.get() == UNKNOWN, "who begins to listen has to look"
    return heads


async def test_tables_are_told_apart_by_when_they_were_touched(log: Log):
    for name, days in (("old", 100), ("young", 1)):
        event = e.OpenedEvent(name, "yatzy", "sheet", e.Settings(), HOST, "00")
        await log.create(event, SECRET, time.time() - days * 86_400)
    assert await log.tables() == ["old", "young"]
    assert await log.tables(time.time() - 90 * 86_400) == ["old"]


async def test_a_table_is_not_touched_earlier_when_the_clock_goes_back(log: Log):
    table, long_ago = await opened(log), time.time() - 100 * 86_400
    for name in ("A", "B"):
        seated = change(table, e.SeatedEvent(table.seats, name, name))
        await log.append(seated, at=long_ago)
        table = seated.after
    assert await log.tables(time.time() - 90 * 86_400) == []
    assert await log.tables() == ["t1"]


async def test_nothing_is_written_at_a_hidden_table(log: Log):
    table = await thrown(log)
    assert await Trash(log.db).hide(time.time(), time.time() + 60) == 1
    picks = [change(table, pick(seat)) for seat in range(3)]
    for one in (picks[0], change(table, e.Renamed(0, "Eve"))):
        with pytest.raises((Conflict, Illegal)):
            await log.append(one)
    together = await asyncio.gather(*map(log.append, picks), return_exceptions=True)
    assert all(isinstance(each, Conflict | Illegal) for each in together)
    assert await Trash(log.db).bring_back("t1", time.time())
    assert replay([each.event for each in await log.read("t1")]) == table


async def test_batches_of_postgres_go_by_the_names_of_tables():
    """Else two processes that lock rows of the same tables in different orders wait for each other."""
    tables = {
        name: evolve(None, e.OpenedEvent(name, "knister", "sheet", e.Settings(), HOST, "00")) for name in "bca"
    }
    for name, table in tables.items():
        tables[name] = evolve(evolve(table, e.SeatedEvent(0, "A", "a")), e.Rolled(1, (3, 5)))
    done = asyncio.get_running_loop().create_future()
    picks = [PendingEvent(change(table, pick(0)), None, done) for table in tables.values()]
    named = [PendingEvent(change(table, e.Renamed(0, "B")), None, done) for table in tables.values()]
    for batch in (picks, named):
        (groups,) = filter(None, parts(batch))
        assert [group[0].change.table for group in groups] == ["a", "b", "c"]


async def test_a_deleted_table_is_gone_with_its_secret(log: Log):
    await thrown(log)
    await log.delete("t1")
    assert await log.tables() == []
    with pytest.raises(Illegal):
        await log.secret("t1")


async def test_names_are_forgotten_and_the_log_is_as_good_as_before(log: Log):
    table = await opened(log)
    table = await add(log, table, e.SeatedEvent(0, "Anna", "a"))
    table = await add(log, table, e.SeatedEvent(1, "Tim", "b"))
    table = await add(log, table, e.Renamed(1, "Timmy"))
    await add(log, table, e.Rolled(1, (3, 5)))
    assert await forget(log, "t1") == 3
    bodies = b"".join(e.encode(each.event) for each in await log.read("t1"))
    assert b"Anna" not in bodies
    assert b"Tim" not in bodies
    again = replay([each.event for each in await log.read("t1")])
    assert {place.name for place in again.places.values()} == {"Player 1", "Player 2"}
    await log.append(change(again, pick(0)))


async def test_a_device_finds_its_tables_the_last_played_first(log: Log):
    tables = [await opened(log, name) for name in ("t1", "t2", "t3", "t4")]
    for number, table in enumerate(tables[:3]):
        await log.append(
            change(table, e.SeatedEvent(0, 'A "device":"b" \u00e9', "anna's")), at=time.time() + 1_000 - number
        )
    await log.append(change(tables[3], e.Waited("Tim", "tim's")))
    assert await log.tables_of("anna's", 10) == ["t1", "t2", "t3"]
    assert await log.tables_of("anna's", 2) == ["t1", "t2"]
    assert await log.tables_of("tim's", 10) == ["t4"]
    assert set(await log.tables_of(HOST, 10)) == {"t1", "t2", "t3", "t4"}
    assert await log.tables_of("b", 10) == []
    await log.delete("t1")
    assert await log.tables_of("anna's", 10) == ["t2", "t3"]


async def test_one_seats_names_are_forgotten_and_mistaken_for_nobodys(log: Log):
    table = await opened(log)
    for seat, name in enumerate(("Anna", "player l", "Tim")):  # a look-alike of "Player 1"
        table = await add(log, table, e.SeatedEvent(seat, name, f"d{seat}"))
    table = await add(log, table, e.Renamed(0, "Annika"))
    await add(log, table, e.Rolled(1, (3, 5)))
    before = (await log.read("t1"))[-1].at
    assert await forget(log, "t1", Seat(0)) == 2
    stored = await log.read("t1")
    assert b"Ann" not in b"".join(e.encode(each.event) for each in stored)
    again = replay([each.event for each in stored])
    assert [again.places[seat].name for seat in range(3)] == ["Player 1 (2)", "player l", "Tim"]
    assert stored[-1].at == before, "no table is kept longer because of it"
    assert await forget(log, "t1", Seat(0)) == 0
    with pytest.raises(Illegal, match="no seat 3"):
        await forget(log, "t1", Seat(3))
    await log.append(change(again, pick(0)))


async def test_who_has_a_table_in_memory_hears_that_a_name_was_forgotten(log: Log):
    service = Service(log)
    table = (await service.open(HOST, "knister")).id
    await service.do(table, Sit("anna", "Anna"))
    async with asyncio.timeout(60):
        async with aclosing(service.changes(table)) as changes:
            assert (await anext(changes)).places[0].name == "Anna"
            await forget(log, table, Seat(0))
            assert (await anext(changes)).places[0].name == "Player 1"
    await service.close()


async def test_a_table_is_found_by_whoever_a_seat_has_moved_to_or_who_became_host(log: Log):
    table = await add(log, await opened(log), e.SeatedEvent(0, "A", "anna's"))
    table = await add(log, table, e.Moved(0, "her tablet"))
    await add(log, table, e.Hosted("tim's"))
    for device in ("anna's", "her tablet", "tim's"):
        assert await log.tables_of(device, 10) == ["t1"]


async def test_a_review_is_kept_for_each_seat_and_gone_with_its_table(log: Log):
    await opened(log)
    assert await ReviewStore(log.db).find("t1", 0) is None
    await ReviewStore(log.db).keep("t1", 0, b"first")
    await ReviewStore(log.db).keep("t1", -1, b"of the ghost")
    await ReviewStore(log.db).keep("t1", 0, b"again")
    assert [await ReviewStore(log.db).find("t1", seat) for seat in (0, -1, 1)] == [b"again", b"of the ghost", None]
    await log.delete("t1")
    await ReviewStore(log.db).keep("t1", 0, b"too late")
    await opened(log)
    assert await ReviewStore(log.db).find("t1", 0) is None
