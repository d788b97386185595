"""The answers that devices have given to puzzles, and their ratings."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import astuple

from kasta.db.backup import BackupPart, Time
from kasta.db.personal import PersonalData
from kasta.sql import Database, Fetch, Statement, Steps, insert

_COLUMNS = "device, game, number, chosen, rating, at"
_OF_DEVICE = "SELECT game, number, chosen, rating, at FROM kasta_answers WHERE device = $1 ORDER BY at"
_GIVE = """
INSERT INTO kasta_answers SELECT $2, game, number, chosen, rating, at FROM kasta_answers WHERE device = $1
    ON CONFLICT DO NOTHING
"""
_DELETE = "DELETE FROM kasta_answers WHERE device = $1"
_PIECE = f"""
SELECT {_COLUMNS} FROM kasta_answers
    WHERE (device, game, number) > ($1, $2, $3) ORDER BY device, game, number LIMIT $4
"""  # noqa: S608 - names of ours
PIECE = 200


class Answer(NamedTuple):
    """What a device chose in a puzzle of a game, and its rating from then on."""

    game: str
    number: int
    chosen: str
    rating: float
    at: float


class PuzzleAnswers:
    """The first answer of each device to each puzzle."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, device: str, answer: Answer) -> None:
        """Keep the answer to a puzzle, unless it was answered before."""
        await self._db.execute(*insert("kasta_answers", _COLUMNS, [(device, *answer)]))

    async def of_device(self, device: str) -> list[Answer]:
        """A device's answers, the first one first."""
        return [Answer(*row) for row in await self._db.fetch(_OF_DEVICE, device)]


def _move(device: str, to: str) -> Steps[None]:
    """Give a device's answers to another; where both have answered a puzzle, the other's stands."""
    yield _GIVE, device, to
    yield _DELETE, device


def _delete(device: str) -> Steps[None]:
    yield _DELETE, device


async def _files(fetch: Fetch, device: str) -> AsyncIterator[tuple[str, str]]:
    answers = [Answer(*row) for row in await fetch(_OF_DEVICE, device)]
    told = [json.dumps(answer._asdict() | {"at": moment(answer.at)}) for answer in answers]
    if told:
        yield "puzzles.jsonl", "".join(f"{line}\n" for line in told)


def moment(at: float) -> str:
    """As people read it who have their data exported."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


PERSONAL = PersonalData(
    exists="SELECT 1 FROM kasta_answers WHERE device = $1 LIMIT 1",
    idle="SELECT device FROM kasta_answers GROUP BY device HAVING max(at) < $1",
    move=_move,
    delete=_delete,
    files=_files,
)


class _AnswerLine(Struct, forbid_unknown_fields=True):
    """An answer in a backup."""

    device: Annotated[str, Meta(min_length=1, max_length=200)]
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    number: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    chosen: Annotated[str, Meta(max_length=200)]
    rating: float
    at: Time


async def _lines(fetch: Fetch) -> AsyncIterator[_AnswerLine]:
    after: tuple[object, ...] = ("", "", 0)
    while rows := await fetch(_PIECE, *after, PIECE):
        for row in rows:
            yield _AnswerLine(*row)
        after = tuple(rows[-1][:3])


def _restored(lines: Sequence[_AnswerLine]) -> Statement:
    return insert("kasta_answers", _COLUMNS, [astuple(line) for line in lines])


ANSWERS = BackupPart("chosen", _AnswerLine, _lines, _restored)
