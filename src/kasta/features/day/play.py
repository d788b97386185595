"""Playing the throws of the day: the try that counts, and those for fun."""

from __future__ import annotations

from kasta.core import Over
from kasta.errors import Conflict, Illegal
from kasta.features.day.service import Days
from kasta.features.day.store import DayDice, DayStore
from kasta.tables.commands import Sit
from kasta.tables.events import Settings
from kasta.tables.opening import GivenDice, new_id
from kasta.tables.service import Service
from kasta.tables.state import Table

SETTINGS = Settings()  # the same for everybody: no hints belong here while the day lasts


async def play_day(service: Service, days: Days, by: str, game: str, day: str, name: str) -> Table:
    """Begin a device's counted try, or go on with it. Once that is over, play the same throws for fun.

    Of a day that has passed only what has begun is played, until its secret is told: then anybody may, for fun.
    """
    dice = await days.dice(day, game)
    today = await days.today()
    if dice.told is None:
        counted = await _counted(service, days.book, dice, by, begin=day == today)
        if counted is not None and not _is_over(counted):
            return await _seated(service, counted, name)
        if day != today:
            raise Illegal("day_closed")
    one = GivenDice(new_id(), dice.day, dice.secret, counted=False)
    return await _seated(service, await _open(service, by, game, one), name)


async def _counted(service: Service, book: DayStore, dice: DayDice, by: str, *, begin: bool) -> Table | None:
    """The counted try. Whoever stopped between claiming it and opening its table opens that table now."""
    table = (await book.counted(dice.day, by)).get(dice.game)
    if table is None and begin:
        table = await book.begin(dice.day, dice.game, by, new_id())
    if table is None:
        return None
    try:
        return await service.table(table)
    except Illegal:
        return await _open(service, by, dice.game, GivenDice(table, dice.day, dice.secret, counted=True))


async def _open(service: Service, by: str, game: str, one: GivenDice) -> Table:
    try:
        return await service.open(by, game, settings=SETTINGS, day=one)
    except Conflict:  # another page of the same device was quicker
        return await service.table(one.table)


async def _seated(service: Service, table: Table, name: str) -> Table:
    if table.places or table.seats:
        return table
    try:
        return await service.do(table.id, Sit(table.host, name))
    except Illegal:  # as above
        return await service.table(table.id)


def _is_over(table: Table) -> bool:
    return table.is_closed or (table.turn > 0 and isinstance(table.next(), Over))
