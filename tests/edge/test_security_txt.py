"""security.txt, as RFC 9116 has it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kasta.edge.config import Config

PATH = "/.well-known/security.txt"


def fields(text: str) -> dict[str, str]:
    return {name: value for name, _, value in (line.partition(": ") for line in text.splitlines())}


@pytest.mark.parametrize(
    ("contact", "told"),
    [
        ("anna@example.org", "mailto:anna@example.org"),
        ("https://example.org/report", "https://example.org/report"),
        ("tel:+46-8-123", "tel:+46-8-123"),
    ],
)
async def test_whoever_was_named_is_told_for_less_than_a_year(contact: str, told: str, visit: Callable[..., Any]):
    client = await visit(Config(security_contact=contact))
    answer = await client.get(PATH)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    found = fields(answer.text)
    assert found.keys() == {"Contact", "Expires"}
    assert found["Contact"] == told
    ahead = datetime.fromisoformat(found["Expires"]) - datetime.now(UTC)
    assert timedelta(days=30) < ahead < timedelta(days=365)


async def test_with_https_the_file_says_where_it_belongs(visit: Callable[..., Any]):
    client = await visit(Config(url="https://kasta.test", security_contact="anna@example.org"))
    assert fields((await client.get(PATH)).text)["Canonical"] == f"https://kasta.test{PATH}"


async def test_without_a_contact_there_is_none(visit: Callable[..., Any]):
    client = await visit()
    assert (await client.get(PATH)).status_code == 404
