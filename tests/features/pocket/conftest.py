"""A server that has packed what phones need: on a busy machine, a page waits no longer than that takes."""

from __future__ import annotations

import httpx
import pytest

from support.browsing import Server

PATIENCE = 120  # seconds


@pytest.fixture(scope="module")
def site(site: Server) -> Server:
    httpx.get(f"{site.url}/pocket/list", timeout=PATIENCE).raise_for_status()
    return site
