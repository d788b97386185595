"""Circles in a backup: a line for each row."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import astuple

from kasta.db.backup import BackupPart, Time
from kasta.sql import Fetch, Statement, insert

PIECE = 200

Text = Annotated[str, Meta(min_length=1, max_length=200)]
Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Flag = Annotated[int, Meta(ge=0, le=1)]

Line = TypeVar("Line", bound=Struct)


class _CircleLine(Struct, forbid_unknown_fields=True):
    circle: Text
    name: Text
    secret: Text
    season: Whole
    made: Time


class _SeasonLine(Struct, forbid_unknown_fields=True):
    of: Text
    circle_season: Whole
    began: Time


class _MemberLine(Struct, forbid_unknown_fields=True):
    of: Text
    circle_member: Text
    name: Text
    mark: Whole
    joined: Time
    is_host: Flag
    gone: Time | None = None


class _DeviceLine(Struct, forbid_unknown_fields=True):
    of: Text
    circle_device: Text
    member: Text
    seen: Time


class _TableLine(Struct, forbid_unknown_fields=True):
    circle_table: Text
    of: Text
    member: Text | None
    at: Time
    is_over: Flag


class _GameLine(Struct, forbid_unknown_fields=True):
    of: Text
    circle_game: Text
    member: Text
    seat: Whole
    season: Whole
    game: Text
    rules: Text
    ended: Time
    total: int
    is_won: Flag
    is_helped: Flag


class _ScoreLine(Struct, forbid_unknown_fields=True):
    of: Text
    season: Whole
    game: Text
    rules: Text
    circle_score: Text  # the member
    games: Whole
    wins: Whole
    points: int
    best: int | None
    best_at: Time | None
    run: Whole
    longest: Whole


class _PairLine(Struct, forbid_unknown_fields=True):
    of: Text
    circle_pair: Text  # the member
    other: Text
    season: Whole
    game: Text
    rules: Text
    games: Whole
    wins: Whole
    losses: Whole


def _part(key: str, kind: type[Line], table: str, columns: str, width: int) -> BackupPart[Any]:
    """Lines of a table whose first columns, so many, are its primary key; they have the fields of its columns."""
    names = columns.split(", ")
    keys = ", ".join(names[:width])
    after = ", ".join(f"${number}" for number in range(1, width + 1))
    select = f"SELECT {columns} FROM {table}"  # noqa: S608 - names of ours
    first = f"{select} ORDER BY {keys} LIMIT {PIECE}"
    more = f"{select} WHERE ({keys}) > ({after}) ORDER BY {keys} LIMIT {PIECE}"

    async def lines(fetch: Fetch) -> AsyncIterator[Line]:
        rows = await fetch(first)
        while rows:
            for row in rows:
                yield kind(*row)
            rows = await fetch(more, *tuple(rows[-1])[:width])

    def restored(lines: Sequence[Line]) -> Statement:
        return insert(table, columns, [astuple(line) for line in lines])

    return BackupPart(key, kind, lines, restored)


BACKUP = (
    _part("circle", _CircleLine, "kasta_circles", "id, name, secret, season, made", 1),
    _part("circle_season", _SeasonLine, "kasta_circle_seasons", "circle, number, began", 2),
    _part(
        "circle_member",
        _MemberLine,
        "kasta_circle_members",
        "circle, id, name, mark, joined, is_host, gone",
        2,
    ),
    _part("circle_device", _DeviceLine, "kasta_circle_devices", "circle, device, member, seen", 2),
    _part("circle_table", _TableLine, "kasta_circle_tables", "name, circle, member, at, is_over", 1),
    _part(
        "circle_game",
        _GameLine,
        "kasta_circle_games",
        "circle, name, member, seat, season, game, rules, ended, total, is_won, is_helped",
        3,
    ),
    _part(
        "circle_score",
        _ScoreLine,
        "kasta_circle_scores",
        "circle, season, game, rules, member, games, wins, points, best, best_at, run, longest",
        5,
    ),
    _part(
        "circle_pair",
        _PairLine,
        "kasta_circle_pairs",
        "circle, member, other, season, game, rules, games, wins, losses",
        6,
    ),
)
"""In this order: a row stands after those that it refers to."""
