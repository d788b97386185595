"""What is kept of a person: to be had, taken along, deleted, and forgotten when nobody comes back for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from kasta.core import Seat
from kasta.sql import Database, Fetch, Steps


def _no_names(_table: str, _seat: Seat | None) -> Steps[None]:
    yield from ()


async def _nothing(_fetch: Fetch, _device: str) -> AsyncIterator[tuple[str, str]]:
    for nothing in list[tuple[str, str]]():
        yield nothing


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What one feature keeps of a device.

    `exists` and `idle` are questions: whether there is anything of a device ($1), and the devices whose last was
    before a time ($1). `files` are what a device may have of it, by their names. `forget_names` takes away what
    people are called in what is kept of a table, or of one seat.
    """

    exists: str
    idle: str
    move: Callable[[str, str], Steps[None]]
    delete: Callable[[str], Steps[None]]
    files: Callable[[Fetch, str], AsyncIterator[tuple[str, str]]] = _nothing
    forget_names: Callable[[str, Seat | None], Steps[None]] = _no_names


async def move_all(db: Database, kinds: Sequence[PersonalData], device: str, to: str) -> None:
    """Give all that is kept of a device to another, or nothing. To itself there is nothing to give."""

    def steps() -> Steps[None]:
        for kind in kinds:
            yield from kind.move(device, to)

    if device != to:
        await db.transaction(steps)


async def delete_all(db: Database, kinds: Sequence[PersonalData], device: str) -> None:
    def steps() -> Steps[None]:
        for kind in kinds:
            yield from kind.delete(device)

    await db.transaction(steps)
    await db.scrub()


async def delete_idle(db: Database, kinds: Sequence[PersonalData], since: float) -> None:
    """Delete each kind of thing of those whose last was before that."""
    for kind in kinds:
        for (device,) in await db.fetch(kind.idle, since):
            await delete_all(db, [kind], str(device))


async def forget_names(db: Database, kinds: Sequence[PersonalData], table: str, seat: Seat | None) -> None:
    def steps() -> Steps[None]:
        for kind in kinds:
            yield from kind.forget_names(table, seat)

    await db.transaction(steps)
    await db.scrub()
