"""How strong a player is: mean points behind the strongest bot, in games that count, with luck taken out.

The luck is that of reviews, whose mean is 0 whoever plays. So a total less its luck has the same mean as a total,
and spreads much less. What the strongest bot makes on average is known (`Traits.par`).
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import NamedTuple

from kasta.db.key_value import KeyValue
from kasta.db.personal import PersonalData
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.results.model import Ruled
from kasta.sql import Database, Fetch, Row, Steps

LEAST = 5  # games before anything is told
SHOWN = "strength"  # a wish, owned by a device
_TALLIES = """
SELECT device, count(*), sum(total - luck), sum((total - luck) * (total - luck)) FROM kasta_results
    WHERE device = ANY($1) AND game = $2 AND rules = $3 AND luck IS NOT NULL AND NOT is_helped
    AND (kind LIKE 'day/%' OR kind LIKE 'challenge/%') GROUP BY device
"""
_SHOWN = "SELECT owner FROM kasta_notes WHERE kind = 'strength' AND owner = ANY($1)"


class Strength(NamedTuple):
    """Points a game behind the strongest bot, the standard error of that, and of how many games."""

    behind: float
    error: float
    games: int

    def told(self, words: Words) -> str:
        """In whole points; the error is rounded up."""
        points, error = round(self.behind), max(1, math.ceil(self.error))
        if points < 0:
            return words.say("{points} ± {error} points ahead of the strongest bot", points=-points, error=error)
        return words.say("{points} ± {error} points behind the strongest bot", points=points, error=error)


class StrengthTally(NamedTuple):
    """Sums of so many games: of totals less their luck, and of the squares of that."""

    games: int = 0
    points: float = 0.0
    squares: float = 0.0

    def plus(self, other: StrengthTally) -> StrengthTally:
        """Both together."""
        return StrengthTally(self.games + other.games, self.points + other.points, self.squares + other.squares)

    def strength(self, ruled: Ruled) -> Strength | None:
        """None after too few games, and where nobody has measured the strongest bot."""
        game, rules = ruled
        par = GAMES[game].par.get(rules) if game in GAMES else None
        if par is None or self.games < LEAST:
            return None
        mean = self.points / self.games
        variance = max(0.0, self.squares - self.points * mean) / (self.games - 1)
        return Strength(par.mean - mean, math.sqrt(variance / self.games), self.games)


class Strengths:
    """The strengths of devices, and who wants theirs to be shown."""

    def __init__(self, db: Database) -> None:
        self._db, self._wishes = db, KeyValue(db)

    async def show(self, device: str, *, wish: bool) -> None:
        """Show a device's strengths to others from now on, or not any more."""
        if wish:
            await self._wishes.put(SHOWN, device, "")
        else:
            await self._wishes.drop(SHOWN, device, "")

    async def is_shown(self, device: str) -> bool:
        return await self._wishes.has(SHOWN, device, "")

    async def own(self, device: str, ruled: Ruled) -> StrengthTally:
        return (await self._tallies([device], ruled)).get(device, StrengthTally())

    async def shown(self, people: Mapping[str, Iterable[str]], ruled: Ruled) -> dict[str, Strength]:
        """The strengths of people by their names, each with devices, as far as these may be shown."""
        owners = {device: name for name, devices in people.items() for device in devices}
        if not owners:
            return {}
        wished = [device for (device,) in await self._db.fetch(_SHOWN, list(owners))]
        found: dict[str, StrengthTally] = {}
        for device, tally in (await self._tallies(wished, ruled)).items() if wished else ():
            before = found.get(owners[device], StrengthTally())
            found[owners[device]] = before.plus(tally)
        told = {name: tally.strength(ruled) for name, tally in found.items()}
        return {name: strength for name, strength in told.items() if strength is not None}

    async def _tallies(self, devices: list[str], ruled: Ruled) -> dict[str, StrengthTally]:
        rows: list[Row] = await self._db.fetch(_TALLIES, devices, *ruled)
        return {device: StrengthTally(int(games), *sums) for device, games, *sums in rows}


def _move(device: str, to: str) -> Steps[None]:
    yield _MOVE, device, to
    yield from _delete(device)


def _delete(device: str) -> Steps[None]:
    yield "DELETE FROM kasta_notes WHERE kind = 'strength' AND owner = $1", device


async def _files(fetch: Fetch, device: str) -> AsyncIterator[tuple[str, str]]:
    if await fetch(_EXISTS, device):
        yield "strength.json", json.dumps({"shown_to_others": True}) + "\n"


_EXISTS = "SELECT 1 FROM kasta_notes WHERE kind = 'strength' AND owner = $1"
_MOVE = """
UPDATE kasta_notes SET owner = $2 WHERE kind = 'strength' AND owner = $1
    AND NOT EXISTS (SELECT 1 FROM kasta_notes AS n WHERE n.kind = 'strength' AND n.owner = $2)
"""
_IDLE = """
SELECT n.owner FROM kasta_notes AS n LEFT JOIN kasta_results AS r ON r.device = n.owner
    WHERE n.kind = 'strength' GROUP BY n.owner HAVING coalesce(max(r.ended), 0) < $1
"""
WISHES = PersonalData(exists=_EXISTS, idle=_IDLE, move=_move, delete=_delete, files=_files)
