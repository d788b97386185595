"""How PostgreSQL takes a batch of events: picks, which are what a crowd sends, in one statement without a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import asyncpg

from kasta.table.log import Change, Seq, seal

# Rows are locked in the order of names, by all processes: no deadlock.
_PICKS = """
WITH at_tables AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::float8[]) WITH ORDINALITY
        AS c(name, turn, count, owing_more, at, place)
), locked AS MATERIALIZED (
    SELECT id, c.* FROM at_tables AS c JOIN kasta_tables AS t USING (name)
        WHERE t.hidden IS NULL ORDER BY name FOR UPDATE OF t
), moved AS (
    UPDATE kasta_tables AS t
        SET head = t.head + c.count, owing = t.owing + c.owing_more,
            touched = greatest(t.touched, coalesce(c.at, kasta_now()))
        FROM locked AS c WHERE t.id = c.id AND t.turn = c.turn
        RETURNING c.place, t.id, t.head - c.count AS base
), added AS (
    INSERT INTO kasta_events
        SELECT id, base + number, turn, seat, step, body, checksum, coalesce(at, kasta_now())
        FROM unnest(
            $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::bytea[], $12::bigint[], $13::float8[]
        ) AS e(place, number, turn, seat, step, body, checksum, at) JOIN moved USING (place)
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
    """By tables: where nothing waits but picks on one throw, and the others."""
    picks, others = list[list[Waiting]](), list[list[Waiting]]()
    for _, group in groupby(sorted(batch, key=_table), _table):
        waiting = list(group)
        (picks if _are_picks(waiting) else others).append(waiting)
    return picks, others


def _table(waiting: Waiting) -> str:
    return waiting.change.table


def _are_picks(waiting: Sequence[Waiting]) -> bool:
    turn = waiting[0].change.turn
    return all(
        change.turn == change.turn_after == turn and change.owing is change.guard is None and not change.guard_more
        for change, _, _ in waiting
    )


async def append_picks(db: Any, tables: Sequence[Sequence[Waiting]]) -> list[int | None]:  # noqa: ANN401 - no types
    """The place of each event in its log, None where its throw is over."""
    counts, events = [], []
    for place, waiting in enumerate(tables, 1):
        first = waiting[0]
        more = sum(each.change.owing_more for each in waiting)
        counts.append((first.change.table, first.change.turn, len(waiting), more, waiting[-1].at))
        for number, (change, at, _) in enumerate(waiting, 1):
            events.append((place, number, *(change.event.key or (None, None, None)), *seal(change.event), at))
    try:
        moved = await db.fetch(_PICKS, *zip(*counts, strict=True), *zip(*events, strict=True))
    except asyncpg.UniqueViolationError:
        return await _append_each(db, tables)
    bases: dict[int, int] = dict(moved)
    return [None if (base := bases.get(place)) is None else base + number for place, number, *_ in events]


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
