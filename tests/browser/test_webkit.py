"""Games in WebKit, the engine of every iPhone, by tapping on the smallest one."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpx
import pytest
from selenium.common import StaleElementReferenceException
from selenium.webdriver.remote.webelement import WebElement

from support.browsing import Server
from support.relays import Relay
from support.tapping import Phone
from support.watching import WATCH, check_throw, frames

FIRST_TURNS = 14  # taps
TWICE = """
const find = () => document.querySelector('#status .throw');
window.isDouble = false;
find().click();
setTimeout(() => {{
  find()?.click();
  window.isDouble = true;
}}, {gap});
"""
ENOUGH = 1000  # no game takes as many, also where the page often changes under the finger


def do_something(phone: Phone, can: dict[str, list[WebElement]], before: str, *, is_keeping: bool) -> None:
    """Throw, circle or write. While dice are kept, one more is before each throw."""
    if can["throws"]:
        phone.act(can["throws"][0], before)
    elif can["lines"] and not can["picks"]:  # other lines that owe circles can be chosen meanwhile
        phone.tap(can["lines"][0])
        phone.until(lambda: phone.taps()["picks"])
    elif can["keeps"] and is_keeping:
        phone.tap(can["kept"][0])
        phone.act(can["keeps"][0], before)
    else:
        phone.act(can["picks"][len(can["picks"]) // 2], before)


def play(phone: Phone, most: int) -> None:
    """So many taps, or to the end."""
    for number in range(most):
        with suppress(StaleElementReferenceException):  # the page has changed under the finger: look again
            before, can = phone.seen(), phone.taps()
            if can["again"]:
                break
            do_something(phone, can, before, is_keeping=number < FIRST_TURNS)  # each throw takes its time
        assert not phone.is_too_wide()


def seen_by_others(address: str) -> dict[str, Any]:
    table: dict[str, Any] = httpx.get(address.replace("/t/", "/api/tables/")).json()
    return table


@pytest.mark.parametrize("game", ["yatzy15", pytest.param("knister", marks=pytest.mark.prove)])
def test_nothing_tells_the_result_before_the_dice_lie(iphone: Phone, game: str):
    iphone.play_now(game)
    iphone.ask(WATCH)
    iphone.tap(iphone.find("#roll"))
    iphone.until(lambda: iphone.ask("return frames_seen.some(each => each.air) && !frames_seen.at(-1).air"))
    left, lay = check_throw(frames(iphone.ask("return frames_seen")))
    assert lay - left > 600
    assert iphone.faults() == []


@pytest.mark.parametrize("delay", [0.15, *(pytest.param(each, marks=pytest.mark.prove) for each in (0.0, 0.6))])
def test_from_afar_a_double_tap_throws_once_and_a_pick_stands_at_once(iphone: Phone, site: Server, delay: float):
    line = Relay(site.port, delay=delay)
    line.mend()
    iphone.visit(line.url)
    iphone.play_now("yatzy15")
    iphone.ask(WATCH)
    for turn, gap in enumerate((60, 300, 700), 1):
        iphone.until(lambda: iphone.taps()["throws"])
        iphone.ask(TWICE.format(gap=gap))
        iphone.until(lambda: iphone.ask("return document.querySelector('#again[aria-disabled=false]')"))
        iphone.until(lambda: iphone.ask("return window.isDouble"))
        assert iphone.ask("return document.getElementById('dice').dataset.turn") == str(turn)
        assert iphone.ask("return document.querySelector('#trouble:not([hidden]), .note:not(:empty)')") is None
        iphone.act(iphone.taps()["picks"][turn], iphone.seen())
        seen = frames(iphone.ask("return frames_seen"))
        sketched = next(number for number, frame in enumerate(seen) if frame.sketched)
        assert sketched < 3 or seen[sketched].at < 50
    assert iphone.faults() == []
    iphone.visit(site.url)
    line.cut()


@pytest.mark.parametrize("game", ["knister", "knaster"])
def test_a_game_is_begun_by_tapping(iphone: Phone, game: str):
    address = iphone.play_now(game)
    play(iphone, FIRST_TURNS)
    assert seen_by_others(address)["turn"] > 3
    assert iphone.faults() == []


@pytest.mark.parametrize(
    "game", ["yatzy", *(pytest.param(each, marks=pytest.mark.prove) for each in ("knister", "knaster"))]
)
def test_a_whole_game_is_played_by_tapping(iphone: Phone, game: str):
    address = iphone.play_now(game)
    play(iphone, ENOUGH)
    table = seen_by_others(address)
    assert table["next"] == "over"
    iphone.until(lambda: str(table["seats"][0]["total"]) in iphone.result().split())
    assert iphone.faults() == []  # and nothing was loaded anew

    iphone.visit(f"{address}/proof")
    iphone.until(iphone.is_proven)
