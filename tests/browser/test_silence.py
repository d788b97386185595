"""A stream that has fallen silent is opened anew, on every page that has one."""

from __future__ import annotations

import pytest

from support.browsing import Hands, NewPhone, Server


@pytest.mark.parametrize("page", ["", "/wall", "/remote"])
def test_a_silent_stream_is_opened_anew(page: str, site: Server, new_phone: NewPhone):
    screen = new_phone()
    table = Hands(screen.context.request, site.url).open("knister", "Anna", room="1")
    opened: list[str] = []
    screen.on("request", lambda request: opened.append(request.url) if "/stream" in request.url else None)
    screen.clock.install()
    with screen.expect_response("**/stream*"):
        screen.goto(f"{table}{page}")
    screen.clock.fast_forward(30_000)
    screen.wait_for_timeout(200)
    assert len(opened) == 1
    for _ in range(5):  # what was still on its way when the clock jumped counts as heard then
        screen.clock.fast_forward(20_000)
        screen.wait_for_timeout(1_000)
        if len(opened) > 1:
            break
    assert len(opened) == 2
