"""Maps that share what they have in common: those of `immutables` and ours are held to one contract."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kasta import persistent

MAPS: dict[str, Any] = {"what tables use": persistent.Map, "ours": persistent.PureMap}


@dataclass(frozen=True)
class Key:
    """Many of them have the same hash, or one that differs in its highest bits only."""

    number: int

    def __hash__(self) -> int:
        return self.number % 3 << 58


KEYS = st.integers(-5, 200) | st.text(max_size=2) | st.integers(0, 100).map(Key)
STEPS = st.lists(st.tuples(st.booleans(), KEYS, st.integers(0, 3)), max_size=400)
some = st.dictionaries(KEYS, st.integers(0, 3), max_size=80)
any_map = pytest.mark.parametrize("name", MAPS)


@any_map
@given(steps=STEPS, start=some)
def test_it_answers_as_a_dict_does_and_never_changes(
    name: str, steps: list[tuple[bool, Any, int]], start: dict[Any, int]
):
    model, changed = dict(start), MAPS[name](start)
    older = []
    for number, (grows, key, value) in enumerate(steps):
        if number % 50 == 0:
            older.append((dict(model), changed))
        if grows or key not in model:
            model[key], changed = value, changed.set(key, value)
        else:
            del model[key]
            changed = changed.delete(key)
    for expected, found in [*older, (model, changed)]:
        assert len(found) == len(expected)
        assert dict(found) == dict(found.items()) == expected
        assert sorted(map(repr, found)) == sorted(map(repr, expected))
        assert sorted(found.values()) == sorted(expected.values())
        assert [found.get(key, -1) for key in ASKED] == [expected.get(key, -1) for key in ASKED]
        assert [key in found for key in ASKED] == [key in expected for key in ASKED]


ASKED = [*range(-5, 200), *map(Key, range(100)), "", "a", "0"]


@any_map
@given(
    entries=st.dictionaries(KEYS, st.integers(0, 3), max_size=120), other=st.dictionaries(KEYS, st.integers(0, 3))
)
def test_what_has_the_same_entries_is_equal_however_it_came_about(
    name: str, entries: dict[Any, int], other: dict[Any, int]
):
    make = MAPS[name]
    grown = make()
    for key in reversed(list(entries)):
        grown = grown.set(key, entries[key])
    for key in other:
        grown = grown.set(key, None)
    for key in other:
        grown = grown.set(key, entries[key]) if key in entries else grown.delete(key)
    assert grown == make(entries) == make(entries.items())
    assert hash(grown) == hash(make(entries))
    assert (make(entries) == make(other)) == (entries == other)
    assert make(entries) != entries


@any_map
def test_what_is_not_there_is_a_key_error(name: str):
    for size in (1, 1_000):
        numbers = MAPS[name](dict.fromkeys(range(size)))
        assert numbers.get("x") is None
        for ask in (numbers.__getitem__, numbers.delete):
            with pytest.raises(KeyError, match="x"):
                ask("x")


COUNTS = """
import pickle, sys
words = pickle.load(sys.stdin.buffer)
print(sum(words[str(number)] == number for number in range(1_000)))
"""


@any_map
def test_copies_are_equal_and_so_is_what_another_process_reads(name: str):
    """Another process gives words another hash."""
    words = MAPS[name]({str(number): number for number in range(1_000)})
    assert copy.deepcopy(words) == words
    assert subprocess.check_output([sys.executable, "-c", COUNTS], input=pickle.dumps(words)) == b"1000\n"


@any_map
def test_a_step_at_a_table_of_thousands_copies_a_few_nodes(name: str):
    seats = MAPS[name](dict.fromkeys(range(10_000)))
    tracemalloc.start()
    try:
        kept = [seats.set(5_000, 1), seats.delete(5_000), seats.set(10_000, 1)]
        gc.collect()  # frees what Python keeps for the next of a kind
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [len(each) for each in kept] == [10_000, 9_999, 10_001]
    assert taken < 6_000  # all seats are some 400,000


@any_map
def test_a_table_that_nearly_all_have_left_is_small_again(name: str):
    seats = MAPS[name]()
    tracemalloc.start()
    try:
        for seat in range(10_000):
            seats = seats.set(seat, None)
        for seat in range(9_990):
            seats = seats.delete(seat)
        gc.collect()  # frees what Python keeps for the next of a kind
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sorted(seats) == list(range(9_990, 10_000))
    assert taken < 6_000


PLAYS = """
import json, random, sys
if sys.argv[1] == "without": sys.modules["immutables"] = None
from kasta.persistent import Map
from kasta.core import Throw
from kasta.tables.view import standing
from support.room import Room

rng = random.Random(1)
for game in ("knister", "yatzy"):
    room = Room(*(f"Player {number}" for number in range(40)), game=game)
    for _ in range(200):
        expected = room.table.next()
        if isinstance(expected, Throw):
            room.roll(*rng.choices(range(1, 7), k=expected.dice))
        else:
            seat = rng.choice([seat for seat in range(40) if room.table.is_due(seat)])
            room.play(seat, str(rng.choice(room.table.game.legal(room.table.play, seat))))
    print(standing(room.table), [room.sheet(seat) for seat in range(40)])
print(Map.__name__)
"""


def test_tables_are_played_the_same_where_immutables_is_not():
    """As on a Python for which it has no wheel."""

    def shown(how: str) -> list[str]:
        paths = f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        command = [sys.executable, "-c", PLAYS, how]
        return subprocess.check_output(command, text=True, env=os.environ | {"PYTHONPATH": paths}).splitlines()

    without, usual = shown("without"), shown("with")
    assert without[-1] == "PureMap"
    assert len(without) == 3
    assert without[:-1] == usual[:-1]
