"""What of challenges belongs to a person, and what is in a backup."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta, Struct

from kasta.core import Seat
from kasta.db.backup import LARGEST, BackupPart, Kept, Secret, Time
from kasta.db.personal import PersonalData
from kasta.dice import CHALLENGE
from kasta.features.challenge.store import COLUMNS, SELECT, Challenge, KnownGame, challenge_of, row_of
from kasta.series.tries import new_try
from kasta.sql import Fetch, Statement, Steps, insert
from kasta.tables.events import OpenedEvent

_TRIES = "SELECT day, game, name FROM kasta_tries WHERE device = $1 AND day LIKE 'challenge/%'"
_MADE = f"{SELECT} WHERE host = $1 ORDER BY made"
_BOTH = """
DELETE FROM kasta_tries WHERE device = $1 AND day LIKE 'challenge/%'
    AND day IN (SELECT day FROM kasta_tries WHERE device = $2 AND day LIKE 'challenge/%')
"""
_KNOWING = "SELECT device FROM kasta_tries WHERE day = $1 AND name = $2 ORDER BY device"
_FORGET_NAME = """
UPDATE kasta_challenges SET name = '' WHERE EXISTS (
    SELECT 1 FROM kasta_tries WHERE kasta_tries.name = $1 AND device = host AND substr(day, 11, 22) = id
)
"""


def _move(device: str, to: str) -> Steps[None]:
    """Give all that a device has made and begun to another; where both have begun, the other's stands."""
    yield "UPDATE kasta_challenges SET host = $2 WHERE host = $1", device, to
    yield _BOTH, device, to
    yield "UPDATE kasta_tries SET device = $2 WHERE device = $1 AND day LIKE 'challenge/%'", device, to


def _delete(device: str) -> Steps[None]:
    """Others go on: a challenge stays, but nobody knows any more who made it."""
    yield "UPDATE kasta_challenges SET host = '', name = '' WHERE host = $1", device
    yield "DELETE FROM kasta_tries WHERE device = $1 AND day LIKE 'challenge/%'", device


async def _files(fetch: Fetch, device: str) -> AsyncIterator[tuple[str, str]]:
    made = [challenge_of(row) for row in await fetch(_MADE, device)]
    told: list[dict[str, object]] = [
        {"made": _moment(one.made), "challenge": one.id, "game": one.game, "name": one.name} for one in made
    ]
    told += [{"begun": day, "game": game} for day, game, _ in await fetch(_TRIES, device)]
    if told:
        yield "challenges.jsonl", "".join(f"{json.dumps(line)}\n" for line in told)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _forget_names(table: str, _seat: Seat | None) -> Steps[None]:
    """Whoever made a challenge is called so in it, too, if they have played it at that table."""
    yield _FORGET_NAME, table


PERSONAL = PersonalData(
    exists="""
    SELECT 1 FROM kasta_challenges WHERE host = $1 UNION ALL
        SELECT 1 FROM kasta_tries WHERE device = $1 AND day LIKE 'challenge/%' LIMIT 1
    """,
    idle="SELECT host FROM kasta_challenges WHERE host <> '' GROUP BY host HAVING max(ends) < $1",
    move=_move,
    delete=_delete,
    files=_files,
    forget_names=_forget_names,
)


class _ChallengeLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A challenge in a backup, by what `Challenge` calls its parts."""

    challenge: Annotated[str, Meta(pattern=r"^[\w-]{22}$")]
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    rules: Annotated[str, Meta(min_length=1, max_length=200)]
    games: Annotated[int, Meta(ge=1, le=LARGEST)]
    secret: Secret
    made: Time
    ends: Time
    host: Annotated[str, Meta(max_length=200)]
    name: Annotated[str, Meta(max_length=200)]
    known: KnownGame | None = None
    ended: Time | None = None
    told: Time | None = None


async def _lines(fetch: Fetch) -> AsyncIterator[_ChallengeLine]:
    for row in await fetch(f"{SELECT} ORDER BY id"):
        one = challenge_of(row)
        yield _ChallengeLine(*one._replace(secret=one.secret.hex()))  # type: ignore[arg-type]


def _restored(lines: Sequence[_ChallengeLine]) -> Statement:
    return insert("kasta_challenges", COLUMNS, [row_of(_challenge(line)) for line in lines])


def _challenge(line: _ChallengeLine) -> Challenge:
    values = {name: getattr(line, name) for name in Challenge._fields[1:]}
    return Challenge(line.challenge, **values | {"secret": bytes.fromhex(line.secret)})


def _counted_try(kept: Kept) -> Iterable[Statement]:
    """The try that counts for a device is known by its table."""
    opened = kept.stored[0].event
    if isinstance(opened, OpenedEvent) and opened.challenge is not None and opened.counted:
        yield new_try(f"{CHALLENGE}{opened.challenge}", opened.game, opened.host, opened.table)


class _KnowingLine(Struct, forbid_unknown_fields=True):
    """In a backup, a device that knows the throws of a challenge, because it was at the table where they fell."""

    knows: Annotated[str, Meta(pattern=r"^[\w-]{22}$")]
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    device: Annotated[str, Meta(min_length=1, max_length=200)]
    table: Annotated[str, Meta(min_length=1, max_length=200)]


async def _knowing(fetch: Fetch) -> AsyncIterator[_KnowingLine]:
    for row in await fetch(f"{SELECT} WHERE known IS NOT NULL ORDER BY id"):
        one = challenge_of(row)
        known = one.known.table if one.known else ""
        for (device,) in await fetch(_KNOWING, one.series(1), known):
            yield _KnowingLine(one.id, one.game, device, known)


def _restored_knowing(lines: Sequence[_KnowingLine]) -> Statement:
    rows = [(f"{CHALLENGE}{line.knows}", line.game, line.device, line.table) for line in lines]
    return insert("kasta_tries", "day, game, device, name", rows)


KNOWING = BackupPart("knows", _KnowingLine, _knowing, _restored_knowing)
CHALLENGES = BackupPart("challenge", _ChallengeLine, _lines, _restored, with_table=_counted_try, comes_first=True)
