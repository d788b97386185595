"""What the strongest bot makes of a day's throws: the honest yardstick. It plays once, in a process of its own."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import random
from multiprocessing.connection import Connection

from kasta import dice
from kasta.bots.base import Sight, at_level, find_bot
from kasta.core import Over, Throw
from kasta.errors import KastaError
from kasta.games import find_game
from kasta.table.day_book import DayDice
from kasta.table.log import Log
from kasta.table.processes import GIVE_WAY, begin

logger = logging.getLogger(__name__)

LONGEST_GAME = 600.0  # seconds after which another node may try


class Ghosts:
    """The games of the bot, one at a time at this node, each at one node at a time."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._alone = asyncio.Lock()
        self._playing: dict[tuple[str, str], asyncio.Task[None]] = {}

    def ask(self, day: DayDice) -> None:
        """Let the bot play a day, unless it has or does. What it made is in the day's book some seconds later."""
        key = day.day, day.game
        if day.best is None and (key not in self._playing or self._playing[key].done()):
            self._playing[key] = asyncio.create_task(self._play(day))

    async def close(self) -> None:
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def _play(self, day: DayDice) -> None:
        try:
            if await self._log.shared.hit(f"ghost {day.day} {day.game}", 1, LONGEST_GAME):
                return  # another node is at it
            async with self._alone:
                total = await _in_a_process(day)
            await self._log.days.set_best(day.day, day.game, total)
        except (KastaError, EOFError, OSError) as error:
            logger.warning("no bot played the throws of %s: %s", day.day, type(error).__name__)


async def _in_a_process(day: DayDice) -> int:
    """It ends when it is through, or when nobody waits for it any more."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, day), daemon=True)
    process.start()
    theirs.close()
    try:
        total: int = await asyncio.to_thread(ours.recv)
    finally:
        process.terminate()
    await asyncio.to_thread(process.join)
    return total


def _answer(to: Connection, day: DayDice) -> None:
    begin(GIVE_WAY)
    to.send(ghost_total(day))


def ghost_total(day: DayDice) -> int:
    """What the strongest bot of a game makes of a day's throws, each told when the one before is answered."""
    game = find_game(day.game)
    solo, bot = game.solo, find_bot(at_level("best", game), game)
    day_id = dice.day_id(day.day, day.game)
    salt, rng = dice.salt(day_id, ()), random.Random(day_id)  # noqa: S311 - moods, not dice
    sheet, number, is_last = solo.start(), None, False
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            number = dice.day_number(number, goes_on=not solo.rests(sheet))
            is_last = is_last or solo.ends(sheet)
            sheet = solo.throw(sheet, dice.throw(day.secret, salt, number, expected.dice), last=is_last)
        else:
            sheet = solo.act(sheet, bot.choose(Sight(game, sheet), solo.legal(sheet), rng))
    return solo.total(sheet)
