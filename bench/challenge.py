"""How long the answers of a challenge take in which a thousand people have finished, of one game and of five.

`python bench/challenge.py` asks the whole app, without a network, and prints a table for bench/results.md.
The processor time is that of the app and of SQLite; PostgreSQL is a process of its own.
PostgreSQL is the tests' own, or KASTA_TEST_POSTGRES: an empty database.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
from stores import postgres

from kasta import dice
from kasta.app import create_app
from kasta.db import open_log
from kasta.edge.config import Config
from kasta.features.challenge.store import BestGame, Challenge, ChallengeStore
from kasta.games import find_game
from kasta.record import Header, write_record
from kasta.results.model import Result, packed
from kasta.results.store import Results
from kasta.series.ghost import GhostGame, ghost_game
from kasta.series.tries import Tries
from kasta.tables.log import Log

PEOPLE = 1_000
TRIES = 100
LATER = 2_000_000_000.0
HOST = "http://kasta.test"


def challenge(games: int) -> Challenge:
    name = f"bench-{games}".ljust(22, "x")
    return Challenge(name, "knister", "sheet", games, dice.new_secret(), 1.0, LATER, "host", "Anna")


async def somebody(one: Challenge, leg: int, seed: int) -> GhostGame:
    """A game that somebody plays at random."""
    solo, rng = find_game(one.game).solo, random.Random(seed)

    async def choose(sheet: Any) -> Any:  # noqa: ANN401 - of the game
        return rng.choice(solo.legal(sheet))

    return await ghost_game(one.given(leg), choose)


def results(one: Challenge, leg: int, people: int, devices: list[str], games: list[GhostGame]) -> Iterator[Result]:
    for number in range(people):
        played = games[number % len(games)]
        yield Result(
            table=f"{one.id} {leg} {number}",
            seat=0,
            device=devices[number],
            kind=one.series(leg),
            game=one.game,
            rules=one.rules,
            ended=float(number),
            total=played.total,
            place=1,
            seats=1,
            hands={},
            record=packed(list(write_record(Header(one.game, one.rules, ("-",)), played.steps))),
            shown=f"Player {number}",
        )


async def fill(log: Log, one: Challenge, people: int, devices: list[str]) -> None:
    """All have finished all games, and so has the bot."""
    await ChallengeStore(log.db).add(one)
    for leg in one.legs:
        games = [await somebody(one, leg, seed) for seed in range(20)]
        for result in results(one, leg, people, devices, games):
            await Tries(log.db).begin(one.series(leg), one.game, result.device, result.table)
            await Results(log.db).add(result.table, [result])
        best = BestGame(99, packed(list(write_record(Header(one.game, one.rules, ("-",)), games[0].steps))))
        await ChallengeStore(log.db).set_best(one, leg, best)


async def medians(ask: Callable[[], Awaitable[httpx.Response]], tries: int) -> tuple[float, float]:
    """Milliseconds that an answer takes, and of processor time of this process."""
    took, worked = [], []
    for _ in range(tries):
        began, before = time.perf_counter(), time.process_time()
        answer = await ask()
        took.append(time.perf_counter() - began)
        worked.append(time.process_time() - before)
        answer.raise_for_status()
    return 1_000 * statistics.median(took), 1_000 * statistics.median(worked)


async def in_store(name: str, url: str, people: int, tries: int) -> None:
    async with await open_log(url) as log:
        app = await create_app(log, Config(lan=True, tables_an_address=10**6))
        transport = httpx.ASGITransport(app)
        headers = {"origin": HOST}
        async with (
            httpx.AsyncClient(transport=transport, base_url=HOST, headers=headers) as mine,
            httpx.AsyncClient(transport=transport, base_url=HOST, headers=headers) as new,
        ):
            await mine.get("/")
            await new.get("/")
            me = next(value.partition(".")[0] for value in mine.cookies.values() if "." in value)
            for games in (1, 5):
                one = challenge(games)
                await fill(log, one, people, [me, *(f"device {number}" for number in range(1, people))])
                page, told = f"/challenge/{one.id}", f"/api/challenges/{one.id}"
                asked: dict[str, Callable[[], Awaitable[httpx.Response]]] = {
                    "page for a player who has finished": lambda page=page: mine.get(page),  # type: ignore[misc]
                    "page for somebody who has not begun": lambda page=page: new.get(page),  # type: ignore[misc]
                    "API, has finished": lambda told=told: mine.get(told),  # type: ignore[misc]
                    "API, has not begun": lambda told=told: new.get(told),  # type: ignore[misc]
                }
                for what, ask in asked.items():
                    took, worked = await medians(ask, tries)
                    print(f"| {name} | {games} | {what} | {took:.1f} | {worked:.1f} |", flush=True)


def main(people: int, tries: int) -> None:
    columns = f"{people:,} people in", "games", "what is asked", "ms, median", "of it processor"
    print(f"| {' | '.join(columns)} |\n| --- | --: | --- | --: | --: |")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(in_store("SQLite", f"sqlite:///{Path(folder) / 'kasta.sqlite'}", people, tries))
    with postgres() as url:
        asyncio.run(in_store("PostgreSQL", url, people, tries))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="twenty people, to see that it runs")
    quick = parser.parse_args().quick
    main(20 if quick else PEOPLE, 3 if quick else TRIES)
