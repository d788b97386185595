"""The client against a real server: whole games, streams that go on, tokens, open tables."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from io import BytesIO
from random import Random

import httpx
import pytest

from kasta.client import Client, Refused
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.identity import Signer
from kasta.features.tokens import service as tokens
from kasta.features.tokens.service import MOST
from kasta.games import OURS
from kasta.record import replay
from kasta.tables.events import Acted, Rolled, Settings
from support.visitors import Server


@pytest.mark.parametrize("game", OURS)
async def test_a_whole_game_is_played_and_its_record_agrees(server: Server, game: str):
    rng = Random(game)
    async with Client(server.url) as client:
        table = (await client.open(game)).table
        state = (await client.sit(table, "Anna")).state
        while state.next != "over":
            if state.next == "throw":
                state = await client.roll(table, state.turn)
            else:
                own = state.seats[0]
                ends = [do for do in own.legal if not do.startswith("keep")]
                state = await client.play(table, state.turn, own.seat, own.step, rng.choice(ends))
        end = replay(BytesIO(await client.record(table)))
        assert end.game.total(end.table, 0) == state.seats[0].total


async def test_events_follow_in_order_from_where_one_asks(server: Server):
    async with Client(server.url) as client:
        table = (await client.open("knister")).table
        await client.sit(table, "Anna")
        await client.roll(table, 0)
        await client.play(table, 1, 0, 0, "c3")
        heard = []
        async for seq, event in client.events(table, after=2):
            heard.append((seq, event))
            if isinstance(event, Acted):
                break
        assert [seq for seq, _ in heard] == [3, 4]
        assert isinstance(heard[0][1], Rolled)
        async for told in client.throws(table):
            assert (told.turn, told.owing, told.over) == (1, 0, False)
            break


async def test_a_stream_goes_on_after_its_connection_is_lost():
    """The second answer begins where the first one broke off; an answer of a proxy in between is waited out."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers["last-event-id"])
        if len(asked) == 2:
            return httpx.Response(503, text="gone for a moment")
        first = int(asked[-1]) + 1
        lines = [
            f'id: {seq}\ndata: {{"kind":"rolled","turn":{seq},"faces":[1,2]}}\n\n' for seq in (first, first + 1)
        ]
        return httpx.Response(200, text=": welcome\n\n" + "".join(lines))

    async with Client("http://kasta.test", transport=httpx.MockTransport(answer)) as client:
        heard = []
        async for seq, _ in client.events("t"):
            heard.append(seq)
            if len(heard) == 4:
                break
    assert heard == [1, 2, 3, 4]
    assert asked == ["0", "2", "2"]


async def test_what_is_too_often_is_tried_again_when_the_server_says():
    tries: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tries.append(request.url.path)
        if len(tries) < 3:
            about = {"kind": "illegal", "code": "too_many_requests", "message": "Later."}
            return httpx.Response(429, json={"error": about}, headers={"retry-after": "0"})
        return httpx.Response(200, json={"games": []})

    async with Client("http://kasta.test", transport=httpx.MockTransport(answer)) as client:
        assert await client.games() == []
    assert len(tries) == 3


async def test_what_a_server_was_told_while_it_was_gone_is_told_again():
    """Not what would be done twice, unless nobody has heard it; and nobody waits for one that was never there."""
    tries: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tries.append(request.url.path)
        if len(tries) in {2, 4}:
            raise httpx.ReadError("gone")
        if len(tries) == 3:
            return httpx.Response(502)
        return httpx.Response(200, json={"tokens": []})

    async with Client("http://kasta.test", transport=httpx.MockTransport(answer)) as client:
        assert await client.tokens() == []
        assert await client.revoke_token("a") == []
        assert len(tries) == 5
        tries.clear()
        await client.tokens()
        with pytest.raises(httpx.ReadError):
            await client.open("knister")
    tries[:] = ["one"]
    async with Client("http://kasta.test", transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(httpx.ReadError):
            await client.tokens()


async def test_a_refusal_has_its_code_and_its_sentence(server: Server):
    async with Client(server.url) as client:
        with pytest.raises(Refused, match="no such table") as caught:
            await client.state("nowhere")
        assert (caught.value.status, caught.value.code) == (404, "no_such_table")


async def test_a_named_token_acts_for_its_device_until_it_is_revoked(server: Server):
    async with Client(server.url) as anna:
        table = (await anna.open("knister")).table
        await anna.sit(table, "Anna")
        made = await anna.make_token("my bot")
        assert [(token.id, token.name) for token in await anna.tokens()] == [(made.id, "my bot")]
        async with Client(server.url, made.token) as bot:
            assert (await bot.state(table)).seats[0].mine
            assert (await bot.roll(table, 0)).turn == 1
            for attempt in (bot.make_token("more"), bot.tokens(), bot.revoke_token(made.id)):
                with pytest.raises(Refused) as caught:
                    await attempt
                assert caught.value.code == "named_token"
            assert await anna.revoke_token(made.id) == []
            with pytest.raises(Refused) as caught:
                await bot.state(table)
            assert (caught.value.status, caught.value.code) == (401, "bad_token")


async def test_a_stream_ends_when_its_named_token_is_revoked(server: Server):
    async with Client(server.url) as anna:
        table = (await anna.open("knister")).table
        for throws in (0, 1):
            stream = f"{server.url}/api/tables/{table}/stream?throws={throws}"
            made = await anna.make_token("bot")
            headers = {"authorization": f"Bearer {made.token}"}
            async with httpx.AsyncClient(timeout=60) as bot, bot.stream("GET", stream, headers=headers) as told:
                lines = told.aiter_lines()
                assert await anext(lines) == ": welcome"
                await anna.revoke_token(made.id)
                async for _ in lines:
                    pass
                assert (await bot.get(stream, headers=headers)).status_code == 401


async def test_a_token_that_another_process_revokes_holds_no_stream_for_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokens, "LOOK_SECONDS", 0.01)
    async with MemoryLog() as log:
        here, there = (tokens.Tokens(log, Signer(bytes(32))) for _ in range(2))
        made, _ = await here.make("device", "bot")
        waiting = asyncio.create_task(here.revoked("device", made))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await there.revoke("device", made)
        await asyncio.wait_for(waiting, 60)


async def test_nobody_makes_revokes_or_forges_another_ones_token(server: Server):
    async with Client(server.url) as anna, Client(server.url) as eve, Client(server.url) as stranger:
        for client in (anna, eve):
            await client.open("knister")
        made = await anna.make_token("hers")
        for attempt, code in (
            (eve.revoke_token(made.id), "no_such_token"),
            (stranger.make_token("x"), "bad_token"),
        ):
            with pytest.raises(Refused) as caught:
                await attempt
            assert caught.value.code == code
        device, number, signature = made.token.split(".")
        for forged in (
            f"{device}.x{number[1:]}.{signature}",
            f"{device}.{number}.{signature[:-2]}xx",
            f"{device}.{number}.",
        ):
            async with Client(server.url, forged) as forger:
                with pytest.raises(Refused) as caught:
                    await forger.tokens()
                assert caught.value.status == 401


async def test_a_device_has_so_many_named_tokens_and_no_more(server: Server):
    async with Client(server.url) as anna:
        await anna.open("knister")
        for number in range(MOST):
            await anna.make_token(f"bot {number}")
        with pytest.raises(Refused) as caught:
            await anna.make_token("one more")
        assert caught.value.code == "enough_tokens"


async def test_only_tables_of_hosts_who_want_it_are_listed_while_seats_are_free(server: Server):
    async def listed(client: Client) -> set[str]:
        return {each.table for each in await client.open_tables()}

    async with Client(server.url) as host, Client(server.url) as stranger:
        private = (await host.open("knister")).table
        public = (await host.open("knister", settings=Settings(listed=True))).table
        assert public in await listed(stranger)
        assert private not in await listed(stranger)
        await host.configure(private, Settings(listed=True))
        await host.configure(public, Settings())
        assert private in await listed(stranger)
        assert public not in await listed(stranger)
        await host.sit(private, "Anna")
        await host.roll(private, 0)
        assert private not in await listed(stranger), "the game has begun"


LEAVES = """
import asyncio, sys
from kasta.client import Client

async def main():
    async with Client(sys.argv[1]) as client:
        table = (await client.open("knister")).table
        await client.sit(table, "Anna")
        async for seq, event in client.events(table):
            print(seq)
            break
    async for seq, event in Client(sys.argv[1]).events(table):
        break

asyncio.run(main())
"""


def test_who_leaves_a_stream_hears_no_complaint_when_the_program_ends(server: Server):
    """RuntimeError: aclose(): asynchronous generator is already running."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", LEAVES, server.url], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "error" not in done.stderr.lower(), done.stderr
