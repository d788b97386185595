"""What the nodes that serve one store must know of each other: a node is a process, here or on another machine.

Nothing of it outlives them for long. Nodes have clocks of their own, so a store compares only times that it has
set itself; what it answers is in this process's time, `time.monotonic()`.

In PostgreSQL the clock is a calendar, which somebody may set. Nodes on one SQLite file are on one machine, and
have its steady clock in common, which nobody can set; it begins anew when the machine does. What is counted
outlives that: it goes by the calendar everywhere.
"""

from __future__ import annotations

import math
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kasta.core import Seat
from kasta.sql import Database, Fetch, Many, Row, Statement, Steps

BEAT_SECONDS = 2.0  # how often a node says that it lives
DEAD_SECONDS = 6.0  # without a sign of life, others act in its place
SIGNAL_SECONDS = 10.0  # how long a signal can be read: longer than two nodes are apart
MOST_SIGNALS = 200  # that wait to be told to other nodes: what comes on top is seen only here
KEPT_SECONDS = 600.0  # how long it is known who was present
LONGEST_COUNT = 3_600.0  # for how long something is counted at most: what ends later was set by another clock
JUMP_SECONDS = 1.0  # of a clock that somebody has set

Here = tuple[str, str]
"""A table and a device that follows it."""

_BEAT = "INSERT INTO kasta_nodes VALUES ($1, steady()) ON CONFLICT (node) DO UPDATE SET seen = steady()"
_CHANGE = """
INSERT INTO kasta_presence AS p VALUES ($1, $2, $3, steady(), CASE WHEN $4 THEN NULL ELSE steady() END)
    ON CONFLICT (name, device, node) DO UPDATE
        SET came = CASE WHEN excluded.gone IS NULL THEN excluded.came ELSE p.came END, gone = excluded.gone
"""
_STAYS = """
SELECT name, device, came, coalesce(gone, seen) FROM kasta_presence JOIN kasta_nodes USING (node)
    WHERE name = ANY($1) AND node <> $2 AND seen - steady() < $3
"""
_CLAIMS = """
SELECT name, seat, device, digits, until - steady() FROM kasta_claims WHERE name = ANY($1) AND until > steady()
"""
_TAKE = """
INSERT INTO kasta_acting AS a VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET node = $2
    WHERE a.node = $2 OR (SELECT abs(seen - steady()) FROM kasta_nodes AS n WHERE n.node = a.node) > $3
    RETURNING node
"""
_GIVE_BACK = "DELETE FROM kasta_acting WHERE name = ANY($1) AND node = $2"
# None lasts longer, unless the clock was set back.
_CLAIMS_OVER = """
DELETE FROM kasta_claims WHERE name = $1 AND (device = $2 OR until - steady() NOT BETWEEN 0 AND $3 + 60)
"""
_CLAIM = """
INSERT INTO kasta_claims VALUES ($1, $2, $3, $4, steady() + $5) ON CONFLICT DO NOTHING RETURNING seat
"""
_HIT = """
INSERT INTO kasta_counts AS c VALUES ($1, 1, kasta_now() + $2) ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN c.until > kasta_now() THEN c.hits + 1 ELSE 1 END,
    until = CASE WHEN c.until > kasta_now() AND c.until < excluded.until THEN c.until ELSE excluded.until END
    RETURNING hits, until - kasta_now()
"""
_WAIT = "SELECT until - kasta_now() FROM kasta_counts WHERE key = $1 AND hits >= $2"
_SIGNAL = "INSERT INTO kasta_signals VALUES ($1, $2, $3, $4, steady() + $5)"
_SIGNALS = """
SELECT name, id, body FROM kasta_signals WHERE name = ANY($1) AND node <> $2 AND until - steady() BETWEEN 0 AND $3
"""
_SWEEP: tuple[Statement, ...] = (
    ("DELETE FROM kasta_nodes WHERE abs(seen - steady()) > $1", KEPT_SECONDS),
    ("DELETE FROM kasta_presence WHERE abs(gone - steady()) > $1", KEPT_SECONDS),
    ("DELETE FROM kasta_claims WHERE until <= steady()",),
    ("DELETE FROM kasta_signals WHERE until - steady() NOT BETWEEN 0 AND $1", SIGNAL_SECONDS),
    ("DELETE FROM kasta_counts WHERE until <= kasta_now()",),
)


@dataclass(frozen=True, slots=True)
class Stay:
    """A device came to a table at another node, and was surely there until then."""

    came: float
    until: float


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody says that a seat is theirs, and shows the same two digits as the host sees."""

    seat: Seat
    device: str
    digits: int
    until: float


@dataclass(frozen=True, slots=True)
class Signal:
    """Something small that happens at a table beside its log, such as a reaction. It is told once."""

    table: str
    id: str
    body: str


@dataclass(frozen=True, slots=True)
class Around:
    """What is known about a table beside its log and beside who is present at the node that asks."""

    stays: Mapping[str, Stay] = field(default_factory=dict)  # the last one of each device
    claims: Sequence[Claim] = ()


class ClusterState:
    """Presence, claims, limits and who acts at a table, for all nodes of a store.

    `steady` is the clock, as the database calls it; what is `ahead` of it by more is from before it began.
    """

    def __init__(self, db: Database, steady: str, ahead: float = math.inf) -> None:
        self._db, self._steady, self._ahead, self._time = db, steady, ahead, StoreTime(steady)

    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        """The node lives. Since it last said so, devices have come to tables (True) or gone from them."""
        rows = [(name, device, node, is_here) for (name, device), is_here in changes.items()]

        def steps() -> Steps[None]:
            yield (self._text(_BEAT), node)
            yield Many(self._text(_CHANGE), rows)

        await self._db.transaction(steps)

    async def around(self, node: str, tables: Collection[str]) -> dict[str, Around]:
        """What a node cannot know by itself. Tables without any of it are left out."""
        stays: defaultdict[str, dict[str, Stay]] = defaultdict(dict)
        claims: defaultdict[str, list[Claim]] = defaultdict(list)
        await self._time.read(self._db.fetch)
        present = await self._db.fetch(self._text(_STAYS), list(tables), node, self._ahead)
        claimed = await self._db.fetch(self._text(_CLAIMS), list(tables))
        here = time.monotonic()  # after it was answered: a stay is rather taken for longer than it was
        for name, device, *times in present:
            stay = Stay(*(self._time.here(each) for each in times))
            if device not in stays[name] or stays[name][device].until < stay.until:
                stays[name][device] = stay
        for name, seat, device, digits, left in claimed:
            claims[name].append(Claim(seat, device, digits, here + left))
        return {name: Around(stays[name], claims[name]) for name in {*stays, *claims}}

    async def signal(self, node: str, signals: Sequence[Signal]) -> None:
        """Let other nodes know of these."""
        rows = [(each.table, each.id, node, each.body, SIGNAL_SECONDS) for each in signals]

        def steps() -> Steps[None]:
            yield Many(self._text(_SIGNAL), rows)

        await self._db.transaction(steps)

    async def signals(self, node: str, tables: Collection[str]) -> list[Signal]:
        """What other nodes have told lately of these tables."""
        rows = await self._db.fetch(self._text(_SIGNALS), list(tables), node, SIGNAL_SECONDS)
        return [Signal(*row) for row in rows]

    async def take(self, table: str, node: str) -> bool:
        """Whether the node is now the one that acts at a table; it is until it gives that back, or dies."""
        return bool(await self._run((_BEAT, node), (_TAKE, table, node, DEAD_SECONDS)))

    async def give_back(self, tables: Collection[str], node: str) -> None:
        await self._db.execute(_GIVE_BACK, list(tables), node)

    async def claim(self, table: str, claim: Claim) -> bool:
        """Put a claim in place of the device's last one; False if another shows these digits for the seat."""
        left = claim.until - time.monotonic()
        over = (_CLAIMS_OVER, table, claim.device, left)
        return bool(await self._run(over, (_CLAIM, table, claim.seat, claim.device, claim.digits, left)))

    async def drop_claims(self, table: str, seat: Seat) -> None:
        await self._db.execute("DELETE FROM kasta_claims WHERE name = $1 AND seat = $2", table, seat)

    async def hit(self, key: str, most: int, seconds: float) -> int:
        """Count one more, of so many in a time that begins with the first: how many seconds to wait, 0 if none."""
        ((hits, left),) = await self._run((_HIT, key, seconds))
        return math.ceil(left) if hits > most else 0

    async def wait(self, key: str, most: int) -> int:
        """How many seconds to wait before the next would be counted."""
        found = await self._run((_WAIT, key, most))  # in line with those who count
        seconds = found[0][0] if found else 0
        return math.ceil(seconds) if 0 < seconds <= LONGEST_COUNT else 0

    async def sweep(self) -> None:
        """Forget what is over."""
        await self._time.read(self._db.fetch)
        if self._time.was_set_lately:
            return  # until all nodes have beaten again, who is there looks like who is long gone
        for text, *values in _SWEEP:
            await self._db.execute(self._text(text), *values)

    def _text(self, text: str) -> str:
        return text.replace("steady()", self._steady)

    async def _run(self, *statements: Statement) -> list[Row]:
        """All or none; what the last one answers."""

        def steps() -> Steps[list[Row]]:
            rows = list[Row]()
            for text, *values in statements:
                rows = yield (self._text(text), *values)
            return rows

        return await self._db.transaction(steps)


class StoreTime:
    """How far the store's clock is ahead of ours, now and before it was set.

    What was written before belongs to the old clock. Nobody can tell for sure which of the two a time is of: it is
    taken for the later moment that is not in the future. So nobody seems to be gone for longer than they are.
    """

    def __init__(self, clock: str) -> None:
        self._ask = f"SELECT {clock}"
        self._least, self._most = -math.inf, math.inf  # how far it is ahead, as exactly as the way there tells
        self._before: float | None = None
        self._set = -math.inf

    async def read(self, fetch: Fetch) -> None:
        asked = time.monotonic()
        ((theirs,),) = await fetch(self._ask)
        answered = time.monotonic()
        least, most = theirs - answered, theirs - asked
        if least > self._most + JUMP_SECONDS or most < self._least - JUMP_SECONDS:
            self._before, self._set = self._least, answered
        elif answered - self._set > KEPT_SECONDS:
            self._before = None
        self._least, self._most = least, most

    @property
    def was_set_lately(self) -> bool:
        return time.monotonic() - self._set < KEPT_SECONDS

    def here(self, theirs: float) -> float:
        """A time of the store as one of `time.monotonic()`."""
        now = time.monotonic()
        ours = [theirs - ahead for ahead in (self._least, self._before) if ahead is not None]
        return max((moment for moment in ours if moment <= now + JUMP_SECONDS), default=now)


Heard = Callable[[str, str], None]
"""Hears of a table what another node has told."""


class SignalExchange:
    """The signals that this node has still to tell, and those that it has heard already. Nothing is kept."""

    def __init__(self, cluster: ClusterState, node: str, wake: Callable[[], None]) -> None:
        self._cluster, self._node, self._wake = cluster, node, wake
        self._waiting: list[Signal] = []
        self._known: dict[str, float] = {}
        self.heard: Heard = lambda _table, _body: None

    def __bool__(self) -> bool:
        """Whether something waits to be told."""
        return bool(self._waiting)

    def send(self, table: str, body: str) -> None:
        """Tell other nodes, together with what comes at the same time."""
        if len(self._waiting) < MOST_SIGNALS:
            self._waiting.append(Signal(table, secrets.token_hex(8), body))
            self._wake()

    async def tell(self) -> None:
        """Write what waits. What cannot be written now is lost: nobody would want it later."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            await self._cluster.signal(self._node, waiting)

    async def listen(self, tables: Collection[str]) -> None:
        """Hear once of each signal that others have told."""
        now = time.monotonic()
        self._known = {each: until for each, until in self._known.items() if until > now}
        for signal in await self._cluster.signals(self._node, tables) if tables else ():
            if signal.id not in self._known:
                self._known[signal.id] = now + 2 * SIGNAL_SECONDS
                self.heard(signal.table, signal.body)
