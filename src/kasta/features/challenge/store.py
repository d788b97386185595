"""What a store keeps of challenges: the secret of each, who made it, and what a bot made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from kasta.dice import CHALLENGE, KnownThrows, commitment
from kasta.series.model import SeriesDice
from kasta.series.telling import Untold
from kasta.series.tries import new_try
from kasta.sql import Database, Row, Steps, insert

COLUMNS = "id, game, rules, games, secret, made, ends, host, name, known, ended, told"
SELECT = f"SELECT {COLUMNS} FROM kasta_challenges"  # noqa: S608 - names of ours
_OF_DEVICE = f"""
{SELECT} WHERE host = $1 OR id IN (
    SELECT substr(day, 11, 22) FROM kasta_tries WHERE device = $1 AND day LIKE 'challenge/%'
) ORDER BY made DESC, id LIMIT $2
"""  # noqa: S608 - names of ours
_OPEN = f"""
{SELECT} WHERE id = ANY($1) AND host = ANY($2) AND told IS NULL AND ends > kasta_now()
    ORDER BY made DESC, id LIMIT $3
"""
_DONE = """
SELECT kind, name, total FROM kasta_results
    WHERE device = $1 AND kind LIKE 'challenge/%' AND kind = ANY($2) ORDER BY id
"""
_STANDING = """
WITH people AS (
    SELECT id, kind, total, ended FROM kasta_results
        WHERE kind = ANY($1) AND game = $2 AND rules = $3 AND NOT is_helped
    UNION ALL
    SELECT 0, CAST($4 AS text), CAST($5 AS bigint), 1e300 WHERE CAST($4 AS text) <> ''
), ranked AS (
    SELECT id, kind, total, rank() OVER (PARTITION BY kind ORDER BY total DESC) AS place,
        row_number() OVER (PARTITION BY kind ORDER BY total DESC, ended, id) AS number,
        count(*) OVER (PARTITION BY kind) AS people FROM people
)
SELECT id, kind, total, place, number, people FROM ranked
    WHERE number > CAST($6 AS bigint) AND number <= CAST($7 AS bigint) OR number = ANY($8) OR id = ANY($9)
    ORDER BY kind, number
"""  # by an index alone: the rows themselves are large
_OWN = "SELECT id FROM kasta_results WHERE device = $1 AND kind LIKE 'challenge/%' AND kind = ANY($2)"
_WHO = "SELECT id, name, device, shown FROM kasta_results WHERE id = ANY($1)"
KNOWN_GAME = 0  # in the place of an id
_BEGUN = "SELECT day, count(*) FROM kasta_tries WHERE day = ANY($1) AND name <> $2 GROUP BY day"
_SHEETS = "SELECT name, record FROM kasta_results WHERE name = ANY($1) AND kind = $2"
_KNOWN_SHEET = "SELECT name, record FROM kasta_results WHERE name = $1 AND seat = $2"
_UNTOLD = """
SELECT id, ends, ended FROM kasta_challenges WHERE told IS NULL AND (ends <= $1 OR ended IS NOT NULL) ORDER BY id
"""
_FORGET = (
    "DELETE FROM kasta_challenge_bests WHERE challenge IN (SELECT id FROM kasta_challenges WHERE told < $1)",
    """DELETE FROM kasta_tries WHERE day LIKE 'challenge/%'
        AND substr(day, 11, 22) IN (SELECT id FROM kasta_challenges WHERE told < $1)""",
    "DELETE FROM kasta_challenges WHERE told < $1",
)
ID_LENGTH = 22  # as new tables have it


class KnownGame(Struct, frozen=True):
    """A game that was played with the throws of a challenge before, and its player's seat and total."""

    table: str
    entropy: tuple[str, ...]
    numbers: tuple[tuple[int, ...], ...]
    seat: int
    total: int

    @property
    def throws(self) -> KnownThrows:
        return KnownThrows(self.table, self.entropy, self.numbers)


class Challenge(NamedTuple):
    """The same throws for all who open its link, until it `ends`.

    `ended` is when a look at the clock first found it over, `told` when the secret was published.
    """

    id: str
    game: str
    rules: str
    games: int
    secret: bytes
    made: float
    ends: float
    host: str
    name: str
    known: KnownGame | None = None
    ended: float | None = None
    told: float | None = None

    @property
    def commitment(self) -> str:
        return commitment(self.secret)

    @property
    def told_secret(self) -> str | None:
        """The secret, if everybody may know it."""
        return None if self.told is None else self.secret.hex()

    @property
    def legs(self) -> range:
        """The numbers of its games, counted from 1."""
        return range(1, self.games + 1)

    def series(self, leg: int) -> str:
        """How one of its games is called among all throws that many play."""
        return f"{CHALLENGE}{self.id}" + (f".{leg}" if leg > 1 else "")

    def given(self, leg: int) -> SeriesDice:
        known = self.known.throws if self.known else None
        is_told = self.told is not None
        return SeriesDice(self.series(leg), self.game, self.secret, self.rules, is_told=is_told, known=known)


def parts_of(series: str) -> tuple[str, int]:
    """The challenge, and which of its games: of `ID.2`, or `challenge/ID.2`."""
    name, _, leg = series.removeprefix(CHALLENGE).partition(".")
    return name, int(leg) if leg.isdecimal() else 1


class Finished(NamedTuple):
    """A counted try that came to its end in time."""

    table: str
    device: str
    total: int
    name: str | None


class Placed(NamedTuple):
    """Somebody who has finished a game: the place that is shared by equals, and the number among all, from 1."""

    table: str
    device: str
    total: int
    name: str | None
    place: int
    number: int


class LegStanding(NamedTuple):
    """How many have finished a game, and some of them: the best first."""

    finished: int = 0
    people: tuple[Placed, ...] = ()


class BestGame(NamedTuple):
    """What the strongest bot made of one game; `record` is packed."""

    total: int
    record: bytes


class ChallengeStore:
    """The challenges of all nodes that serve a store."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, one: Challenge, knowing: Iterable[str] = ()) -> None:
        """Keep a new one; devices that know its throws have had their try."""
        table = one.known.table if one.known else ""

        def steps() -> Steps[None]:
            yield insert("kasta_challenges", COLUMNS, [row_of(one)])
            for device in knowing:
                yield new_try(one.series(1), one.game, device, table)

        await self._db.transaction(steps)

    async def find(self, name: str) -> Challenge | None:
        rows = await self._db.fetch(f"{SELECT} WHERE id = $1", name)
        return challenge_of(rows[0]) if rows else None

    async def of_device(self, device: str, most: int) -> list[Challenge]:
        """Those that a device has made or begun, the newest first."""
        return [challenge_of(row) for row in await self._db.fetch(_OF_DEVICE, device, most)]

    async def open_ones(self, ids: Iterable[str], hosts: Iterable[str], most: int) -> list[Challenge]:
        """Those of some that these devices have made and that may be begun, the newest first."""
        return [challenge_of(row) for row in await self._db.fetch(_OPEN, list(ids), list(hosts), most)]

    async def running(self, host: str, now: float) -> int:
        """How many a device has made that are not over."""
        query = "SELECT count(*) FROM kasta_challenges WHERE host = $1 AND ends > $2"
        return int((await self._db.fetch(query, host, now))[0][0])

    async def untold(self, now: float) -> list[Untold]:
        """Those that are over by this clock, or were by an earlier look; those that run are many."""
        rows = await self._db.fetch(_UNTOLD, now)
        return [Untold(name, ends, [ended]) for name, ends, ended in rows]

    async def set_ended(self, key: str, at: float | None) -> None:
        """A look found a challenge over that no look before had, or a later one takes that back."""
        await self._db.execute("UPDATE kasta_challenges SET ended = $2 WHERE id = $1 AND told IS NULL", key, at)

    async def tell(self, key: str, at: float) -> None:
        """Publish the secret of a challenge."""
        await self._db.execute("UPDATE kasta_challenges SET told = $2 WHERE id = $1 AND told IS NULL", key, at)

    async def forget(self, since: float) -> None:
        """Delete challenges whose secrets were told before that."""

        def steps() -> Steps[None]:
            for text in _FORGET:
                yield text, since

        await self._db.transaction(steps)

    async def begun(self, one: Challenge) -> dict[int, int]:
        """How many have begun each of its games."""
        known = one.known.table if one.known else ""
        rows = await self._db.fetch(_BEGUN, [one.series(leg) for leg in one.legs], known)
        return dict.fromkeys(one.legs, 0) | {parts_of(series)[1]: number for series, number in rows}

    async def knows(self, one: Challenge, device: str) -> bool:
        """Whether a device was there when the throws were thrown first."""
        if one.known is None:
            return False
        query = "SELECT 1 FROM kasta_tries WHERE day = $1 AND device = $2 AND name = $3"
        return bool(await self._db.fetch(query, one.series(1), device, one.known.table))

    async def done(self, one: Challenge, device: str) -> dict[int, Finished]:
        """What a device has finished of it, by the number of the game."""
        return (await self.done_of([one], device)).get(one.id, {})

    async def done_of(self, several: Iterable[Challenge], device: str) -> dict[str, dict[int, Finished]]:
        """What a device has finished of several, by their ids."""
        kinds = [one.series(leg) for one in several for leg in one.legs]
        found: dict[str, dict[int, Finished]] = {}
        for kind, table, total in await self._db.fetch(_DONE, device, kinds) if kinds else ():
            name, leg = parts_of(kind)
            found.setdefault(name, {}).setdefault(leg, Finished(table, device, total, None))
        return found

    async def standings(
        self, one: Challenge, legs: Sequence[int], device: str, page: range, wanted: Sequence[int] = ()
    ) -> dict[int, LegStanding]:
        """Of those who have finished each of these games: a `page`, a device, and some by their numbers from 1."""
        found: dict[int, LegStanding] = dict.fromkeys(legs, LegStanding())
        if not legs:
            return found
        kinds, known = [one.series(leg) for leg in legs], one.known if 1 in legs else None
        own = [found for (found,) in await self._db.fetch(_OWN, device, kinds)]
        own += [KNOWN_GAME] if known and device == one.host else []
        first = (one.series(1), known.total) if known else ("", 0)
        asked = *first, page.start, page.stop, list(wanted), own
        rows = await self._db.fetch(_STANDING, kinds, one.game, one.rules, *asked)
        who = {each: tuple(about) for each, *about in await self._db.fetch(_WHO, [row[0] for row in rows])}
        who[KNOWN_GAME] = (known.table if known else "", one.host, one.name)
        for name, kind, total, place, number, people in rows:
            if name in who:  # else it was deleted in between
                leg, (table, by, shown) = parts_of(kind)[1], who[name]
                placed = Placed(table, by, total, shown, place, number)
                found[leg] = LegStanding(people, (*found[leg].people, placed))
        return found

    async def records(self, one: Challenge, leg: int, tables: Sequence[str]) -> dict[str, bytes]:
        """Finished games, packed."""
        rows = await self._db.fetch(_SHEETS, list(tables), one.series(leg))
        if one.known is not None and one.known.table in tables:
            rows += await self._db.fetch(_KNOWN_SHEET, one.known.table, one.known.seat)
        return {table: bytes(record) for table, record in rows}

    async def bests(self, one: Challenge) -> dict[int, BestGame]:
        """What the bot made of each game that it has played."""
        query = "SELECT leg, total, record FROM kasta_challenge_bests WHERE challenge = $1"
        return {leg: BestGame(total, bytes(record)) for leg, total, record in await self._db.fetch(query, one.id)}

    async def set_best(self, one: Challenge, leg: int, best: BestGame) -> None:
        row = (one.id, leg, *best)
        await self._db.execute(*insert("kasta_challenge_bests", "challenge, leg, total, record", [row]))


def row_of(one: Challenge) -> tuple[object, ...]:
    known = None if one.known is None else msgspec.json.encode(one.known).decode()
    return tuple((one._asdict() | {"known": known}).values())


def challenge_of(row: Row) -> Challenge:
    fields = dict(zip(Challenge._fields, row, strict=True))
    known = fields["known"] and msgspec.json.decode(fields["known"], type=KnownGame)
    return Challenge(**fields | {"secret": bytes(fields["secret"]), "known": known})
