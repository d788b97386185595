"""The page for tokens: named, shown once, revoked, in every language and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from kasta.app import OURS
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.identity import Signer
from kasta.i18n import LANGUAGES, words
from kasta.live import routes

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


async def test_no_answer_to_a_named_token_holds_its_devices_own(visit: Visits):
    """Whichever address is asked, for whatever the device has."""
    person, program = await visit(), await visit()
    opened = (await program.post("/api/tables", json={"game": "knister", "room": True})).json()
    own, table = opened["token"], opened["table"]
    owner = {"authorization": f"Bearer {own}"}
    await program.post(f"/api/tables/{table}/seats", json={"name": "Rosie"}, headers=owner)
    named = (await person.post("/api/tokens", json={"name": "bot"}, headers=owner)).json()["token"]
    headers = {"authorization": f"Bearer {named}", "origin": "http://kasta.test"}
    day = (await program.get("/api/days", headers=headers)).json()[0]["day"]
    filled = {"table": table, "game": "knister", "day": day, "seat": "0", "code": opened["code"]}
    handlers = [("", page) for each in OURS for page in each.pages] + [
        ("/api", call) for each in OURS for call in each.api
    ]
    handlers += [("", page) for page in routes.HANDLERS]
    asked = 0
    for before, handler in handlers:
        for path, method in product(handler.paths, handler.http_methods):
            if path.endswith("/stream"):
                continue  # which does not end
            address = re.sub(r"\{(\w+)(:\w+)?\}", lambda found: filled.get(found[1], "x"), before + path)
            body = {"json": {"name": "Ludwig"}} if before else {"data": {"seat": "0"}}
            answer = await program.request(method, address, headers=headers, **(body if method == "POST" else {}))
            assert own not in answer.text + str(answer.headers), address
            asked += answer.status_code in {200, 201, 303}
    assert asked > 30


async def test_a_named_token_cannot_move_or_delete_what_its_device_has(visit: Visits):
    person, program = await visit(), await visit()
    opened = (await program.post("/api/tables", json={"game": "knister"})).json()
    owner = {"authorization": f"Bearer {opened['token']}"}
    await person.post(f"/api/tables/{opened['table']}/seats", json={"name": "Anna"}, headers=owner)
    named = (await person.post("/api/tokens", json={"name": "bot"}, headers=owner)).json()["token"]
    for path in ("/games/link", "/games/delete", "/games/take", f"/t/{opened['table']}/seat-link"):
        answer = await program.post(path, data={"seat": "0"}, headers={"authorization": f"Bearer {named}"})
        assert (answer.status_code, "Only your own token can do that" in answer.text) == (422, True), path
        allowed = await program.post(path, data={"seat": "0"}, headers=owner)
        assert "Only your own token" not in allowed.text
