"""Processes apart from the server's own: they think, so that nobody's page waits for it."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kasta.jobs.processes import OneProcess, end_all

SLOW_SECONDS = 0.25  # whoever waits longer than that makes one more process worth its memory
GIVE_WAY = 5  # how much nicer they are than the server: pages come first


@dataclass(frozen=True, slots=True, eq=False)
class Thought:
    """What is asked, and where the answer goes. Nobody waits for one whose answer is done."""

    function: Callable[..., Any]
    asked: tuple[Any, ...]
    answer: asyncio.Future[Any]
    since: float = field(default_factory=time.monotonic)


class ThoughtQueue:
    """Thoughts by the client whose they are: clients take turns, however many thoughts one of them has."""

    def __init__(self) -> None:
        self._by_client: OrderedDict[str, deque[Thought]] = OrderedDict()

    def add(self, client: str, thought: Thought) -> None:
        self._by_client.setdefault(client, deque()).append(thought)

    def __bool__(self) -> bool:
        return bool(self._by_client)

    def count(self, client: str) -> int:
        """How many of a client's wait."""
        return len(self._by_client.get(client, ()))

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


class Thinker(OneProcess):
    """One process, which thinks one thought after the other. `free` hears when it is through with one."""

    def __init__(self, free: Callable[[], None], give_way: int = GIVE_WAY) -> None:
        self._free = free
        self._start(give_way=give_way)
        self._asked: set[asyncio.Future[Any]] = set()
        self._since = 0.0
        self.is_broken = False

    @property
    def is_free(self) -> bool:
        return not self._asked and not self.is_broken

    @property
    def seconds(self) -> float:
        """How long it has been at what it thinks: long, as when it compiles at its first use, or not at all."""
        return time.monotonic() - self._since if self._asked else 0.0

    def think(self, thought: Thought) -> None:
        def tell(asked: asyncio.Future[Any]) -> None:
            if thought.answer.done() or asked.cancelled():
                return
            if (error := asked.exception()) is not None:
                thought.answer.set_exception(error)
            else:
                thought.answer.set_result(asked.result())

        self.ask(thought.function, *thought.asked).add_done_callback(tell)

    def ask(self, function: Callable[..., Any], *asked: object) -> asyncio.Future[Any]:
        """What a function answers there. Whatever keeps the process from beginning is told by the answer, too."""
        if not self._asked:
            self._since = time.monotonic()
        try:
            answer = asyncio.wrap_future(self._pool.submit(function, *asked))
        except Exception as error:  # noqa: BLE001 - it died, or this machine begins no more processes
            self.is_broken = True
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

    def stop(self) -> None:
        for answer in self._asked:
            answer.cancel()
        super().stop()


class ThinkerPool:
    """At most so many: the first is made when it is needed, more where thoughts wait."""

    def __init__(self, most: int, give_way: int = GIVE_WAY) -> None:
        self.most, self._give_way = most, give_way
        self._thinkers: list[Thinker] = []
        self._waiting = ThoughtQueue()

    def ask(self, client: str, function: Callable[..., Any], *asked: object) -> asyncio.Future[Any]:
        """What a function of a module answers there, when it is the client's turn."""
        thought = Thought(function, asked, asyncio.get_running_loop().create_future())
        self._waiting.add(client, thought)
        self._hand_out()
        return thought.answer

    def close(self) -> None:
        end_all(self._thinkers)
        self._thinkers = []

    def _hand_out(self) -> None:
        """Give those who are free something to think about."""
        self._thinkers = [thinker for thinker in self._thinkers if not thinker.is_broken]
        if self._waiting and not self._thinkers:
            try:
                self._thinkers.append(self._new())
            except OSError as error:  # this machine has no files left, or begins no more processes
                for thought in iter(self._waiting.take, None):
                    thought.answer.set_exception(error)
        free = [thinker for thinker in self._thinkers if thinker.is_free]
        for thinker, thought in zip(free, iter(self._waiting.take, None), strict=False):
            thinker.think(thought)
            if time.monotonic() - thought.since > SLOW_SECONDS and len(self._thinkers) < self.most:
                with suppress(OSError):
                    self._thinkers.append(self._new())

    def _new(self) -> Thinker:
        return Thinker(self._hand_out, self._give_way)
