"""Game records: JSON lines that anybody can write, read one at a time so that length costs no memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

from kasta.core import Faces, Seat
from kasta.errors import KastaError, Unreadable
from kasta.registry import find_game
from kasta.seating import AnyGame

VERSION = 1
LONGEST_LINE = 4 * 2**20
EXAMPLE_HEADER = '{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Sarah", "Tim"]}'
EXAMPLE_STEPS = '{"roll": [3, 6]} or {"seat": 0, "do": "c3"}'


@dataclass(frozen=True, slots=True)
class Header:
    """What is played, and by whom: names clockwise from the one who starts."""

    game: str
    rules: str
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    faces: Faces


@dataclass(frozen=True, slots=True)
class Do:
    seat: Seat
    text: str


Step = Roll | Do


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a game stands after a line of its record; `step` is None for the first."""

    header: Header
    game: AnyGame
    line: int
    step: Step | None
    table: Any


def walk(source: BinaryIO) -> Iterator[Moment]:
    """Play a record, line by line. What is wrong is raised with its line, after all that was right before it."""
    lines = _lines(source)
    try:
        line, data = next(lines)
    except StopIteration:
        raise Unreadable("empty", line=1, example=EXAMPLE_HEADER) from None
    try:
        header = read_header(data)
        game = find_game(header.game, header.rules)
        moment = Moment(header, game, line, None, game.start(len(header.seats)))
        yield moment
        for line, data in lines:
            step = read_step(data)
            moment = Moment(header, game, line, step, apply(game, moment.table, step))
            yield moment
    except KastaError as error:
        raise error.at(line) if error.line is None else error  # noqa: B904 - it is the same error


def replay(source: BinaryIO) -> Moment:
    """Where a record ends."""
    for moment in walk(source):  # noqa: B007 - only the last counts
        pass
    return moment


def apply(game: AnyGame, table: Any, step: Step) -> Any:  # noqa: ANN401 - each game has its own tables
    match step:
        case Roll(faces):
            return game.throw(table, faces)
        case Do(seat, text):
            return game.act(table, seat, game.solo.read_action(text))


def write_record(header: Header, steps: Iterable[Step]) -> Iterator[str]:
    """The lines of a record."""
    yield write_header(header)
    yield from map(write_step, steps)


def write_header(header: Header) -> str:
    return _json({"kasta": VERSION, "game": header.game, "rules": header.rules, "seats": list(header.seats)})


def write_step(step: Step) -> str:
    match step:
        case Roll(faces):
            return _json({"roll": list(faces)})
        case Do(seat, text):
            return _json({"seat": seat, "do": text})


def read_header(data: dict[str, Any]) -> Header:
    if "kasta" not in data:
        raise Unreadable("not_a_record")
    if type(data["kasta"]) is not int or data["kasta"] != VERSION:
        raise Unreadable("unknown_version", version=_json(data["kasta"])[:40])
    seats = _get(data, "seats", list, "a list of names")
    if not seats or not all(isinstance(name, str) and _is_text(name) for name in seats):
        raise Unreadable("wrong_type", key="seats", wanted="a list of names, at least one")
    return Header(_get(data, "game", str, "a name"), _get(data, "rules", str, "a name"), tuple(seats))


def read_step(data: dict[str, Any]) -> Step:
    if ("roll" in data) == ("do" in data):
        raise Unreadable("unknown_step", example=EXAMPLE_STEPS)
    if "roll" in data:
        faces = _get(data, "roll", list, "a list of faces")
        if not all(type(face) is int for face in faces):
            raise Unreadable("wrong_type", key="roll", wanted="a list of faces")
        return Roll(tuple(faces))
    return Do(Seat(_get(data, "seat", int, "a number")), _get(data, "do", str, "an action such as c3"))


def _get(data: dict[str, Any], key: str, kind: type, wanted: str) -> Any:  # noqa: ANN401 - the kind says it
    if key not in data:
        raise Unreadable("missing_key", key=key)
    if type(data[key]) is not kind or (kind is str and not _is_text(data[key])):
        raise Unreadable("wrong_type", key=key, wanted=wanted)
    return data[key]


def _is_text(text: str) -> bool:
    """Whether it can be printed at all: JSON lets half a surrogate pair through."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _lines(source: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file with their line numbers; blank lines are nothing."""
    number = 0
    while raw := source.readline(LONGEST_LINE + 1):
        number += 1
        try:
            if len(raw) > LONGEST_LINE:
                raise Unreadable("line_too_long")
            if raw.strip():
                yield number, _read_json(raw)
        except Unreadable as error:
            raise error.at(number) from None


def _read_json(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise Unreadable("not_utf8") from None
    except RecursionError:
        raise Unreadable("not_json", reason="too deeply nested") from None
    except ValueError as error:
        raise Unreadable("not_json", reason=str(error)) from None
    if not isinstance(data, dict):
        raise Unreadable("not_an_object")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name + " is no JSON number")


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)
