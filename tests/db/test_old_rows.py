"""Stores of versions before in which games were finished: what people made of them is still there, and is shown.

`old/kept` holds one of each schema that had such rows, from the first on: two finished tables (Knister for two,
Yatzy alone), a named token, a review; later ones have results, then the throws of a day with two tries, and one
answer to a puzzle, then a circle of two with a counted game, a challenge with a finished try, a game from the
pocket and a wish for notices. Each was written through the app of its version, as of the commit of the main line
that brought its schema, the newest by old/make.py. It is packed, and never written again: SHA256SUMS has all.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import httpx
import pytest

from features.circle.people import circles_of
from kasta.app import OURS, create_app
from kasta.coach import reviewed
from kasta.core import Over
from kasta.db import admin, open_log
from kasta.db.schema import steps
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.feature import Site
from kasta.features.notices.store import Subscriptions
from kasta.features.puzzles.store import PuzzleAnswers
from kasta.games.traits import AnyGame
from kasta.record import replay
from kasta.results.model import POCKET, TABLE, Board
from kasta.results.review_store import ReviewStore
from kasta.results.store import Results
from kasta.tables.log import SIGNING, Log
from support.pinned import pinned
from support.sites import challenges_of, new_site

KEPT = Path(__file__).parent / "old" / "kept"
STORES = sorted(KEPT.glob("*.gz"))
REVIEWS = {"sqlite": 9, "postgres": 11}  # the schemas that brought them; then results, days, luck, circles
CIRCLES = 4  # schemas after these
SITE = "http://localhost"


def test_no_store_with_results_was_changed():
    assert pinned(STORES) == (KEPT / "SHA256SUMS").read_text()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_every_schema_that_had_results_is_kept(kind: str):
    newest = max(version for version, _ in steps(kind, 0))
    kept = {int(path.name.split(".")[0].partition("-")[2]) for path in STORES if path.name.startswith(kind)}
    assert kept == set(range(REVIEWS[kind], newest + 1)), "make one before you change the schema again"


class Old:
    """An old store, opened by this version; `age` counts its schemas from the first with reviews on."""

    def __init__(self, log: Log, age: int) -> None:
        self.log, self.age = log, age

    async def day(self) -> str:
        """The day that was played."""
        ((day,),) = await self.log.db.fetch(
            "SELECT DISTINCT day FROM kasta_tries WHERE day NOT LIKE 'challenge/%'"
        )
        return str(day)


def age_of(name: str) -> int:
    """How many schemas after the first with reviews."""
    kind, _, version = name.partition(".")[0].partition("-")
    return int(version) - REVIEWS[kind]


@pytest.fixture(params=[path.name for path in STORES])
def place(request: pytest.FixtureRequest) -> tuple[str, str]:
    """An old store, and where a new one of its kind may be."""
    return request.param, request.getfixturevalue(f"{request.param.partition('-')[0]}_url")


@pytest.fixture
async def old(place: tuple[str, str]) -> AsyncIterator[Old]:
    name, url = place
    content = gzip.decompress((KEPT / name).read_bytes())
    if name.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        await asyncio.to_thread(path.write_bytes, content)
    else:
        db = await asyncpg.connect(url)
        await db.execute(content.decode())
        await db.close()
    async with await open_log(url) as log:
        yield Old(log, age_of(name))


async def test_what_was_made_before_is_read_by_the_service(old: Old):
    log, site = old.log, new_site(old.log)
    assert [problem async for problem in admin.check(log)] == []
    await site.tidy(is_start=True)  # where there were no results yet, they are taken from the games
    totals, boards = Counter[tuple[str, str, int]](), Counter[tuple[str, int]]()
    for name in await log.tables():
        table = await site.service.table(name)
        assert isinstance(table.next(), Over)
        for seat, place in table.places.items():
            total = table.game.total(table.play, seat)
            totals[place.device, name, total] += 1
            boards[table.game.name, total] += table.series is None
    devices = {device for device, _, _ in totals}
    results, mine = Results(log.db), [(each, await Results(log.db).of_device(each, 50)) for each in devices]
    assert totals == Counter(
        (device, each.table, each.total) for device, all_ in mine for each in all_ if each.kind != POCKET
    )
    for game in ("knister", "yatzy"):
        spread = await results.distribution(Board(TABLE, game, "sheet"))
        assert spread == {total: count for (of, total), count in boards.items() if of == game and count}
    if old.age >= 2:
        answers = [answer for device in devices for answer in await PuzzleAnswers(log.db).of_device(device)]
        assert [(each.game, each.number) for each in answers] == [("yatzy", 1)]
        tries = await log.db.fetch("SELECT name, device FROM kasta_tries WHERE day = $1", await old.day())
        assert {(device, table) for table, device in tries} <= {(device, table) for device, table, _ in totals}
        assert len(tries) == 2
    await site.close()


@pytest.mark.parametrize("place", [path.name for path in STORES if age_of(path.name) >= CIRCLES], indirect=True)
async def test_circles_challenges_pocket_games_and_wishes_for_notices_are_still_there(old: Old):
    log, site = old.log, new_site(old.log)
    ((host,),) = await log.db.fetch("SELECT owner FROM kasta_notes WHERE kind = 'token'")
    ((circle, name),) = await log.db.fetch("SELECT id, name FROM kasta_circles")
    ((game_played,),) = await log.db.fetch("SELECT DISTINCT name FROM kasta_circle_games")
    ((challenge,),) = await log.db.fetch("SELECT id FROM kasta_challenges")
    assert name == "Kitchen table"
    circles, challenges = circles_of(site), challenges_of(site)
    members = (await circles.of(circle, host)).members
    assert {(each.name, each.is_host) for each in members.values()} == {("Anna", 1), ("Tim", 0)}
    table = await site.service.table(game_played)
    totals = {place.name: table.game.total(table.play, seat) for seat, place in table.places.items()}
    scores = (await circles.store.all_scores(circle))[table.game.name, table.game.rules]
    assert {members[each].name: score.points for each, score in scores.items()} == totals
    for each in members:
        (pair,) = (await circles.store.pairs(circle, each)).values()
        assert (pair.games, pair.wins + pair.losses) == (1, 1)
    one = await challenges.find(challenge)
    done = (await challenges.book.done(one, host))[1]
    table = await site.service.table(done.table)
    assert (done.total, table.challenge) == (table.game.total(table.play, 0), challenge)
    best = (await challenges.book.bests(one))[1]
    assert total_of(zlib.decompress(best.record)) == best.total
    (pocket,) = [each for each in await Results(log.db).of_device(host, 50) if each.kind == POCKET]
    assert total_of(pocket.lines().encode()) == pocket.total
    assert (await Subscriptions(log.db).of([host]))[host].kinds == "turn invited"
    await site.close()


def total_of(record: bytes) -> int:
    """What the one player of a record made of it."""
    end = replay(io.BytesIO(record))
    return end.game.total(end.table, 0)


async def nothing_else(_game: AnyGame) -> str:
    """The values of a review that is there: the coach's process, which would make it anew, takes long to begin."""
    return ""


async def test_pages_and_programs_are_answered_from_it(old: Old, monkeypatch: pytest.MonkeyPatch):
    log = old.log
    site = Site(log, Config(), Signer(await log.key(SIGNING, b"")), OURS, auto_seconds=0)
    monkeypatch.setattr("kasta.app.Site", lambda *_, **__: site)
    monkeypatch.setattr(site.coach, "values", nothing_else)
    await site.tidy(is_start=True)
    yatzy = knister = ""
    for name in await log.tables():
        table = await site.service.table(name)
        if table.series is None:
            yatzy = name if table.game.name == "yatzy" else yatzy
            knister = name if table.game.name == "knister" else knister
    ((host,),) = await log.db.fetch("SELECT owner FROM kasta_notes WHERE kind = 'token'")
    body = await ReviewStore(log.db).find(yatzy, 0)
    assert body
    transport = httpx.ASGITransport(await create_app(log))
    headers = {"authorization": f"Bearer {site.signer.token(host)}", "origin": SITE}
    async with httpx.AsyncClient(transport=transport, base_url=SITE, headers=headers) as client:
        for path in (
            "/", "/games", "/tokens", "/puzzle/yatzy/1", f"/t/{knister}", f"/t/{yatzy}", f"/t/{knister}/evening",
            f"/t/{yatzy}/review", f"/t/{yatzy}/quiz", f"/t/{yatzy}/proof", f"/t/{knister}/record", "/games/export",
            f"/t/{yatzy}/sheet/0.svg", f"/api/tables/{knister}", "/notices", "/circles", "/challenge",
        ):  # fmt: skip
            assert (await client.get(path)).status_code == 200, path
        if old.age >= 2:
            assert (await client.get(f"/day/knister/{await old.day()}")).status_code == 200
        if old.age >= CIRCLES:
            await look_at_circles_and_challenges(client, log)
        told = await client.get(f"/api/tables/{yatzy}/review")
        assert told.status_code in {200, 202}, "it may be made again, by newer values"
        if (before := reviewed.decode(body)) is not None:
            assert told.json()["seats"][0]["total"] == before.total
        assert yatzy in (await client.get("/games")).text
        assert "Rosie" in (await client.get("/tokens")).text
    await site.close()


async def look_at_circles_and_challenges(client: httpx.AsyncClient, log: Log) -> None:
    ((circle,),) = await log.db.fetch("SELECT id FROM kasta_circles")
    ((tim,),) = await log.db.fetch("SELECT id FROM kasta_circle_members WHERE name = 'Tim'")
    ((challenge, pocket),) = await log.db.fetch(
        "SELECT c.id, r.name FROM kasta_challenges AS c CROSS JOIN kasta_results AS r WHERE r.kind = 'pocket'"
    )
    for path, words in (
        ("/circles", "Kitchen table"),
        (f"/circle/{circle}", "Tim"),
        (f"/circle/{circle}/evenings", "Tim"),
        (f"/circle/{circle}/member/{tim}", "Tim"),
        (f"/circle/{circle}/people", "Tim"),
        (f"/api/circles/{circle}/scores", "yatzy15"),
        (f"/challenge/{challenge}", "Your challenge"),
        ("/api/challenges", challenge),
        ("/notices", 'value="turn" checked'),
        ("/games", pocket),
    ):
        answer = await client.get(path)
        assert (answer.status_code, words in answer.text) == (200, True), path


def test_features_that_keep_rows_are_all_looked_at_here():
    """Whoever brings a new kind of row makes a store with one."""
    with_rows = {
        path.parent.parent.parent.name for path in Path(__file__).parents[2].glob("src/kasta/**/schema/*/*.sql")
    }
    assert with_rows == {"db", "results", "day", "puzzles", "circle", "challenge", "notices"}
    assert len(OURS) > 10
