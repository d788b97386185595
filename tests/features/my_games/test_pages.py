"""My games: listed and drawn for who played them, taken along, exported and deleted; nobody else sees them."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from kasta.db.sqlite.memory import MemoryLog
from kasta.features.my_games.curves import BOTTOM, LEFT, RIGHT, TOP, curve
from kasta.features.puzzles.store import Answer, PuzzleAnswers
from kasta.games.traits import Par
from kasta.record import replay as replay_record
from kasta.results.model import Board
from kasta.results.store import Results
from support.sites import new_site
from support.stores.finishing import finish_game, made_up
from support.visitors import device_of

Visits = Callable[..., Any]

KNISTER = Board("table", "knister", "sheet")


async def played(log: MemoryLog, me: str, count: int = 15) -> None:
    for number, result in enumerate(made_up(count, KNISTER)):
        await Results(log.db).add(
            result.table, [replace(result, device=me, total=40 + number, ended=1e9 + number)]
        )


async def test_a_finished_game_is_listed_with_who_played_and_links_while_its_table_is_there(
    visit: Visits, app_log: MemoryLog
):
    client = await visit()
    me = await device_of(client)
    site = new_site(app_log)
    name = await finish_game(site, me, "tim", game="knister")
    await site.close()
    page = (await client.get("/games")).text
    assert "with Tim" in page
    assert f'href="/t/{name}/review"' in page
    await app_log.delete(name)
    page = (await client.get("/games")).text
    assert "place " in page
    assert "Tim" not in page
    assert name not in page


async def test_ones_best_stands_on_the_home_page_once_there_is_one(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    assert "Your best" not in (await client.get("/")).text
    await played(app_log, me)
    page = (await client.get("/")).text
    best = re.search(r'<section class="slip bests".*?</section>', page, re.DOTALL)
    assert best
    assert re.findall(r'<span class="hidden">(\d+)</span>', best[0]) == ["54"]
    assert 'href="/games?game=knister&amp;rules=sheet"' in best[0]
    assert "9 Sept" in best[0] or "9 Sep" in best[0]


async def test_totals_and_hands_are_drawn_each_with_its_table(visit: Visits, app_log: MemoryLog):
    client = await visit()
    await played(app_log, await device_of(client))
    page = (await client.get("/games?game=knister&rules=sheet")).text
    assert page.count("<circle") == 15 + page.partition('class="curve"')[0].count("<circle")
    assert "The best bot makes 72 on average." in page
    assert re.search(r"data-day>2001-09-09</time></td><td>54</td>", page)
    assert re.search(r'<th scope="row">\s+straight\s', page)
    assert "47 points on average, 54 at best." in page


async def test_figures_are_written_as_each_language_has_them(visit: Visits, app_log: MemoryLog):
    client = await visit()
    await played(app_log, await device_of(client), 4)
    for language, mean in (("en", "41.5 points"), ("sv", "41,5 poäng"), ("fr", "41,5 points")):
        assert mean in (await client.get("/games", headers={"accept-language": language})).text


async def test_luck_and_errors_are_drawn_as_far_as_games_were_reviewed(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    await played(app_log, me)
    assert "15 of these games are not reviewed yet." in (await client.get("/games")).text
    for number, result in enumerate(await Results(app_log.db).of_device(me, 3)):
        await Results(app_log.db).note_review(result.table, result.seat, -2.25 + number, 4.0 + number)
    page = (await client.get("/games", headers={"accept-language": "de"})).text
    assert "Glück mit den Würfen: \N{MINUS SIGN}1,2 Punkte pro Spiel" in page
    assert "Durch Entscheidungen verschenkt: 5,0 Punkte pro Spiel" in page
    assert "<td>\N{MINUS SIGN}2,2</td><td>4,0</td>" in page
    assert "12 dieser Spiele sind noch nicht ausgewertet." in page


async def test_games_are_reviewed_on_demand_also_when_their_table_is_gone(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    site = new_site(app_log)
    name = await finish_game(site, me, "tim", game="yatzy15")
    await site.close()
    await app_log.delete(name)
    asked = {"game": "yatzy15", "rules": "sheet"}
    answer = await client.post("/games/review", data=asked)
    assert answer.headers["location"] == "/games?game=yatzy15&rules=sheet#luck"
    assert "1 game is being reviewed." in (await client.get("/games")).text
    async with asyncio.timeout(120):
        while (result := (await Results(app_log.db).of_device(me, 1))[0]).lost is None:
            await asyncio.sleep(0.05)
    assert result.lost > 20, "whoever plays at random gives away a lot"
    page = (await client.get("/games")).text
    assert "not reviewed yet" not in page
    assert f"Given away by choices: {result.lost:.1f} points a game" in page
    assert (await client.post("/games/review", data={"game": "none", "rules": ""})).status_code == 303


async def test_long_lists_are_paged(visit: Visits, app_log: MemoryLog):
    client = await visit()
    await played(app_log, await device_of(client), 30)
    first, last = [(await client.get(f"/games?page={page}")).text for page in ("1", "99")]
    assert [page.count("<time id=") for page in (first, last)] == [12, 6]
    assert 'rel="next"' in first
    assert 'rel="next"' not in last
    assert (await client.get("/games?page=no&game=%00&rules=x")).status_code == 200


async def test_nobody_sees_another_s_games(visit: Visits, app_log: MemoryLog):
    client, other = await visit(), await visit()
    await played(app_log, await device_of(client))
    assert "<time" not in (await other.get("/games")).text
    assert zipfile.ZipFile(io.BytesIO((await other.get("/games/export")).content)).namelist() == ["games.jsonl"]


async def test_the_export_holds_a_record_of_every_game_and_no_id(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    site = new_site(app_log)
    name = await finish_game(site, me, "tim", game="knister")
    await site.close()
    answer = await client.get("/games/export")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    (line,) = archive.read("games.jsonl").splitlines()
    listed = json.loads(line)
    end = replay_record(io.BytesIO(archive.read(listed["record"])))
    assert end.game.total(end.table, 0) == listed["total"]
    everything = b"".join(archive.read(each) for each in archive.namelist()).decode()
    assert not any(text in everything for text in (me, name, "Tim"))


async def test_answers_to_puzzles_are_exported_and_deleted_with_the_games(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    await PuzzleAnswers(app_log.db).add(me, Answer("knister", 3, "c3", 1220.0, 1e9))
    assert 'href="/games/export"' in (await client.get("/games")).text
    archive = zipfile.ZipFile(io.BytesIO((await client.get("/games/export")).content))
    answer = {"game": "knister", "number": 3, "chosen": "c3", "rating": 1220.0, "at": "2001-09-09T01:46:40+00:00"}
    assert json.loads(archive.read("puzzles.jsonl")) == answer
    assert "your answers to puzzles, your rating" in (await client.get("/games/delete")).text
    await client.post("/games/delete")
    assert await PuzzleAnswers(app_log.db).of_device(me) == []


async def test_everything_is_deleted_after_one_question(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    await played(app_log, me)
    assert "15 games will be deleted" in (await client.get("/games/delete")).text
    assert await Results(app_log.db).played(me)
    answer = await client.post("/games/delete")
    assert (answer.status_code, answer.headers["location"]) == (303, "/games")
    assert await Results(app_log.db).played(me) == {}


async def test_one_s_own_link_opened_on_the_same_device_changes_nothing(visit: Visits, app_log: MemoryLog):
    here, there = await visit(), await visit()
    me = await device_of(here)
    await played(app_log, me)
    given = Answer("knister", 3, "c3", 1220.0, 1e9)
    await PuzzleAnswers(app_log.db).add(me, given)
    link = re.search(r'value="(http[^"]*/games/take#[^"]+)"', (await here.post("/games/link")).text)
    assert link
    assert (await here.post("/games/take", data={"secret": link[1]})).status_code == 303
    assert await PuzzleAnswers(app_log.db).of_device(me) == [given]
    assert await Results(app_log.db).played(me) == {("knister", "sheet"): 15}
    assert (await there.post("/games/take", data={"secret": link[1]})).status_code == 303, "it is still good"
    assert await PuzzleAnswers(app_log.db).of_device(await device_of(there)) == [given]
    assert await PuzzleAnswers(app_log.db).of_device(me) == []


async def test_games_move_to_another_device_with_a_link_that_works_once(visit: Visits, app_log: MemoryLog):
    old, new = await visit(), await visit()
    await played(app_log, await device_of(old))
    there = await device_of(new)
    link = re.search(r'value="(http[^"]*/games/take#[^"]+)"', (await old.post("/games/link")).text)
    assert link
    assert "Bring your games" in (await new.get("/games/take")).text
    forged = link[1][:-3] + "abc"
    for secret, status in ((forged, 422), (link[1], 303), (link[1], 422)):
        assert (await new.post("/games/take", data={"secret": secret})).status_code == status
    assert await Results(app_log.db).played(there) == {("knister", "sheet"): 15}
    assert "<time" not in (await old.get("/games")).text


@pytest.mark.parametrize("figures", [[-3.5], [0.0, 0.0], [4.5, 12.0], [-20.0, 30.5]])
def test_a_curve_of_luck_has_its_zero(figures: list[float]):
    drawn = curve(figures, from_zero=True)
    assert drawn.zero == next(tick.y for tick in drawn.ticks if tick.text == "0")
    assert all(TOP <= dot.y <= BOTTOM for dot in drawn.dots)


@pytest.mark.parametrize("totals", [[7], [50, 50], [0, 400], list(range(30, 90))])
@pytest.mark.parametrize("par", [None, Par(72.0, 14.0)])
def test_a_curve_keeps_all_dots_and_the_band_inside(totals: list[int], par: Par | None):
    drawn = curve(totals, par)
    assert all(LEFT <= dot.x <= RIGHT and TOP <= dot.y <= BOTTOM for dot in drawn.dots)
    assert drawn.ticks[0].y == BOTTOM
    assert drawn.ticks[-1].y == TOP
    assert bool(drawn.path) == (len(totals) > 10)
    if drawn.band:
        assert TOP <= drawn.band.top < drawn.band.middle < drawn.band.top + drawn.band.height <= BOTTOM


async def test_strength_is_told_to_its_owner_and_shown_to_others_only_by_wish(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    for number, result in enumerate(made_up(5, KNISTER)):
        day = replace(result, device=me, kind=f"day/2026-11-{number + 10}", total=60 + number, is_helped=False)
        await Results(app_log.db).add(day.table, [day])
        await Results(app_log.db).note_review(day.table, day.seat, float(number), 4.0)
        page = (await client.get("/games")).text
        assert ("behind the strongest bot" in page) == (number == 4)
    assert "12 ± 1 points behind the strongest bot" in page
    assert "Only you see this." in page
    asked = {"game": "knister", "rules": "sheet", "show": "1"}
    answer = await client.post("/games/strength", data=asked)
    assert answer.headers["location"] == "/games?game=knister&rules=sheet#strength"
    assert "Others see your strength" in (await client.get("/games")).text
    await client.post("/games/strength", data=asked | {"show": "0"})
    assert "Only you see this." in (await client.get("/games")).text
