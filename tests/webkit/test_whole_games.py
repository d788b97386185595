"""Whole games in WebKit, the engine of every iPhone, by tapping on the smallest one."""

from __future__ import annotations

from contextlib import suppress

import httpx
import pytest
from selenium.common import StaleElementReferenceException
from selenium.webdriver.remote.webelement import WebElement
from tapping import Phone

ENOUGH = 200  # taps: no game takes as many


def do_something(phone: Phone, can: dict[str, list[WebElement]]) -> None:
    """Throw, circle or write. One die more is kept before each throw."""
    if can["throws"]:
        phone.act(can["throws"][0])
    elif can["lines"]:
        phone.tap(can["lines"][0])
        phone.until(lambda: phone.taps()["picks"])
    elif can["keeps"]:
        phone.tap(can["kept"][0])
        phone.act(can["keeps"][0])
    else:
        phone.act(can["picks"][len(can["picks"]) // 2])


@pytest.mark.parametrize("game", ["knister", "knaster", "yatzy"])
def test_a_whole_game_is_played_by_tapping(phone: Phone, game: str):
    address = phone.play_now(game)
    for _ in range(ENOUGH):
        with suppress(StaleElementReferenceException):  # the page has changed under the finger: look again
            can = phone.taps()
            if can["again"]:
                break
            do_something(phone, can)
        assert not phone.is_too_wide()
    table = httpx.get(address.replace("/t/", "/api/tables/")).json()
    assert table["next"] == "over"
    phone.until(lambda: str(table["seats"][0]["total"]) in phone.result().split())
    assert phone.faults() == []  # and nothing was loaded anew

    phone.visit(f"{address}/proof")
    phone.until(phone.is_proven)
