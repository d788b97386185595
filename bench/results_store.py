"""How long my games, boards, days and places take in a store with a million finished games.

`python bench/results_store.py` prints a table for bench/results.md. PostgreSQL is the tests' own, or
KASTA_TEST_POSTGRES: an empty database.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace
from stores import postgres

from kasta.app import OURS
from kasta.db import open_log
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.edge.templates import render
from kasta.feature import Site
from kasta.features.day import DaySettings
from kasta.features.day.pages import DayPages
from kasta.features.day.store import DayDice, DayStore
from kasta.features.my_games.pages import my_games_page
from kasta.features.my_games.service import MyGames
from kasta.i18n import words
from kasta.results.model import Board, Result, packed
from kasta.results.store import Results
from kasta.tables.log import Log

GAMES = 1_000_000
TRIES = 200
PIECE = 20_000  # written in one transaction
DAY = Board("day/2026-11-17", "knister", "sheet")
BOARDS = [Board("table", game, "sheet") for game in ("knister", "knaster", "yatzy", "yatzy15", "maxi")]
STEPS = [line for _ in range(25) for line in ('{"roll": [3, 6]}', '{"seat": 0, "do": "c3"}')]
BUSY = "device 0"  # has played a thousandth of all games


def games(count: int) -> Iterator[Result]:
    """A tenth of a day's throws, the rest at tables: of devices that have played a hundred games each."""
    rng, record = (
        random.Random(1),
        packed(['{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["-"]}', *STEPS]),
    )
    for number in range(count):
        kind, game, rules = DAY if number % 10 == 0 else rng.choice(BOARDS)
        yield Result(
            table=f"table {number}",
            seat=0,
            device=BUSY if number % 1_000 == 0 else f"device {rng.randrange(max(1, count // 100))}",
            kind=kind,
            game=game,
            rules=rules,
            ended=1_700_000_000.0 + 60 * number,
            total=round(rng.gauss(70, 14)),
            place=1,
            seats=rng.randrange(1, 5),
            is_helped=rng.random() < 0.1,
            hands={"straight_with_7": (2, 12), "full_house": (3, 8), "pair": (4, 1)},
            record=record,
        )


async def median(ask: Callable[[int], Awaitable[object]], tries: int) -> float:
    """Milliseconds that an answer takes."""
    took = []
    for number in range(tries):
        began = time.perf_counter()
        await ask(number)
        took.append(time.perf_counter() - began)
    return 1_000 * statistics.median(took)


async def measure(name: str, log: Log, count: int, tries: int) -> None:
    made = games(count)
    while piece := list(islice(made, PIECE)):
        for result in piece:
            await Results(log.db).add(result.table, [result])
    results, devices = Results(log.db), max(1, count // 100)

    async def add(number: int) -> None:
        (new,) = games(1)
        await results.add(f"new {number}", [replace(new, table=f"new {number}")])

    site = Site(log, Config(of_features=(DaySettings(names_on_boards=True),)), Signer(bytes(32)), OURS)
    pages: DayPages = site.given["day_pages"]  # type: ignore[assignment]
    mine: MyGames = site.given["my_games"]  # type: ignore[assignment]
    await DayStore(log.db).keep(DayDice("2026-11-17", "knister", bytes(32), 0.0, 1.0, 2.0, best=90))

    async def my_games(number: int) -> str:
        page = await my_games_page(mine, f"device {number % devices}", ("", ""), 1, words("en"))
        return render(words("en"), "my_games/page.html", page)

    async def day(number: int) -> str:
        page = await pages.one("2026-11-17", "knister", f"device {number % devices}", words("en"))
        return render(words("en"), "day/page.html", page)

    asked: dict[str, Callable[[int], Awaitable[object]]] = {
        "a page of my games": lambda n: results.of_device(f"device {n % devices}", 20),
        "page 25 of the busiest player": lambda _: results.of_device(BUSY, 20, 500),
        "what I have played": lambda n: results.played(f"device {n % devices}"),
        "my last 200 of one game": lambda _: results.of_device(BUSY, 200, 0, BOARDS[0][1:]),
        "the best 100 of a day": lambda _: results.ranking(DAY, 100),
        "the best 100 of a game": lambda n: results.ranking(BOARDS[n % 5], 100),
        "the distribution of a game": lambda n: results.distribution(BOARDS[n % 5]),
        "place and percentile": lambda n: results.standing(DAY, 40 + n % 60),
        "the days I have played": lambda n: DayStore(log.db).done(f"device {n % devices}"),
        "the whole page of my games": my_games,
        "the whole page of a day": day,
        "one more game": add,
    }
    for what, ask in asked.items():
        print(f"| {name} | {what} | {await median(ask, tries):.2f} |", flush=True)
    await site.close()


async def in_store(name: str, url: str, count: int, tries: int) -> None:
    async with await open_log(url) as log:
        await measure(name, log, count, tries)


def main(count: int, tries: int) -> None:
    print(f"| {count:,} games in | what is asked | ms, median |\n| --- | --- | --: |")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(in_store("SQLite", f"sqlite:///{Path(folder) / 'kasta.sqlite'}", count, tries))
    with postgres() as url:
        asyncio.run(in_store("PostgreSQL", url, count, tries))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a thousand games, to see that it runs")
    quick = parser.parse_args().quick
    main(1_000 if quick else GAMES, 3 if quick else TRIES)
