"""Bots think in a process of their own; the quick bot answers for one that takes too long."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from kasta.bots.base import at_level, bots_of, look
from kasta.games import find_game
from kasta.games.traits import find_valuer
from kasta.jobs.bots import BotProcesses
from kasta.tables.state import Table
from support.room import Room

pytestmark = pytest.mark.usefixtures("own_solutions")


@pytest.fixture
async def bot_process() -> AsyncIterator[BotProcesses]:
    made = BotProcesses(most=1)
    yield made
    made.close()


def large_straight() -> Room:
    """Anna has thrown 2 3 4 5 6 at once: nothing is better than to write it down."""
    room = Room("Anna", "Tim", game="yatzy")
    room.roll(2, 3, 4, 5, 6)
    return room


async def chosen(bots: BotProcesses, bot: str, table: Table) -> str:
    """What a bot does in the first seat."""
    game = table.game
    return await bots.choose(bot, look(game, table.play, 0), game.legal(table.play, 0), table.host)


async def test_the_best_bot_answers_from_its_process(bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    bot_process.warm("best", find_game("yatzy"))
    assert await chosen(bot_process, "best", large_straight().table) == "fill large_straight"


async def test_the_quick_bot_answers_for_one_that_takes_too_long(
    bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 0.0)
    room = large_straight()
    legal = [str(action) for action in room.table.game.legal(room.table.play, 0)]
    assert await chosen(bot_process, "best", room.table) in legal


@pytest.mark.parametrize("spare", [0, 3, 6, 10])
async def test_another_bot_answers_where_no_process_can_begin(bot_process: BotProcesses, spare: int):
    """Where the machine has hardly any files left: a table goes on, and so does who seats a bot."""
    room, limits = large_straight(), resource.getrlimit(resource.RLIMIT_NOFILE)
    spokesman = bots_of(room.table.game).spokesman
    legal = room.table.game.legal(room.table.play, 0)
    spokesman.choose(
        look(room.table.game, room.table.play, 0), legal, random.Random(0)
    )  # it has read what it needs
    os.close(free := os.dup(0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + spare, limits[1]))
    try:
        bot_process.warm("best", room.table.game)
        found = await chosen(bot_process, "best", room.table)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert found in map(str, legal)


@pytest.mark.parametrize(
    ("game", "dice", "sensible"),
    [
        ("yatzy", (1, 3, 5, 6, 6), "keep 6 6"),
        ("yatzy15", (2, 2, 2, 5, 6), "keep 2 2 2"),
        ("maxi", (1, 2, 4, 5, 5, 5), "keep 5 5 5"),
        ("yatzy", (3, 3, 3, 3, 3), "fill yatzy"),
    ],
)
async def test_who_speaks_for_a_bot_on_blocks_throws_again_rather_than_fill_chance(
    bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch, game: str, dice: tuple[int, ...], sensible: str
):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 0.0)
    room = Room("Anna", "Tim", game=game)
    room.roll(*dice)
    assert await chosen(bot_process, "best", room.table) == sensible


async def test_a_process_that_is_late_is_waited_for_once_and_asked_again_when_it_answers(
    bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    await chosen(bot_process, "best", large_straight().table)
    (thinker,) = bot_process._thinkers  # noqa: SLF001 - to keep it busy, as if it compiled
    busy = thinker.ask(time.sleep, 2)
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 0.1)
    for _ in range(4):
        await chosen(bot_process, "best", large_straight().table)
    assert caplog.messages == ["another bot answers: TimeoutError"]
    await busy
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    assert await chosen(bot_process, "best", large_straight().table) == "fill large_straight"


async def test_every_strength_plays_every_game(bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    for game, faces in (("knister", (3, 4)), ("knaster", (3, 4)), ("yatzy", (1, 2, 3, 4, 6))):
        room = Room("Anna", game=game)
        room.roll(*faces)
        legal = [str(action) for action in room.table.game.legal(room.table.play, 0)]
        for bot in ("weak", "middling", "strong"):
            assert await chosen(bot_process, at_level(bot, room.table.game), room.table) in legal


async def test_who_stands_in_goes_by_the_values_that_hints_go_by(
    bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    for game, faces in (("yatzy", (1, 3, 3, 4, 6)), ("knister", (3, 4)), ("knaster", (3, 4))):
        room = Room("Anna", game=game)
        room.roll(*faces)
        found, view = room.table.game, look(room.table.game, room.table.play, 0)
        done = await bot_process.choose(None, view, found.legal(room.table.play, 0), room.table.host)
        options = {str(each.action): each for each in find_valuer(found).options(view.sheet)}
        best = next(iter(options.values()))
        assert options[done].value == pytest.approx(best.value, abs=0.3), "some are nearly alike"


async def ask(bots: BotProcesses, host: str, count: int, order: list[str]) -> None:
    """So many tables of one client ask at once; who was answered is written down."""
    table = replace(large_straight().table, host=host)

    async def one() -> None:
        await chosen(bots, "best", table)
        order.append(host)

    await asyncio.gather(*(one() for _ in range(count)))


async def test_a_client_with_many_tables_does_not_keep_anothers_bot_waiting(
    bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    order: list[str] = []
    await asyncio.gather(ask(bot_process, "eve", 6, order), ask(bot_process, "tim", 1, order))
    assert order.index("tim") <= 2, order
    assert len(order) == 7


async def test_another_process_is_begun_where_bots_wait_long_and_only_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    monkeypatch.setattr("kasta.jobs.workers.SLOW_SECONDS", 600.0)
    bots = BotProcesses(most=2)
    await ask(bots, "anna", 4, [])
    assert len(bots._thinkers) == 1  # noqa: SLF001
    monkeypatch.setattr("kasta.jobs.workers.SLOW_SECONDS", 0.0)
    await ask(bots, "anna", 4, [])
    assert len(bots._thinkers) == 2  # noqa: SLF001
    bots.close()


async def test_a_process_that_was_killed_is_replaced(bot_process: BotProcesses, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.jobs.bots.PATIENCE_SECONDS", 600.0)
    bot_process.warm("best", find_game("yatzy"))
    (thinker,) = bot_process._thinkers  # noqa: SLF001
    os.kill(await thinker.ask(os.getpid), signal.SIGKILL)
    table = large_straight().table
    assert await chosen(bot_process, "best", table) in {str(each) for each in table.game.legal(table.play, 0)}
    assert await chosen(bot_process, "best", table) == "fill large_straight"


SERVER = """
import asyncio, os, time
from kasta.jobs.workers import Thinker
async def main():
    print(await Thinker(lambda: None).ask(os.getpid), flush=True)
    time.sleep(600)
if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_killed_server_leaves_no_process_behind(tmp_path: Path):
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        worker = int(server.stdout.readline())
        server.kill()
    while Path(f"/proc/{worker}").exists():
        time.sleep(0.05)
