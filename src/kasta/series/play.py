"""Playing the throws of a series, alone: the try that counts, and those for fun."""

from __future__ import annotations

from kasta.core import Over
from kasta.errors import Conflict, Illegal
from kasta.series.model import SeriesDice
from kasta.series.tries import Tries
from kasta.tables.commands import Sit
from kasta.tables.events import Settings
from kasta.tables.opening import GivenDice, new_id
from kasta.tables.service import Service
from kasta.tables.state import Table

SETTINGS = Settings()  # the same for everybody: no hints belong here while others play


class SeriesPlay:
    """Begins tries of devices, and goes on with them."""

    def __init__(self, service: Service, tries: Tries, most: int | None = None) -> None:
        self._service, self._tries, self._most = service, tries, most

    async def counted(self, dice: SeriesDice, by: str, name: str, *, begin: bool) -> Table | None:
        """A device's counted try, as long as it is not over; with `begin` it may begin now."""
        table = await self._counted(dice, by, begin=begin)
        return None if table is None or is_over(table) else await self._seated(table, name)

    async def for_fun(self, dice: SeriesDice, by: str, name: str) -> Table:
        """The same throws once more, compared with nobody's."""
        return await self._seated(await self._open(dice, by, new_id(), counted=False), name)

    async def _counted(self, dice: SeriesDice, by: str, *, begin: bool) -> Table | None:
        """Whoever stopped between claiming a try and opening its table opens that table now."""
        table = (await self._tries.counted(dice.series, by)).get(dice.game)
        if table is None and begin:
            table = await self._tries.begin(dice.series, dice.game, by, new_id(), self._most)
            if table is None:
                raise Illegal("series_full", most=self._most)
        if table is None:
            return None
        try:
            return await self._service.table(table)
        except Illegal:
            return await self._open(dice, by, table, counted=True)

    async def _open(self, dice: SeriesDice, by: str, table: str, *, counted: bool) -> Table:
        given = GivenDice(table, dice.series, dice.secret, counted)
        try:
            return await self._service.open(by, dice.game, dice.rules, settings=SETTINGS, given=given)
        except Conflict:  # another page of the same device was quicker
            return await self._service.table(table)

    async def _seated(self, table: Table, name: str) -> Table:
        if table.places or table.seats:
            return table
        try:
            return await self._service.do(table.id, Sit(table.host, name))
        except Illegal:  # as above
            return await self._service.table(table.id)


def is_over(table: Table) -> bool:
    """Whether a try has come to its end, or was given up."""
    return table.is_closed or (table.turn > 0 and isinstance(table.next(), Over))
