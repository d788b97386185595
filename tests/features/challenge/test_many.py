"""A challenge of many: pages and programs get so many of them, and always whoever asks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx

from kasta.db.personal import delete_all, move_all
from kasta.dice import new_secret
from kasta.features.challenge.comparison import MOST_RANKED, Comparisons
from kasta.features.challenge.store import Challenge, KnownGame
from kasta.i18n import words
from kasta.results.model import Result, packed
from kasta.results.store import Results
from kasta.series.tries import Tries
from kasta.tables.log import Log
from support.play import random_record
from support.sites import PERSONAL, challenges_of, served_site
from support.visitors import device_of

PEOPLE = 120
LATER = 2e9


async def fill(log: Log, host: str, *, me: str, games: int = 1, known: KnownGame | None = None) -> Challenge:
    """So many have finished, always two with the same total: the first has the number 1. The 91st is me."""
    async with served_site(log) as site:
        one = Challenge("m" * 22, "knister", "sheet", games, new_secret(), 1.0, LATER, host, "Anna", known)
        await challenges_of(site).book.add(one)
    record = packed(random_record("knister", "sheet", 1, 1))
    for leg in one.legs:
        for number in range(1, PEOPLE + 1):
            device, total = me if number == 91 else f"device {number}", 200 - (number + 1) // 2
            result = Result(
                table=f"{leg} {number}",
                seat=0,
                device=device,
                kind=one.series(leg),
                game=one.game,
                rules=one.rules,
                ended=float(number),
                total=total,
                place=1,
                seats=1,
                hands={},
                record=record,
                shown=f"P{number}",
            )
            await Tries(log.db).begin(one.series(leg), one.game, device, result.table)
            await Results(log.db).add(result.table, [result])
    return one


async def test_a_page_lists_some_and_whoever_looks_and_leads_to_the_others(log: Log):
    one = await fill(log, "host", me="me")
    async with served_site(log) as site:
        compare = Comparisons(challenges_of(site))
        first = await compare.of(one, "me", words("en"))
        assert first is not None
        assert [each.number for each in first.ranked] == [*range(1, MOST_RANKED + 1), 91]
        assert [each.place for each in first.ranked[:5]] == [1, 1, 3, 3, 5]
        assert (first.ranked[-1].place, first.ranked[-1].is_mine, first.of) == (91, True, PEOPLE)
        assert first.names[:2] == ("P91", "P1"), "one's own sheet, and then the best"
        last = await compare.of(one, "me", words("en"), {"after": "100", "with": "118"})
        assert last is not None
        assert (last.following, [each.number for each in last.ranked]) == (None, [91, *range(101, PEOPLE + 1)])
        assert last.names[:2] == ("P91", "P118")
        assert await compare.of(one, "device 500", words("en"), {"after": "100"}) is None


async def test_all_games_together_follow_what_becomes_of_results(log: Log):
    one = await fill(log, "host", me="me", games=3)
    async with served_site(log) as site:
        compare = Comparisons(challenges_of(site))

        async def together(device: str, after: int = 0) -> list[tuple[int, str, int, bool]]:
            found = await compare.of(one, device, words("en"), {"after": str(after)})
            assert found is not None
            return [(each.place, each.name, each.points, each.is_mine) for each in found.together]

        first = await together("me")
        assert len(first) == MOST_RANKED + 1
        assert first[:3] == [(1, "P1", 597, False), (1, "P2", 597, False), (3, "P3", 594, False)]
        assert first[-1] == (91, "P91", 462, True)
        assert [name for _, name, _, _ in await together("me", 100)] == [
            "P91",
            *(f"P{n}" for n in range(101, 121)),
        ]
        await move_all(log.db, PERSONAL, "me", "tablet")
        assert (await together("tablet"))[-1] == (91, "P91", 462, True)
        await move_all(log.db, PERSONAL, "device 1", "laptop")
        assert (await together("tablet"))[0] in {(1, "P1", 597, False), (1, "P2", 597, False)}
        assert "Somebody" not in {name for _, name, _, _ in await together("tablet")}
        await delete_all(log.db, PERSONAL, "device 2")
        second = await together("tablet")
        assert [name for _, name, _, _ in second[:2]] == ["P1", "P3"]
        assert second[-1] == (90, "P91", 462, True)


async def test_whoever_knew_the_throws_stands_among_them(log: Log):
    known = KnownGame("t", (), (), 0, 195)
    one = await fill(log, "host", me="me", known=known)
    async with served_site(log) as site:
        found = (await challenges_of(site).book.standings(one, [1], "me", range(14)))[1]
        assert found.finished == PEOPLE + 1
        assert [(each.place, each.name) for each in found.people[8:12]] == [
            (9, "P9"),
            (9, "P10"),
            (9, "Anna"),
            (12, "P11"),
        ]


async def test_pages_and_programs_are_told_of_all_step_by_step(visit: Callable[..., Any], app_log: Log):
    client: httpx.AsyncClient = await visit()
    one = await fill(app_log, "host", me=await device_of(client), games=3)
    page = (await client.get(f"/challenge/{one.id}")).text
    assert page.count('<li class="mine">') == 1
    following = re.search(r'rel="next" href="([^"]*)"', page)
    assert following
    page = (await client.get(following[1].replace("&amp;", "&"))).text
    assert "P60<" in page
    assert "P10<" not in page
    told = (await client.get(f"/api/challenges/{one.id}")).json()["legs"]
    assert [(leg["finished"], len(leg["results"]), leg["total"]) for leg in told] == [(PEOPLE, 100, 154)] * 3
    rest = (await client.get(f"/api/challenges/{one.id}?skip=100")).json()["legs"][0]["results"]
    assert [each["name"] for each in rest if not each["mine"]] == [f"P{number}" for number in range(101, 121)]
    (listed,) = (await client.get("/api/challenges")).json()
    assert (listed["challenge"], listed["done"]) == (one.id, {"1": 154, "2": 154, "3": 154})
