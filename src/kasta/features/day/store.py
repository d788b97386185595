"""What a store keeps of the throws of the day: the secret of each game and day, and whose try counts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import date
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import asdict

from kasta.db.backup import BackupPart, Kept, Secret, Time
from kasta.dice import DAY, commitment
from kasta.errors import Unreadable
from kasta.series.model import SeriesDice
from kasta.series.tries import forget_tries, new_try
from kasta.sql import Database, Fetch, Statement, Steps, insert
from kasta.tables.events import OpenedEvent

_COLUMNS = "day, game, secret, made, ended, told, best"
_SELECT = f"SELECT {_COLUMNS} FROM kasta_days"  # noqa: S608 - names of ours
_DONE = """
SELECT substr(kind, 5), game, name, total, shown FROM kasta_results
    WHERE device = $1 AND kind LIKE 'day/%' ORDER BY kind DESC, game
"""


def read_day(text: str) -> date:
    """The date that a text such as `2026-11-16` means; `Unreadable` where it means none."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise Unreadable("no_such_day", text=text[:40]) from None
    if found.isoformat() != text:
        raise Unreadable("no_such_day", text=text[:40])
    return found


class DayDice(NamedTuple):
    """The dice of a game on a day, known by their commitment since they were `made`.

    `ended` is when a look at the clock first found the day over, `told` when the secret was published, `best` what
    the strongest bot made of them: each is None before.
    """

    day: str
    game: str
    secret: bytes
    made: float
    ended: float | None = None
    told: float | None = None
    best: int | None = None

    @property
    def commitment(self) -> str:
        return commitment(self.secret)

    @property
    def series(self) -> str:
        return f"{DAY}{self.day}"

    @property
    def given(self) -> SeriesDice:
        """As everybody plays them."""
        return SeriesDice(self.series, self.game, self.secret, is_told=self.told is not None)

    @property
    def told_secret(self) -> str | None:
        """The secret, if everybody may know it."""
        return None if self.told is None else self.secret.hex()


class DayDone(NamedTuple):
    """A counted try that was finished in time; `shown` is the name with which its player is on the board."""

    day: str
    game: str
    table: str
    total: int
    shown: str | None


class DayStore:
    """The days of all nodes that serve a store: whoever writes first has made a day's dice for all of them."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def keep(self, dice: DayDice) -> DayDice:
        """The dice of a day and game: these, if there were none."""

        def steps() -> Steps[DayDice]:
            yield insert("kasta_days", _COLUMNS, [dice])
            rows = yield f"{_SELECT} WHERE day = $1 AND game = $2", *dice[:2]
            return DayDice(*rows[0])

        return await self._db.transaction(steps)

    async def find(self, day: str, game: str) -> DayDice | None:
        found = await self._all("WHERE day = $1 AND game = $2", day, game)
        return found[0] if found else None

    async def since(self, day: str) -> list[DayDice]:
        """All dice of that day and later ones, the latest day first."""
        return await self._all("WHERE day >= $1 ORDER BY day DESC, game", day)

    async def untold(self) -> list[DayDice]:
        """The dice of all days whose secret is not published yet."""
        return await self._all("WHERE told IS NULL ORDER BY day, game")

    async def set_ended(self, day: str, at: float | None) -> None:
        """A look found a day over that no look before had, or a later one takes that back."""
        await self._db.execute("UPDATE kasta_days SET ended = $2 WHERE day = $1 AND told IS NULL", day, at)

    async def tell(self, day: str, at: float) -> None:
        """Publish the secrets of a day. Whose try counted need not be known any more."""

        def steps() -> Steps[None]:
            yield "UPDATE kasta_days SET told = $2 WHERE day = $1 AND told IS NULL", day, at
            yield forget_tries(f"{DAY}{day}")

        await self._db.transaction(steps)

    async def set_best(self, day: str, game: str, total: int) -> None:
        await self._db.execute("UPDATE kasta_days SET best = $3 WHERE day = $1 AND game = $2", day, game, total)

    async def done(self, device: str) -> list[DayDone]:
        """The counted tries that a device has finished, among its results; the latest day first."""
        return [DayDone(*row) for row in await self._db.fetch(_DONE, device)]

    async def _all(self, where: str, *values: object) -> list[DayDice]:
        return [DayDice(*row) for row in await self._db.fetch(f"{_SELECT} {where}", *values)]


class _DayLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The dice of a day in a backup, by what `DayDice` calls their parts."""

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    game: Annotated[str, Meta(min_length=1, max_length=200)]
    secret: Secret
    made: Time
    ended: Time | None = None
    told: Time | None = None
    best: int | None = None


async def _lines(fetch: Fetch) -> AsyncIterator[_DayLine]:
    for row in await fetch(f"{_SELECT} ORDER BY day, game"):
        dice = DayDice(*row)
        yield _DayLine(**dice._asdict() | {"secret": bytes(dice.secret).hex()})


def _restored(lines: Sequence[_DayLine]) -> Statement:
    for line in lines:
        read_day(line.day)
    rows = [tuple((asdict(line) | {"secret": bytes.fromhex(line.secret)}).values()) for line in lines]
    return insert("kasta_days", _COLUMNS, rows)


def _counted_try(kept: Kept) -> Iterable[Statement]:
    """The try that counts for a device is known by its table."""
    opened = kept.stored[0].event
    if isinstance(opened, OpenedEvent) and opened.day is not None and opened.counted:
        yield new_try(f"{DAY}{opened.day}", opened.game, opened.host, opened.table)


DAYS = BackupPart("day", _DayLine, _lines, _restored, with_table=_counted_try, comes_first=True)
