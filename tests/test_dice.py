"""Dice that anybody can check: the test vector of docs/dice.md, and a checker that shares no code with ours."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from kasta import dice
from kasta.verify import Verdict, check_dice

PAGE = (Path(__file__).parents[1] / "docs/dice.md").read_text("utf-8")
SECRET = bytes(range(32))
ENTROPY = ["", "häxa", "7"]
SALT = dice.salt("kasta-test-vector", ENTROPY)


def independent(record: list[dict[str, Any]]) -> bool:
    """Ten lines that anybody could write from docs/dice.md."""
    proof = record[0]["dice"]
    secret, salt = bytes.fromhex(proof["secret"]), proof["table"].encode()
    for seat, given in enumerate(proof["entropy"]):
        salt += seat.to_bytes(4, "big") + bytes([len(given.encode())]) + given.encode()
    salt, rolls = hashlib.sha256(salt).digest(), [step["roll"] for step in record if "roll" in step]
    for n, roll in enumerate(rolls):
        blocks = [salt + n.to_bytes(8, "big") + b.to_bytes(4, "big") for b in range(9)]
        stream = b"".join(hmac.new(secret, block, hashlib.sha256).digest() for block in blocks)
        if [byte % 6 + 1 for byte in stream if byte < 252][: len(roll)] != roll:
            return False
    return bool(hashlib.sha256(secret).hexdigest() == proof["commitment"])


def game(throws: int = 3) -> list[dict[str, Any]]:
    """A record of one seat that has thrown a few times at Knister."""
    salt = dice.salt("t", ["x"])
    proof = {"table": "t", "commitment": dice.commitment(SECRET), "entropy": ["x"], "secret": SECRET.hex()}
    record = [{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["A"], "dice": proof}]
    for n in range(throws):
        record += [{"roll": list(dice.throw(SECRET, salt, n, 2))}, {"seat": 0, "do": f"{'abcde'[n]}1"}]
    return record


def verdict(record: list[dict[str, Any]]) -> Verdict:
    return check_dice(io.BytesIO("\n".join(map(json.dumps, record)).encode()))


def test_the_test_vector_of_the_docs_holds():
    assert f"`{SECRET.hex()}`" in PAGE
    assert f"`{dice.commitment(SECRET)}`" in PAGE
    assert f"`{SALT.hex()}`" in PAGE
    rows = re.findall(r"^\| (\d+) \| ((?:\d ?){5}) \|", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for number, faces in rows:
        assert dice.throw(SECRET, SALT, int(number), 5) == tuple(map(int, faces.split()))


def test_a_throw_of_many_dice_goes_on_in_the_next_block():
    assert dice.throw(SECRET, SALT, 0, 100)[:5] == dice.throw(SECRET, SALT, 0, 5)
    blocks = (SALT + bytes(8) + block.to_bytes(4, "big") for block in range(40))
    stream = b"".join(hmac.new(SECRET, block, hashlib.sha256).digest() for block in blocks)
    assert {252, 251} < set(stream)  # the first byte that is skipped, and the last that counts
    assert dice.throw(SECRET, SALT, 0, 1000) == tuple(byte % 6 + 1 for byte in stream if byte < 252)[:1000]


def test_who_gave_what_matters():
    assert (
        len({dice.salt("t", given) for given in (["a", "b"], ["b", "a"], ["ab", ""], ["a", "b", ""], ["a"])}) == 5
    )


def test_a_secret_is_32_random_bytes():
    secrets = {dice.new_secret() for _ in range(100)}
    assert {len(secret) for secret in secrets} == {32}
    assert len(secrets) == 100


def test_a_day_is_one_of_utc_and_names_its_dice():
    assert [dice.day_of(time) for time in (0, 86_399.9, 86_400)] == ["1970-01-01", "1970-01-01", "1970-01-02"]
    assert dice.day_id("2026-11-16", "knister") == "day/2026-11-16/knister"


@pytest.mark.parametrize(
    ("last", "goes_on", "number"),
    [(None, 0, 0), (None, 1, 0), (0, 1, 1), (5, 1, 6), (0, 0, 256), (255, 0, 256), (256, 0, 512), (300, 0, 512)],
)
def test_the_throws_of_a_day_are_numbered_by_rounds_of_256(last: int | None, goes_on: int, number: int):
    assert dice.series_number(last, goes_on=bool(goes_on)) == number


@pytest.mark.parametrize(
    ("number", "had"),
    [(0, 0), (2, 2), (256, 5), (257, 6), (3, 2**32 + 3), (258, 2**32 + 258), (512, 2**32 + 512)],
)
def test_throws_of_a_game_that_is_over_have_the_numbers_of_its_table_and_no_more_than_it_threw(
    number: int, had: int
):
    known = dice.KnownThrows("t", ("x", ""), ((0, 1, 2), (5, 6)))
    assert known.number(number) == had
    assert known.salt == dice.salt("t", ["x", ""])


def test_only_throws_that_many_play_have_an_id_with_a_slash():
    assert dice.is_series(dice.day_id("2026-11-16", "knister"))
    assert dice.is_series(dice.series_id("challenge/abc", "yatzy"))
    assert not dice.is_series("t-day")


def test_a_record_with_its_secret_is_proven_and_an_independent_checker_agrees():
    assert verdict(game()) == Verdict("proven", 3)
    assert independent(game())


def test_another_face_is_found_with_its_line():
    record = game()
    record[3]["roll"] = [7 - record[3]["roll"][0], record[3]["roll"][1]]
    assert verdict(record) == Verdict("wrong", 3, first_wrong_line=4)
    assert not independent(record)


def test_of_several_other_faces_the_first_is_named():
    record = game(5)
    for at in (3, 7, 9):
        record[at]["roll"] = [7 - face for face in record[at]["roll"]]
    assert verdict(record) == Verdict("wrong", 5, first_wrong_line=4)


def test_a_commitment_is_the_same_in_capitals():
    record = game()
    record[0]["dice"] |= {"commitment": dice.commitment(SECRET).upper(), "secret": SECRET.hex().upper()}
    assert verdict(record) == Verdict("proven", 3)


def challenge(
    game: str, numbers: list[list[int]], seats: int = 1, table: str = "challenge/c/"
) -> list[dict[str, Any]]:
    """The first turns of a challenge with the throws of a game that is over: one throw in each."""
    entropy = ["x"] * seats
    known = {"table": "t", "entropy": entropy, "numbers": numbers}
    proof = {
        "table": f"{table}{game}",
        "commitment": dice.commitment(SECRET),
        "entropy": [],
        "secret": SECRET.hex(),
    }
    record = [{"kasta": 1, "game": game, "rules": "sheet", "seats": ["A"], "dice": proof | {"known": known}}]
    salt, (count, does) = dice.salt("t", entropy), FIRST_TURNS[game]
    for turn, do in zip(numbers, does, strict=False):
        record += [{"roll": list(dice.throw(SECRET, salt, (turn or [0])[0], count))}, {"seat": 0, "do": do}]
    return record


FIRST_TURNS = {"knister": (2, ["a1", "b1", "c1"]), "yatzy": (5, ["fill ones", "fill twos", "fill chance"])}


@pytest.mark.parametrize(
    ("game", "numbers", "seats"),
    [
        ("knister", [[0], [1], [2]], 1),
        ("knister", [[0], [1], [2]], 8),
        ("yatzy", [[0], [1, 2, 3], [4, 5]], 1),
        ("yatzy", [[3], [4, 5], [8]], 2),  # the other has thrown three times, not at all, and twice
        ("yatzy", [[0, 1], [5], [9, 10, 11]], 2),
    ],
)
def test_throws_of_a_game_that_is_over_are_proven(game: str, numbers: list[list[int]], seats: int):
    assert verdict(challenge(game, numbers, seats)) == Verdict("proven", 3)


@pytest.mark.parametrize(
    ("game", "numbers", "seats"),
    [
        ("knister", [[1], [2], [3]], 8),  # the first is left out
        ("knister", [[0], [2], [3]], 8),
        ("knister", [[0], [1], [1]], 1),
        ("knister", [[0, 1], [2], [3]], 1),
        ("yatzy", [[1], [2], [3]], 1),  # nobody else was there
        ("yatzy", [[0], [2], [3]], 1),
        ("yatzy", [[4], [5], [6]], 2),  # the other throws three times a turn at most
        ("yatzy", [[0], [1], [12]], 2),
        ("yatzy", [[0], [4], [3]], 2),
        ("yatzy", [[2], [2], [3]], 2),
        ("yatzy", [[0, 2], [3], [4]], 2),
        ("yatzy", [[], [0], [1]], 1),
    ],
)
def test_numbers_that_nobody_can_have_had_are_wrong(game: str, numbers: list[list[int]], seats: int):
    """Else whoever wrote the record could have chosen the dice."""
    assert verdict(challenge(game, numbers, seats)) == Verdict("wrong", 3, first_wrong_line=1)


def test_throws_of_another_game_are_those_of_a_challenge_only():
    for table in ("t/", "day/2026-11-16/"):
        record = challenge("knister", [[0], [1], [2]], table=table)
        record[0]["dice"]["entropy"] = [] if table.startswith("day") else ["x"]
        assert verdict(record) == Verdict("wrong", 3, first_wrong_line=1)


@pytest.mark.parametrize(
    "change", [{"secret": "00" * 32}, {"secret": "no hex"}, {"commitment": "00" * 32}], ids=str
)
def test_a_secret_that_was_not_committed_to_blames_the_header(change: dict[str, Any]):
    record = game()
    record[0]["dice"] |= change
    assert verdict(record) == Verdict("wrong", 3, first_wrong_line=1)


def test_own_dice_and_untold_secrets_are_unproven():
    own, untold = game(), game()
    del own[0]["dice"], untold[0]["dice"]["secret"]
    assert verdict(own) == verdict(untold) == Verdict("unproven", 3)
