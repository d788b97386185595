"""What measuring costs: an ASGI application that answers at once, alone and measured; and what a pick adds.

`python bench/metrics.py` prints microseconds of processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from typing import Any

from kasta.edge.exposition import Exposition
from kasta.edge.measure import MeasuringMiddleware
from kasta.metrics import ANSWERS, APPEND_SECONDS, MOVES

SCOPE = {"type": "http", "method": "POST", "path_template": "/t/{table}/play", "path_params": {"table": "x"}}
HEADERS = [(b"host", b"localhost"), (b"cookie", b"x"), (b"accept", b"*/*"), (b"user-agent", b"bench")]


async def answer(_scope: Any, _receive: Any, send: Any) -> None:  # noqa: ANN401 - an ASGI application
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def nowhere(*_: Any) -> None:  # noqa: ANN401
    pass


async def microseconds(app: Any, count: int) -> float:  # noqa: ANN401
    began = time.process_time()
    for _ in range(count):
        await app({**SCOPE, "headers": HEADERS}, nowhere, nowhere)
    return (time.process_time() - began) / count * 1e6


def of_a_pick(count: int) -> float:
    began = time.process_time()
    for _ in range(count):
        before = time.perf_counter()
        APPEND_SECONDS.observe(time.perf_counter() - before)
        MOVES.add("game", "person")
    return (time.process_time() - began) / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200_000)
    count = parser.parse_args().count
    alone, measured = (
        min(asyncio.run(microseconds(app, count)) for _ in range(3))
        for app in (answer, MeasuringMiddleware(answer))
    )
    print(f"an answer, measured: {measured - alone:.1f} us more")
    print(f"a move and its append: {of_a_pick(count):.1f} us")
    for number in range(60):
        ANSWERS.add(f"GET /{number}", "200")
    began = time.process_time()
    lines = Exposition().text().count("\n")
    print(f"a look at all metrics, {lines} lines: {(time.process_time() - began) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
