"""Challenges as people and programs see them, and what nobody is told too early."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from kasta import dice
from kasta.i18n import words
from support.spying import in_all_ways, look_around
from support.visitors import Phone, Program, Server, Visitor

Phones = Callable[[], Phone]


def challenge(phone: Phone, game: str = "knister", **fields: str) -> str:
    """Make a challenge: its id."""
    answer = phone.post("/challenge", **{"game": game, "name": "Anna", "games": "1", "days": "3"} | fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/challenge/")


def begin(phone: Phone, one: str, name: str, leg: int = 1) -> str:
    """Begin or go on: the table."""
    answer = phone.post(f"/challenge/{one}", name=name, leg=leg)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/t/")


def finish(phone: Phone, one: str, name: str) -> int:
    """Play a game to its end: its total."""
    play_out(phone, begin(phone, one, name))
    deadline = time.monotonic() + 60  # results are written just after the end
    while (total := told(phone, one)["legs"][0]["total"]) is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return int(total)


def play_out(phone: Phone, table: str) -> None:
    while (state := phone.state(table))["next"] != "over":
        phone.roll(table, state["turn"])
        legal = phone.state(table)["seats"][0]["legal"]
        do = next((each for each in legal if each.startswith("fill")), legal[-1])
        phone.post(f"/t/{table}/play", turn=state["turn"] + 1, seat=0, step=0, do=do)


def told(who: Visitor, one: str) -> dict[str, Any]:
    return dict(who.get(f"/api/challenges/{one}").json())


def secret_of(server: Server, one: str) -> bytes:
    return bytes(server.stored(f"SELECT secret FROM challenges WHERE id = '{one}'")[0])  # noqa: S608


def addresses(table: str) -> Iterator[str]:
    """Everything that can be asked of a table."""
    pages = ("", "/parts", "/proof", "/record", "/review", "/quiz", "/evening", "/wall", "/remote", "/sheet/0.svg")
    yield from (f"/t/{table}{page}" for page in (*pages, "/stream", "/wall/stream", "/remote/stream", "?seat=0"))
    yield from (f"/api/tables/{table}{page}" for page in ("", "/record", "/review", "/stream", "/stream?throws=1"))


def test_nobody_is_told_anothers_sheet_before_their_own_is_full(
    server: Server, phone: Phones, program: Callable[[], Program]
):
    """Anna has finished; Tim is in the middle, knows her table's id, and asks for everything."""
    anna, tim, stranger = phone(), phone(), program()
    one = challenge(anna)
    hers, his = begin(anna, one, "Anna"), begin(tim, one, "Tim")
    total = finish(anna, one, "Anna")
    for turn, cell in enumerate(("a1", "a2", "a3")):
        tim.roll(his, turn)
        tim.post(f"/t/{his}/play", turn=turn + 1, seat=0, step=0, do=cell)
    for who in (tim, stranger):
        for path in addresses(hers):
            answer = who.get(path)
            assert answer.status_code == 422, path
            assert "Others still play these throws" in answer.text or "sealed_table" in answer.text
        assert who.http.post(f"/t/{hers}/hint", data={"seat": "0"}).status_code in {403, 422}
    pages = [f"/challenge/{one}", f"/challenge/{one}?game=1&with=0", "/", "/games", "/challenge", "/api/tables"]
    heard = "".join(who.get(page).text for who in (tim, stranger) for page in pages)
    heard += json.dumps([told(tim, one), told(stranger, one), tim.get("/api/challenges").json()])
    heard += "".join(text for text in look_around(tim, his)) + server.printed()
    assert "How all did" not in heard
    assert [leg["results"] for leg in told(tim, one)["legs"]] == [[]]
    assert not re.search(rf'"total": {total}\b', heard)
    secret = secret_of(server, one)
    assert not [way for way in in_all_ways(secret) if way in heard]
    salt = dice.salt(f"challenge/{one}/knister", [])
    fell = [dice.throw(secret, salt, 256 * n, 2) for n in range(25)]
    later = [json.dumps(list(faces)).replace(" ", "") for faces in fell[3:] if faces not in fell[:3]]
    assert later
    assert not [faces for faces in later if f'"roll":{faces}' in heard.replace(" ", "")]
    assert not [faces for faces in later if f'"faces":{faces}' in heard.replace(" ", "")]
    record = [json.loads(line) for line in anna.get(f"/t/{hers}/record").text.splitlines()]
    assert [tuple(step["roll"]) for step in record if "roll" in step] == fell
    assert record[0]["dice"]["table"] == f"challenge/{one}/knister"
    assert "secret" not in record[0]["dice"]


def test_a_challenge_is_played_and_compared_side_by_side(phone: Phones):
    anna, tim = phone(), phone()
    one = challenge(anna, "yatzy15")
    assert "Your challenge" in anna.get(f"/challenge/{one}").text
    before = tim.get(f"/challenge/{one}").text
    assert "Anna challenges you" in before
    assert "Play these throws" in before
    totals = {name: finish(who, one, name) for who, name in ((anna, "Anna"), (tim, "Tim"))}
    page = tim.get(f"/challenge/{one}").text
    assert "How all did" in page
    assert re.search(r"Tim \(you\)", page)
    assert f">{totals['Anna']}<" in page
    assert "All sheets compared" in page
    state = told(tim, one)["legs"][0]
    assert {each["name"]: each["total"] for each in state["results"]} == totals
    assert [each["name"] for each in state["results"] if each["mine"]] == ["Tim"]
    assert (state["begun"], state["total"]) == (2, totals["Tim"])
    fun = begin(tim, one, "Tim")
    assert "This one is for fun." in tim.get(f"/t/{fun}").text
    table = begin(phone(), challenge(anna, "yatzy15"), "Lena")
    assert table


def test_the_end_of_a_try_leads_back_to_its_challenge(phone: Phones):
    anna = phone()
    one = challenge(anna, "yatzy15")
    table = begin(anna, one, "Anna")
    assert "This try counts." in anna.get(f"/t/{table}").text
    finish(anna, one, "Anna")
    page = anna.get(f"/t/{table}").text
    assert f'href="/challenge/{one}"' in page
    assert "How the others did" in page
    assert "/day/" not in page


def test_home_lists_what_is_to_be_played(phone: Phones):
    anna = phone()
    assert "Challenge somebody" in anna.get("/").text
    one = challenge(anna)
    assert f'href="/challenge/{one}"' in anna.get("/").text


def test_the_link_has_a_preview_in_the_senders_language(phone: Phones):
    one = challenge(phone())
    page = phone().get(f"/challenge/{one}?in=de").text
    assert (
        '<meta property="og:title" content="Anna fordert dich heraus: Knister, dieselben Würfe für alle.">' in page
    )
    assert f"/challenge/{one}?in=en" in page
    picture = re.search(r'og:image" content="[^"]*(/invitation/[^"]*)"', page)
    assert picture
    assert phone().get(picture[1]).headers["content-type"] == "image/png"


@pytest.mark.parametrize("path", ["/challenge/nothing", "/api/challenges/nothing", "/challenge/a%2Fb"])
def test_a_challenge_that_is_none_is_said_to_be_none(path: str, phone: Phones):
    answer = phone().get(path)
    assert answer.status_code in {404, 422}
    assert "Traceback" not in answer.text


def test_a_seat_is_taken_along_to_another_device(phone: Phones):
    anna, tablet = phone(), phone()
    table = begin(anna, challenge(anna), "Anna")
    secret = anna.seat_link(table)
    assert tablet.get(f"/t/{table}").status_code == 422
    assert tablet.get(f"/t/{table}/seat").status_code == 200
    assert tablet.post(f"/t/{table}/move", secret=secret).status_code == 303
    assert tablet.get(f"/t/{table}").status_code == 200


def test_programs_make_and_play_challenges(program: Callable[[], Program]):
    robot = program()
    made = robot.post("/challenges", {"name": "Robot", "game": "yatzy", "games": 3, "days": 1})
    assert made.status_code == 201, made.text
    one = made.json()["challenge"]
    assert [leg["dice"] for leg in made.json()["legs"]] == [
        f"challenge/{one}/yatzy",
        f"challenge/{one}.2/yatzy",
        f"challenge/{one}.3/yatzy",
    ]
    begun = robot.post(f"/challenges/{one}", {"name": "Robot", "leg": 2})
    assert begun.status_code == 201, begun.text
    robot.hold(begun.json()["token"])
    table = begun.json()["table"]
    thrown = robot.post(f"/tables/{table}/roll", {"turn": 0})
    assert thrown.status_code == 200
    for wrong in ({"name": "R", "leg": 4}, {"name": "R", "leg": 0}):
        problem = robot.post(f"/challenges/{one}", wrong)
        assert problem.status_code == 400
        assert problem.json()["error"]["code"] == "no_such_leg"
    problem = robot.post("/challenges", {"name": "R", "game": "chess"})
    assert (problem.status_code, problem.headers["content-type"]) == (400, "application/json")


async def test_the_bot_plays_the_same_throws_as_soon_as_somebody_has_finished(visit: Callable[..., Any]):
    client: httpx.AsyncClient = await visit()
    answer = await client.post("/challenge", data={"game": "yatzy15", "name": "Anna"})
    one = answer.headers["location"]
    table = (await client.post(one, data={"name": "Anna"})).headers["location"].removeprefix("/t/")
    while (state := (await client.get(f"/api/tables/{table}")).json())["next"] != "over":
        thrown = (await client.post(f"/api/tables/{table}/roll", json={"turn": state["turn"]})).json()
        box = next(do for do in thrown["seats"][0]["legal"] if do.startswith("fill"))
        pick = {"turn": thrown["turn"], "seat": 0, "step": 0, "do": box}
        await client.post(f"/api/tables/{table}/play", json=pick)
    deadline = time.monotonic() + 60
    while "Strongest bot" not in (page := (await client.get(one)).text) and time.monotonic() < deadline:
        time.sleep(0.05)
    best = (await client.get(one.replace("/challenge", "/api/challenges"))).json()["legs"][0]["best"]
    assert f"The strongest bot made {best} points with the same throws." in page
    assert re.search(rf"<td>{best}</td>", page), "its sheet stands beside one's own"
    luck = words("en").decimal(best - 248.44, sign=True, places=0)
    assert f"On average it makes 248: the luck of these dice is {luck}, the same for all." in page


def test_the_end_of_a_game_offers_its_throws_and_others_try_to_beat_its_total(
    phone: Phones, program: Callable[[], Program]
):
    anna, tim = phone(), phone()
    table = anna.open("Anna", game="yatzy15")
    play_out(anna, table)
    address, deadline = f"/challenge?table={table}", time.monotonic() + 60
    while address not in anna.get(f"/t/{table}").text:
        assert time.monotonic() < deadline
    total = anna.state(table)["seats"][0]["total"]
    assert f"the others try to beat your {total}." in anna.get(address).text
    answer = anna.post("/challenge", table=table, days="7")
    one = str(answer.headers["location"]).removeprefix("/challenge/")
    page = tim.get(f"/challenge/{one}").text
    assert f"Anna knows these throws: beat {total}!" in page
    assert f"Anna challenges you: Yatzy, 15 boxes. Beat {total}!" in page
    state = told(tim, one)
    assert (state["known"], state["legs"][0]["results"], state["legs"][0]["begun"]) == (total, [], 0)
    assert table not in page + json.dumps(state) + tim.get(f"/t/{begin(tim, one, 'Tim')}").text
    finish(tim, one, "Tim")
    page = tim.get(f"/challenge/{one}").text
    assert "How all did" in page
    assert table not in page
    assert {each["name"] for each in told(tim, one)["legs"][0]["results"]} == {"Anna", "Tim"}
    refused = program().post("/challenges", {"table": table})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "no_known_throws")
