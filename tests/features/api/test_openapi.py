"""The API's own description, held to its word: schemathesis asks, and every answer must be as described."""

from __future__ import annotations

import asyncio
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kasta.app import create_app
from kasta.db.sqlite.memory import MemoryLog
from support.visitors import Program, Server

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
BOUNDED = settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


async def _description() -> dict[str, Any]:
    async with MemoryLog() as log:
        transport = httpx.ASGITransport(await create_app(log))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return dict((await client.get("/api/openapi.json")).json())


DESCRIPTION = asyncio.run(_description())
_FOUND: Any = schemathesis.openapi.from_dict(DESCRIPTION).get_all_operations()
OPERATIONS = {found.ok().label: found.ok() for found in _FOUND}
ENDLESS = "GET /api/tables/{table}/stream"


class Game:
    """A game that goes on: its id and token take the place of invented ones most of the time."""

    def __init__(self, server: Server) -> None:
        self.server, self.asked = server, 0

    def begin(self) -> None:
        with closing(Program(self.server)) as host:
            answer = host.post("/tables", {"game": "knister", "room": True}).json()
            self.table, self.code, self.token = answer["table"], answer["code"], f"Bearer {answer['token']}"
            host.hold(answer["token"])
            host.sit(self.table, "Anna")
            host.post(f"/tables/{self.table}/seats", {"name": "Robot", "bot": "greedy"})
            if self.asked % 2:
                host.post(f"/tables/{self.table}/roll", {"turn": 0})

    def send(self, case: Any) -> None:  # noqa: ANN401 - a schemathesis case
        if self.asked % 10 == 0:
            self.begin()
        self.asked += 1
        today = datetime.now(UTC).date().isoformat()
        known = {"table": self.table, "code": self.code, "game": "knister", "day": today}
        if self.asked % 5:
            given = case.path_parameters or {}
            case.path_parameters = {name: known.get(name, invented) for name, invented in given.items()}
        headers = {"authorization": self.token} if self.asked % 4 else {}
        case.call_and_validate(base_url=self.server.url, headers=headers, checks=CHECKS, timeout=30)


@pytest.mark.parametrize("label", [label for label in OPERATIONS if label != ENDLESS])
def test_every_answer_is_as_described(label: str, server: Server):
    game = Game(server)

    @BOUNDED
    @given(case=OPERATIONS[label].as_strategy())
    def ask(case: Any) -> None:  # noqa: ANN401 - a schemathesis case
        game.send(case)

    ask()
    assert game.asked >= 1


def test_the_description_says_who_one_is_and_what_is_refused():
    assert DESCRIPTION["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert len(OPERATIONS) >= 19
    for path, methods in DESCRIPTION["paths"].items():
        for about in methods.values():
            assert about["description"], path
            refusals = {status: answer for status, answer in about["responses"].items() if status >= "400"}
            assert {"400", "401", "404", "429"} <= refusals.keys(), path
            for answer in refusals.values():
                assert answer["content"]["application/json"]["schema"]["$ref"].endswith("Refusal"), path


def test_a_method_that_is_not_there_says_which_are(server: Server):
    answer = httpx.delete(f"{server.url}/api/tables", headers={"authorization": "Bearer x"})
    assert answer.status_code == 405
    assert "POST" in answer.headers["allow"]
    assert answer.json()["error"]["code"] == "405"
