"""Bots think in a process of their own, so that nobody's page waits for them. Who takes too long is spoken for."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from kasta.analysis.valuers import find_valuer
from kasta.bots.base import Greedy, Sight
from kasta.bots.by_value import find_player, look
from kasta.core import Seat
from kasta.errors import KastaError
from kasta.games import find_game
from kasta.table.state import Table

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 3.0
QUICK = Greedy()
QUICK_NAMES = {"greedy", "anything"}  # these need no process


class Thinkers:
    """One process, made when the first bot that needs it sits down."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._rng = random.Random()  # noqa: S311 - moods, not dice

    def warm(self, bot: str, game: str, rules: str) -> None:
        """A bot has sat down: let its process get ready while people still look for a pen."""
        if bot not in QUICK_NAMES:
            try:
                self._ready().submit(_warm, game, rules)
            except BrokenProcessPool:
                self._pool = None  # the next one is fresh

    async def choose(self, bot: str, table: Table, seat: Seat) -> str:
        """What a bot does. After three seconds, or if it fails, the quick player answers for it."""
        sight = look(table.rule, table.play, seat)
        legal = table.rule.legal(table.play, seat)
        if bot in QUICK_NAMES:
            return str(find_player(bot, table.rule).choose(sight, legal, self._rng))
        asked = bot, (table.game, table.rules), sight.sheet, sight.others, list(legal), self._rng.random()
        try:
            thought = asyncio.wrap_future(self._ready().submit(_choose, *asked))
            return await asyncio.wait_for(thought, PATIENCE_SECONDS)
        except (TimeoutError, KastaError, BrokenProcessPool) as error:
            logger.info("the quick player answers: %s", type(error).__name__)
            if isinstance(error, BrokenProcessPool):
                self._pool = None
            return str(QUICK.choose(sight, legal, self._rng))

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


def _warm(game: str, rules: str) -> None:
    find_valuer(find_game(game, rules))


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
    return str(find_player(bot, game).choose(sight, legal, random.Random(mood)))  # noqa: S311
