"""Bots think in a process of their own, so that nobody's page waits for them. Who takes too long is spoken for."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any

from kasta import metrics
from kasta.bots.base import SIMPLE, Greedy, Sight, find_bot, look
from kasta.core import Seat, Throw
from kasta.errors import KastaError
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.table.state import Table

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 3.0
STAND_IN = Greedy()  # acts for people who are away, and for bots that do not answer


class BotProcess:
    """One process, made when the first bot that needs it sits down."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._answers: Future[int] | None = None  # once it is through with what took too long
        self._rng = random.Random()  # noqa: S311 - moods, not dice

    def warm(self, bot: str, game: AnyGame) -> None:
        """A bot has sat down: let its process get ready while people still look for a pen."""
        if find_bot(bot, game) not in SIMPLE.values():
            try:
                self._ready().submit(_warm, bot, game.name, game.rules)
            except BrokenProcessPool:
                self._pool = None  # the next one is fresh

    async def choose(self, bot: str | None, table: Table, seat: Seat) -> str:
        """What a bot does; None stands in for a person. After three seconds, or if it fails, that one answers.

        A process that is late, as when it compiles at its first use, is waited for once, not by each bot in turn.
        """
        game = table.game
        sight, legal = look(game, table.play, seat), game.legal(table.play, seat)
        found = STAND_IN if bot is None else find_bot(bot, game)
        if bot is None or found in SIMPLE.values():  # no reason to ask another process
            return str(found.choose(sight, legal, self._rng))
        if self._answers is not None and not self._answers.done():
            metrics.BOTS_SPOKEN_FOR.add()
            return str(STAND_IN.choose(sight, legal, self._rng))
        asked = bot, (game.name, game.rules), sight.sheet, sight.others, list(legal), self._rng.random()
        try:
            thought = asyncio.wrap_future(self._ready().submit(_choose, *asked))
            return await asyncio.wait_for(thought, PATIENCE_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever ails a bot, its table goes on
            logger.info("another bot answers: %s", type(error).__name__)
            metrics.BOTS_SPOKEN_FOR.add()
            if isinstance(error, BrokenProcessPool):
                self._pool = None
            elif isinstance(error, TimeoutError) and self._pool is not None:
                with suppress(BrokenProcessPool):
                    self._answers = self._pool.submit(os.getpid)
            return str(STAND_IN.choose(sight, legal, self._rng))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            fresh = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, fresh, initializer=_begin)
        return self._pool


def _begin() -> None:
    """The server's signals are the server's; and when it is gone, however it went, so is this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)


def _warm(bot: str, name: str, rules: str) -> None:
    """Let a bot answer a first throw of ones: then all that it needs is loaded, or compiled."""
    game = find_game(name, rules)
    sheet = game.solo.start()
    if isinstance(throw := game.solo.next(sheet), Throw):
        sheet = game.solo.throw(sheet, (1,) * throw.dice)
    with suppress(KastaError):  # a bot that cannot answer is spoken for later, too
        find_bot(bot, game).choose(Sight(game, sheet), game.solo.legal(sheet), random.Random(0))  # noqa: S311


def _choose(
    bot: str,
    table: tuple[str, str],
    sheet: Any,  # noqa: ANN401 - each game has its own
    others: tuple[Any, ...],
    legal: list[Any],
    mood: float,
) -> str:
    game = find_game(*table)
    sight = Sight(game, sheet, others)
    return str(find_bot(bot, game).choose(sight, legal, random.Random(mood)))  # noqa: S311
