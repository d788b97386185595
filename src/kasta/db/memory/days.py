"""The throws of the day in memory."""

from __future__ import annotations

from kasta.db.memory.results import MemoryResults
from kasta.dice import DAY
from kasta.features.day.store import Answer, DayBook, DayDice, DayDone


class MemoryDays(DayBook):
    def __init__(self, results: MemoryResults) -> None:
        self._results = results
        self.dice: dict[tuple[str, str], DayDice] = {}
        self._tries: dict[tuple[str, str, str], str] = {}
        self.given: dict[tuple[str, str, int], Answer] = {}

    async def keep(self, dice: DayDice) -> DayDice:
        return self.dice.setdefault((dice.day, dice.game), dice)

    async def find(self, day: str, game: str) -> DayDice | None:
        return self.dice.get((day, game))

    async def since(self, day: str) -> list[DayDice]:
        found = sorted(self.dice.values(), key=lambda each: each.game)
        return sorted((each for each in found if each.day >= day), key=lambda each: each.day, reverse=True)

    async def untold(self) -> list[DayDice]:
        return [each for each in self.dice.values() if each.told is None]

    async def set_ended(self, day: str, at: float | None) -> None:
        for dice in self._untold_of(day):
            self.dice[day, dice.game] = dice._replace(ended=at)

    async def tell(self, day: str, at: float) -> None:
        for dice in self._untold_of(day):
            self.dice[day, dice.game] = dice._replace(told=at)
        self._tries = {key: table for key, table in self._tries.items() if key[0] != day}

    async def set_best(self, day: str, game: str, total: int) -> None:
        self.dice[day, game] = self.dice[day, game]._replace(best=total)

    async def begin(self, day: str, game: str, device: str, table: str) -> str:
        return self._tries.setdefault((day, game, device), table)

    async def counted(self, day: str, device: str) -> dict[str, str]:
        return {key[1]: table for key, table in self._tries.items() if (key[0], key[2]) == (day, device)}

    async def done(self, device: str) -> list[DayDone]:
        own = [each for each in self._results.kept.values() if each.device == device and each.kind.startswith(DAY)]
        found = [DayDone(each.kind[len(DAY) :], each.game, each.table, each.total, each.shown) for each in own]
        return sorted(found, reverse=True)

    async def answer(self, device: str, answer: Answer) -> None:
        self.given.setdefault((device, answer.game, answer.number), answer)

    async def answers(self, device: str) -> list[Answer]:
        found = [answer for key, answer in self.given.items() if key[0] == device]
        return sorted(found, key=lambda answer: answer.at)

    async def silent(self, since: float) -> list[str]:
        recent = {device for (device, *_), answer in self.given.items() if answer.at >= since}
        return list({device for device, *_ in self.given} - recent)

    async def forget(self, device: str, to: str | None = None) -> None:
        for answer in await self.answers(device):
            del self.given[device, answer.game, answer.number]
            if to is not None:
                await self.answer(to, answer)

    def _untold_of(self, day: str) -> list[DayDice]:
        return [each for each in self.dice.values() if each.day == day and each.told is None]
