"""The puzzles of the day among all that is new today."""

from __future__ import annotations

from kasta.coach.puzzles import of_day, with_puzzles
from kasta.dice import day_of
from kasta.feature import TodayThing
from kasta.features.puzzles.store import PuzzleAnswers
from kasta.i18n import Words
from kasta.sql import Database
from kasta.tables.service import Service


class TodaysPuzzles:
    """Knows whether somebody has solved them all."""

    def __init__(self, service: Service, db: Database) -> None:
        self._service, self._answers = service, PuzzleAnswers(db)

    async def entry(self, device: str | None, words: Words) -> TodayThing:
        today = day_of(await self._service.now())
        answers = await self._answers.of_device(device) if device else []
        left = {(name, of_day(name, today)) for name in with_puzzles()}
        left.difference_update((each.game, each.number) for each in answers)
        return TodayThing(words.say("Puzzle"), "/puzzle", is_done=not left)
