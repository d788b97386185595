"""Subscriptions: which browsers wish for which notices, and what each was last told of a matter."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import astuple

from kasta.db.backup import BackupPart, Time
from kasta.db.personal import PersonalData
from kasta.sql import Database, Fetch, Statement, Steps, insert

_COLUMNS = "device, endpoint, p256dh, auth, language, zone, kinds, hour, due, at"
_PUT = f"""
INSERT INTO kasta_subscriptions ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (device) DO UPDATE SET endpoint = excluded.endpoint, p256dh = excluded.p256dh,
        auth = excluded.auth, language = excluded.language, zone = excluded.zone, kinds = excluded.kinds,
        hour = excluded.hour, due = excluded.due, at = excluded.at
"""  # noqa: S608 - names of ours
_OF = f"SELECT {_COLUMNS} FROM kasta_subscriptions WHERE device = ANY($1)"  # noqa: S608
_DUE = f"SELECT {_COLUMNS} FROM kasta_subscriptions WHERE due <= $1 ORDER BY due LIMIT $2"  # noqa: S608
_NEXT = "UPDATE kasta_subscriptions SET due = $3 WHERE device = $1 AND due = $2"
_SEEN = "UPDATE kasta_subscriptions SET at = $2 WHERE device = $1 AND at < $2 - 86400"
_DELETE = "DELETE FROM kasta_subscriptions WHERE device = $1"
_DELETE_BROKEN = "DELETE FROM kasta_subscriptions WHERE device = $1 AND endpoint = $2"
_DELETE_TOLD = "DELETE FROM kasta_notices WHERE device = $1"
_TELL = """
INSERT INTO kasta_notices AS n VALUES ($1, $2, $3, kasta_now()) ON CONFLICT (device, topic) DO UPDATE
    SET once = excluded.once, at = excluded.at WHERE n.once <> excluded.once RETURNING device
"""
_HOLD = """
INSERT INTO kasta_notices AS n VALUES ($1, $2, $3, kasta_now()) ON CONFLICT (device, topic) DO UPDATE
    SET once = excluded.once, at = excluded.at WHERE n.once <> $4
"""
_IS_HELD = "SELECT 1 FROM kasta_notices WHERE device = $1 AND topic = $2 AND once = $3"
_HELD = """
SELECT DISTINCT topic FROM kasta_notices
    WHERE substr(once, 1, $1) = $2 AND substr(topic, 1, $3) = $4 ORDER BY topic
"""
_WITHDRAW = "DELETE FROM kasta_notices WHERE device = $1 AND topic = $2 RETURNING once"
_TOLD = "SELECT device FROM kasta_notices WHERE device = ANY($1) AND topic = $2"
_FORGET = "DELETE FROM kasta_notices WHERE at < kasta_now() - $1"
_PIECE = f"SELECT {_COLUMNS} FROM kasta_subscriptions WHERE device > $1 ORDER BY device LIMIT $2"  # noqa: S608
PIECE = 200
HELD = "night "  # before `once`, while a notice waits for the morning
KEPT_SECONDS = 30 * 86_400.0  # how long it is known what was told

Key = Annotated[str, Meta(min_length=1, max_length=200)]


class Subscription(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser of a device; `kinds` are names with blanks between. The daily notice comes at `hour` there."""

    device: Key
    endpoint: Annotated[str, Meta(min_length=1, max_length=1_000)]
    p256dh: Key
    auth: Key
    language: Annotated[str, Meta(max_length=10)]
    zone: Annotated[str, Meta(max_length=64)]
    kinds: Annotated[str, Meta(max_length=200)]
    hour: Annotated[int, Meta(ge=0, le=23)] | None
    due: float | None
    at: Time

    def wants(self, kind: str) -> bool:
        return kind in self.kinds.split()


class Subscriptions:
    """One for each device that wished for it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def put(self, wish: Subscription) -> None:
        await self._db.execute(_PUT, *astuple(wish))

    async def of(self, devices: Collection[str]) -> dict[str, Subscription]:
        """Those of some devices, by device."""
        rows = await self._db.fetch(_OF, list(devices)) if devices else []
        return {row[0]: Subscription(*row) for row in rows}

    async def due(self, now: float, most: int) -> list[Subscription]:
        """Those whose daily notice is due."""
        return [Subscription(*row) for row in await self._db.fetch(_DUE, now, most)]

    async def put_off(self, wish: Subscription, due: float) -> bool:
        """Set when the next daily notice is due; False if another node was quicker."""
        return bool(await self._db.execute(_NEXT, wish.device, wish.due, due))

    async def seen(self, device: str, now: float) -> None:
        """The device is still in use."""
        await self._db.execute(_SEEN, device, now)

    async def delete(self, device: str) -> None:
        await self._db.transaction(lambda: _delete(device))

    async def delete_broken(self, wish: Subscription) -> None:
        """Its push service says that it is gone, unless the device has a newer one by now."""
        await self._db.execute(_DELETE_BROKEN, wish.device, wish.endpoint)

    async def tell(self, device: str, topic: str, once: str) -> bool:
        """Whether the device has not been told this yet; from now on it has."""

        def steps() -> Steps[bool]:
            return bool((yield _TELL, device, topic, once))

        return await self._db.transaction(steps)

    async def hold(self, device: str, topic: str, once: str) -> bool:
        """Whether the device is to be told this in the morning: it was not told yet."""
        await self._db.execute(_HOLD, device, topic, HELD + once, once)
        return await self.is_held(device, topic, once)

    async def is_held(self, device: str, topic: str, once: str) -> bool:
        """Whether this still waits for the morning: no node has withdrawn it."""
        return bool(await self._db.fetch(_IS_HELD, device, topic, HELD + once))

    async def held(self, kind: str) -> list[str]:
        """What follows a kind in the topics of all that waits for the morning."""
        rows = await self._db.fetch(_HELD, len(HELD), HELD, len(kind), kind)
        return [topic[len(kind) :] for (topic,) in rows]

    async def withdraw(self, device: str, topic: str) -> bool:
        """Whether the device shows something of a matter, which is no longer so."""

        def steps() -> Steps[bool]:
            rows = yield _WITHDRAW, device, topic
            return any(not once.startswith(HELD) for (once,) in rows)

        return await self._db.transaction(steps)

    async def told(self, devices: Collection[str], topic: str) -> set[str]:
        """Those of some devices that were told of a matter."""
        return {device for (device,) in await self._db.fetch(_TOLD, list(devices), topic)}

    async def sweep(self) -> None:
        """Forget what was told long ago."""
        await self._db.execute(_FORGET, KEPT_SECONDS)


def _delete(device: str) -> Steps[None]:
    yield _DELETE, device
    yield _DELETE_TOLD, device


def _move(device: str, _to: str) -> Steps[None]:
    """A subscription belongs to its browser: the other device asks for its own."""
    yield from _delete(device)


async def _files(fetch: Fetch, device: str) -> AsyncIterator[tuple[str, str]]:
    for row in await fetch(_OF, [device]):
        wish = Subscription(*row)
        kept = {name: getattr(wish, name) for name in wish.__struct_fields__ if name != "device"}
        yield "notices.json", json.dumps(kept) + "\n"


PERSONAL = PersonalData(
    exists="SELECT 1 FROM kasta_subscriptions WHERE device = $1",
    idle="SELECT device FROM kasta_subscriptions WHERE at < $1",
    move=_move,
    delete=_delete,
    files=_files,
)


class _SubscriptionLine(Struct, forbid_unknown_fields=True):
    """A subscription in a backup."""

    subscribed: Subscription


async def _lines(fetch: Fetch) -> AsyncIterator[_SubscriptionLine]:
    after = ""
    while rows := await fetch(_PIECE, after, PIECE):
        for row in rows:
            yield _SubscriptionLine(Subscription(*row))
        after = rows[-1][0]


def _restored(lines: Sequence[_SubscriptionLine]) -> Statement:
    return insert("kasta_subscriptions", _COLUMNS, [astuple(line.subscribed) for line in lines])


SUBSCRIPTIONS = BackupPart("subscribed", _SubscriptionLine, _lines, _restored)
