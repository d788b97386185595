"""How PostgreSQL takes a batch of events: picks, which are what a crowd sends, in one statement without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import asyncpg

from kasta.errors import Conflict
from kasta.tables.events import Acted
from kasta.tables.log import Change, Seq, seal

# `touched` has an index. A row that keeps it for a second is updated in its place, and no index is written.
# One pick is what somebody sends who plays with few others: no lists are made and taken apart.
_PICK = """
WITH moved AS (
    UPDATE kasta_tables
        SET head = head + 1, owing = owing + $3,
            touched = CASE WHEN touched < now.at - 1 THEN now.at ELSE touched END
        FROM (SELECT kasta_now() AS at) AS now
        WHERE name = $1 AND turn = $2 AND hidden IS NULL RETURNING id, head, now.at
)
INSERT INTO kasta_events SELECT id, head, $4, $5, $6, $7, $8, at FROM moved RETURNING seq
"""
# Rows are locked in the order of names, by all processes: no deadlock. Each item of a list costs time: what is the
# same for all picks at a table is sent once, and numbers are sent as text, since the driver asks of each item of a
# list whether it is a list itself. `before` says how many picks are at earlier tables.
_PICKS = """
WITH locked AS MATERIALIZED (
    SELECT t.id, c.of_events AS turn, t.head - before AS base, count, owing_more, place, (SELECT kasta_now()) AS at
        FROM unnest(
            $1::text[], $2::text::int[], $3::text::int[], $4::text::int[], $5::text::int[], $11::text::int[]
        ) WITH ORDINALITY AS c(name, turn, owing_more, count, before, of_events, place)
            JOIN kasta_tables AS t USING (name)
        WHERE t.turn = c.turn AND t.hidden IS NULL ORDER BY place FOR UPDATE OF t
), moved AS (
    UPDATE kasta_tables AS t
        SET head = head + count, owing = owing + owing_more,
            touched = CASE WHEN touched < at - 1 THEN at ELSE touched END
        FROM locked WHERE t.id = locked.id
), added AS (
    INSERT INTO kasta_events
        SELECT id, base + number, turn, seat, step, body, checksum, at
        FROM unnest($6::text::int[], $7::text::int[], $8::text::int[], $9::bytea[], $10::text::bigint[])
            WITH ORDINALITY AS e(place, seat, step, body, checksum, number) JOIN locked USING (place)
)
SELECT place, base FROM locked
"""
_ALL = "SELECT kasta_append_all($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
_EACH = """
SELECT kasta_append(c.at, c.name, c.turn, c.owing, c.guard, c.turn_after, c.owing_more, c.guard_more,
    c.key_turn, c.seat, c.step, c.body, c.checksum) AS seq
FROM unnest($1::float8[], $2::text[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[],
    $9::int[], $10::int[], $11::int[], $12::bytea[], $13::bigint[]) WITH ORDINALITY
    AS c(at, name, turn, owing, guard, turn_after, owing_more, guard_more,
        key_turn, seat, step, body, checksum, place)
ORDER BY c.place
"""


class PendingEvent(NamedTuple):
    """An event that waits to be written, its time unless that is the database's, and who waits for its place."""

    change: Change
    at: float | None
    done: asyncio.Future[Seq]


def parts(batch: Sequence[PendingEvent]) -> tuple[list[list[PendingEvent]], list[list[PendingEvent]]]:
    """By tables, in the order of names: where nothing waits but picks on one throw, and the others."""
    tables: dict[str, list[PendingEvent]] = {}
    for waiting in batch:
        tables.setdefault(waiting.change.table, []).append(waiting)
    picks, others = list[list[PendingEvent]](), list[list[PendingEvent]]()
    for _, group in sorted(tables.items()):
        (picks if _are_picks(group) else others).append(group)
    return picks, others


def _are_picks(waiting: Sequence[PendingEvent]) -> bool:
    turn = waiting[0].change.turn
    for change, at, _ in waiting:
        if not (isinstance(change.event, Acted) and change.owing is change.guard is at is None):
            return False
        if not change.turn == change.turn_after == turn or change.guard_more:
            return False
    return True


async def append_picks(db: Any, tables: Sequence[Sequence[PendingEvent]]) -> list[int | None]:  # noqa: ANN401 - no types
    """The place of each event in its log, None where its throw is over."""
    if len(tables) == len(tables[0]) == 1:
        return await _append_pick(db, *tables[0])
    counts = list(map(len, tables))
    before = [0, *accumulate(counts[:-1])]
    try:
        moved = await db.fetch(
            _PICKS, *_table_columns(tables, counts, before), *_pick_columns(tables), _turns(tables)
        )
    except asyncpg.UniqueViolationError:
        return await _append_each(db, tables)
    bases: dict[int, int] = dict(moved)
    places = list[int | None]()
    for number, (count, earlier) in enumerate(zip(counts, before, strict=True), 1):
        base = bases.get(number)
        places += [None] * count if base is None else range(base + earlier + 1, base + earlier + count + 1)
    return places


def _table_columns(
    tables: Sequence[Sequence[PendingEvent]], counts: list[int], before: list[int]
) -> tuple[list[str], str, str, str, str]:
    first = [waiting[0].change for waiting in tables]
    names, turns = [change.table for change in first], [change.turn for change in first]
    owing_more = [sum([each.change.owing_more for each in waiting]) for waiting in tables]
    return names, _text(turns), _text(owing_more), _text(counts), _text(before)


def _turns(tables: Sequence[Sequence[PendingEvent]]) -> str:
    """Of the picks of each table, which are all on one throw."""
    return _text([(waiting[0].change.event.key or (0,))[0] for waiting in tables])


def _pick_columns(tables: Sequence[Sequence[PendingEvent]]) -> tuple[str, str, str, Sequence[bytes], str]:
    places = [place for place, waiting in enumerate(tables, 1) for _ in waiting]
    events = [each.change.event for waiting in tables for each in waiting]
    _, seats, steps = zip(*[event.key or (0, 0, 0) for event in events], strict=True)  # picks have one
    bodies, checksums = zip(*map(seal, events), strict=True)
    return _text(places), _text(seats), _text(steps), bodies, _text(checksums)


async def _append_pick(db: Any, waiting: PendingEvent) -> list[int | None]:  # noqa: ANN401 - no types
    change = waiting.change
    try:
        return [await db.fetchval(_PICK, change.table, change.turn, change.owing_more, *_pick(change))]
    except asyncpg.UniqueViolationError:
        return [None]


def _text(numbers: Sequence[int]) -> str:
    """A list of numbers as PostgreSQL reads it."""
    return f"{{{str(list(numbers))[1:-1]}}}"


def _pick(change: Change) -> tuple[Any, ...]:
    """Turn, seat and step of a pick, and how it is stored."""
    return *(change.event.key or ()), *seal(change.event)


async def append_all(db: Any, tables: Sequence[Sequence[PendingEvent]]) -> list[int | None]:  # noqa: ANN401 - no types
    """The place of each event in its log, None where what it expects no longer holds."""
    try:
        places: list[int | None] = await db.fetchval(_ALL, *_columns(_rows(tables)))
    except asyncpg.UniqueViolationError:
        return await _append_each(db, tables)
    return places


async def _append_each(db: Any, tables: Sequence[Sequence[PendingEvent]]) -> list[int | None]:  # noqa: ANN401 - no types
    """A seat's step is there already: find out which."""
    return [row["seq"] for row in await db.fetch(_EACH, *_columns(_rows(tables)))]


async def append_in_a_row(db: Any, changes: Sequence[Change], at: float | None = None) -> list[int]:  # noqa: ANN401
    """The places of events, those of a table each decided on the one before; if one fails, none is written."""
    try:
        async with db.transaction():
            places: list[int] = await db.fetchval(_ALL, *_columns([(change, at) for change in changes]))
            if None in places:
                raise Conflict("moved_on")
    except asyncpg.UniqueViolationError:  # a seat's step is there already
        raise Conflict("moved_on") from None
    return places


def _rows(tables: Sequence[Sequence[PendingEvent]]) -> list[tuple[Change, float | None]]:
    return [(change, at) for waiting in tables for change, at, _ in waiting]


def _columns(events: Sequence[tuple[Change, float | None]]) -> list[tuple[Any, ...]]:
    rows = [
        (
            at,
            change.table,
            change.turn,
            change.owing,
            change.guard,
            change.turn_after,
            change.owing_more,
            change.guard_more,
            *(change.event.key or (None, None, None)),
            *seal(change.event),
        )
        for change, at in events
    ]
    return list(zip(*rows, strict=True))
