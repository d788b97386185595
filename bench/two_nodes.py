"""A hall at two nodes on one PostgreSQL: one is killed in the middle of a round, its phones go to the other.

Phones write down what was acknowledged. At the end this is compared with the store's log: nothing may be lost or
doubled, and each round has one throw. The table throws by itself, so the nodes must agree on who does it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import uvloop
from hall import Server, at, serving
from phones import ROUND_SECONDS, Hall, Phone, RefusedError, Size

from kasta.db import open_log
from kasta.tables.events import Acted, AnyEvent, Rolled, TakenBack

AGAIN_SECONDS = 2.0  # as the page does


class Guest(Phone):
    """A browser that a proxy sends to the other node when its own is gone."""

    _hall: TwoNodes
    _digest = ""

    async def listen(self, digest: str) -> None:
        self._digest = digest
        await super().listen(digest)

    def told(self, held: bytes) -> None:
        if digests := re.findall(rb'"digest": "([^"]*)"', held):
            self._digest = digests[-1].decode()
        super().told(held)
        if b"event: stale" in held:
            self._hall.begin(self._refresh())

    def connection_lost(self, _error: Exception | None) -> None:
        if not self._hall.is_closing:
            self._hall.begin(self._come_back())

    async def post(self, action: str, body: str) -> None:
        while True:
            try:
                await super().post(action, body)
            except (OSError, EOFError):
                self._hall.unanswered.add(body)
                self._go_elsewhere()
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            except RefusedError:
                if body not in self._hall.unanswered:  # else it was done, and only the answer was lost
                    raise
                self._hall.refused.add(body)
                return
            if action == "play":
                self._hall.acknowledged.append(body)
            return

    async def _come_back(self) -> None:
        await asyncio.sleep(random.uniform(0.5, 1.5) * AGAIN_SECONDS)
        self._go_elsewhere()
        await self.listen(self._digest)
        self._hall.back.append(time.monotonic())

    async def _refresh(self) -> None:
        more = f"x-kasta-page: {self._page}\r\n"
        _, parts = await self._line.ask("GET", f"{self._hall.table}/parts", self._cookie, more=more)
        [[turn, over]] = re.findall(r'"turn":\s*(\d+),\s*"over":\s*(\w+)', parts)
        self.see(int(turn), parts.encode(), is_over=over == "true")

    def _go_elsewhere(self) -> None:
        lines = self._hall.lines
        if self._line.port == self._hall.port:
            self._line = lines[(self._number + 1) % len(lines)]


class TwoNodes(Hall):
    """Phones of even numbers, with the host, are at the first node, which is killed."""

    kind = Guest
    settings = "thrower=auto&room=1"

    def __init__(self, nodes: tuple[Server, Server], size: Size) -> None:
        super().__init__(nodes[0].port, size)
        self._first = nodes[0].process
        for line in self.lines[1::2]:
            line.port = nodes[1].port
        self.acknowledged: list[str] = []
        self.unanswered: set[str] = set()
        self.refused: set[str] = set()
        self.back: list[float] = []
        self.killed_at = 0.0

    async def play(self) -> float:
        """Play all rounds, and kill the first node in the middle of one; seconds until its last phone was back."""
        phones, fatal = self.size.phones, (self.size.rounds + 1) // 2
        await self.host.post("roll", "turn=0")
        for turn in range(1, self.size.rounds + 1):
            await self.until(lambda turn=turn: turn in self.rounds, ROUND_SECONDS)  # type: ignore[misc]
            now = self.rounds[turn]
            if turn == fatal:
                await self.until(lambda now=now: len(now.done) >= phones // 2, ROUND_SECONDS)  # type: ignore[misc]
                self._first.kill()
                self.killed_at = time.monotonic()
            await self.until(lambda now=now: len(now.done) == phones, ROUND_SECONDS)  # type: ignore[misc]
        return max(self.back) - self.killed_at


def faults(events: Iterable[AnyEvent], acknowledged: Iterable[str], phones: int, rounds: int) -> list[str]:
    """What a log has too much or too little of."""
    log = [event for event in events if getattr(event, "turn", 0) <= rounds]  # it may have gone on
    throws = Counter(event.turn for event in log if isinstance(event, Rolled))
    picks = Counter(
        f"turn={event.turn}&seat={event.seat}&step={event.step}&do={event.do}"
        for event in log
        if isinstance(event, Acted)
    )
    seats = Counter((event.turn, event.seat) for event in log if isinstance(event, Acted))
    promised = Counter(acknowledged)
    return [
        *(f"round {turn}: {throws[turn]} throws" for turn in range(1, rounds + 1) if throws[turn] != 1),
        *(f"lost: {body}" for body in promised - picks),
        *(f"doubled: {body}" for body, times in picks.items() if times > 1),
        *(f"picked {times} times: {seat}" for seat, times in seats.items() if times > 1),
        *(f"taken back: {event}" for event in log if isinstance(event, TakenBack)),
        *([] if len(seats) == phones * rounds else [f"{len(seats)} picks, not {phones * rounds}"]),
    ]


async def measure(url: str, nodes: tuple[Server, Server], size: Size) -> str:
    """One line of the table."""
    hall = TwoNodes(nodes, size)
    joined = await hall.open()
    back = await hall.play()
    hall.close()
    async with await open_log(url) as log:
        stored = await log.read(hall.table.removeprefix("/t/"))
    wrong = hall.errors + faults((each.event for each in stored), hall.acknowledged, size.phones, size.rounds)
    if wrong:
        raise RuntimeError(f"{len(wrong)} errors: {wrong[:3]}")
    after = [now for now in hall.rounds.values() if now.thrown_at > hall.killed_at]
    paused = min(now.thrown_at for now in after) - max(hall.rounds[(size.rounds + 1) // 2].done)
    picks = [took for now in hall.rounds.values() for took in now.picks]
    return (
        f"| {size.phones // 2:,} | {joined:.1f} s | {size.rounds} | {len(hall.back):,} | {back:.1f} s "
        f"| {paused:.1f} s | {len(hall.acknowledged):,} | {len(hall.unanswered)} | {len(hall.refused)} "
        f"| {1e3 * at(picks, 0.5):.0f} ms | {1e3 * at(picks, 0.99):.0f} ms | {nodes[1].megabytes:.0f} MB |"
    )


HEADING = (
    "| phones a node | all joined | rounds | streams lost | all back after | next throw after "
    "| picks acknowledged | answers lost | of these done before | pick, median | 99 % | memory |\n"
    + "| --- " * 12
    + "|"
)


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from support.stores.pg_server import Server as Postgres

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=2_000, help="at each node")
    parser.add_argument("--rounds", type=int, default=5, help="the node dies in the middle one")
    parser.add_argument("--think", type=float, nargs=2, default=(3.0, 20.0), help="seconds, at least and at most")
    parser.add_argument("--quick", action="store_true", help="a small run, to see that it works")
    options = parser.parse_args()
    size = Size("knister", 2 * options.phones, tuple(options.think), options.rounds)
    if options.quick:
        size = Size("knister", 40, (0.0, 0.5), 2)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    postgres = Postgres()
    try:
        with ExitStack() as stack:
            cores = os.sched_getaffinity(0)
            first, second = (stack.enter_context(serving(postgres.url, cores)) for _ in range(2))
            print(HEADING)
            print(uvloop.run(measure(postgres.url, (first, second), size)), flush=True)
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
