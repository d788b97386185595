"""What is logged: which request it was and what went wrong, but nobody's name, address, token or link."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kasta.edge import logs
from support.visitors import KASTA

TOKEN = "0123456789abcdef"  # noqa: S105 - of this test
PATIENCE = 60


class Behind:
    """`kasta serve` with two workers behind a Unix socket, as a proxy sees it."""

    def __init__(self, folder: Path) -> None:
        self.socket, self.output = folder / "kasta.sock", folder / "printed.txt"
        (folder / "kasta.toml").write_text(
            f"uds = '{self.socket}'\nstore = 'sqlite:///{folder}/kasta.sqlite'\nworkers = 2\nlog_format = 'json'\n"
        )
        environment = {"KASTA_METRICS_TOKEN": TOKEN, "KASTA_LOG_LEVEL": "debug", **os.environ}
        command: list[str | Path] = [
            KASTA,
            "serve",
            "--config",
            str(folder / "kasta.toml"),
            "--allow",
            "kasta.test",
        ]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
        headers = {"x-forwarded-for": "198.51.100.77", "origin": "http://kasta.test"}
        transport = httpx.HTTPTransport(uds=str(self.socket))
        self.http = httpx.Client(
            base_url="http://kasta.test", transport=transport, headers=headers, timeout=PATIENCE
        )
        deadline = time.monotonic() + PATIENCE
        while "Kasta" not in self.output.read_text():  # from then on, who comes too early waits
            assert time.monotonic() < deadline, self.output.read_text()
            time.sleep(0.1)
        assert self.is_there()

    def is_there(self) -> bool:
        return self.http.get("/ready").status_code == 200

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        self.http.close()

    @property
    def lines(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self.output.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    server = Behind(tmp_path_factory.mktemp("behind"))
    yield server
    server.end()
    assert not server.socket.exists()


def test_the_socket_is_for_its_owner_and_group(behind: Behind):
    assert stat.S_IMODE(behind.socket.stat().st_mode) == 0o660


def test_a_second_server_does_not_take_the_socket_of_the_first(behind: Behind):
    command: list[str | Path] = [KASTA, "serve", "--uds", str(behind.socket), "--store", "memory:"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("kasta.sock cannot be used: Address already in use. (unavailable: socket_taken)\n")
    assert behind.is_there()


def test_the_start_says_what_is_in_force_and_that_nobody_should_be_root(behind: Behind):
    first, *others = behind.lines
    assert re.fullmatch(
        r"Kasta \S+ at unix:\S+; no https; store sqlite://\S+; workers 2; tables kept 90 days; "
        r"metrics on; proxies none",
        first["message"],
    )
    warned = [line["message"] for line in others if line["level"] == "warning"]
    assert [text.startswith("Kasta runs as root") for text in warned] == ([True] if os.geteuid() == 0 else [])


def test_a_log_for_programs_has_requests_and_nothing_about_people(behind: Behind):
    opened = behind.http.post("/api/tables", json={"game": "knister"}, headers={"x-request-id": "trace-7"}).json()
    table, token = opened["table"], opened["token"]
    program = {"authorization": f"Bearer {token}"}
    seat = behind.http.post(f"/api/tables/{table}/seats", json={"name": "Annalena"}, headers=program)
    assert seat.status_code == 201
    behind.http.get(f"/t/{table}", headers=program)
    requests = [line for line in behind.lines if "route" in line]
    assert {"request": "trace-7", "route": "POST /api/tables", "status": 201}.items() <= next(
        line for line in requests if line.get("request") == "trace-7"
    ).items()
    assert [line["route"] for line in requests if line.get("table") == logs.mark(table)] == [
        "POST /api/tables/{table}/seats",
        "GET /t/{table}",
    ]
    text = behind.output.read_text("utf-8")
    for secret in ("Annalena", "198.51.100.77", token, token.partition(".")[0], table, TOKEN):
        assert secret not in text


def test_any_worker_tells_the_numbers_of_all(behind: Behind):
    deadline = time.monotonic() + PATIENCE
    found = set[str]()
    while found != {"0", "1"}:
        assert time.monotonic() < deadline
        text = behind.http.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).text
        found = set(re.findall(r'^process_open_fds\{worker="(\d)"\}', text, re.MULTILINE))


def record(level: int, text: str, name: str = "kasta", **more: object) -> logging.LogRecord:
    return logging.makeLogRecord({"name": name, "levelno": level, "levelname": "WARNING", "msg": text, **more})


def test_of_an_error_its_kind_and_place_are_logged_but_not_what_it_says():
    try:
        raise ValueError("Annalena")
    except ValueError:
        failed = record(
            logging.ERROR, "a task failed\nfuture: <Task Annalena>", "asyncio", exc_info=sys.exc_info()
        )
    text = logs.TextFormatter().format(failed)
    assert "a task failed: ValueError" in text
    assert "test_logs.py" in text
    assert "Annalena" not in text.replace('raise ValueError("Annalena")', "")


@pytest.mark.parametrize("level", [logging.INFO, logging.WARNING])
def test_a_flood_of_lines_is_counted_instead(level: int):
    spare = logs.Sparing()
    flood = [record(level, "no room", created=1000 + n / 100) for n in range(100)]
    assert sum(map(spare.filter, flood)) == logs.MOST_ALIKE
    other, later = record(level, "no light", created=1001), record(level, "no room", created=1020)
    assert spare.filter(other)
    assert spare.filter(later)
    assert later.getMessage() == "no room (before it, 90 alike were left out)"
    assert all(spare.filter(record(logging.DEBUG, "hello")) for _ in range(100))


def test_what_outlives_a_request_no_longer_logs_in_its_name():
    request = logs.LoggedRequest("trace-8")
    before = logs.current_request.set(request)
    try:
        assert "(request trace-8)" in logs.TextFormatter().format(record(logging.INFO, "hello"))
        request.id = ""
        assert "request" not in logs.TextFormatter().format(record(logging.INFO, "hello"))
    finally:
        logs.current_request.reset(before)
