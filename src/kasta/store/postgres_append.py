"""How PostgreSQL takes a batch of events: picks, which are what a crowd sends, in one statement without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import asyncpg

from kasta.table.log import Change, Seq, seal

# `touched` has an index. A row that keeps it for a second is updated in its place, and no index is written.
# One pick is what somebody sends who plays with few others: no lists are made and taken apart.
_PICK = """
WITH moved AS (
    UPDATE kasta_tables
        SET head = head + 1, owing = owing + $3,
            touched = CASE WHEN touched < now.at - 1 THEN now.at ELSE touched END
        FROM (SELECT coalesce($4::float8, kasta_now()) AS at) AS now
        WHERE name = $1 AND turn = $2 AND hidden IS NULL RETURNING id, head, now.at
)
INSERT INTO kasta_events SELECT id, head, $2, $5, $6, $7, $8, at FROM moved RETURNING seq
"""
# Rows are locked in the order of names, by all processes: no deadlock. Each item of a list costs time: what is the
# same for all picks at a table is sent once. `before` says how many picks are at earlier tables.
_PICKS = """
WITH at_tables AS (
    SELECT name, turn, owing_more, coalesce(given, kasta_now()) AS at, count, before, place
        FROM unnest($1::text[], $2::int[], $3::int[], $4::float8[], $5::int[], $6::int[]) WITH ORDINALITY
        AS c(name, turn, owing_more, given, count, before, place)
), locked AS MATERIALIZED (
    SELECT id, c.* FROM at_tables AS c JOIN kasta_tables AS t USING (name)
        WHERE t.hidden IS NULL ORDER BY place FOR UPDATE OF t
), moved AS (
    UPDATE kasta_tables AS t
        SET head = t.head + c.count, owing = t.owing + c.owing_more,
            touched = CASE WHEN t.touched < c.at - 1 THEN c.at ELSE t.touched END
        FROM locked AS c WHERE t.id = c.id AND t.turn = c.turn
        RETURNING c.place, t.id, t.turn, c.at, t.head - c.count - c.before AS base
), added AS (
    INSERT INTO kasta_events
        SELECT id, base + number, turn, seat, step, body, checksum, at
        FROM unnest($7::int[], $8::int[], $9::int[], $10::bytea[], $11::bigint[]) WITH ORDINALITY
            AS e(place, seat, step, body, checksum, number) JOIN moved USING (place)
)
SELECT place, base FROM moved
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


class Waiting(NamedTuple):
    """An event that waits to be written, its time unless that is the database's, and who waits for its place."""

    change: Change
    at: float | None
    done: asyncio.Future[Seq]


def parts(batch: Sequence[Waiting]) -> tuple[list[list[Waiting]], list[list[Waiting]]]:
    """By tables, in the order of names: where nothing waits but picks on one throw, and the others."""
    tables: dict[str, list[Waiting]] = {}
    for waiting in batch:
        tables.setdefault(waiting.change.table, []).append(waiting)
    picks, others = list[list[Waiting]](), list[list[Waiting]]()
    for _, group in sorted(tables.items()):
        (picks if _are_picks(group) else others).append(group)
    return picks, others


def _are_picks(waiting: Sequence[Waiting]) -> bool:
    turn = waiting[0].change.turn
    return all(
        change.turn == change.turn_after == turn and change.owing is change.guard is None and not change.guard_more
        for change, _, _ in waiting
    )


async def append_picks(db: Any, tables: Sequence[Sequence[Waiting]]) -> list[int | None]:  # noqa: ANN401 - no types
    """The place of each event in its log, None where its throw is over."""
    if len(tables) == len(tables[0]) == 1:
        return await _append_pick(db, *tables[0])
    counts, events = [], list[tuple[Any, ...]]()
    for place, waiting in enumerate(tables, 1):
        (change, _, _), (_, at, _) = waiting[0], waiting[-1]
        owing_more = sum(each.change.owing_more for each in waiting)
        counts.append((change.table, change.turn, owing_more, at, len(waiting), len(events)))
        events += [(place, *_pick(each.change)) for each in waiting]
    try:
        moved = await db.fetch(_PICKS, *zip(*counts, strict=True), *zip(*events, strict=True))
    except asyncpg.UniqueViolationError:
        return await _append_each(db, tables)
    bases: dict[int, int] = dict(moved)
    places = enumerate((place for place, *_ in events), 1)
    return [None if (base := bases.get(place)) is None else base + number for number, place in places]


async def _append_pick(db: Any, waiting: Waiting) -> list[int | None]:  # noqa: ANN401 - no types
    change, at, _ = waiting
    try:
        return [await db.fetchval(_PICK, change.table, change.turn, change.owing_more, at, *_pick(change))]
    except asyncpg.UniqueViolationError:
        return [None]


def _pick(change: Change) -> tuple[Any, ...]:
    """Seat and step of a pick, and how it is stored."""
    return *(change.event.key or ())[1:], *seal(change.event)


async def append_all(db: Any, tables: Sequence[Sequence[Waiting]]) -> list[int | None]:  # noqa: ANN401 - no types
    """The place of each event in its log, None where what it expects no longer holds."""
    try:
        places: list[int | None] = await db.fetchval(_ALL, *_columns(tables))
    except asyncpg.UniqueViolationError:
        return await _append_each(db, tables)
    return places


async def _append_each(db: Any, tables: Sequence[Sequence[Waiting]]) -> list[int | None]:  # noqa: ANN401 - no types
    """A seat's step is there already: find out which."""
    return [row["seq"] for row in await db.fetch(_EACH, *_columns(tables))]


def _columns(tables: Sequence[Sequence[Waiting]]) -> list[tuple[Any, ...]]:
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
        for waiting in tables
        for change, at, _ in waiting
    ]
    return list(zip(*rows, strict=True))
