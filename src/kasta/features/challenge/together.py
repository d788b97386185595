"""Who did how in all games of a challenge together.

To know that, all results are read. What came of them is kept, without names, until a result comes or goes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from kasta.features.challenge.store import Challenge
from kasta.sql import Database

_STAMP = """
SELECT kind, count(*), sum(total), max(id) FROM kasta_results
    WHERE kind = ANY($1) AND game = $2 AND rules = $3 AND NOT is_helped GROUP BY kind ORDER BY kind
"""
_TOGETHER = """
WITH played AS (
    SELECT kind, device, total FROM kasta_results
        WHERE kind = ANY($1) AND game = $2 AND rules = $3 AND NOT is_helped
), won AS (
    SELECT kind, max(total) AS most FROM played GROUP BY kind
)
SELECT device, sum(CASE WHEN total = most THEN 1 ELSE 0 END) AS wins, sum(total) AS points
    FROM played JOIN won ON won.kind = played.kind
    GROUP BY device HAVING count(*) = CAST($4 AS bigint) ORDER BY wins DESC, points DESC, device
"""
_NAMES = """
SELECT device, max(shown) FROM kasta_results
    WHERE device = ANY($1) AND kind LIKE 'challenge/%' AND kind = ANY($2) GROUP BY device
"""
MOST_KEPT = 20  # challenges


class AllGames(NamedTuple):
    """What somebody made of all games: the place, how many were won, and all points."""

    place: int
    device: str
    name: str | None
    wins: int
    points: int


class Tally(NamedTuple):
    """The same, without a name."""

    place: int
    device: str
    wins: int
    points: int


@dataclass(frozen=True, slots=True)
class _Kept:
    """All tallies, the best first, where each device is, and the results that they come from."""

    stamp: Sequence[object]
    tallies: Sequence[Tally]
    places: dict[str, int]

    def some(self, device: str, page: range) -> list[Tally]:
        """A page, and a device if it is among them."""
        numbers = {*range(len(self.tallies))[page.start : page.stop]}
        numbers |= {self.places[device]} if device in self.places else set()
        return [self.tallies[number] for number in sorted(numbers)]


class AllGamesBook:
    """Ranks those who have finished all games."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    async def page(self, one: Challenge, device: str, page: range, *, has_all: bool) -> list[AllGames]:
        """A page, and a device, of which it is known whether it has finished all."""
        kept = await self._all(one)
        if has_all and device not in kept.places:  # somebody's results are another device's by now
            kept = await self._anew(one)
        shown = kept.some(device, page)
        names = await self._names(one, shown)
        if len(names) < len(shown):
            shown = (await self._anew(one)).some(device, page)
            names = await self._names(one, shown)
        return [
            AllGames(each.place, each.device, names.get(each.device), each.wins, each.points) for each in shown
        ]

    async def _names(self, one: Challenge, shown: Sequence[Tally]) -> dict[str, str | None]:
        kinds = [one.series(leg) for leg in one.legs]
        return dict([tuple(row) for row in await self._db.fetch(_NAMES, [each.device for each in shown], kinds)])

    async def _all(self, one: Challenge) -> _Kept:
        """What is kept, unless it is of other results."""
        kept = self._kept.get(one.id)
        if kept is None or kept.stamp != await self._stamp(one):
            return await self._anew(one)
        self._kept.move_to_end(one.id)
        return kept

    async def _stamp(self, one: Challenge) -> list[tuple[object, ...]]:
        kinds = [one.series(leg) for leg in one.legs]
        return [tuple(row) for row in await self._db.fetch(_STAMP, kinds, one.game, one.rules)]

    async def _anew(self, one: Challenge) -> _Kept:
        stamp, kinds = await self._stamp(one), [one.series(leg) for leg in one.legs]
        tallies = _ranked(await self._db.fetch(_TOGETHER, kinds, one.game, one.rules, one.games))
        kept = _Kept(stamp, tallies, {each.device: number for number, each in enumerate(tallies)})
        self._kept[one.id] = kept
        self._kept.move_to_end(one.id)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept


def _ranked(rows: Sequence[tuple[str, int, int]]) -> list[Tally]:
    """Equals share a place."""
    found: list[Tally] = []
    for (wins, points), equals in groupby(rows, key=lambda row: (int(row[1]), int(row[2]))):
        place = len(found) + 1
        found += [Tally(place, device, wins, points) for device, *_ in equals]
    return found
