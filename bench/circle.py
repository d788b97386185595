"""How long the pages of a circle take that has a hundred members and a million results.

`python bench/circle.py` prints a table for bench/results.md. PostgreSQL is the tests' own, or
KASTA_TEST_POSTGRES: an empty database.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import cast

from results_store import median
from stores import postgres

from kasta.app import OURS
from kasta.db import open_log
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.edge.templates import render
from kasta.edge.visitor import Visitor
from kasta.feature import Site
from kasta.features.circle.circle_pages import circle_page, evenings_page, member_page
from kasta.features.circle.counting import GAME_COLUMNS, add_pairs, count, game_row, recount_scores
from kasta.features.circle.home import CirclesAtHome
from kasta.features.circle.leaving import forget
from kasta.features.circle.model import CircleGame
from kasta.features.circle.service import Circles
from kasta.i18n import words
from kasta.sql import Statement, Steps, insert
from kasta.tables.log import Log

MEMBERS = 100
RESULTS = 1_000_000
TRIES = 200
SEATS = 4
PIECE = 100  # games in one statement
GAMES = ("knister", "knaster", "yatzy", "yatzy15", "maxi")
SEASON_GAMES = 50_000
BEGAN = 1_700_000_000.0


def games(members: list[str], count_of: int) -> Iterator[list[CircleGame]]:
    """Games of four, five an evening."""
    rng = random.Random(1)
    for number in range(count_of):
        totals = [round(rng.gauss(70, 14)) for _ in range(SEATS)]
        at = BEGAN + 86_400 * (number // 5) / 250 + 900 * (number % 5)
        yield [
            CircleGame(
                name=f"table {number}",
                seat=seat,
                member=member,
                season=1 + number // SEASON_GAMES,
                game=GAMES[number % len(GAMES)],
                rules="sheet",
                ended=at,
                total=totals[seat],
                is_won=int(totals[seat] == max(totals)),
                is_helped=0,
            )
            for seat, member in enumerate(rng.sample(members, SEATS))
        ]


async def fill(log: Log, circles: Circles, results: int) -> tuple[str, list[str]]:
    """A circle of a hundred that has played all its life: its id, and its members."""
    circle = await circles.found(visitor(0), "device 0", "A hundred", "Member 0", 0)
    secret = (await circles.of(circle, "device 0")).circle.secret
    for number in range(1, MEMBERS):
        await circles.join(secret, visitor(number), f"device {number}", f"Member {number}", number)
    seasons = results // SEATS // SEASON_GAMES
    members = list((await circles.of(circle, "device 0")).members)
    made = games(members, results // SEATS)

    def one(text: Statement) -> Steps[None]:
        yield text

    while piece := list(islice(made, PIECE)):
        rows = [game_row(circle, row) for game in piece for row in game]
        await log.patient.transaction(partial(one, insert("kasta_circle_games", GAME_COLUMNS, rows)))
    for member in members:
        await log.patient.transaction(partial(recount_scores, circle, member))
    await log.patient.transaction(partial(add_pairs, circle, "a.circle", circle))
    begun = [(circle, number, float(number)) for number in range(2, seasons + 2)]
    if begun:
        await log.db.transaction(partial(one, insert("kasta_circle_seasons", "circle, number, began", begun)))
    await log.db.execute("UPDATE kasta_circles SET season = $2 WHERE id = $1", circle, seasons + 1)
    return circle, members


def visitor(number: int) -> Visitor:
    device = f"device {number}"
    return Visitor(device, is_new=False, language="en", address="127.0.0.1", origin="http://localhost")


async def measure(name: str, log: Log, results: int, tries: int) -> None:
    site = Site(log, Config(), Signer(bytes(32)), OURS)
    circles, said = cast("Circles", site.given["circles"]), words("en")
    circle, members = await fill(log, circles, results)
    home = CirclesAtHome(circles)
    await circles.open(circle, visitor(1), "knister", None)

    async def page(number: int, season: int = 0) -> str:
        device = f"device {number % MEMBERS}"
        here = await circles.known(circle, device)
        made = await circle_page(
            circles, site.groups, here, device, (GAMES[number % 5], "sheet"), season, "", said
        )
        return render(said, "circle/page.html", made)

    async def evenings(number: int) -> str:
        here = await circles.known(circle, f"device {number % MEMBERS}")
        before = BEGAN + results * 0.05 * (number % 50)
        return render(said, "circle/evenings.html", await evenings_page(circles, here, before, said))

    async def member(number: int) -> str:
        here = await circles.known(circle, f"device {number % MEMBERS}")
        made = await member_page(circles, here, members[(7 * number) % MEMBERS], 0, said)
        return render(said, "circle/member.html", made)

    async def add(number: int) -> None:
        (game,) = games(members[number % 90 : number % 90 + SEATS], 1)
        rows = [row._replace(name=f"new {number}", ended=2e9 + number) for row in game]
        await log.db.transaction(partial(count, circle, rows))

    asked: dict[str, Callable[[int], Awaitable[object]]] = {
        "the least question, to compare": lambda _: log.db.fetch("SELECT 1"),
        "the whole page of a circle": page,
        "the same, of a season": partial(page, season=1),
        "a page of evenings": evenings,
        "one member against the others": member,
        "circles on the home page": lambda number: home.home_section(f"device {number % MEMBERS}", said),
        "one more game": add,
    }
    for what, ask in asked.items():
        print(f"| {name} | {what} | {await median(ask, tries):.2f} |", flush=True)
    gone = partial(forget, circle, members[-1])
    print(f"| {name} | forgetting a member | {await median(lambda _: log.patient.transaction(gone), 1):.2f} |")
    await site.close()


async def in_store(name: str, url: str, results: int, tries: int) -> None:
    async with await open_log(url) as log:
        await measure(name, log, results, tries)


def main(results: int, tries: int) -> None:
    print(f"| {results:,} results in | what is asked | ms, median |\n| --- | --- | --: |")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(in_store("SQLite", f"sqlite:///{Path(folder) / 'kasta.sqlite'}", results, tries))
    with postgres() as url:
        asyncio.run(in_store("PostgreSQL", url, results, tries))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a thousand results, to see that it runs")
    quick = parser.parse_args().quick
    main(1_000 if quick else RESULTS, 3 if quick else TRIES)
