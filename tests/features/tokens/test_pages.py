"""The page for tokens: named, shown once, revoked, in every language and without a script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.identity import Signer
from kasta.i18n import LANGUAGES, words
from support.addresses import Address, every_address

Visits = Callable[..., Any]
FROM_HERE = {"origin": "http://kasta.test"}


async def test_a_person_names_sees_and_revokes_tokens(visit: Visits):
    client = await visit()
    assert "Your tokens" not in (await client.get("/tokens")).text
    made = await client.post("/tokens", data={"name": " My <bot> "}, headers=FROM_HERE)
    token = re.search(r'<code class="token-made">([^<]+)</code>', made.text)
    assert token is not None
    assert made.headers["cache-control"] == "no-store"
    listed = (await client.get("/tokens")).text
    assert "My &lt;bot&gt;" in listed
    assert token[1] not in listed
    bot = await visit()
    headers = {"authorization": f"Bearer {token[1]}"}
    opened = await bot.post("/api/tables", json={"game": "knister"}, headers=headers)
    assert (await client.get(f"/api/tables/{opened.json()['table']}")).json()["may"].count("configure") == 1
    for path in ("/tokens", "/tokens/revoke"):
        refused = await bot.post(path, data={"name": "more"}, headers=headers | FROM_HERE)
        assert refused.status_code == 422
    found = re.search(r'name="token" value="([^"]+)"', listed)
    assert found is not None
    answer = await client.post("/tokens/revoke", data={"token": found[1]}, headers=FROM_HERE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/tokens")
    assert (await bot.get("/api/tokens", headers=headers)).status_code == 401
    assert "Your tokens" not in (await client.get("/tokens")).text


async def test_nobody_sees_anothers_tokens_or_posts_from_elsewhere(visit: Visits):
    anna, eve = await visit(), await visit()
    for client in (anna, eve):
        await client.get("/tokens")
    await anna.post("/tokens", data={"name": "Rosie"}, headers=FROM_HERE)
    assert "Rosie" not in (await eve.get("/tokens")).text
    assert (
        await anna.post("/tokens", data={"name": "x"}, headers={"origin": "http://evil.test"})
    ).status_code == 403
    too_long = await anna.post("/tokens", data={"name": ""}, headers=FROM_HERE)
    assert too_long.status_code == 400
    assert "A name has 1 to" in too_long.text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_page_and_the_list_of_tables_are_offered_in_every_language(visit: Visits, language: str):
    client, said = await visit(), words(language)
    headers = {"accept-language": language}
    page = (await client.get("/tokens", headers=headers)).text
    assert f"<h1>{said.say('Tokens for programs')}</h1>" in page
    assert (
        f'href="/tokens">{said.say("Tokens for programs")}' in (await client.get("/games", headers=headers)).text
    )
    assert (
        said.say("also strangers and their programs") in (await client.get("/new/knister", headers=headers)).text
    )


async def test_a_table_that_strangers_may_find_is_among_the_open_ones(visit: Visits):
    client = await visit()
    opened = await client.post("/new/knister", data={"name": "Anna", "listed": "on"}, headers=FROM_HERE)
    table = opened.headers["location"].rpartition("/")[2]
    tables = (await (await visit()).get("/api/tables")).json()["tables"]
    assert table in {each["table"] for each in tables}
    await client.post(f"/t/{table}/settings", data={"listed": "off"}, headers=FROM_HERE)
    tables = (await (await visit()).get("/api/tables")).json()["tables"]
    assert table not in {each["table"] for each in tables}


async def test_a_named_token_is_never_told_its_devices_own_token(visit: Visits, app_log: MemoryLog):
    """Else it could go on after it was revoked, and make named tokens itself."""
    person, program = await visit(), await visit()
    own = (await program.post("/api/tables", json={"game": "knister"})).json()["token"]
    owner = {"authorization": f"Bearer {own}"}
    named = (await person.post("/api/tokens", json={"name": "bot"}, headers=owner)).json()["token"]
    headers, said = {"authorization": f"Bearer {named}"}, list[str]()
    opened = await program.post("/api/tables", json={"game": "knister"}, headers=headers)
    seats = f"/api/tables/{opened.json()['table']}/seats"
    day = (await program.get("/api/days", headers=headers)).json()[0]
    for answer in (
        opened,
        await program.post(seats, json={"name": "Rosie"}, headers=headers),
        await program.post(seats, json={"name": "Ludwig", "bot": "random"}, headers=headers),
        await program.post(f"/api/days/{day['game']}/{day['day']}", json={"name": "Rosie"}, headers=headers),
    ):
        said.append(answer.text + str(answer.headers))
    assert opened.json()["token"] == named
    assert not [text for text in said if own in text]
    assert Signer(await app_log.key("signing", b"")).token(own.partition(".")[0]) == own


BODIES: dict[str, dict[str, Any]] = {  # of calls that need more than a name
    "/api/tables": {"game": "knister", "room": True},
    "rename": {"seat": 0, "name": "Ludwig"},
    "roll": {"turn": 0},
    "play": {"turn": 1, "seat": 0, "step": 0, "do": "c3"},
    "take-back": {"turn": 1, "seat": 0, "step": 1},
    "settings": {"pace": 60, "coach": "live"},
    "extend": {"turn": 1, "seat": 0},
    "replace": {"seat": 0, "bot": "anything"},
    "leave": {"seat": 0},
    "show-review": {"seat": 0, "shown": True},
    "host": {"seat": None},
    "hint": {"seat": 0},
    "close": {},
    "rematch": {},
    "remove-recent": {},
}
ACTIONS = ("roll", "play", "rename", "settings", "lock", "first", "code", "bot", "wait", "end", "rematch", "agree")
ORDER = (
    "roll",
    "play",
    "take-back",
    "hint",
    "extend",
    "replace",
    "leave",
    "close",
    "end",
    "review",
    "rematch",
)  # what comes last, since it changes most


async def test_no_answer_to_a_named_token_holds_its_devices_own(visit: Visits):
    """Whichever address is asked, of every feature, for whatever the device has; nor is the device named.

    Streams end only with a real server: those are asked in tests/client.
    """
    person, program = await visit(), await visit()
    opened = (await program.post("/api/tables", json={"game": "knister", "room": True})).json()
    own, table = opened["token"], opened["table"]
    owner = {"authorization": f"Bearer {own}"}
    await program.post(f"/api/tables/{table}/seats", json={"name": "Rosie"}, headers=owner)
    named = (await person.post("/api/tokens", json={"name": "bot"}, headers=owner)).json()["token"]
    headers = {"authorization": f"Bearer {named}", "origin": "http://kasta.test"}
    day = min(each["day"] for each in (await program.get("/api/days", headers=headers)).json())
    circle = (await person.post("/api/circles", json={"circle": "Us", "name": "Rosie"}, headers=owner)).json()
    known = (await program.get(f"/api/circles/{circle['circle']}", headers=headers)).json()
    made = await program.post("/api/challenges", json={"name": "Rosie", "game": "knister"}, headers=headers)
    filled = {
        "circle": circle["circle"],
        "member": known["me"],
        "challenge": made.json()["challenge"],
        "secret": known["link"].rpartition("/")[2],
        "table": table,
        "game": "knister",
        "day": day,
        "code": opened["code"],
        "name": "0.svg",
        "number": "1",
    }
    asked = [
        each for action in ACTIONS for each in every_address({**filled, "action": action}) if not each.is_stream
    ]
    done = Counter[bool]()
    for address in sorted(set(asked), key=lambda each: (_turn(each), each)):
        wanted = BODIES.get(address.path) or BODIES.get(_last(address), {"name": "Ludwig"})
        form = {
            "seat": "0",
            "turn": "0",
            "step": "0",
            "name": "Ludwig",
            **{key: str(wanted[key]) for key in wanted},
        }
        body = {} if address.method != "POST" else {"json": wanted} if address.is_api else {"data": form}
        answer = await program.request(address.method, address.path, headers=headers, **body)
        told = (answer.text + str(answer.headers)).replace(named, "")  # which it may be told
        assert own not in told, address
        assert own.partition(".")[0] not in told, address
        assert answer.status_code < 500, address
        done[address.is_api] += answer.status_code in {200, 201, 303}
    assert done[True] >= 18
    assert done[False] >= 40


def _last(address: Address) -> str:
    return address.path.rpartition("/")[2]


def _turn(address: Address) -> int:
    return ORDER.index(_last(address)) if _last(address) in ORDER else -1


async def test_a_named_token_cannot_move_or_delete_what_its_device_has(visit: Visits):
    person, program = await visit(), await visit()
    opened = (await program.post("/api/tables", json={"game": "knister"})).json()
    owner = {"authorization": f"Bearer {opened['token']}"}
    await person.post(f"/api/tables/{opened['table']}/seats", json={"name": "Anna"}, headers=owner)
    named = (await person.post("/api/tokens", json={"name": "bot"}, headers=owner)).json()["token"]
    circle = (await person.post("/api/circles", json={"circle": "Us", "name": "Anna"}, headers=owner)).json()[
        "circle"
    ]
    secret = (await person.get(f"/api/circles/{circle}", headers=owner)).json()["link"].rpartition("/")[2]
    key = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    told = {"endpoint": "https://push.example.org/x", "p256dh": key, "auth": "8eDyX_uCN0XRhSbY5hs7Hg"}
    fields = {"seat": "0", "circle": "Us", "name": "Anna", "zone": "UTC", "hour": "7", **told}
    paths = [
        *("/games/link", "/games/delete", "/games/take", f"/t/{opened['table']}/seat-link"),
        *("/circles", f"/circles/join/{secret}", f"/circles/device/{circle}"),
        *(f"/circle/{circle}/{action}" for action in ("new-link", "season", "remove", "device", "leave")),
        *("/notices", "/notices/renew", "/notices/stop"),
    ]
    for path in paths:
        answer = await program.post(path, data=fields, headers={"authorization": f"Bearer {named}"})
        assert (answer.status_code, "Only your own token can do that" in answer.text) == (422, True), path
        allowed = await program.post(path, data=fields, headers=owner)
        assert "Only your own token" not in allowed.text
