"""The JSON API as a program meets it: what it may do, what is done for it, and what is wrong with what it sent."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import httpx
import pytest

from kasta import GAMES, find_game
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.games import OURS
from kasta.tables.commands import Leave, Rename, Sit
from kasta.tables.log import Change, Seq
from kasta.tables.rights import all_present
from kasta.tables.service import Service
from kasta.wire.tables import tell
from support.room import HOST, Room
from support.visitors import Program

Visits = Callable[..., Any]
LANGUAGES = ("en", "sv", "nb", "de", "fr")


def seat(state: dict[str, Any], number: int) -> dict[str, Any]:
    return next(each for each in state["seats"] if each["seat"] == number)


def play(program: Program, table: str, do: str, state: dict[str, Any], number: int = 0) -> httpx.Response:
    body = {"turn": state["turn"], "seat": number, "step": seat(state, number)["step"], "do": do}
    return program.post(f"/tables/{table}/play", body)


def test_a_fresh_table_waits_for_somebody_to_sit_down(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    assert anna.state(table)["next"] == "seats"
    anna.sit(table, "Anna")
    assert anna.state(table)["next"] == "throw"
    closed = anna.open()
    assert anna.post(f"/tables/{closed}/close").json()["next"] == "over"


def test_a_state_tells_what_its_reader_may_do(program: Callable[[], Program]):
    host, tim, stranger = program(), program(), program()
    table = host.open()
    host.sit(table, "Anna")
    tim.sit(table, "Tim")
    assert {"throw", "configure", "lock", "seat_bot"} <= set(host.state(table)["may"])
    assert tim.state(table)["may"] == ["sit"]
    assert set(seat(tim.state(table), 1)["may"]) == {"rename", "leave", "move", "accept"}
    host.post(f"/tables/{table}/roll", {"turn": 0})
    assert {"act", "leave"} <= set(seat(tim.state(table), 1)["may"])
    assert seat(tim.state(table), 0)["may"] == []
    play(tim, table, "c3", tim.state(table), 1)
    assert {"move_pick", "take_back"} <= set(seat(tim.state(table), 1)["may"])
    assert stranger.state(table)["may"] == ["wait"]
    assert seat(stranger.state(table), 0)["may"] == ["claim"]


def test_a_bots_actions_are_not_told_to_whoever_seated_it():
    room = Room("Anna")
    room.do(Sit(HOST, "Robot", bot="greedy"))
    room.roll(3, 4)
    anna, robot = (tell(room.table, device, all_present).seats[0] for device in ("anna", HOST))
    assert (anna.mine, len(anna.legal)) == (True, 25)
    assert (robot.mine, robot.due, robot.legal) == (False, True, [])


def test_picking_again_moves_the_pick(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    anna.sit(table, "Anna")
    anna.sit(table, "Bo")
    anna.post(f"/tables/{table}/roll", {"turn": 0})
    play(anna, table, "c3", anna.state(table))
    after = play(anna, table, "a1", anna.state(table)).json()
    assert seat(after, 0)["sheet"].split()[0] != "."
    assert seat(after, 0)["sheet"].splitlines()[2] == " .  .  .  .  ."


def test_dice_that_are_not_kept_are_thrown_in_the_same_answer(program: Callable[[], Program]):
    anna = program()
    table = anna.open("yatzy")
    anna.sit(table, "Anna")
    thrown = anna.post(f"/tables/{table}/roll", {"turn": 0}).json()
    after = play(anna, table, f"keep {thrown['faces'][0]}", thrown).json()
    assert (after["turn"], after["next"], len(after["faces"])) == (2, "pick", 4)
    again = anna.post(f"/tables/{table}/roll", {"turn": 1})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "stale"), "it was thrown already"
    assert again.json()["error"]["params"]["turn"] == 2


@pytest.mark.parametrize(
    ("game", "rules"),
    [(game, rules) for game in OURS for rules in GAMES[game].rule_sets],
)
def test_a_game_of_every_rule_set_can_be_played_to_its_end(game: str, rules: str, program: Callable[[], Program]):
    anna, rng = program(), Random(game)
    table = anna.open(game, rules=rules)
    anna.sit(table, "Anna")
    state = anna.state(table)
    while state["next"] != "over":
        if state["next"] == "throw":
            state = anna.post(f"/tables/{table}/roll", {"turn": state["turn"]}).json()
        else:
            state = play(anna, table, rng.choice(seat(state, 0)["legal"]), state).json()
    solo = find_game(game, rules).solo
    assert seat(state, 0)["total"] == solo.total(solo.read_sheet(seat(state, 0)["sheet"]))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"game": 3}, "game"),
        ({}, "game"),
        ({"game": "knister", "colour": "red"}, "colour"),
        ({"game": "knister", "settings": {"pace": "slow"}}, "settings.pace"),
        ({"game": "knister", "settings": {"speed": 1}}, "settings.speed"),
    ],
)
async def test_a_body_that_cannot_be_read_names_the_field(visit: Visits, body: dict[str, Any], field: str):
    client = await visit()
    for language in LANGUAGES:
        answer = await client.post("/api/tables", json=body, headers={"accept-language": language})
        error = answer.json()["error"]
        assert (answer.status_code, error["field"]) == (400, field)
        assert field in error["message"]


async def test_what_is_too_often_says_when_to_come_again(visit: Visits):
    client = await visit(Config(tables_an_address=1, wrong_codes_an_address=1))
    for method, path in (("POST", "/api/tables"), ("GET", "/api/rooms/BBBBBB")):
        await client.request(method, path, json={"game": "knister"})
        answer = await client.request(method, path, json={"game": "knister"})
        assert answer.status_code == 429
        assert 590 <= int(answer.headers["retry-after"]) <= 600


def first_id(program: Program, table: str, query: str = "", **headers: str) -> int:
    with program.http.stream("GET", f"/api/tables/{table}/stream{query}", headers=headers) as answer:
        return next(int(line[4:]) for line in answer.iter_lines() if line.startswith("id: "))


def test_a_stream_goes_on_after_the_last_event_that_was_heard(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    for name in ("Anna", "Bo", "Cleo", "Dag"):
        anna.sit(table, name)
    assert first_id(anna, table) == 1
    assert first_id(anna, table, "?after=2") == 3
    assert first_id(anna, table, **{"last-event-id": "3"}) == 4
    assert first_id(anna, table, "?after=1", **{"last-event-id": "3"}) == 4, (
        "a client that comes back knows better"
    )


def test_a_hall_plays_with_empty_answers_and_hears_throws_alone(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    anna.sit(table, "Anna")
    with anna.http.stream("GET", f"/api/tables/{table}/stream?throws=1") as answer:
        told = (json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: {"))
        assert next(told) == {"turn": 0, "faces": [], "owing": 0, "over": False}
        state = anna.post(f"/tables/{table}/roll", {"turn": 0}).json()
        assert next(told) == {"turn": 1, "faces": state["faces"], "owing": 1, "over": False}
        body = {"turn": 1, "seat": 0, "step": 0, "do": "c3"}
        played = anna.post(f"/tables/{table}/play", body, prefer="return=minimal")
        assert (played.status_code, played.content) == (204, b"")
        assert next(told) == {"turn": 1, "faces": state["faces"], "owing": 0, "over": False}
        anna.post(f"/tables/{table}/close", {})
        assert next(each for each in told if each["over"])["turn"] == 1
    refused = anna.post(f"/tables/{table}/play", body, prefer="return=minimal")
    assert refused.json()["error"]["code"]


@pytest.mark.parametrize("change", ["rename", "leave"])
async def test_whoever_sits_down_is_told_the_seat_even_if_it_is_renamed_or_left_at_once(
    app_log: MemoryLog, visit: Visits, monkeypatch: pytest.MonkeyPatch, change: str
):
    client, append = await visit(), app_log.append_in_a_row
    opened = (await client.post("/api/tables", json={"game": "knister"})).json()
    table, host = opened["table"], {"authorization": f"Bearer {opened['token']}"}
    await client.post(f"/api/tables/{table}/seats", json={"name": "Anna"}, headers=host)
    device = (await Service(app_log).table(table)).host

    async def append_slowly(changes: list[Change]) -> AsyncIterator[Seq]:
        """The answer of the store takes so long that another process is quicker."""
        async for seq in append(changes):
            other = Service(app_log)
            await other.do(table, Rename(device, 1, "Bo") if change == "rename" else Leave(device, 1))
            await other.close()
            await client.get(f"/api/tables/{table}")
            yield seq

    monkeypatch.setattr(app_log, "append_in_a_row", append_slowly)
    answer = await client.post(f"/api/tables/{table}/seats", json={"name": "Tim"}, headers=host)
    assert (answer.status_code, answer.json()["seat"]) == (201, 1)


def test_a_program_lists_its_tables_and_its_finished_games(program: Callable[[], Program]):
    anna, stranger = program(), program()
    table = anna.open()
    anna.sit(table, "Anna")
    listed = anna.get("/api/mine/tables").json()["tables"]
    assert [(each["table"], each["next"], each["due"]) for each in listed] == [(table, "throw", False)]
    anna.post(f"/tables/{table}/roll", {"turn": 0})
    assert anna.get("/api/mine/tables").json()["tables"][0]["due"]
    assert stranger.get("/api/mine/tables").json() == {"tables": []}
    assert anna.get("/api/mine/games").json() == {"games": []}
    finish(anna, table)
    until = time.monotonic() + 60
    while not (games := anna.get("/api/mine/games").json()["games"]) and time.monotonic() < until:
        time.sleep(0.05)  # results are written beside the game
    (game,) = games
    assert (game["game"], game["place"], game["total"]) == ("knister", 1, seat(anna.state(table), 0)["total"])
    assert "Anna" not in game["record"]
    assert anna.get("/api/mine/games?skip=1").json() == {"games": []}
    assert stranger.get("/api/mine/games").json() == {"games": []}


def finish(program: Program, table: str) -> None:
    """Play to the end: the first legal action on each throw."""
    while (state := program.state(table))["next"] != "over":
        if state["next"] == "throw":
            program.post(f"/tables/{table}/roll", {"turn": state["turn"]})
        else:
            play(program, table, seat(state, 0)["legal"][0], state)


def test_the_host_gives_a_table_a_code(program: Callable[[], Program]):
    anna, tim = program(), program()
    table = anna.open()
    code = anna.post(f"/tables/{table}/invite").json()["code"]
    assert anna.post(f"/tables/{table}/invite").json()["code"] == code
    assert tim.get(f"/api/rooms/{code}").json()["table"] == table
    assert tim.post(f"/tables/{table}/invite").status_code == 422


@pytest.mark.parametrize("body", ["{", "[]", "null", "a=1"])
def test_a_body_that_is_no_object_is_told_so(program: Callable[[], Program], body: str):
    anna = program()
    answer = anna.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "The body must be a JSON object."


def test_an_address_that_is_not_there_answers_in_json(program: Callable[[], Program]):
    anna = program()
    for path in ("/api/nope", "/api/tables/nope/nope/nope"):
        answer = anna.http.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "404")
    refused = anna.http.request("PATCH", "/api/tables")
    assert refused.json()["error"]["message"] == "This address does not answer PATCH."
    assert anna.http.get("/api/openapi.json").status_code == 200
    assert anna.http.get("/api/docs").status_code == 200
