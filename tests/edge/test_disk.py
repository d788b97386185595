"""A disk that runs full: nothing new is begun, what has begun goes on, and whoever watches is told before."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest

from kasta.app import create_app
from kasta.db import open_log
from kasta.edge.config import Config
from kasta.errors import Illegal
from kasta.i18n import LANGUAGES, words
from kasta.tables import log as logs

TOKEN = "x" * 16


async def test_a_disk_that_is_nearly_full_refuses_tables_and_seats_and_takes_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with await open_log(f"sqlite:///{tmp_path}/kasta.db") as log:
        app = await create_app(log, Config(metrics_token=TOKEN))
        origin = "http://localhost"
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=origin, headers={"origin": origin}
        ) as anna:
            table = (await anna.post("/new/knister", data={"name": "Anna"})).headers["location"]
            over = (await anna.post("/new/knister", data={"name": "Anna"})).headers["location"]
            for action in ("roll", "end"):
                await anna.post(f"{over}/{action}", data={"turn": 0})
            monkeypatch.setattr(logs, "LEAST_FREE", sys.maxsize)
            form = {"name": "Tim", "game": "knister", "circle": "Us"}
            for path in (
                "/new/knister",
                f"{table}/sit",
                f"{table}/bot",
                f"{over}/rematch",
                "/challenge",
                "/circles",
            ):
                refused = await anna.post(path, data=form)
                assert (refused.status_code, "nearly full" in refused.text) == (507, True), path
            told = (await anna.post("/api/tables", json={"game": "knister"})).json()["error"]
            assert (told["code"], told["message"]) == ("no_room", words("en").error(Illegal("no_room")))
            brought = {"id": "a" * 26, "record": "", "finished": 0.0}
            assert (await anna.post("/api/pocket/games", json=brought)).status_code == 507
            pick = {"turn": 1, "seat": 0, "step": 0, "do": "c3"}
            for action, fields in (("roll", {"turn": 0}), ("play", pick)):
                assert (await anna.post(f"{table}/{action}", data=fields)).status_code == 303
            measured = (await anna.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})).text
            assert float(measured.partition('\nkasta_store_free_bytes{worker="0"} ')[2].split()[0]) > 0
            monkeypatch.setattr(logs, "LEAST_FREE", 0)
            assert (await anna.post(f"{over}/rematch")).status_code == 303
    assert len({words(language).error(Illegal("no_room")) for language in LANGUAGES}) == len(LANGUAGES)


async def test_the_last_500_mb_are_for_games_under_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async with await open_log("memory:") as log:
        for free in (500_000_000, None):
            monkeypatch.setattr(type(log), "free_bytes", free)
            log.check_room()
        monkeypatch.setattr(type(log), "free_bytes", 499_999_999)
        with pytest.raises(Illegal) as refused:
            log.check_room()
        assert refused.value.code == "no_room"
        assert "499 MB are free" in caplog.text
