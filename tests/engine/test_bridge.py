"""Engines at a table of a real server, through the client, beside people and beside each other."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kasta.client import Client, Refused, TableState
from kasta.client.bridge import Guest, play_at, read_link
from kasta.engine.process import EngineProcess
from kasta.errors import Unreadable
from kasta.games import OURS
from support.visitors import Server, faultless

HERE = Path(__file__).parent
HOPEFUL = shlex.join([sys.executable, str(HERE.parents[1] / "examples/engines/hopeful.py")])
CRASHING = shlex.join([sys.executable, str(HERE / "strange.py"), "crash"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with faultless(tmp_path_factory.mktemp("server")) as server:
        yield server


async def host_plays(client: Client, table: str, guests: int) -> TableState:
    """Wait until all sit, throw when it is the host's turn, and play the first thing that is legal."""
    async for _ in client.events(table):
        state = await client.state(table)
        if state.next == "over" and state.turn:
            return state
        if state.count <= guests:
            continue
        own = next(seat for seat in state.seats if seat.mine)
        try:
            if "throw" in state.may and state.roller == own.seat:
                await client.roll(table, state.turn)
            elif own.due:
                fills = [do for do in own.legal if not do.startswith("keep")]
                await client.play(table, state.turn, own.seat, own.step, fills[0])
        except Refused as refused:  # asked twice, since a server was killed before it answered
            if refused.status != 409:
                raise
    raise AssertionError("streams never end by themselves")


async def evening(server: Server, game: str, *commands: str) -> tuple[TableState, list[int | None], list[str]]:
    told: list[str] = []
    async with Client(server.url) as host:
        table = (await host.open(game)).table
        await host.sit(table, "Anna")
        engines = [EngineProcess(command, 60) for command in commands]
        guests = [
            play_at(f"{server.url}/t/{table}", Guest(engine, f"Guest {number}", told.append))
            for number, engine in enumerate(engines)
        ]
        try:
            async with asyncio.timeout(300):
                playing = asyncio.gather(*guests)
                state, totals = await asyncio.gather(host_plays(host, table, len(guests)), playing)
        finally:
            for engine in engines:
                engine.close()
        return state, totals, told


# Knaster is so long that its rate is limited.
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.prove] if game == "knaster" else []) for game in OURS]
)
async def test_an_engine_plays_a_whole_game_with_a_person(server: Server, game: str):
    state, totals, told = await evening(server, game, HOPEFUL)
    guest = next(seat for seat in state.seats if seat.name == "Guest 0")
    assert guest.program
    assert not next(seat for seat in state.seats if seat.name == "Anna").program
    assert totals == [guest.total]
    assert [line for line in told if "quick player" in line] == []


async def test_an_engine_that_crashes_neither_holds_up_the_table_nor_gets_points_of_another(server: Server):
    state, totals, told = await evening(server, "knister", HOPEFUL, CRASHING)
    assert state.next == "over"
    assert totals[0] is not None
    assert totals[1] is None
    assert next(seat for seat in state.seats if seat.name == "Guest 1").left
    assert "The engine has ended by itself. The quick player takes its turn." in told[2]
    assert told[-1] == "crash has failed too often in a row, and gives its seat up."


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.prove)])
async def test_an_engine_plays_on_when_the_server_is_killed_in_the_middle_of_a_game(tmp_path: Path, kills: int):
    """The table waited for its seat for ever: only the stream was asked for again."""
    with faultless(tmp_path) as server:
        async with Client(server.url) as host:
            table = (await host.open("knister")).table
            await host.sit(table, "Anna")
            guest = Guest(EngineProcess(HOPEFUL, 60), "Robot", lambda _: None)
            playing = asyncio.create_task(play_at(f"{server.url}/t/{table}", guest))
            hosting = asyncio.create_task(host_plays(host, table, 1))
            for number in range(kills):
                turn = 1 + number * 24 // kills
                while (await host.state(table)).turn < turn:
                    assert not hosting.done()
                    assert not playing.done()
                    await asyncio.sleep(0.01)
                assert server.process
                server.process.kill()
                server.process.wait()
                await asyncio.to_thread(server.start)
            state = await asyncio.wait_for(hosting, 300)
            robot = next(seat for seat in state.seats if seat.name == "Robot")
            assert await asyncio.wait_for(playing, 60) == robot.total
            assert (state.turn, state.count) == (25, 2)
            guest.engine.close()


async def test_an_engine_plays_on_in_its_seat_after_an_interruption(server: Server):
    kept: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with Client(server.url) as host:
        table = (await host.open("knister")).table
        await host.sit(table, "Anna")
        link, guest = f"{server.url}/t/{table}", Guest(EngineProcess(HOPEFUL, 60), "Robot", lambda _: None)
        first = asyncio.create_task(play_at(link, guest, keep=kept.set_result))
        token = await asyncio.wait_for(kept, 60)
        first.cancel()
        await asyncio.wait([first])
        again = asyncio.create_task(play_at(link, guest, token))
        state = await asyncio.wait_for(host_plays(host, table, 1), 120)
        assert await asyncio.wait_for(again, 60) == next(
            seat.total for seat in state.seats if seat.name == "Robot"
        )
        assert state.count == 2
        guest.engine.close()


@pytest.mark.parametrize("text", ["", "localhost/t/x", "ftp://host/t/x", "http:///t/x", "http://host"])
def test_what_is_no_link_is_said_to_be_none(text: str):
    with pytest.raises(Unreadable):
        read_link(text)
