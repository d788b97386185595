"""Bots think in processes of their own, so that nobody's page waits for them. Who takes too long is spoken for."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
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
SLOW_SECONDS = 0.25  # whoever waits longer than that makes one more process worth its memory
MOST_PROCESSES = 4
GIVE_WAY = 5  # how much nicer bots are than the server: pages come first
STAND_IN = Greedy()  # acts for people who are away, and for bots that do not answer

Known = tuple[str, str, str]
"""A bot, and the game and the rules that it plays."""


@dataclass(frozen=True, slots=True, eq=False)
class Thought:
    """What a bot is asked, and where its answer goes. Nobody waits for one whose answer is done."""

    asked: tuple[Any, ...]
    answer: asyncio.Future[str]
    since: float = field(default_factory=time.monotonic)


class Waiting:
    """Thoughts by the client whose bots they are: clients take turns, however many tables one of them has."""

    def __init__(self) -> None:
        self._by_client: OrderedDict[str, deque[Thought]] = OrderedDict()

    def add(self, client: str, thought: Thought) -> None:
        self._by_client.setdefault(client, deque()).append(thought)

    def take(self) -> Thought | None:
        """The next one for which somebody still waits."""
        while self._by_client:
            client, thoughts = self._by_client.popitem(last=False)
            thought = thoughts.popleft()
            if thoughts:
                self._by_client[client] = thoughts  # behind all others
            if not thought.answer.done():
                return thought
        return None


class Thinker:
    """One process, which thinks one thought after the other. `free` hears when it is through with one."""

    def __init__(self, free: Callable[[], None]) -> None:
        self._free = free
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=begin)
        self._ready: set[Known] = set()
        self._asked: set[asyncio.Future[Any]] = set()
        self._since = 0.0
        self.is_broken = False

    @property
    def is_free(self) -> bool:
        return not self._asked and not self.is_broken

    @property
    def is_late(self) -> bool:
        """Whether it has taken too long for what it thinks, as when it compiles at its first use."""
        return bool(self._asked) and time.monotonic() - self._since > PATIENCE_SECONDS

    def get_ready(self, known: Iterable[Known]) -> None:
        """Let bots load or compile what they need."""
        for each in known:
            if each not in self._ready:
                self._ready.add(each)
                self.ask(_warm, *each)

    def think(self, thought: Thought) -> None:
        def tell(asked: asyncio.Future[str]) -> None:
            if thought.answer.done() or asked.cancelled():
                return
            if (error := asked.exception()) is not None:
                thought.answer.set_exception(error)
            else:
                thought.answer.set_result(asked.result())

        self.ask(_choose, *thought.asked).add_done_callback(tell)

    def ask(self, function: Callable[..., Any], *asked: object) -> asyncio.Future[Any]:
        if not self._asked:
            self._since = time.monotonic()
        try:
            answer = asyncio.wrap_future(self._pool.submit(function, *asked))
        except BrokenProcessPool as error:
            answer = asyncio.get_running_loop().create_future()
            answer.set_exception(error)
        self._asked.add(answer)
        answer.add_done_callback(self._answered)
        return answer

    def _answered(self, answer: asyncio.Future[Any]) -> None:
        self._asked.discard(answer)
        if not answer.cancelled():
            self.is_broken |= isinstance(answer.exception(), BrokenProcessPool)
            self._since = time.monotonic()
            self._free()

    def close(self) -> None:
        for answer in self._asked:
            answer.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)


class BotProcesses:
    """At most one for each core: the first is made when a bot that needs it sits down, more where bots wait."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most or min(MOST_PROCESSES, _cores())
        self._thinkers: list[Thinker] = []
        self._known: set[Known] = set()
        self._waiting = Waiting()
        self._rng = random.Random()  # noqa: S311 - moods, not dice

    def warm(self, bot: str, game: AnyGame) -> None:
        """A bot has sat down: let its process get ready while people still look for a pen."""
        if find_bot(bot, game) not in SIMPLE.values():
            self._known.add((bot, game.name, game.rules))
            if not self._thinkers:
                self._grow()
            for thinker in self._thinkers:
                thinker.get_ready(self._known)

    async def choose(self, bot: str | None, table: Table, seat: Seat) -> str:
        """What a bot does; None stands in for a person. After three seconds, or if it fails, that one answers.

        Processes that are late are waited for once, not by each bot in turn.
        """
        game = table.game
        sight, legal = look(game, table.play, seat), game.legal(table.play, seat)
        found = STAND_IN if bot is None else find_bot(bot, game)
        if bot is None or found in SIMPLE.values():  # no reason to ask another process
            return str(found.choose(sight, legal, self._rng))
        self.warm(bot, game)
        if all(thinker.is_late for thinker in self._thinkers):
            metrics.BOTS_SPOKEN_FOR.add()
            return str(STAND_IN.choose(sight, legal, self._rng))
        asked = (bot, game.name, game.rules), sight.sheet, sight.others, list(legal), self._rng.random()
        thought = Thought(asked, asyncio.get_running_loop().create_future())
        self._waiting.add(table.host, thought)
        self._hand_out()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await thought.answer
        except Exception as error:  # noqa: BLE001 - whatever ails a bot, its table goes on
            logger.info("another bot answers: %s", type(error).__name__)
            metrics.BOTS_SPOKEN_FOR.add()
            return str(STAND_IN.choose(sight, legal, self._rng))

    def close(self) -> None:
        for thinker in self._thinkers:
            thinker.close()
        self._thinkers = []

    def _hand_out(self) -> None:
        """Give those who are free something to think about."""
        self._thinkers = [thinker for thinker in self._thinkers if not thinker.is_broken]
        for thinker in [thinker for thinker in self._thinkers if thinker.is_free]:
            if (thought := self._waiting.take()) is None:
                return
            thinker.think(thought)
            if time.monotonic() - thought.since > SLOW_SECONDS:
                self._grow()

    def _grow(self) -> None:
        if len(self._thinkers) < self.most:
            thinker = Thinker(self._hand_out)
            self._thinkers.append(thinker)
            thinker.get_ready(self._known)


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin() -> None:
    """The server's signals are the server's; and when it is gone, however it went, so is this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(GIVE_WAY)
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
    known: Known,
    sheet: Any,  # noqa: ANN401 - each game has its own
    others: tuple[Any, ...],
    legal: list[Any],
    mood: float,
) -> str:
    bot, name, rules = known
    game = find_game(name, rules)
    sight = Sight(game, sheet, others)
    return str(find_bot(bot, game).choose(sight, legal, random.Random(mood)))  # noqa: S311
