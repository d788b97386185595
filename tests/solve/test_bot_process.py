"""Bots think in a process of their own; the quick bot answers for one that takes too long."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from room import Room

from kasta.bots.base import at_level
from kasta.games import find_game
from kasta.table.bot_process import BotProcess


@pytest.fixture
async def bot_process() -> AsyncIterator[BotProcess]:
    made = BotProcess()
    yield made
    made.close()


def large_straight() -> Room:
    """Anna has thrown 2 3 4 5 6 at once: nothing is better than to write it down."""
    room = Room("Anna", "Tim", game="yatzy")
    room.roll(2, 3, 4, 5, 6)
    return room


async def test_the_best_bot_answers_from_its_process(bot_process: BotProcess, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.table.bot_process.PATIENCE_SECONDS", 600.0)
    bot_process.warm("best", find_game("yatzy"))
    assert await bot_process.choose("best", large_straight().table, 0) == "fill large_straight"


async def test_the_quick_bot_answers_for_one_that_takes_too_long(
    bot_process: BotProcess, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.table.bot_process.PATIENCE_SECONDS", 0.0)
    room = large_straight()
    legal = [str(action) for action in room.table.game.legal(room.table.play, 0)]
    assert await bot_process.choose("best", room.table, 0) in legal


async def test_a_process_that_is_late_is_waited_for_once_and_asked_again_when_it_answers(
    bot_process: BotProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    monkeypatch.setattr("kasta.table.bot_process.PATIENCE_SECONDS", 0.1)
    pool = bot_process._ready()  # noqa: SLF001 - to keep it busy, as if it compiled
    busy = pool.submit(time.sleep, 2)
    for _ in range(4):
        await bot_process.choose("best", large_straight().table, 0)
    assert caplog.messages == ["another bot answers: TimeoutError"]
    await asyncio.wrap_future(busy)
    await asyncio.wrap_future(pool.submit(time.sleep, 0))
    monkeypatch.setattr("kasta.table.bot_process.PATIENCE_SECONDS", 600.0)
    assert await bot_process.choose("best", large_straight().table, 0) == "fill large_straight"


async def test_every_strength_plays_every_game(bot_process: BotProcess, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.table.bot_process.PATIENCE_SECONDS", 600.0)
    for game, faces in (("knister", (3, 4)), ("knaster", (3, 4)), ("yatzy", (1, 2, 3, 4, 6))):
        room = Room("Anna", game=game)
        room.roll(*faces)
        legal = [str(action) for action in room.table.game.legal(room.table.play, 0)]
        for bot in ("weak", "middling", "strong"):
            assert await bot_process.choose(at_level(bot, room.table.game), room.table, 0) in legal


SERVER = """
import time
from kasta.table.bot_process import BotProcess
if __name__ == "__main__":
    bot_process = BotProcess()
    print(bot_process._ready().submit(__import__("os").getpid).result(), flush=True)
    time.sleep(600)
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
