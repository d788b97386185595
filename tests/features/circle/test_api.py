"""Circles by programs: the same as on the pages, and nothing for anybody else."""

from __future__ import annotations

from collections.abc import Callable

from features.circle.people import KNISTER, circles_of, counted, founded, game, member_of
from kasta.db.sqlite.memory import MemoryLog
from support.fixtures.servers import Visits
from support.sites import served_site
from support.visitors import Program, device_of


def test_a_program_starts_a_circle_joins_it_opens_a_table_and_leaves(program: Callable[[], Program]):
    eva, tim = program(), program()
    assert eva.post("/circles", {"circle": "Lost", "name": "Eva"}).status_code == 401, "nobody could come back"
    for each in (eva, tim):
        each.open()
    made = eva.post("/circles", {"circle": "Our kitchen table", "name": "Eva", "mark": 3}).json()
    circle = made["circle"]
    assert tim.get(f"/api/circles/{circle}").status_code == 404
    secret = eva.get(f"/api/circles/{circle}").json()["link"].rpartition("/")[2]
    assert tim.post(f"/circles/join/{secret}", {"name": "Tim"}).json() == made
    table = eva.post(f"/circles/{circle}/tables", {"game": "knister"}).json()["table"]
    told = tim.get(f"/api/circles/{circle}").json()
    assert told["tables"] == [{"table": table, "game": "knister", "rules": "sheet", "open": True}]
    assert [(each["name"], each["host"], each["mark"]) for each in told["members"]] == [
        ("Eva", True, 3),
        ("Tim", False, 0),
    ]
    assert tim.get("/api/circles").json() == {"circles": [made]}
    assert tim.post(f"/circles/{circle}/leave", {"forget": True}).status_code == 204
    for page in ("", "/scores", "/games", f"/members/{told['me']}"):
        answer = tim.get(f"/api/circles/{circle}{page}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_circle")
    assert [each["name"] for each in eva.get(f"/api/circles/{circle}").json()["members"]] == ["Eva"]


async def test_scores_results_and_pairs_are_told(visit: Visits, app_log: MemoryLog):
    client = await visit()
    me = await device_of(client)
    async with served_site(app_log) as site:
        circle = await founded(circles_of(site), me, "tim")
        eva, tim = [await member_of(circles_of(site), circle, device) for device in (me, "tim")]
        await counted(circles_of(site).store, circle, game(1, **{eva: 104, tim: 60}))
    (score, _) = sorted(
        (await client.get(f"/api/circles/{circle}/scores")).json()["scores"], key=lambda each: -each["wins"]
    )
    assert score == {
        "member": eva,
        "game": KNISTER[0],
        "rules": KNISTER[1],
        "games": 1,
        "wins": 1,
        "points": 104,
        "best": 104,
        "run": 1,
        "longest": 1,
    }
    played = (await client.get(f"/api/circles/{circle}/games")).json()["played"]
    assert {(each["member"], each["total"], each["won"]) for each in played} == {
        (eva, 104, True),
        (tim, 60, False),
    }
    assert (await client.get(f"/api/circles/{circle}/games?before=1001")).json() == {"played": []}
    against = (await client.get(f"/api/circles/{circle}/members/{eva}")).json()["against"]
    assert against == [{"member": tim, "games": 1, "wins": 1, "losses": 0}]
    assert (await client.get(f"/api/circles/{circle}/members/{eva}?season=9")).json() == {"against": []}
