"""Processes that are told a wrong time by their machine: no game is lost, then or afterwards."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

EVENING = Path(__file__).parent / "evening.py"
FAKETIME = shutil.which("faketime")

pytestmark = pytest.mark.skipif(
    FAKETIME is None and os.environ.get("CI") != "true", reason="faketime is not installed"
)


def at(days: int, *command: object) -> list[str]:
    """A command on a machine whose clock is so many days wrong."""
    return [*([FAKETIME or "faketime", "-f", f"{days:+}d"] if days else []), *map(str, command)]


def evening(url: str, *games: str, days: int = 0) -> dict[str, Any]:
    done = subprocess.run(at(days, sys.executable, EVENING, url, *games), capture_output=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def end_server(wrapper: int) -> None:
    """End what faketime has started: it ends then by itself, and takes its files along."""
    (server,) = Path(f"/proc/{wrapper}/task/{wrapper}/children").read_text().split()
    os.kill(int(server), signal.SIGTERM)


def test_five_games_in_play_survive_a_restart_91_days_ahead(sqlite_url: str):
    games = evening(sqlite_url, *["new"] * 5)["played"]
    serve = at(91, sys.executable, "-m", "kasta", "serve", "--port", 0, "--store", sqlite_url)
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            (address,) = re.findall(r"http://\S+", server.stdout.readline())
            with httpx.Client(
                transport=httpx.HTTPTransport(retries=8)
            ) as client:  # it begins to listen a moment later
                answers = [client.get(f"{address}/api/tables/{game}") for game in games]
            assert [answer.status_code for answer in answers] == [200] * 5
        finally:
            end_server(server.pid)
            server.communicate(timeout=60)  # until nobody writes there any more: the server has ended, too
    assert server.returncode == 0
    assert not list(Path("/dev/shm").glob(f"*faketime*_{server.pid}"))  # noqa: S108 - where faketime has its files
    assert set(games) < set(evening(sqlite_url, "new", days=92)["tables"]), "somebody plays by the wrong clock"
    assert set(games) < set(evening(sqlite_url, *games)["tables"])


def test_a_game_played_400_days_back_is_there_when_the_clock_is_right_again(sqlite_url: str):
    games = evening(sqlite_url, "new")["played"]
    games += evening(sqlite_url, "new", *games, days=-400)["played"]
    assert len(set(games)) == 2
    told = evening(sqlite_url)
    assert set(told["tables"]) == set(games)
    assert told["hidden"] == []


async def test_postgres_goes_by_its_own_clock_whatever_a_nodes_is(postgres_url: str):
    from kasta.db import open_log

    (game,) = evening(postgres_url, "new", days=400)["played"]
    async with await open_log(postgres_url) as log:
        now = await log.now()
        assert all(abs(stored.at - now) < 600 for stored in await log.read(game))
