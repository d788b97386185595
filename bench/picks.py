"""What a pick costs the server: processor time of its process from the post until its stream is still, game by game.

One player, as in a browser with an open stream, plays whole games by the page's own forms and picks at random among
what is legal. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from web import Line, free_port, running

from kasta.games import OURS

FORM = (
    "content-type: application/x-www-form-urlencoded\r\naccept: application/vnd.kasta.parts+json\r\n"
    "accept-encoding: gzip\r\nx-kasta-page: bench\r\n"
)
STILL = 0.005  # seconds, for what the server does after its answer


def processor_ms(pid: int) -> float:
    """The processor time of another process: Linux numbers these clocks by its id."""
    return time.clock_gettime((~pid << 3) | 2) * 1e3


async def state_of(line: Line, table: str) -> Any:  # noqa: ANN401 - JSON
    line.send("GET", f"/api/tables/{table}")
    return json.loads((await line.receive())[2])


async def post(line: Line, path: str, body: str) -> None:
    line.send("POST", path, body.encode(), FORM)
    if (status := (await line.receive())[0]) != 200:
        raise RuntimeError(f"{path} {body}: {status}")


async def play(game: str, port: int, pid: int, chance: random.Random) -> list[float]:
    """Milliseconds for each pick of a whole game."""
    line, times = await Line(port).open(), []
    opened = await line.ask("/api/tables", {"game": game})
    table, line.token = opened["table"], opened["token"]
    await line.ask(f"/api/tables/{table}/seats", {"name": "Anna"})
    stream = await Line(port, line.token).open()
    stream.send("GET", f"/t/{table}/stream?page=bench")
    await stream.reader.readuntil(b"event: news")
    while (state := await state_of(line, table))["next"] != "over":
        if state["next"] == "throw":
            await post(line, f"/t/{table}/roll", f"turn={state['turn']}")
            continue
        seat = state["seats"][0]
        body = f"turn={state['turn']}&seat=0&step={seat['step']}&do={chance.choice(seat['legal'])}"
        await asyncio.sleep(STILL)
        begun = processor_ms(pid)
        await post(line, f"/t/{table}/play", body)
        await asyncio.sleep(STILL)
        times.append(processor_ms(pid) - begun)
    for each in (line, stream):
        await each.close()
    return times


async def measure(port: int, pid: int, picks: int) -> None:
    print("| processor time of the server for a pick, ms | picks | median | 90 % |\n| --- | --: | --: | --: |")
    chance = random.Random(1)
    for game in OURS:
        await play(game, port, pid, chance)  # warm
        times: list[float] = []
        while len(times) < picks:
            times += await play(game, port, pid, chance)
        print(
            f"| {game} | {len(times)} | {statistics.median(times):.2f} | {statistics.quantiles(times, n=10)[8]:.2f} |"
        )


def main(picks: int) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        kasta = [str(Path(sys.executable).with_name("kasta")), "serve", "--port", str(port)]
        with running([*kasta, "--store", f"sqlite:///{folder}/kasta.db"], port) as pid:
            asyncio.run(measure(port, pid, picks))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    main(10 if parser.parse_args().quick else 400)
