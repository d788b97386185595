"""What the server tells those who watch it: is it alive, is it ready, what does it measure?"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from kasta import metrics
from kasta.app import create_app
from kasta.db.sqlite.log import SqliteLog
from kasta.edge import exposition
from kasta.edge.config import Config
from kasta.edge.exposition import Exposition
from kasta.edge.limits import Limits, Rate

TOKEN = "0123456789abcdef"  # noqa: S105 - of this test
SHOWN = {"authorization": f"Bearer {TOKEN}"}
SAMPLE = re.compile(r'(\w+)(?:\{((?:\w+="[^"]*",?)*)\})? (\S+)')

Visits = Callable[..., Any]


def samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = SAMPLE.fullmatch(line)
            assert match, line
            found[match[1], frozenset(re.findall(r'(\w+)="([^"]*)"', match[2] or ""))] = float(match[3])
    return found


async def read(client: httpx.AsyncClient) -> Callable[..., float]:
    answer = await client.get("/metrics", headers=SHOWN)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == f"{exposition.TYPE}; charset=utf-8"
    found = samples(answer.text)
    return lambda name, **labels: found.get((name, frozenset({"worker": "0", **labels}.items())), 0.0)


async def test_without_a_token_of_the_operators_there_are_no_metrics(visit: Visits):
    assert (await (await visit()).get("/metrics", headers=SHOWN)).status_code == 404


@pytest.mark.parametrize("shown", [{}, {"authorization": TOKEN}, {"authorization": "Bearer 0123456789abcdeg"}])
async def test_metrics_are_for_those_who_show_the_token(shown: dict[str, str], visit: Visits):
    answer = await (await visit(Config(metrics_token=TOKEN))).get("/metrics", headers=shown)
    assert answer.status_code == 401
    assert "kasta_moves_total" not in answer.text


async def test_what_was_played_refused_and_answered_is_counted(visit: Visits):
    client = await visit(Config(metrics_token=TOKEN))
    before = await read(client)
    opened = (await client.post("/api/tables", json={"game": "knister"})).json()
    table, program = f"/api/tables/{opened['table']}", {"authorization": f"Bearer {opened['token']}"}
    assert (await client.post(f"{table}/seats", json={"name": "Anna"}, headers=program)).status_code == 201
    assert (await client.post(f"{table}/roll", json={"turn": 0}, headers=program)).is_success
    pick = {"turn": 1, "seat": 0, "step": 0, "do": "a1"}
    assert (await client.post(f"{table}/play", json=pick, headers=program)).is_success
    assert (await client.post(f"{table}/play", json={**pick, "step": 1, "do": "z9"}, headers=program)).is_error
    assert (await client.get("/nothing")).status_code == 404
    after = await read(client)

    def grown(name: str, **labels: str) -> float:
        return after(name, **labels) - before(name, **labels)

    route = "POST /api/tables/{table}/play"
    assert grown("kasta_tables_opened_total", game="knister") == 1
    assert grown("kasta_moves_total", game="knister", by="person") == 1
    assert grown("kasta_throws_total", game="knister") == 1
    assert grown("kasta_refusals_total", code="unknown_cell") == 1
    assert grown("kasta_refusals_total", code="404") == 1
    assert grown("kasta_answers_total", route=route, status="400") == 1
    assert grown("kasta_answers_total", route="other", status="404") == 1
    assert grown("kasta_answer_seconds_count", route=route) == 2
    assert grown("kasta_answer_seconds_bucket", route=route, le="+Inf") == 2
    assert grown("kasta_append_seconds_count") == 3
    assert after("kasta_tables") == 1


async def test_who_comes_too_often_is_counted_as_refused(visit: Visits):
    limits = Limits(requests_an_address=Rate(2, 0.001))
    watcher, stranger = await visit(Config(metrics_token=TOKEN)), await visit(Config(limits=limits))
    before = (await read(watcher))("kasta_refusals_total", code="too_many_requests")
    assert [(await stranger.get("/")).status_code for _ in range(4)] == [200, 200, 429, 429]
    assert (await read(watcher))("kasta_refusals_total", code="too_many_requests") == before + 2


def test_a_histogram_counts_what_took_at_most_so_long():
    histogram = metrics.Histogram("test_seconds", "", "of")
    try:
        for seconds in (0.001, 0.0011, 0.3, 99.0):
            histogram.observe(seconds, "a")
        found = {(end, labels.get("le")): value for end, labels, value in histogram.samples()}
    finally:
        del metrics.METRICS["test_seconds"]
    told = [found["_bucket", bound] for bound in ("0.001", "0.0025", "0.25", "0.5", "10.0", "+Inf")]
    assert told == [1, 2, 2, 3, 3, 4]
    assert found["_count", None] == 4
    assert found["_sum", None] == pytest.approx(99.3021)


def test_one_worker_tells_the_numbers_of_all(tmp_path: Path):
    """What ends up in the file is what the worker knew when it left it there."""
    first, second = (Exposition(tmp_path, place) for place in range(2))
    first.leave()
    metrics.BOTS_SPOKEN_FOR.add()
    found = samples(second.text())
    by_worker = [found["kasta_bots_spoken_for_total", frozenset({("worker", worker)})] for worker in ("0", "1")]
    assert by_worker[0] + 1 == by_worker[1]
    assert second.text().count("# TYPE kasta_bots_spoken_for_total") == 1


async def test_a_request_has_an_id_its_own_if_that_is_sane(visit: Visits):
    client = await visit()
    made = [(await client.get(path)).headers["x-request-id"] for path in ("/health", "/", "/nothing")]
    assert len(set(made)) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in made)
    for given, is_sane in (("trace-1.2_3", True), ("a" * 65, False), ("a b", False), ("<b>", False), ("", False)):
        assert (
            (await client.get("/health", headers={"x-request-id": given})).headers["x-request-id"] == given
        ) is (is_sane)


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteLog]:
    async with await SqliteLog.open(tmp_path / "kasta.sqlite") as opened:
        yield opened


async def test_a_server_is_alive_but_not_ready_while_its_store_is_locked(log: SqliteLog, tmp_path: Path):
    transport = httpx.ASGITransport(await create_app(log))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get("/ready")).text == "ready"
        with closing(sqlite3.connect(tmp_path / "kasta.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            while (answer := await client.get("/ready")).status_code == 200:  # an answer holds for a second
                await asyncio.sleep(0.1)
            assert (answer.status_code, answer.text) == (503, "the store does not answer")
            assert (await client.get("/health")).status_code == 200
        while (await client.get("/ready")).status_code != 200:
            await asyncio.sleep(0.1)
