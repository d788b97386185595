"""The dice of a day: the test vector of docs/dice.md, and games thrown by code that shares none with ours."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from kasta import dice
from kasta.core import Over, Throw
from kasta.games import OURS, find_game
from kasta.verify import Verdict, check_dice, series_numbers

PAGE = (Path(__file__).parents[3] / "docs/dice.md").read_text("utf-8")
SECRET = bytes(range(32))
DAY = "2026-11-16"


def independent(day_id: str, number: int, count: int) -> list[int]:
    """A throw of a day, as anybody could work it out from docs/dice.md."""
    start = hashlib.sha256(day_id.encode()).digest() + number.to_bytes(8, "big")
    blocks = [hmac.new(SECRET, start + block.to_bytes(4, "big"), hashlib.sha256).digest() for block in range(3)]
    return [byte % 6 + 1 for byte in b"".join(blocks) if byte < 252][:count]


def played(name: str, seats: int = 1, seed: int = 1, dice_of: str = "") -> list[dict[str, Any]]:
    """The record of a game that somebody plays anyhow with the dice of a day, by counts of its own."""
    game, rng = find_game(name), random.Random(seed)
    table = game.start(seats)
    day_id = f"day/{DAY}/{dice_of or name}"
    proof = {"table": day_id, "commitment": dice.commitment(SECRET), "entropy": []}
    record: list[dict[str, Any]] = [
        {"kasta": 1, "game": name, "rules": game.rules, "seats": ["A", "B", "C"][:seats]}
        | {"dice": proof | {"secret": SECRET.hex()}}
    ]
    rounds, throws = [-1] * seats, [0] * seats
    while not isinstance(expected := game.next(table), Over):
        if isinstance(expected, Throw):
            who = 0 if game.hides_picks else expected.roller
            is_new = game.solo.rests(game.sheet(table, expected.roller))
            rounds[who], throws[who] = (rounds[who] + 1, 0) if is_new else (rounds[who], throws[who] + 1)
            faces = independent(day_id, 256 * rounds[who] + throws[who], expected.dice)
            table = game.throw(table, tuple(faces))
            record.append({"roll": faces})
            continue
        seat = next(seat for seat in range(seats) if expected.is_due(seat))
        action = rng.choice(game.legal(table, seat))
        table = game.act(table, seat, action)
        record.append({"seat": seat, "do": str(action)})
    return record


def written(record: list[dict[str, Any]]) -> io.BytesIO:
    return io.BytesIO("\n".join(map(json.dumps, record)).encode())


def test_the_test_vector_of_a_day_in_the_docs_holds():
    salt = dice.salt(dice.day_id(DAY, "yatzy"), [])
    assert dice.day_id(DAY, "yatzy") == "day/2026-11-16/yatzy"
    assert f"`{salt.hex()}`" in PAGE
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| ([\d ]+) \| ([\d ]+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 5
    for in_game, in_round, number, five, two in rows:
        assert int(number) == 256 * int(in_game) + int(in_round)
        assert dice.throw(SECRET, salt, int(number), 5) == tuple(map(int, five.split()))
        assert dice.throw(SECRET, salt, int(number), 2) == tuple(map(int, two.split()))
        assert " ".join(map(str, independent("day/2026-11-16/yatzy", int(number), 5))) == five


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("name", OURS)
def test_a_game_with_the_dice_of_a_day_is_proven(name: str, seats: int):
    record = played(name, seats)
    throws = sum("roll" in step for step in record)
    assert check_dice(written(record)) == Verdict("proven", throws)


def test_each_player_has_the_same_dice_whatever_the_others_do():
    game = played("yatzy", seats=3)
    numbers = series_numbers(written(game))
    assert [number for number in numbers if number % 256 == 0] == sorted([256 * n for n in range(13)] * 3)


@pytest.mark.parametrize("change", [1, -1], ids=["face", "order"])
def test_a_throw_of_a_day_that_was_changed_is_found(change: int):
    record = played("yatzy")
    lines = [line for line, step in enumerate(record) if "roll" in step]
    at = lines[7]
    faces = record[at]["roll"]
    record[at]["roll"] = [faces[0] % 6 + 1, *faces[1:]] if change > 0 else record[lines[0]]["roll"][: len(faces)]
    assert check_dice(written(record[: at + 1])) == Verdict("wrong", 8, at + 1)


@pytest.mark.parametrize("other", ["maxi", "yatzy15", "yatzy/15"])
def test_the_dice_of_another_game_prove_nothing(other: str):
    record = played("yatzy", dice_of=other)
    throws = sum("roll" in step for step in record)
    assert check_dice(written(record)) == Verdict("wrong", throws, 1)


def test_before_the_secret_is_told_a_day_is_unproven():
    record = played("knister")
    del record[0]["dice"]["secret"]
    assert check_dice(written(record)) == Verdict("unproven", 25)
