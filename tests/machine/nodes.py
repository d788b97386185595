"""Two nodes on one store, which die between what they write and what they answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from kasta import dice
from kasta.core import Seat
from kasta.tables import autoplay, commands as c, events as e
from kasta.tables.log import Change, Log, Seq, Stored
from kasta.tables.service import Service
from kasta.wire.tables import TableState, tell
from machine.model import Model

DEVICES = ("host", "anna", "tim", "eva")


class Died(Exception):  # noqa: N818 - it is what happens
    """The process is gone. Nobody is answered."""


class Nodes:
    """`silence` is told by the model: who has a stream where is tested elsewhere."""

    devices: Sequence[str] = DEVICES
    can_die = True

    def __init__(self, logs: tuple[Log, Log], seed: int) -> None:
        self._logs, self._rng = logs, random.Random(seed)
        self.model: Model | None = None
        self._nodes = [self._begin(log) for log in logs]
        self.table = ""

    def _begin(self, log: Log) -> Service:
        service = Service(log, auto_seconds=0)
        service.silence = lambda table: self._silence  # type: ignore[method-assign]  # noqa: ARG005
        service.autoplay.bots._rng = random.Random(self._rng.random())  # noqa: SLF001 - the same moods with the same seed
        return service

    def _silence(self, device: str) -> float:
        return self.model.silence.get(device, 0.0) if self.model else 0.0

    def drives(self, _command: c.Command) -> bool:
        return True

    async def open(self, game: str, settings: e.Settings) -> None:
        known, dice.new_secret = dice.new_secret, lambda: self._rng.randbytes(32)
        try:
            self.table = (await self._nodes[0].open(self.devices[0], game, settings=settings)).id
        finally:
            dice.new_secret = known

    async def do(self, node: int, command: c.Command) -> None:
        service = self._nodes[node]
        if isinstance(command, c.Rematch):
            await service.rematch(self.table, command.by)
        else:
            await service.do(self.table, command)

    async def stand_in(self, node: int, by: str, seat: Seat) -> None:
        await self._nodes[node].stand_in(self.table, by, seat)

    async def events(self, after: int) -> list[Stored]:
        return await self._logs[0].read(self.table, Seq(after))

    async def state(self, node: int, device: str) -> TableState:
        table = await self._nodes[node].table(self.table)
        told = tell(table, device, self._nodes[node].silence(table.id))
        return msgspec.json.decode(msgspec.json.encode(told), type=TableState)

    async def look(self) -> None:
        """Somebody comes to the table: what was left undone there goes on."""
        for service in self._nodes:
            await service.table(self.table)

    async def die(self, node: int, command: c.Command, *, before: bool) -> None:
        """The node is killed when it writes, before or after that is durable, and another one begins."""
        with _dying(self._logs[node], before=before):
            try:
                await self.do(node, command)
            finally:
                await self._kill(node)

    async def _kill(self, node: int) -> None:
        dead, log = self._nodes[node], self._logs[node]
        tasks = [*dead._tables.stop(), *([dead.node._beating] if dead.node._beating else [])]  # noqa: SLF001
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        dead.autoplay.bots.close()
        await log.db.execute(
            "UPDATE kasta_nodes SET seen = seen - 60 WHERE node = $1", dead.node.id
        )  # a minute later
        self._nodes[node] = self._begin(log)

    async def close(self) -> None:
        for service in self._nodes:
            await service.close()


@contextmanager
def _dying(log: Any, *, before: bool) -> Iterator[None]:  # noqa: ANN401 - its methods are replaced
    real = {name: getattr(log, name) for name in ("append", "append_in_a_row", "create")}

    async def write(name: str, *what: Any, **more: Any) -> None:  # noqa: ANN401 - as they come
        if not before:
            done = real[name](*what, **more)
            _ = [each async for each in done] if name == "append_in_a_row" else await done
        raise Died

    async def in_a_row(changes: Sequence[Change]) -> AsyncGenerator[Seq]:
        await write("append_in_a_row", changes)
        yield Seq(0)

    log.append, log.create, log.append_in_a_row = partial(write, "append"), partial(write, "create"), in_a_row
    try:
        yield
    finally:
        del log.append, log.create, log.append_in_a_row


def hurry(patch: Any) -> None:  # noqa: ANN401 - pytest's
    """Nodes look at each other's tables at once."""
    patch.setattr(autoplay, "BEAT_SECONDS", 0.02)
