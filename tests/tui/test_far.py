"""At a table of a server, from the terminal: a real server, and real connections."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from kasta import GAMES
from kasta.client import Client
from kasta.errors import Illegal
from kasta.i18n import words
from kasta.tables.events import Settings
from kasta.tui.far import Far
from kasta.tui.plain import PlainGame
from kasta.tui.sitting import own_to_act
from support.visitors import Server, faultless

QUICK = ("knister", "yatzy")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with faultless(tmp_path_factory.mktemp("server")) as server:
        yield server


async def play_first(far: Far) -> list[str]:
    """Play line by line: the first thing that is legal, and Enter where the dice are to be thrown."""
    told: list[str] = []

    async def read(_prompt: str) -> str | None:
        seat = own_to_act(await far.state())
        return seat.legal[-1] if seat else ""

    await PlainGame(far, words("en"), read, told.append).play()
    return told


@pytest.mark.parametrize("game", GAMES)
async def test_two_terminals_play_a_whole_game_at_a_server(server: Server, game: str):
    async with Client(server.url) as host:
        table = (await host.open(game)).table
        link = f"{server.url}/t/{table}"
        ada, bo = await Far.join(link, "Ada"), await Far.join(link, "Bo")
        try:
            both = asyncio.gather(play_first(ada), play_first(bo))
            await host.roll(table, 0)
            hers, his = await both
            state = await ada.state()
        finally:
            await ada.close()
            await bo.close()
    for told in (hers, his):
        assert any(f"Bo {state.seats[1].total}" in line for line in told[-2:])


async def test_a_record_is_read_once_for_all_that_is_shown_of_a_throw(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    """Servers give it so often and no more: then a terminal would stand still."""
    host, read = Client(server.url), list[list[str]]()
    table = (await host.open("yatzy15")).table
    far = await Far.join(f"{server.url}/t/{table}", "Ada")
    record = far.record

    async def noted() -> list[str]:
        read.append(await record())
        return read[-1]

    monkeypatch.setattr(far, "record", noted)
    try:
        await host.sit(table, "Bo")
        await host.roll(table, 0)
        state = await far.state()
        sheets = [await far.sheet(state, seat) for seat in (0, 1, 0)]
        assert len(read) == 1
        assert sheets[0] == sheets[2] != sheets[1]
        seat = own_to_act(state)
        assert seat is not None
        await far.play(state, seat, seat.legal[-1])
        assert await far.sheet(await far.state(), 0) != sheets[0]
        assert len(read) == 2
    finally:
        await far.close()
        await host.aclose()


async def test_the_sheet_is_what_the_server_has_also_between_two_picks(server: Server):
    host = Client(server.url)
    table = (await host.open("knaster")).table
    far = await Far.join(f"{server.url}/t/{table}", "Ada")
    try:
        await host.roll(table, 0)
        state = await far.state()
        seat = own_to_act(state)
        assert seat is not None
        thrown = await far.sheet(state, 0)
        assert thrown.sum == sum(state.faces)
        with pytest.raises(Illegal, match="z9"):
            await far.play(state, seat, "z9")
        await far.play(state, seat, "c3")
        assert (await far.sheet(await far.state(), 0)).numbers[12] == sum(state.faces)
    finally:
        await far.close()
        await host.aclose()


async def test_the_server_gives_hints_where_its_table_allows_them_and_a_review_at_the_end(server: Server):
    async with Client(server.url) as host:
        table = (await host.open("yatzy", settings=Settings(coach="live"))).table
        far = await Far.join(f"{server.url}/t/{table}", "Ada", "sv")
        try:
            await host.roll(table, 0)
            state = await far.state()
            best, *others = await far.hint(state, state.seats[0])
            assert best.do in state.seats[0].legal
            assert best.value >= others[0].value
            await host.configure(table, Settings(coach="after"))
            with pytest.raises(Illegal, match="tränaren tyst"):
                await far.hint(state, state.seats[0])
            with pytest.raises(Illegal, match="Spelet är inte slut"):
                await far.review(state)
            await play_first(far)
            (review,) = await far.review(await far.state())
            assert (review.name, review.total) == ("Ada", (await far.state()).seats[0].total)
            assert review.lost > 0
        finally:
            await far.close()


async def test_a_room_is_entered_by_the_server_and_its_code(server: Server):
    async with Client(server.url) as host:
        opened = await host.open("knister", room=True)
        far = await Far.join(f"{server.url}/{opened.code}", "Ada")
        await far.close()
        assert [seat.name for seat in (await host.state(opened.table)).seats] == ["Ada"]


def test_a_server_that_does_not_answer_is_told_in_a_sentence():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kasta", "play", f"http://127.0.0.1:{port}/t/abc"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "The server does not answer" in done.stderr
    assert "Traceback" not in done.stderr
