"""Where circles are kept, the same in every database."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Collection
from typing import NamedTuple

from kasta.features.circle.counting import lock
from kasta.features.circle.model import (
    ALL_TIME,
    CircleGame,
    CircleHead,
    CircleMember,
    CircleScore,
    CircleSeason,
    Membership,
    PairTally,
)
from kasta.results.model import Ruled
from kasta.results.strength import Strengths
from kasta.sql import Database, Steps, insert

HEAD_COLUMNS = "id, name, secret, season, made"
MEMBER_COLUMNS = "circle, id, name, mark, joined, is_host, gone"
_HEAD = f"SELECT {HEAD_COLUMNS} FROM kasta_circles"  # noqa: S608 - names of ours
_PLACE = """
SELECT d.member, d.seen, kasta_now(), c.id, c.name, c.secret, c.season, c.made
    FROM kasta_circle_devices AS d JOIN kasta_circles AS c ON c.id = d.circle WHERE d.circle = $1 AND d.device = $2
"""
_MEMBERS = """
SELECT id, name, mark, joined, is_host, gone FROM kasta_circle_members WHERE circle = $1 ORDER BY joined, id
"""
_PEOPLE = """
SELECT d.device, d.member FROM kasta_circle_devices AS d
    JOIN kasta_circle_members AS m ON m.circle = d.circle AND m.id = d.member AND m.gone IS NULL
    WHERE d.circle = $1 ORDER BY d.device
"""
_MINE = """
SELECT c.id, c.name, m.name, m.mark FROM kasta_circle_devices AS d
    JOIN kasta_circle_members AS m ON m.circle = d.circle AND m.id = d.member AND m.gone IS NULL
    JOIN kasta_circles AS c ON c.id = d.circle
    WHERE d.device = $1 ORDER BY m.joined DESC, c.id LIMIT $2
"""
_WAITING = """
SELECT name, member FROM kasta_circle_tables WHERE circle = $1 AND is_over = 0 AND name NOT LIKE '%/%'
    ORDER BY at DESC LIMIT $2
"""
_MATTERS = """
SELECT name FROM kasta_circle_tables WHERE circle = $1 AND is_over = 0 AND substr(name, 1, $3) = $2
    ORDER BY at DESC LIMIT $4
"""
_PUT_MATTER = """
INSERT INTO kasta_circle_tables (name, circle, member, at, is_over) VALUES ($1, $2, $3, kasta_now(), 0)
    ON CONFLICT DO NOTHING
"""
_SCORES = """
SELECT member, games, wins, points, best, best_at, run, longest FROM kasta_circle_scores
    WHERE circle = $1 AND season = $2 AND game = $3 AND rules = $4
"""
_PLAYED = """
SELECT game, rules, member, games, wins, points, best, best_at, run, longest FROM kasta_circle_scores
    WHERE circle = $1 AND season = $2
"""
_PAIRS = """
SELECT other, sum(games), sum(wins), sum(losses) FROM kasta_circle_pairs
    WHERE circle = $1 AND member = $2 AND season = $3 GROUP BY other
"""
_SHOWING = """
SELECT d.member, d.device FROM kasta_circle_devices AS d
    JOIN kasta_notes AS n ON n.kind = 'strength' AND n.owner = d.device WHERE d.circle = $1
"""
_LAST = """
SELECT name, seat, member, season, game, rules, ended, total, is_won, is_helped FROM kasta_circle_games
    WHERE circle = $1 AND ended < $2 ORDER BY ended DESC, name LIMIT $3
"""
_ENTERED = """
INSERT INTO kasta_circle_devices (circle, member, device, seen) VALUES ($1, $2, $3, $4)
    ON CONFLICT (circle, device) DO UPDATE SET member = excluded.member, seen = excluded.seen
"""
_FOLLOWS = """
INSERT INTO kasta_circle_tables (name, circle, member, at, is_over)
    SELECT $1, circle, NULL, kasta_now(), 0 FROM kasta_circle_tables WHERE name = $2
    ON CONFLICT DO NOTHING
"""


_IS_PLAYED = "SELECT 1 FROM kasta_circle_scores WHERE circle = $1 AND season = $2 LIMIT 1"
_BEGIN_LATER = "UPDATE kasta_circle_seasons SET began = $3 WHERE circle = $1 AND number = $2"
_FORGET_GUESTS = """
DELETE FROM kasta_circle_members WHERE circle = $1 AND id IN (
    SELECT m.id FROM kasta_circle_members AS m WHERE m.circle = $1 AND m.gone IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM kasta_circle_games AS g WHERE g.circle = m.circle AND g.member = m.id)
    ORDER BY m.gone DESC, m.id LIMIT 1000000 OFFSET $2
)
"""
MOST_MATTERS = 100  # of a kind
MOST_SEASONS = 50  # that are listed
MOST_GUESTS = 50  # of those who left without a game


class MyCircle(NamedTuple):
    """A circle that a device is in, and as whom."""

    id: str
    name: str
    me: str
    mark: int


class CircleTable(NamedTuple):
    """A table of a circle that is not over; `member` has invited the others, if it is known who."""

    name: str
    member: str | None


class CircleStore:
    """All answers come from indexes and kept counts: none takes longer because others have played much."""

    def __init__(self, db: Database) -> None:
        self.db, self.strengths = db, Strengths(db)

    async def add(self, circle: CircleHead, member: CircleMember, device: str) -> None:
        def steps() -> Steps[None]:
            yield insert("kasta_circles", HEAD_COLUMNS, [circle])
            yield insert("kasta_circle_seasons", "circle, number, began", [(circle.id, 1, circle.made)])
            yield insert("kasta_circle_members", MEMBER_COLUMNS, [(circle.id, *member)])
            yield _ENTERED, circle.id, member.id, device, circle.made

        await self.db.transaction(steps)

    async def mine(self, device: str, most: int) -> list[MyCircle]:
        """The circles of a device, the last it came into first."""
        return [MyCircle(*row) for row in await self.db.fetch(_MINE, device, most)]

    async def by_secret(self, secret: str) -> CircleHead | None:
        rows = await self.db.fetch(f"{_HEAD} WHERE secret = $1", secret)
        return CircleHead(*rows[0]) if rows else None

    async def membership(self, circle: str, device: str) -> Membership | None:
        """A device's place in a circle, also if it has left; None outside."""
        rows, members = await gather(self.db.fetch(_PLACE, circle, device), self.members(circle))
        if not rows or rows[0][0] not in members:
            return None
        member, seen, now, *head = rows[0]
        return Membership(CircleHead(*head), members[member], members, seen, now)

    async def members(self, circle: str) -> dict[str, CircleMember]:
        rows = [CircleMember(*row) for row in await self.db.fetch(_MEMBERS, circle)]
        return {each.id: each for each in rows}

    async def people(self, circle: str) -> dict[str, str]:
        """The member by the device, of all who are there now."""
        return dict([tuple(row) for row in await self.db.fetch(_PEOPLE, circle)])

    async def devices(self, circle: str, members: Collection[str]) -> int:
        """How many devices some members have."""
        query = "SELECT count(*) FROM kasta_circle_devices WHERE circle = $1 AND member = ANY($2)"
        return int((await self.db.fetch(query, circle, list(members)))[0][0])

    async def enter(self, circle: str, member: CircleMember, device: str) -> None:
        """Somebody new, or somebody who comes back with the device they left with.

        Whoever left long before others did, and never played there, is not known any more.
        """

        def steps() -> Steps[None]:
            yield from lock(circle)
            yield _FORGET_GUESTS, circle, MOST_GUESTS
            yield insert("kasta_circle_members", MEMBER_COLUMNS, [(circle, *member)])
            back = (
                "UPDATE kasta_circle_members SET name = $3, mark = $4, gone = NULL WHERE circle = $1 AND id = $2"
            )
            yield back, circle, member.id, member.name, member.mark
            yield _ENTERED, circle, member.id, device, member.joined

        await self.db.transaction(steps)

    async def add_device(self, circle: str, member: str, device: str, at: float) -> None:
        await self.db.execute(_ENTERED, circle, member, device, at)

    async def see(self, device: str, at: float) -> None:
        """Note that a device is still used."""
        await self.db.execute("UPDATE kasta_circle_devices SET seen = $2 WHERE device = $1", device, at)

    async def rename_member(self, circle: str, member: str, name: str, mark: int) -> None:
        query = "UPDATE kasta_circle_members SET name = $3, mark = $4 WHERE circle = $1 AND id = $2"
        await self.db.execute(query, circle, member, name, mark)

    async def rename(self, circle: str, name: str) -> None:
        await self.db.execute("UPDATE kasta_circles SET name = $2 WHERE id = $1", circle, name)

    async def set_secret(self, circle: str, secret: str) -> None:
        await self.db.execute("UPDATE kasta_circles SET secret = $2 WHERE id = $1", circle, secret)

    async def new_season(self, circle: str, at: float) -> None:
        def steps() -> Steps[None]:
            season = yield from lock(circle)
            if (yield _IS_PLAYED, circle, season):
                rows = yield "UPDATE kasta_circles SET season = season + 1 WHERE id = $1 RETURNING season", circle
                yield insert("kasta_circle_seasons", "circle, number, began", [(circle, rows[0][0], at)])
            else:
                yield _BEGIN_LATER, circle, season, at

        await self.db.transaction(steps)

    async def seasons(self, circle: str) -> list[CircleSeason]:
        """The last ones, the newest last."""
        query = "SELECT number, began FROM kasta_circle_seasons WHERE circle = $1 ORDER BY number DESC LIMIT $2"
        return [CircleSeason(*row) for row in reversed(await self.db.fetch(query, circle, MOST_SEASONS))]

    async def put_table(self, circle: str, table: str, member: str, at: float) -> None:
        await self.db.execute(
            *insert("kasta_circle_tables", "name, circle, member, at, is_over", [(table, circle, member, at, 0)])
        )

    async def follow(self, table: str, previous: str) -> None:
        """A rematch belongs to the circle of the game before."""
        await self.db.execute(_FOLLOWS, table, previous)

    async def set_over(self, table: str) -> None:
        await self.db.execute("UPDATE kasta_circle_tables SET is_over = 1 WHERE name = $1", table)

    async def tables(self, circle: str, most: int) -> list[CircleTable]:
        """Those that are not over, the newest first."""
        return [CircleTable(*row) for row in await self.db.fetch(_WAITING, circle, most)]

    async def is_of(self, circle: str, table: str) -> bool:
        query = "SELECT 1 FROM kasta_circle_tables WHERE name = $1 AND circle = $2"
        return bool(await self.db.fetch(query, table, circle))

    async def put_matter(self, circle: str, name: str, member: str) -> bool:
        """Keep a matter of another feature among the tables: its name has a slash, and theirs have none."""
        return bool(await self.db.execute(_PUT_MATTER, name, circle, member))

    async def has_matter(self, name: str) -> bool:
        return bool(await self.db.fetch("SELECT 1 FROM kasta_circle_tables WHERE name = $1", name))

    async def matters(self, circle: str, kind: str) -> list[str]:
        """The matters of a kind that a circle has, the newest first."""
        return [name for (name,) in await self.db.fetch(_MATTERS, circle, kind, len(kind), MOST_MATTERS)]

    async def forget_tables(self, before: float) -> None:
        """Tables that were opened so long ago: no rematch of them will come."""
        await self.db.execute("DELETE FROM kasta_circle_tables WHERE at < $1", before)

    async def scores(self, circle: str, season: int, ruled: Ruled) -> dict[str, CircleScore]:
        """What members made of a game, by member."""
        rows = await self.db.fetch(_SCORES, circle, season, *ruled)
        return {row[0]: CircleScore(*row[1:]) for row in rows}

    async def all_scores(self, circle: str, season: int = ALL_TIME) -> dict[Ruled, dict[str, CircleScore]]:
        """The same for all games."""
        found: dict[Ruled, dict[str, CircleScore]] = {}
        for row in await self.db.fetch(_PLAYED, circle, season):
            found.setdefault((row[0], row[1]), {})[row[2]] = CircleScore(*row[3:])
        return found

    async def showing(self, circle: str) -> dict[str, list[str]]:
        """The devices of members who want their strength to be shown."""
        found: dict[str, list[str]] = {}
        for member, device in await self.db.fetch(_SHOWING, circle):
            found.setdefault(member, []).append(device)
        return found

    async def pairs(self, circle: str, member: str, season: int = ALL_TIME) -> dict[str, PairTally]:
        """How a member did against each other member."""
        rows = await self.db.fetch(_PAIRS, circle, member, season)
        return {row[0]: PairTally(*map(int, row[1:])) for row in rows}

    async def games_before(self, circle: str, before: float, most: int) -> list[CircleGame]:
        """What members played before a time, the last first; the rows of a game come together."""
        return [CircleGame(*row) for row in await self.db.fetch(_LAST, circle, before, most)]
