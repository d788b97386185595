"""What the strongest bot makes of a series: the honest yardstick. It plays once, by the coach."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from kasta import dice
from kasta.coach.process import Coach
from kasta.core import Over, Throw
from kasta.errors import KastaError
from kasta.record import Do, Roll, Step
from kasta.series.model import SeriesDice
from kasta.tables.log import Log

logger = logging.getLogger(__name__)

LONGEST_GAME = 600.0  # seconds after which another node may try
CLIENT = "days"  # takes turns with the tables

Choose = Callable[[Any], Awaitable[Any]]
"""The action of whoever plays, on a sheet with a throw."""


class GhostGame(NamedTuple):
    """What came of the throws, and how."""

    total: int
    steps: list[Step]


Keep = Callable[[GhostGame], Awaitable[None]]


class Ghosts:
    """The games of the bot, one at a time at this node, each at one node at a time."""

    def __init__(self, log: Log, coach: Coach) -> None:
        self._log, self._coach = log, coach
        self._alone = asyncio.Lock()
        self._playing: dict[str, asyncio.Task[None]] = {}

    def ask(self, one: SeriesDice, keep: Keep) -> None:
        """Let the bot play a series, unless it does. What it made is kept some seconds later."""
        if one.id not in self._playing:
            task = self._playing[one.id] = asyncio.create_task(self._play(one, keep))
            task.add_done_callback(lambda _: self._playing.pop(one.id, None))

    async def close(self) -> None:
        playing = list(self._playing.values())
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def _play(self, one: SeriesDice, keep: Keep) -> None:
        try:
            if await self._log.cluster.hit(f"ghost {one.id}", 1, LONGEST_GAME):
                return  # another node is at it
            async with self._alone:
                game = one.found()
                played = await ghost_game(one, lambda sheet: self._coach.best(CLIENT, game, sheet))
            await keep(played)
        except (KastaError, BrokenProcessPool) as error:
            logger.warning("no bot played the throws of %s: %s", one.series, type(error).__name__)


async def ghost_game(one: SeriesDice, choose: Choose) -> GhostGame:
    """What somebody makes of a series, each throw told when the one before is answered."""
    solo, steps = one.found().solo, list[Step]()
    sheet, number, is_last = solo.start(), None, False
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            number = dice.series_number(number, goes_on=not solo.rests(sheet))
            is_last = is_last or solo.ends(sheet)
            faces = one.throw(number, expected.dice)
            steps.append(Roll(faces))
            sheet = solo.throw(sheet, faces, last=is_last)
        else:
            action = await choose(sheet)
            steps.append(Do(0, str(action)))
            sheet = solo.act(sheet, action)
    return GhostGame(solo.total(sheet), steps)
