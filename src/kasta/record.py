"""Game records: JSON lines, read one at a time so that a long record needs no memory (docs/notation.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, Self, TextIO

from kasta.core import Faces, Seat
from kasta.dice import KnownThrows, is_series
from kasta.errors import KastaError, Unreadable
from kasta.games import OURS, find_game
from kasta.games.traits import AnyGame

VERSION = 1
LONGEST_LINE = 4 * 2**20
BOM = b"\xef\xbb\xbf"  # with which some editors begin a file
LONGEST_PROOF = 64  # bytes of an id, a hash, a secret, or what a seat gave to the dice
LARGEST_NUMBER = 2**63  # of a throw
EXAMPLE_HEADER = f'{{"kasta": 1, "game": "{next(iter(OURS))}", "rules": "sheet", "seats": ["Sarah", "Tim"]}}'
EXAMPLE_STEPS = '{"roll": [3, 6]} or {"seat": 0, "do": "c3"}'


@dataclass(frozen=True, slots=True)
class Proof:
    """The data that are needed to check the dice (docs/dice.md); `secret` is None until the game is over."""

    table: str
    commitment: str
    entropy: tuple[str, ...]
    secret: str | None = None
    known: KnownThrows | None = None  # where they were thrown before, if others have played them


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the game, its rule set, and the players' names, clockwise from the one who starts."""

    game: str
    rules: str
    seats: tuple[str, ...]
    dice: Proof | None = None
    coached: tuple[Seat, ...] = ()  # whom a coach told what to do, while they played


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw: the faces of the dice thrown, where some were kept, only of those thrown again."""

    faces: Faces

    def apply(self, game: AnyGame, table: Any) -> Any:  # noqa: ANN401 - each game has its own tables
        return game.throw(table, self.faces)

    def data(self) -> dict[str, Any]:
        return {"roll": list(self.faces)}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Self:
        faces = _get(data, "roll", list, "a list of faces")
        if not all(type(face) is int for face in faces):
            raise Unreadable("wrong_type", key="roll", wanted="a list of faces")
        return cls(tuple(faces))


@dataclass(frozen=True, slots=True)
class Do:
    """An action of a seat, in notation; `by_bot` where a bot chose it."""

    seat: Seat
    text: str
    by_bot: bool = False

    def apply(self, game: AnyGame, table: Any) -> Any:  # noqa: ANN401 - each game has its own tables
        return game.act(table, self.seat, game.solo.read_action(self.text))

    def data(self) -> dict[str, Any]:
        return {"seat": self.seat, "do": self.text} | ({"by": "bot"} if self.by_bot else {})

    @classmethod
    def read(cls, data: dict[str, Any]) -> Self:
        seat = _get(data, "seat", int, "a number")
        return cls(seat, _get(data, "do", str, "an action such as c3"), data.get("by") == "bot")


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat is given up: it does not act any more, and gets no place."""

    seat: Seat

    def apply(self, game: AnyGame, table: Any) -> Any:  # noqa: ANN401 - each game has its own tables
        return game.leave(table, self.seat)

    def data(self) -> dict[str, Any]:
        return {"leave": self.seat}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Self:
        return cls(_get(data, "leave", int, "the number of a seat"))


Step = Roll | Do | Leave
"""A line of a record after the first."""

Source = str | bytes | PathLike[str] | BinaryIO | TextIO
"""A path, an open file, or the text of a record: a `str` with a line break, or that begins with `{`."""

_KINDS: dict[str, type[Step]] = {"roll": Roll, "do": Do, "leave": Leave}


@dataclass(frozen=True, slots=True)
class Moment:
    """The position after a line of a record: `table` belongs to `game`; `step` is None for the first line."""

    header: Header
    game: AnyGame
    line: int
    step: Step | None
    table: Any


def walk(source: Source) -> Iterator[Moment]:
    """Play a record line by line, from a path, its text, or an open file: yield the position after each line.

    The first line that is unreadable or illegal raises a `KastaError` with its `line`.
    """
    if isinstance(source, PathLike) or (isinstance(source, str) and source.strip() and not _is_record(source)):
        with Path(source).open("rb") as file:
            yield from _walk(file)
    elif isinstance(source, str | bytes):
        yield from _walk(BytesIO(source.encode(errors="surrogatepass") if isinstance(source, str) else source))
    else:
        yield from _walk(source)


def _is_record(text: str) -> bool:
    return text.lstrip().startswith("{") or "\n" in text


def _walk(source: BinaryIO | TextIO) -> Iterator[Moment]:
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
            moment = Moment(header, game, line, step, step.apply(game, moment.table))
            yield moment
    except KastaError as error:
        raise error.at(line) if error.line is None else error  # noqa: B904 - it is the same error


def replay(source: Source) -> Moment:
    """Play a whole record, from a path, its text, or an open file: the position after its last line."""
    for moment in walk(source):  # noqa: B007 - only the last counts
        pass
    return moment


def write_record(header: Header, steps: Iterable[Step]) -> Iterator[str]:
    """The lines of a record, without newlines: the header, then the steps."""
    yield write_header(header)
    yield from map(write_step, steps)


def write_header(header: Header) -> str:
    """The first line of a record."""
    data = {"kasta": VERSION, "game": header.game, "rules": header.rules, "seats": list(header.seats)}
    if header.dice is not None:
        fixed = asdict(header.dice) | {"known": header.dice.known and header.dice.known._asdict()}
        data["dice"] = {key: value for key, value in fixed.items() if value is not None}
    if header.coached:
        data["coached"] = list(header.coached)
    return _json(data)


def write_step(step: Step) -> str:
    """A line of a record after the first."""
    return _json(step.data())


def apply(game: AnyGame, table: Any, step: Step) -> Any:  # noqa: ANN401 - each game has its own tables
    """A game's table after a line of its record."""
    return step.apply(game, table)


def read_header(data: dict[str, Any]) -> Header:
    """The header that the first line's JSON object means; `Unreadable` where it means none."""
    if "kasta" not in data:
        raise Unreadable("not_a_record")
    if type(data["kasta"]) is not int or data["kasta"] != VERSION:
        raise Unreadable("unknown_version", version=json.dumps(data["kasta"])[:40])
    seats = _read_names(data)
    game, rules = (_get(data, key, str, "a name") for key in ("game", "rules"))
    proof = _read_proof(data["dice"], len(seats)) if "dice" in data else None
    return Header(game, rules, seats, proof, _read_coached(data, len(seats)))


def _read_names(data: dict[str, Any]) -> tuple[str, ...]:
    seats = _get(data, "seats", list, "a list of names")
    if not seats or not all(isinstance(name, str) and _is_text(name) for name in seats):
        raise Unreadable("wrong_type", key="seats", wanted="a list of names, at least one")
    return tuple(seats)


def _read_proof(data: object, seats: int) -> Proof:
    """The header's `dice`: strings throughout, with the entropy of every seat, which a series has not."""
    found: dict[str, Any] = {"table": None, "entropy": None} | (data if isinstance(data, dict) else {})
    entropy = found["entropy"] if isinstance(found["entropy"], list) else [None]
    fine = all(map(_is_short, (found["table"], found.get("commitment"), found.get("secret", ""), *entropy)))
    is_common = fine and is_series(found["table"]) and not entropy  # nobody adds anything to throws of many
    if not fine or len(entropy) != (0 if is_common else seats):
        raise Unreadable("wrong_type", key="dice", wanted="table, commitment, and the entropy of every seat")
    known = _read_known(found["known"]) if "known" in found else None
    return Proof(found["table"], found["commitment"], tuple(found["entropy"]), found.get("secret"), known)


def _read_known(data: object) -> KnownThrows:
    """Where the throws were thrown before: a table, what its seats gave, and the numbers there, round by round."""
    match data:
        case {"table": str(table), "entropy": [*entropy], "numbers": [*numbers]} if all(
            map(_is_short, (table, *entropy))
        ) and all(map(_are_numbers, numbers)):
            return KnownThrows(table, tuple(entropy), tuple(tuple(each) for each in numbers))
    raise Unreadable("wrong_type", key="known", wanted="table, entropy, and numbers of throws")


def _are_numbers(data: object) -> bool:
    return isinstance(data, list) and all(type(each) is int and 0 <= each < LARGEST_NUMBER for each in data)


def _is_short(text: object) -> bool:
    return isinstance(text, str) and _is_text(text) and len(text.encode()) <= LONGEST_PROOF


def _read_coached(data: dict[str, Any], seats: int) -> tuple[Seat, ...]:
    if "coached" not in data:
        return ()
    found = _get(data, "coached", list, "a list of seats")
    if not all(type(seat) is int and 0 <= seat < seats for seat in found):
        raise Unreadable("wrong_type", key="coached", wanted="a list of seats")
    return tuple(found)


def read_step(data: dict[str, Any]) -> Step:
    """The step that a line's JSON object means; unknown keys are ignored, unknown kinds of line are not."""
    match [kind for kind in _KINDS if kind in data]:
        case [kind]:
            return _KINDS[kind].read(data)
    raise Unreadable("unknown_step", example=EXAMPLE_STEPS)


def _get(data: dict[str, Any], key: str, kind: type, wanted: str) -> Any:  # noqa: ANN401 - the kind says it
    if key not in data:
        raise Unreadable("missing_key", key=key)
    if type(data[key]) is not kind or (kind is str and not _is_text(data[key])):
        raise Unreadable("wrong_type", key=key, wanted=wanted)
    return data[key]


def _is_text(text: str) -> bool:
    """Whether it can be printed at all: JSON lets half a surrogate pair through."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _lines(source: BinaryIO | TextIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file with their line numbers; blank lines are skipped."""
    number = 0
    while line := source.readline(LONGEST_LINE + 1):
        raw = line.encode(errors="surrogatepass") if isinstance(line, str) else line
        raw = raw if number else raw.removeprefix(BOM)
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
