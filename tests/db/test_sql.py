"""The contract of statements: one text, every database."""

from __future__ import annotations

import asyncio

import pytest

from kasta.errors import Illegal, Unavailable
from kasta.sql import Steps, insert
from kasta.tables.log import Log

COLUMNS = "kind, owner, key, text, at"
PUT = "INSERT INTO kasta_notes VALUES ($1, $2, $3, $4, clock_timestamp())"
KEYS = "SELECT key FROM kasta_notes WHERE kind = $1 ORDER BY key"


async def keys(log: Log) -> list[str]:
    return [key for (key,) in await log.db.fetch(KEYS, "test")]


async def test_a_statement_says_how_many_rows_it_changed(log: Log):
    assert await log.db.execute(PUT, "test", "anna", "one", "") == 1
    assert await log.db.execute(PUT, "test", "anna", "two", "") == 1
    assert await log.db.execute("UPDATE kasta_notes SET text = $2 WHERE kind = $1", "test", "new") == 2
    assert await log.db.execute("DELETE FROM kasta_notes WHERE key = $1", "nobody") == 0
    assert await keys(log) == ["one", "two"]


async def test_the_same_value_may_be_named_twice_and_out_of_order(log: Log):
    await log.db.execute(PUT, "test", "anna", "one", "text")
    found = await log.db.fetch(
        "SELECT key FROM kasta_notes WHERE owner = $2 AND (kind = $1 OR text = $2)", "test", "anna"
    )
    assert [tuple(row) for row in found] == [("one",)]


async def test_a_transaction_hears_what_its_statements_answer(log: Log):
    def steps() -> Steps[list[str]]:
        yield PUT, "test", "anna", "one", ""
        rows = yield KEYS, "test"
        return [key for (key,) in rows]

    assert await log.db.transaction(steps) == ["one"]


@pytest.mark.parametrize("fault", [Illegal("no_such_table"), ZeroDivisionError()])
async def test_a_transaction_that_fails_leaves_nothing_and_harms_nobody(log: Log, fault: Exception):
    def steps() -> Steps[None]:
        yield PUT, "test", "anna", "one", ""
        raise fault

    outcomes = await asyncio.gather(
        log.db.transaction(steps), log.db.execute(PUT, "test", "tim", "two", ""), return_exceptions=True
    )
    assert isinstance(outcomes[0], type(fault))
    assert (outcomes[1], await keys(log)) == (1, ["two"])


async def test_what_breaks_a_constraint_is_refused_and_harms_nobody(log: Log):
    await log.db.execute(PUT, "test", "anna", "one", "")
    outcomes = await asyncio.gather(
        log.db.execute(PUT, "test", "anna", "one", "again"),
        log.db.execute(PUT, "test", "tim", "two", ""),
        return_exceptions=True,
    )
    assert isinstance(outcomes[0], Unavailable)
    assert (outcomes[1], await keys(log)) == (1, ["one", "two"])


async def test_many_rows_are_added_at_once_unless_they_are_there(log: Log):
    rows = [("2026-11-18", f"game {number}", bytes(32), 1.5, None, None, None) for number in range(150)]
    columns = "day, game, secret, made, ended, told, best"
    for new in (150, 0):
        text, *values = insert("kasta_days", columns, rows, returning="1")

        def steps(text: str = text, values: list[object] = values) -> Steps[int]:
            return len((yield text, *values))

        assert await log.db.transaction(steps) == new
    ((secret, made),) = await log.db.fetch("SELECT secret, made FROM kasta_days WHERE game = $1", "game 7")
    assert (bytes(secret), made) == (bytes(32), 1.5)
