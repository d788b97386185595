"""What the strongest bot makes of a day's throws: the honest yardstick. It plays once, by the coach."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from kasta import dice
from kasta.coach.process import Coach
from kasta.core import Over, Throw
from kasta.errors import KastaError
from kasta.features.day.store import DayDice, DayStore
from kasta.games import find_game
from kasta.tables.log import Log

logger = logging.getLogger(__name__)

LONGEST_GAME = 600.0  # seconds after which another node may try
CLIENT = "days"  # takes turns with the tables

Choose = Callable[[Any], Awaitable[Any]]
"""The action of whoever plays, on a sheet with a throw."""


class Ghosts:
    """The games of the bot, one at a time at this node, each at one node at a time."""

    def __init__(self, log: Log, coach: Coach) -> None:
        self._log, self._coach = log, coach
        self._alone = asyncio.Lock()
        self._playing: dict[tuple[str, str], asyncio.Task[None]] = {}

    def ask(self, day: DayDice) -> None:
        """Let the bot play a day, unless it has or does. What it made is in the day's book some seconds later."""
        key = day.day, day.game
        if day.best is None and key not in self._playing:
            task = self._playing[key] = asyncio.create_task(self._play(day))
            task.add_done_callback(lambda _: self._playing.pop(key, None))

    async def close(self) -> None:
        playing = list(self._playing.values())
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    async def _play(self, day: DayDice) -> None:
        try:
            if await self._log.cluster.hit(f"ghost {day.day} {day.game}", 1, LONGEST_GAME):
                return  # another node is at it
            async with self._alone:
                game = find_game(day.game)
                total = await ghost_total(day, lambda sheet: self._coach.best(CLIENT, game, sheet))
            await DayStore(self._log.db).set_best(day.day, day.game, total)
        except (KastaError, BrokenProcessPool) as error:
            logger.warning("no bot played the throws of %s: %s", day.day, type(error).__name__)


async def ghost_total(day: DayDice, choose: Choose) -> int:
    """What somebody makes of a day's throws, each told when the one before is answered."""
    solo = find_game(day.game).solo
    salt = dice.salt(dice.day_id(day.day, day.game), ())
    sheet, number, is_last = solo.start(), None, False
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            number = dice.day_number(number, goes_on=not solo.rests(sheet))
            is_last = is_last or solo.ends(sheet)
            sheet = solo.throw(sheet, dice.throw(day.secret, salt, number, expected.dice), last=is_last)
        else:
            sheet = solo.act(sheet, await choose(sheet))
    return solo.total(sheet)
