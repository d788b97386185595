"""Records: every prefix of a legal one replays; what is wrong is refused at its line, as what it is."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kasta.core import Over, Seat
from kasta.errors import KastaError, Unreadable
from kasta.record import LONGEST_LINE, Do, Header, Moment, Roll, replay, walk, write_record
from support.play import ACTIONS, every_rule_set, random_record, rule_sets, seeds

HEADER = '{"kasta": 1, "game": "GAME", "rules": "sheet", "seats": ["Sarah", "Tim"]}'
KNISTER, KNASTER, YATZY = (HEADER.replace("GAME", name) for name in ("knister", "knaster", "yatzy"))
ALONE = KNASTER.replace('"Sarah", "Tim"', '"Sarah"')


def record(lines: Sequence[str | bytes]) -> io.BytesIO:
    return io.BytesIO(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))


def replayed(lines: Sequence[str | bytes]) -> tuple[list[Moment], KastaError | None]:
    """How far a record goes, and what stops it; anything but a KastaError with a printable sentence is a crash."""
    moments: list[Moment] = []
    wrong = None
    try:
        moments.extend(walk(record(lines)))  # a list keeps what was added before the error
    except KastaError as error:
        wrong = error
    assert wrong is None or str(wrong).encode()
    return moments, wrong


def roll(*faces: int) -> str:
    return json.dumps({"roll": faces})


def do(seat: int, text: str) -> str:
    return json.dumps({"seat": seat, "do": text})


# Legal records


@every_rule_set
def test_a_whole_record_is_a_whole_game(name: str, rules: str):
    lines = random_record(name, rules, 2, seed=4)
    end = replay(record(lines))
    assert end.header == Header(name, rules, ("Sarah", "Tim"))
    assert end.line == len(lines)
    assert end.game.next(end.table) == Over()


def test_a_record_is_a_path_a_text_or_an_open_file(tmp_path: Path):
    lines = random_record("knister", "sheet", 2, seed=4)
    text, path = "\n".join(lines), tmp_path / "game.jsonl"
    path.write_text(text, "utf-8")
    whole = [(moment.line, moment.step) for moment in walk(record(lines))]
    for source in (path, str(path), text, "\n" + text, text.encode(), io.StringIO(text)):
        shift = source == "\n" + text
        assert [(moment.line - shift, moment.step) for moment in walk(source)] == whole
    with path.open(encoding="utf-8") as file:
        assert replay(file).line == len(lines)


def test_text_that_is_no_record_is_refused_as_such(tmp_path: Path):
    for text in ("", "{", "[]\n[]", "\ud800\n"):
        with pytest.raises(Unreadable):
            replay(text)
    with pytest.raises(FileNotFoundError):
        replay(str(tmp_path / "nothing.jsonl"))


@given(rule_sets, st.integers(1, 3), seeds)
def test_any_prefix_replays(which: tuple[str, str], seats: int, seed: int):
    lines = random_record(*which, seats, seed)
    moments, error = replayed(lines)
    assert error is None
    length = Random(seed).randint(1, len(lines))
    assert replay(record(lines[:length])) == moments[length - 1]
    assert [moment.line for moment in moments] == list(range(1, len(lines) + 1))


@given(rule_sets, st.integers(1, 3), seeds)
def test_records_round_trip(which: tuple[str, str], seats: int, seed: int):
    lines = random_record(*which, seats, seed)
    moments, _ = replayed(lines)
    assert list(write_record(moments[0].header, [moment.step for moment in moments if moment.step])) == lines


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_names_of_any_characters_round_trip(names: list[str]):
    header = Header("knister", "sheet", tuple(names))
    assert replay(record(list(write_record(header, [])))).header == header


def test_steps_are_read_as_they_are_written():
    lines = [KNISTER, roll(3, 5), do(1, "a5"), do(0, "c3")]
    moments, _ = replayed(lines)
    assert [moment.step for moment in moments] == [None, Roll((3, 5)), Do(Seat(1), "a5"), Do(Seat(0), "c3")]


@pytest.mark.parametrize(
    "lines",
    [
        [KNISTER],
        [KNISTER, ""],
        ["", "  ", KNISTER, "", roll(3, 5), ""],
        [KNISTER + "\r", roll(3, 5) + "\r", do(0, "c3") + "\r", ""],
        [KNISTER[:-1] + ', "at": "2025", "room": {}}', '{"roll": [3, 5], "by": "bot", "proof": [null]}'],
        ['{"seats": ["\\ud83c\\udfb2"], "rules": "sheet", "game": "yatzy", "kasta": 1}'],
    ],
)
def test_blank_lines_unknown_keys_and_an_early_end_are_fine(lines: list[str]):
    assert replayed(lines)[1] is None


# Corrupted records


def changed_json(line: str, rng: Random) -> str:
    """The same kind of line with another value: a face, a seat, an action or one word of the header."""
    data = json.loads(line)
    if "roll" in data:
        die = rng.randrange(len(data["roll"]))
        data["roll"][die] = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, -1, 10**20, 2.0, True, None])
    elif "do" in data and rng.random() < 0.3:
        data["seat"] = rng.choice([0, 1, 2, 3, -1, 10**20, 0.0, False, "0"])
    elif "do" in data:
        data["do"] = rng.choice(ACTIONS[rng.choice(list(ACTIONS))])
    else:
        words = [0, 1, 2, "sheet", "official", "knister", "yatzy", [], ["Tim"], ["a", "b", "c"], {}, None]
        data[rng.choice(list(data))] = rng.choice(words)
    return json.dumps(data)


def garbled(line: str, rng: Random) -> bytes:
    """One byte is lost, doubled or another one. A new line break would be another corruption: two lines."""
    raw = line.encode()
    at = rng.randrange(len(raw))
    other = bytes([rng.choice([byte for byte in range(256) if byte != ord("\n")])])
    return raw[:at] + rng.choice([b"", raw[at : at + 1] * 2, other]) + raw[at + 1 :]


def corrupted(lines: list[str], at: int, how: str, rng: Random) -> list[str | bytes]:
    before, line, after = lines[:at], lines[at], lines[at + 1 :]
    match how:
        case "dropped":
            return [*before, *after]
        case "doubled":
            return [*before, line, line, *after]
        case "swapped":
            return [*before, *after[:1], line, *after[1:]]
        case "changed":
            return [*before, changed_json(line, rng), *after]
        case _:
            return [*before, garbled(line, rng), *after]


@pytest.mark.parametrize("how", ["dropped", "doubled", "swapped", "changed", "garbled"])
@given(which=rule_sets, seats=st.integers(1, 3), seed=seeds)
def test_a_corrupted_record_is_another_game_or_refused_at_that_line_or_later(
    how: str, which: tuple[str, str], seats: int, seed: int
):
    lines, rng = random_record(*which, seats, seed), Random(seed)
    whole, _ = replayed(lines)
    for at in [0, 1, *(rng.randrange(len(lines)) for _ in range(20))]:
        moments, error = replayed(corrupted(lines, at, how, rng))
        assert moments[:at] == whole[:at]
        if error:
            assert error.kind in {"unreadable", "illegal"}
            assert error.line == (moments[-1].line if moments else 0) + 1 >= at + 1


# Bad input: what, the lines, and how they are refused

CROSSING = [  # c3, thrown last, completes row 3 (a straight) and column c (a full house)
    ALONE,
    *(roll(1, 4), do(0, "a3"), roll(2, 4), do(0, "b3"), roll(4, 4), do(0, "d3"), roll(4, 5), do(0, "e3")),
    *(roll(3, 4), do(0, "c1"), roll(3, 4), do(0, "c2"), roll(2, 2), do(0, "c4"), roll(2, 2), do(0, "c5")),
    *(roll(3, 4), do(0, "c3")),
]
JOKER = [  # five sixes; the Yatzy box holds 50, the sixes are free
    YATZY.replace(', "Tim"', ""),
    *(roll(6, 6, 6, 6, 6), do(0, "fill yatzy"), roll(6, 6, 6, 6, 6)),
]
THROWN = [YATZY, roll(1, 3, 3, 5, 6)]
OVER = random_record("knister", "sheet", 2, seed=5)

BAD = {
    # the first line
    "an empty file": ([], "unreadable", "empty", 1),
    "blank lines only": (["", " ", ""], "unreadable", "empty", 1),
    "no header": ([roll(3, 5)], "unreadable", "not_a_record", 1),
    "version 2": ([KNISTER.replace("1", "2")], "unreadable", "unknown_version", 1),
    "version true": ([KNISTER.replace("1", "true")], "unreadable", "unknown_version", 1),
    "version 1.0": ([KNISTER.replace("1", "1.0")], "unreadable", "unknown_version", 1),
    "version half a character": ([KNISTER.replace("1", '"\\ud800"')], "unreadable", "unknown_version", 1),
    "no version": ([KNISTER.replace("1", "null")], "unreadable", "unknown_version", 1),
    "an unknown game": ([HEADER], "unreadable", "unknown_game", 1),
    "an unknown rule set": ([KNISTER.replace("sheet", "official")], "unreadable", "unknown_rules", 1),
    "no game": (['{"kasta": 1, "rules": "sheet", "seats": ["Tim"]}'], "unreadable", "missing_key", 1),
    "no rules": (['{"kasta": 1, "game": "knister", "seats": ["Tim"]}'], "unreadable", "missing_key", 1),
    "no seats": (['{"kasta": 1, "game": "knister", "rules": "sheet"}'], "unreadable", "missing_key", 1),
    "an empty table": ([KNISTER.replace('"Sarah", "Tim"', "")], "unreadable", "wrong_type", 1),
    "a number for a name": ([KNISTER.replace('"Tim"', "7")], "unreadable", "wrong_type", 1),
    "a number of seats": ([KNISTER.replace('["Sarah", "Tim"]', "2")], "unreadable", "wrong_type", 1),
    "half a character for a name": ([KNISTER.replace("Tim", "\\udfff")], "unreadable", "wrong_type", 1),
    "half a character for a game": ([HEADER.replace("GAME", "\\ud83c")], "unreadable", "wrong_type", 1),
    "a list for a game": ([HEADER.replace('"GAME"', "[]")], "unreadable", "wrong_type", 1),
    # lines that are no JSON
    "broken JSON": ([KNISTER, '{"roll": [3, 5}'], "unreadable", "not_json", 2),
    "a header cut off": ([KNISTER[:-1]], "unreadable", "not_json", 1),
    "two objects on a line": ([KNISTER, roll(3, 5) + roll(3, 5)], "unreadable", "not_json", 2),
    "NaN": ([KNISTER, '{"roll": [NaN, 5]}'], "unreadable", "not_json", 2),
    "a byte order mark in the middle": ([KNISTER, b"\xef\xbb\xbf{}"], "unreadable", "not_json", 2),
    "nested too deeply": ([KNISTER, "[" * 200_000], "unreadable", "not_json", 2),
    "objects nested too deeply": ([KNISTER, '{"roll":' * 200_000], "unreadable", "not_json", 2),
    "a number of 5,000 digits": ([KNISTER, f'{{"roll": [{"9" * 5000}, 1]}}'], "unreadable", "not_json", 2),
    "not UTF-8": ([KNISTER, b'{"seat": 0, "do": "\xff"}'], "unreadable", "not_utf8", 2),
    "UTF-16": ([KNISTER.encode("utf-16")], "unreadable", "not_utf8", 1),
    "a picture": ([b"\x89PNG\r", b"\x1a"], "unreadable", "not_utf8", 1),
    "a list": ([KNISTER, "[3, 5]"], "unreadable", "not_an_object", 2),
    "a number": (["1"], "unreadable", "not_an_object", 1),
    "more than 4 MB on a line": ([KNISTER, b" " * (LONGEST_LINE + 1)], "unreadable", "line_too_long", 2),
    "a header of more than 4 MB": ([b"x" * (LONGEST_LINE + 1)], "unreadable", "line_too_long", 1),
    # lines that are no steps
    "another header": ([KNISTER, KNISTER], "unreadable", "unknown_step", 2),
    "an unknown kind of line": ([KNISTER, '{"chat": "hello"}'], "unreadable", "unknown_step", 2),
    "roll and do at once": ([KNISTER, '{"roll": [3, 5], "seat": 0, "do": "c3"}'], "unreadable", "unknown_step", 2),
    "nobody's action": ([KNISTER, roll(3, 5), '{"do": "c3"}'], "unreadable", "missing_key", 3),
    "a seat by its name": ([KNISTER, roll(3, 5), '{"seat": "Tim", "do": "c3"}'], "unreadable", "wrong_type", 3),
    "seat true": ([KNISTER, roll(3, 5), '{"seat": true, "do": "c3"}'], "unreadable", "wrong_type", 3),
    "seat 0.0": ([KNISTER, roll(3, 5), '{"seat": 0.0, "do": "c3"}'], "unreadable", "wrong_type", 3),
    "a list of actions": ([KNISTER, roll(3, 5), '{"seat": 0, "do": ["c3"]}'], "unreadable", "wrong_type", 3),
    "half a character to do": ([KNISTER, roll(3, 5), do(0, "\ud800")], "unreadable", "wrong_type", 3),
    "a sum for a roll": ([KNISTER, '{"roll": 8}'], "unreadable", "wrong_type", 2),
    "true for a face": ([KNISTER, '{"roll": [true, 5]}'], "unreadable", "wrong_type", 2),
    "3.0 for a face": ([KNISTER, '{"roll": [3.0, 5]}'], "unreadable", "wrong_type", 2),
    "a cell off the grid": ([KNISTER, roll(3, 5), do(0, "f6")], "unreadable", "unknown_cell", 3),
    "another game's action": ([YATZY, roll(1, 3, 3, 5, 6), do(0, "c3")], "unreadable", "unknown_action", 3),
    "a line off the grid": ([*CROSSING, do(0, "7(c3)")], "unreadable", "unknown_line", 20),
    # throws
    "a roll of 7": ([KNISTER, roll(7, 1)], "illegal", "no_such_face", 2),
    "a roll of 0": ([KNISTER, roll(0, 1)], "illegal", "no_such_face", 2),
    "a face of 4,000 digits": ([KNISTER, f'{{"roll": [{"9" * 4000}, 1]}}'], "illegal", "no_such_face", 2),
    "three dice": ([KNISTER, roll(3, 5, 1)], "illegal", "wrong_number_of_dice", 2),
    "no dice": ([KNISTER, roll()], "illegal", "wrong_number_of_dice", 2),
    "all five instead of the rest": (
        [*THROWN, do(0, "keep 3 3"), roll(1, 1, 1, 1, 1)],
        "illegal",
        "wrong_number_of_dice",
        4,
    ),
    "a roll while picks are owed": ([KNISTER, roll(3, 5), do(0, "c3"), roll(3, 5)], "illegal", "picks_owed", 4),
    "a roll while circles are owed": ([*CROSSING, do(0, "3(c3)"), roll(3, 4)], "illegal", "picks_owed", 21),
    "no roll": ([KNISTER, do(0, "c3")], "illegal", "throw_first", 2),
    # seats
    "seat 2 of two": ([KNISTER, roll(3, 5), do(2, "c3")], "illegal", "no_such_seat", 3),
    "seat -1": ([KNISTER, roll(3, 5), do(-1, "c3")], "illegal", "no_such_seat", 3),
    "a huge seat": ([KNISTER, roll(3, 5), do(10**4000, "c3")], "illegal", "no_such_seat", 3),
    "acting twice": ([KNISTER, roll(3, 5), do(0, "c3"), do(0, "c4")], "illegal", "already_acted", 4),
    "acting out of turn": ([*THROWN, do(1, "fill ones")], "illegal", "not_your_turn", 3),
    # Knister and Knaster
    "a cell taken twice": (
        [KNISTER, roll(3, 5), do(0, "c3"), do(1, "c3"), roll(3, 5), do(0, "c3")],
        "illegal",
        "cell_taken",
        6,
    ),
    "the bonus circle of a line not completed": ([*CROSSING, do(0, "1(c1)")], "illegal", "line_owes_nothing", 20),
    "a bonus circle of another line's cell": ([*CROSSING, do(0, "3(c4)")], "illegal", "cell_not_on_line", 20),
    "a line begun and not finished": (
        [*CROSSING, do(0, "3(a3)"), do(0, "c(c3)")],
        "illegal",
        "line_unfinished",
        21,
    ),
    "a number instead of bonus circles": ([*CROSSING, do(0, "a1")], "illegal", "circles_owed", 20),
    "a circle drawn twice": ([*CROSSING, do(0, "3(a3)"), do(0, "3(a3)")], "illegal", "already_circled", 21),
    "a circle around another number": ([*CROSSING[:-1], do(0, "(a3)")], "illegal", "not_that_number", 19),
    "a pass before the last throw": ([KNASTER, roll(3, 4), do(0, "-")], "illegal", "pass_too_early", 3),
    # Yatzy
    "a joker in the wrong box": ([*JOKER, do(0, "fill chance")], "illegal", "joker_elsewhere", 5),
    "a box filled twice": ([*JOKER, do(0, "fill yatzy")], "illegal", "box_filled", 5),
    "keeping a die that was not thrown": ([*THROWN, do(0, "keep 2")], "illegal", "die_not_thrown", 3),
    "keeping a die twice": ([*THROWN, do(0, "keep 3 5 5")], "illegal", "die_not_thrown", 3),
    "keeping nothing": ([*THROWN, do(0, "keep")], "illegal", "keep_at_least_one", 3),
    "keeping all": ([*THROWN, do(0, "keep 1 3 3 5 6")], "illegal", "keep_all_is_stopping", 3),
    "a fourth throw": (
        [*THROWN, *(do(0, "keep 3"), roll(1, 1, 1, 1)) * 2, do(0, "keep 3")],
        "illegal",
        "no_throw_left",
        7,
    ),
    # the end
    "a roll after the end": ([*OVER, roll(3, 5)], "illegal", "game_over", len(OVER) + 1),
    "an action after the end": ([*OVER, do(0, "c3")], "illegal", "game_over", len(OVER) + 1),
    "rubbish after the end": ([*OVER, "rubbish"], "unreadable", "not_json", len(OVER) + 1),
    "blank lines count": (["", KNISTER, "", roll(7, 1)], "illegal", "no_such_face", 4),
}


@pytest.mark.parametrize(("lines", "kind", "code", "line"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(lines: list[str | bytes], kind: str, code: str, line: int):
    _, error = replayed(lines)
    assert error is not None
    assert (error.kind, error.code, error.line) == (kind, code, line)


def fixed(entropy: str = "", table: str = "t", known: dict[str, object] | None = None) -> str:
    """A header whose dice are those of a table, or of a challenge with the throws of one."""
    dice: dict[str, object] = {"table": table, "commitment": "00", "entropy": [entropy]}
    if known is not None:
        dice |= {"table": "challenge/c/knaster", "entropy": []}
        dice["known"] = {"table": "t", "entropy": ["x"], "numbers": [[0]]} | known
    return ALONE.replace('"kasta"', f'"dice": {json.dumps(dice)}, "kasta"')


def known(**parts: object) -> str:
    return fixed(known=parts)


@pytest.mark.parametrize(
    ("fits", "does_not"),
    [
        (fixed("x" * 64), fixed("x" * 65)),
        (fixed("å" * 32), fixed("å" * 33)),
        (fixed(table="x" * 64), fixed(table="x" * 65)),
        (known(table="x" * 64), known(table="x" * 65)),
        (known(table="x"), known(table=7)),
        (known(entropy=["x" * 64]), known(entropy=["x" * 65])),
        (known(entropy=["x", ""]), known(entropy=[None])),
        (known(numbers=[[2**63 - 1]]), known(numbers=[[2**63]])),
        (known(numbers=[[0], []]), known(numbers=[[-1]])),
        (known(numbers=[]), known(numbers=0)),
        (known(numbers=[[0, 1]]), known(numbers=[[0], [True]])),
    ],
)
def test_what_a_header_says_of_its_dice_has_bounds(fits: str, does_not: str):
    assert replayed([fits])[1] is None
    error = replayed([does_not])[1]
    assert error is not None
    assert (error.code, error.line) == ("wrong_type", 1)


def test_who_leaves_is_left_out_from_then_on():
    moments, _ = replayed([KNISTER, roll(3, 5), do(1, "c3"), '{"leave": 0}'])
    assert moments[-1].game.has_left(moments[-1].table, 0)
    assert not moments[-2].game.has_left(moments[-2].table, 0)


def test_a_line_of_4_mb_is_read():
    step = roll(3, 5)
    assert replayed([KNISTER, step + " " * (LONGEST_LINE - len(step) - 1)])[1] is None


def test_a_file_without_line_breaks_is_refused_after_4_mb():
    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - whatever can be written to
            self.given += len(buffer)
            buffer[:] = b"x" * len(buffer)
            return len(buffer)

    source = Endless()
    with pytest.raises(KastaError, check=lambda error: error.code == "line_too_long"):
        replay(io.BufferedReader(source))
    assert source.given < 2 * LONGEST_LINE


def test_a_record_may_begin_with_a_byte_order_mark():
    """As some editors write it."""
    end, error = replayed([b"\xef\xbb\xbf" + KNISTER.encode()])
    assert error is None
    assert end is not None
