"""Other ways to use the pages: the keyboard alone, no script, a screen reader, plain http in the home network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kasta.games import OURS
from support.browsing import (
    CELLS,
    Hands,
    NewPhone,
    Server,
    cell,
    end_game,
    lan_address,
    play_now,
    roll,
    said,
    tap,
    turn,
)
from support.fixtures.golden import Golden

GOLDEN = Path(__file__).parent / "golden"


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    """Press Tab until something that matches has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_a_game_by_keyboard_alone(new_phone: NewPhone, site: Server):
    page = new_phone(has_touch=False, is_mobile=False, viewport={"width": 1200, "height": 900})
    page.goto(site.url)
    tab_to(page, ".game:has([value='knister']) .do button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    for number in (0, 1, 2, 23, 24):
        if number == 23:  # what is between is posted as the page does it, only quicker
            Hands(page.context.request, site.url, page.url).write(*CELLS[3:number])
            expect(page.locator("#mine .cell.taken")).to_have_count(number)
        tab_to(page, "#roll", most=2 if number in {1, 2, 24} else 40)
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        expect(page.locator("#roll")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")
        expect(page.locator("#dice")).to_have_attribute("data-turn", str(number + 1))
        expect(said(page)).to_have_text("Your turn")
        tab_to(page, "#mine .cell button", most=2)  # one stop from where the focus was left
        page.keyboard.press("Enter")
        expect(page.locator("#mine .cell.taken")).to_have_count(number + 1)
        expect(page.locator("#roll, #finish .verdict")).to_be_visible()
    expect(page.locator("#finish .verdict")).to_be_visible()
    expect(page.locator("#over")).to_be_focused()
    tab_to(page, "#over .throw", most=1)


def test_the_command_field_plays_and_answers(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    page.get_by_text("Help and settings").tap()
    field = page.locator("#do")
    field.fill("c3")
    field.press("Enter")
    expect(cell(page, "c3")).not_to_have_text("")
    expect(field).to_have_value("")
    field.fill("line 3")
    field.press("Enter")
    expect(page.locator("#trouble")).to_contain_text("Row 3")
    roll(page)
    field.fill("c3")
    field.press("Enter")
    expect(page.locator("#trouble")).to_contain_text("c3")
    expect(page.locator("#trouble")).to_be_in_viewport()


def test_a_solo_game_without_a_script(new_phone: NewPhone, site: Server):
    page = new_phone(java_script_enabled=False)
    page.goto(site.url)
    page.get_by_role("button", name="Play Knister", exact=True).click()
    hands = Hands(page.context.request, site.url, page.url)
    for number in (0, 1, 23, 24):
        if number == 23:  # what is between is posted as the page does it, only quicker
            hands.write(*CELLS[1:22])
        page.goto(hands.table)
        page.locator("#roll").click()
        expect(page).to_have_title(re.compile(r"^\d+ · Your turn · Kasta$"))
        page.locator("#mine .cell button:enabled").first.click()
        if number == 0:
            page.locator("#mine .cell button:enabled").last.click()  # the pick moves
            expect(page.locator("#mine .cell.taken")).to_have_count(1)
    expect(page.locator("#finish .verdict")).to_be_visible()
    page.get_by_role("link", name="Check the dice").first.click()
    expect(page.get_by_text("kasta verify")).to_be_visible()


def test_knaster_without_a_script(new_phone: NewPhone, site: Server):
    page = new_phone(java_script_enabled=False)
    hands = Hands(page.context.request, site.url)
    hands.open("knaster", "Sarah", dice="own")
    for name in ("a3", "b3", "d3", "e3", "c1", "c2", "c4", "c5"):
        hands.roll("34")
        hands.play(name)
    page.goto(hands.table)
    page.get_by_label("What do your dice show?").first.fill("3 4")
    page.get_by_role("button", name="Enter").click()
    cell(page, "c3").click()
    page.locator("#mine a.serve[data-serve='c']").click()
    for name in ("c3", "c1", "c2", "a3", "b3"):
        cell(page, name).click()
    expect(page.locator("#mine .cell.circled")).to_have_count(5)


def test_the_focus_stays_where_somebody_is_typing(page: Page, site: Server, new_phone: NewPhone):
    play_now(page, site.url, "knister")
    page.get_by_text("Play with others").tap()
    page.locator("#sit-name").fill("Ti")
    other = new_phone()
    other.goto(page.url)
    other.locator("#sit-name").fill("Eva")
    other.get_by_role("button", name="Sit down").tap()
    expect(page.locator("#players .who").nth(1)).to_have_text("Eva")
    expect(page.locator("#sit-name")).to_be_focused()
    expect(page.locator("#sit-name")).to_have_value("Ti")


MIDDLES = {  # what was thrown and done, and what is thrown then
    "knister": ([("34", "a1"), ("34", "b1"), ("66", "c3")], "25"),
    "knaster": ([("34", name) for name in ("a3", "b3", "d3", "e3", "c1", "(c1)", "c3")], ""),
    "yatzy": ([("66666", "fill yatzy")], "12344"),
    "yatzy15": ([("33336", "fill two_pairs")], "22255"),
    "maxi": ([("555566", "fill tower")], "123456"),
}


def check_told(page: Page, name: str, golden: Golden) -> None:
    """What a screen reader is told of a page is what a file has."""
    told = re.sub(r"/t/[\w-]{22}", "/t/TABLE", page.locator("main").aria_snapshot()) + "\n"
    golden(GOLDEN / f"{name}.aria.txt", told)


@pytest.mark.parametrize("game", OURS)
def test_a_position_and_the_end_as_a_screen_reader_tells_them(page: Page, hands: Hands, game: str, golden: Golden):
    done, last = MIDDLES[game]
    hands.open(game, "Sarah", dice="own")
    for faces, do in done:
        hands.roll(faces)
        hands.play(do)
    if last:
        hands.roll(last)
    page.goto(hands.table)
    check_told(page, game, golden)
    hands.post("end")
    page.reload()
    check_told(page, f"{game}-end", golden)


@pytest.fixture(scope="module")
def lan_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if lan_address() is None:
        pytest.skip("this machine has no address but the loopback")
    server = Server(tmp_path_factory.mktemp("lan"), lan=True)
    server.start()
    yield server
    server.kill()


def test_plain_http_in_the_home_network_is_enough(page: Page, lan_server: Server):
    play_now(page, lan_server.url, "knister")
    assert page.evaluate("!isSecureContext && crypto.subtle === undefined")
    assert lan_server.url in lan_server.log()
    for number in range(3):
        roll(page)
        assert turn(page) == number + 1
        tap(page, page.locator("#mine .grid .cell:not(.taken) button:enabled").first)
    end_game(page)
    expect(page.locator("#over")).to_be_visible()
    page.get_by_role("link", name="Check the dice").first.tap()
    expect(page.locator("#verdict")).to_contain_text("Proven")


@pytest.mark.parametrize("page", ["", "/wall", "/remote"])
def test_a_silent_stream_is_opened_anew_on_every_page_that_has_one(page: str, site: Server, new_phone: NewPhone):
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
