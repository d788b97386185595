"""The API explains itself: every field, every enum, every event of a stream, and on a page for people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

from kasta.games import OURS
from kasta.tables.events import AnyEvent
from kasta.tables.rights import Rights
from kasta.wire.tables import Hearing
from support.visitors import Program

Visits = Callable[..., Any]


async def description(visit: Visits) -> dict[str, Any]:
    return dict((await (await visit()).get("/api/openapi.json")).json())


async def test_every_field_and_parameter_has_a_meaning_and_an_example(visit: Visits):
    document = await description(visit)
    fields = [
        (f"{name}.{field}", about)
        for name, schema in document["components"]["schemas"].items()
        for field, about in schema.get("properties", {}).items()
    ]
    assert len(fields) > 100
    for name, about in fields:
        assert about["description"].endswith("."), name
        assert about["examples"], name
    for methods in document["paths"].values():
        for parameter in (each for about in methods.values() for each in about.get("parameters", ())):
            assert parameter["description"], parameter["name"]
            assert "example" in parameter


async def test_every_event_of_a_stream_has_a_schema(visit: Visits):
    document = await description(visit)
    told = document["paths"]["/api/tables/{table}/stream"]["get"]["responses"]["200"]
    refs = {each["$ref"].rpartition("/")[2] for each in told["content"]["text/event-stream"]["schema"]["oneOf"]}
    assert refs == {f"{kind.__name__.removesuffix('Event')}Event" for kind in AnyEvent.__args__} | {"Hearing"}
    schemas = document["components"]["schemas"]
    assert schemas["RolledEvent"]["properties"]["kind"]["enum"] == ["rolled"]
    text = json.dumps(document)
    assert set(re.findall(r'"#/components/schemas/(\w+)"', text)) <= schemas.keys()


async def test_rights_and_kinds_of_error_are_listed(visit: Visits):
    schemas = (await description(visit))["components"]["schemas"]
    assert schemas["TableState"]["properties"]["may"]["items"]["enum"] == list(Rights.__struct_fields__)
    assert "conflict" in schemas["Problem"]["properties"]["kind"]["enum"]


async def test_the_page_shows_every_address_and_loads_nothing_from_elsewhere(visit: Visits):
    answer = await (await visit()).get("/api/docs")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    document = await description(visit)
    for path in document["paths"]:
        assert path in answer.text
    for name in document["components"]["schemas"]:
        assert f'id="{name}"' in answer.text
    sources = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert sources
    assert all(re.match(r"/(?!/)|#", source) for source in sources)
    assert set(re.findall(r'href="#(\w+)"', answer.text)) <= {*document["components"]["schemas"], "main"}


async def test_games_and_bots_are_listed(visit: Visits):
    client = await visit()
    games = (await client.get("/api/games", headers={"accept-language": "sv"})).json()["games"]
    assert [game["name"] for game in games][: len(OURS)] == list(OURS)
    yatzy = next(game for game in games if game["name"] == "yatzy")
    assert yatzy["rule_sets"][0]["name"] == "sheet"
    assert yatzy["hides_picks"] is False
    bots = (await client.get("/api/bots")).json()["bots"]
    assert {"game": "knister", "name": "quick", "level": None} in bots
    assert {"game": "yatzy", "name": "best", "level": "best"} in bots


def test_what_a_hall_hears_is_as_described(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    with anna.http.stream("GET", f"/api/tables/{table}/stream?throws=1") as answer:
        data = next(line[6:] for line in answer.iter_lines() if line.startswith("data: "))
    assert msgspec.json.decode(data, type=Hearing, strict=True) == Hearing(0, (), 0, over=False)


def test_a_program_that_says_so_is_marked_on_the_page(program: Callable[[], Program], phone: Callable[[], Any]):
    anna = program()
    table = anna.open()
    anna.post(f"/tables/{table}/seats", {"name": "Robot", "program": True})
    anna.sit(table, "Anna")
    state = anna.state(table)
    assert [(seat["name"], seat["program"]) for seat in state["seats"]] == [("Robot", True), ("Anna", False)]
    shown = re.findall(
        r'class="who">(\w+)</span>.*?class="state">\s*(\w*)', phone().get(f"/t/{table}").text, re.DOTALL
    )
    assert ("Robot", "program") in shown
    assert dict(shown)["Anna"] != "program"
