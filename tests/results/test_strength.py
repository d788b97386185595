"""How strong a player is by results less their luck, and who may see it."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from features.circle.people import circles_of, counted, founded, game, member_of
from kasta.db.personal import delete_all, delete_idle, move_all
from kasta.edge.templates import render
from kasta.feature import Site
from kasta.features.circle.circle_pages import circle_page
from kasta.i18n import words
from kasta.results.model import Board
from kasta.results.store import Results
from kasta.results.strength import LEAST, Strengths
from kasta.tables.log import Log
from support.sites import PERSONAL, served_site
from support.stores.finishing import made_up

BOTH = pytest.mark.parametrize("store_url", ["memory", "postgres"], indirect=True)
ONE = pytest.mark.parametrize("store_url", ["memory"], indirect=True)
KNISTER = ("knister", "sheet")
TOTALS = (60, 80, 50, 70, 65)
LUCK = (-2.0, 16.0, -10.0, 8.0, 3.0)  # 62, 64, 60, 62, 62 without


async def played(log: Log, device: str, kind: str = "day/2026-11-", most: int = LEAST) -> None:
    """Games that count, reviewed."""
    for number, result in enumerate(made_up(most, Board("table", *KNISTER))):
        kept = replace(
            result,
            table=f"{device} {kind} {number}",
            device=device,
            kind=f"{kind}{number + 10}",
            total=TOTALS[number],
            is_helped=False,
        )
        await Results(log.db).add(kept.table, [kept])
        await Results(log.db).note_review(kept.table, kept.seat, LUCK[number], 10.0)


@BOTH
async def test_strength_is_the_mean_less_luck_behind_the_strongest_bot_with_its_error(log: Log):
    strengths = Strengths(log.db)
    await played(log, "anna", most=LEAST - 1)
    tally = await strengths.own("anna", KNISTER)
    assert (tally.games, tally.strength(KNISTER)) == (LEAST - 1, None)
    await played(log, "anna", "challenge/", most=1)
    found = (await strengths.own("anna", KNISTER)).strength(KNISTER)
    assert found is not None
    assert found.games == LEAST
    assert found.behind == pytest.approx(71.98 - 62)
    assert found.error == pytest.approx(0.6324555)
    assert found.told(words("en")) == "10 ± 1 points behind the strongest bot"
    assert found._replace(behind=-3.2, error=1.01).told(words("de")).startswith("3 ± 2 Punkte")
    assert (await strengths.own("anna", ("knister", "none"))).strength(("knister", "none")) is None


@ONE
async def test_games_for_fun_at_tables_with_help_and_without_a_review_do_not_count(log: Log):
    for kind in ("fun/2026-11-", "table", "pocket"):
        await played(log, "anna", kind)
    await log.db.execute("UPDATE kasta_results SET luck = NULL WHERE kind = 'fun/2026-11-10'")
    assert (await Strengths(log.db).own("anna", KNISTER)).games == 0
    await played(log, "anna")
    await log.db.execute("UPDATE kasta_results SET luck = NULL WHERE kind = 'day/2026-11-10'")
    assert (await Strengths(log.db).own("anna", KNISTER)).games == LEAST - 1


@BOTH
async def test_others_see_it_only_while_it_is_wished(log: Log):
    strengths = Strengths(log.db)
    for device in ("anna", "phone", "tim"):
        await played(log, device)
    people = {"Anna": ["anna", "phone"], "Tim": ["tim"]}
    assert await strengths.shown(people, KNISTER) == {}
    for device in ("anna", "anna", "phone"):
        await strengths.show(device, wish=True)
    found = await strengths.shown(people, KNISTER)
    assert {name: each.games for name, each in found.items()} == {"Anna": 2 * LEAST}
    for device in ("anna", "phone"):
        await strengths.show(device, wish=False)
    assert await strengths.shown(people, KNISTER) == {}


@BOTH
async def test_the_wish_is_exported_moves_and_is_deleted_with_the_person(log: Log):
    strengths = Strengths(log.db)
    await played(log, "anna")
    await strengths.show("anna", wish=True)
    files = [each for kind in PERSONAL async for each in kind.files(log.db.fetch, "anna")]
    assert json.loads(dict(files)["strength.json"]) == {"shown_to_others": True}
    await strengths.show("laptop", wish=True)
    await move_all(log.db, PERSONAL, "anna", "laptop")
    assert [await strengths.is_shown(each) for each in ("anna", "laptop")] == [False, True]
    await delete_idle(log.db, PERSONAL, 0.0)
    assert await strengths.is_shown("laptop"), "whoever played not long ago keeps it"
    await delete_all(log.db, PERSONAL, "laptop")
    assert not await strengths.is_shown("laptop")
    await strengths.show("anna", wish=True)
    await delete_idle(log.db, PERSONAL, 1.0)
    assert not await strengths.is_shown("anna")


async def told(site: Site, circle: str) -> str:
    """The page of a circle, as Tim sees it."""
    circles = circles_of(site)
    here = await circles.of(circle, "tim")
    page = await circle_page(circles, site.groups, here, "tim", KNISTER, 0, "", words("en"))
    return render(words("en"), "circle/page.html", page)


@BOTH
async def test_a_circle_shows_the_strength_of_members_who_wish_it(log: Log):
    async with served_site(log) as site:
        circles = circles_of(site)
        circle = await founded(circles, "eva", "tim")
        eva, tim = [await member_of(circles, circle, each) for each in ("eva", "tim")]
        await counted(circles.store, circle, game(0, **{eva: 60, tim: 50}))
        for device in ("eva", "tim"):
            await played(log, device)
        assert await circles.store.showing(circle) == {}
        assert "strongest bot" not in await told(site, circle)
        await Strengths(log.db).show("eva", wish=True)
        assert await circles.store.showing(circle) == {eva: ["eva"]}
        assert (await told(site, circle)).count("10 ± 1 points behind the strongest bot") == 1
