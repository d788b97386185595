"""What circles keep of a person: to be had, taken along, deleted, and forgotten after two years."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime

from kasta.db.personal import PersonalData
from kasta.features.circle.counting import forget_table
from kasta.features.circle.leaving import forget, merge
from kasta.sql import Fetch, Steps

_OF_DEVICE = "SELECT circle, member FROM kasta_circle_devices WHERE device = $1 ORDER BY circle"
_IDLE = """
SELECT d.device FROM kasta_circle_devices AS d
    JOIN (SELECT circle, member, max(seen) AS seen FROM kasta_circle_devices GROUP BY circle, member) AS m
    ON m.circle = d.circle AND m.member = d.member
    GROUP BY d.device HAVING max(m.seen) < $1
"""
_MINE = """
SELECT c.id, c.name, m.id, m.name, m.joined, m.gone FROM kasta_circle_devices AS d
    JOIN kasta_circle_members AS m ON m.circle = d.circle AND m.id = d.member
    JOIN kasta_circles AS c ON c.id = d.circle WHERE d.device = $1 ORDER BY m.joined, c.id
"""
_GAMES = """
SELECT ended, game, rules, total, is_won FROM kasta_circle_games WHERE circle = $1 AND member = $2 ORDER BY ended
"""


def _move(device: str, to: str) -> Steps[None]:
    """The other device takes the place of this one. Where it has one of its own, both are the same person."""
    for circle, member in (yield _OF_DEVICE, device):
        other = yield "SELECT member FROM kasta_circle_devices WHERE circle = $1 AND device = $2", circle, to
        if other and other[0][0] != member:
            yield from merge(circle, member, other[0][0])
        if other:
            yield "DELETE FROM kasta_circle_devices WHERE circle = $1 AND device = $2", circle, device
        else:
            change = "UPDATE kasta_circle_devices SET device = $3 WHERE circle = $1 AND device = $2"
            yield change, circle, device, to


def _delete(device: str) -> Steps[None]:
    """The whole person, with all their devices: no name stays behind."""
    for circle, member in (yield _OF_DEVICE, device):
        yield from forget(circle, member)


async def _files(fetch: Fetch, device: str) -> AsyncIterator[tuple[str, str]]:
    told = []
    for circle, name, member, me, joined, gone in await fetch(_MINE, device):
        told.append({"circle": name, "name": me, "joined": _moment(joined), "left": gone and _moment(gone)})
        for ended, game, rules, total, is_won in await fetch(_GAMES, circle, member):
            about = {"circle": name, "ended": _moment(ended), "game": game, "rules": rules, "total": total}
            told.append(about | {"won": bool(is_won)})
    if told:
        yield "circles.jsonl", "".join(f"{json.dumps(line)}\n" for line in told)


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


PERSONAL = PersonalData(
    exists="SELECT 1 FROM kasta_circle_devices WHERE device = $1 LIMIT 1",
    idle=_IDLE,
    move=_move,
    delete=_delete,
    files=_files,
    forget_names=forget_table,
)
