"""What is kept beside the tables, in every kind of store."""

from __future__ import annotations

from kasta.db.key_value import KeyValue
from kasta.tables.log import Log


async def test_notes_are_kept_by_kind_and_owner_and_the_newest_come_first(log: Log):
    key_value = KeyValue(log.db)
    for key in ("one", "two", "three"):
        await key_value.put("token", "anna", key, f"the {key}")
    await key_value.put("token", "tim", "one", "his")
    await key_value.put("listed", "anna", "one", "another kind")
    assert list((await key_value.all("token", "anna", 2)).items()) == [("three", "the three"), ("two", "the two")]
    assert await key_value.all("token", "eve", 9) == {}
    await key_value.put("token", "anna", "one", "again")
    assert list(await key_value.all("token", "anna", 9)) == ["one", "three", "two"]


async def test_a_note_that_is_dropped_is_gone_and_no_other(log: Log):
    await KeyValue(log.db).put("token", "anna", "one")
    await KeyValue(log.db).put("token", "anna", "two")
    assert await KeyValue(log.db).drop("token", "anna", "one")
    assert not await KeyValue(log.db).drop("token", "anna", "one")
    assert not await KeyValue(log.db).drop("token", "tim", "two")
    assert not await KeyValue(log.db).has("token", "anna", "one")
    assert await KeyValue(log.db).has("token", "anna", "two")
