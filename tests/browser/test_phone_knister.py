"""Knister on a phone, alone."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import APIResponse, Error, Page, Route, expect

from support.browsing import (
    CELLS,
    Hands,
    Server,
    cell,
    live,
    play_now,
    roll,
    said,
    tap,
    total,
    turn,
    write,
)

AFTER_POSTING = (22, 23, 24)  # what is between is posted as the page does it, only quicker


def test_the_first_number_is_written_with_the_third_tap(page: Page, site: Server):
    page.goto(site.url)
    page.get_by_role("button", name="Play Knister").tap()
    page.get_by_role("button", name="Throw", exact=True).tap()
    page.get_by_role("button", name="c3: free").tap()
    expect(page.get_by_role("button", name=re.compile(r"c3: \d+"))).to_be_visible()


def test_a_game_by_tapping_ends_with_a_verdict(page: Page, site: Server):
    play_now(page, site.url, "knister")
    for number in (0, 1, 2, *AFTER_POSTING):
        if number == AFTER_POSTING[0]:
            Hands(page.context.request, site.url, page.url).write(*CELLS[3:number])
            expect(page.locator("#mine .cell.taken")).to_have_count(number)
        roll(page)
        assert re.fullmatch(r"\d+ · Your turn · Kasta", page.title())
        expect(live(page)).to_have_count(25 - number)
        tap(page, live(page).first)
    expect(page.locator("#crown")).to_have_text(re.compile(r"good!|outstanding!|\d+ points", re.IGNORECASE))
    expect(said(page)).to_have_text("The game is over")
    boxes = page.locator("#mine .box [title]").all_inner_texts()
    assert len(boxes) == 12
    expect(total(page)).to_have_text(str(sum(map(int, boxes))))  # counted up line by line
    fell = page.locator("#over .counts dd").all_inner_texts()
    assert sum(map(int, fell)) == 25
    page.get_by_role("link", name="Check the dice").first.tap()
    expect(page.locator("#verdict")).to_contain_text("Proven")


IN_ONE_BREATH = """async () => {
    const cell = (name) => document.querySelector(`#mine .cell button[id$='-${name}']`);
    const until = async (isSo) => { while (!isSo()) await new Promise(requestAnimationFrame); };
    cell('c3').click();
    await until(() => document.getElementById('undo'));
    document.getElementById('undo').click();
    await until(() => cell('c3').textContent === '' && !cell('d3').disabled && !document.getElementById('undo'));
    cell('d3').click();
}"""


def test_a_second_tap_elsewhere_moves_the_pick_until_the_next_throw(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    number = page.locator("#dice .sum").inner_text().split()[-1]
    write(page, "a1")
    expect(cell(page, "a1")).to_have_text(number)
    page.wait_for_timeout(450)  # at once it would be a double tap
    write(page, "e5")
    expect(cell(page, "e5")).to_have_text(number)
    expect(cell(page, "a1")).to_have_text("")
    roll(page)
    expect(cell(page, "e5")).to_be_disabled()
    write(page, "b2")
    page.locator("#undo").tap()
    expect(cell(page, "b2")).to_have_text("")
    expect(said(page)).to_have_text("Your turn")


def test_whoever_takes_a_pick_back_may_tap_as_fast_as_they_can(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    page.evaluate(IN_ONE_BREATH)
    expect(cell(page, "d3")).not_to_have_text("")
    expect(cell(page, "c3")).to_have_text("")


def test_reload_and_back_lose_nothing(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    write(page, "c3")
    number = cell(page, "c3").inner_text()
    page.reload()
    expect(cell(page, "c3")).to_have_text(number)
    page.get_by_text("Help and settings").tap()
    page.get_by_role("link", name="Rules", exact=True).tap()
    page.wait_for_url("**/rules/knister?*")
    page.go_back()
    expect(cell(page, "c3")).to_have_text(number)
    roll(page)
    assert turn(page) == 2


def test_two_tabs_of_one_player_agree(page: Page, site: Server):
    play_now(page, site.url, "knister")
    other = page.context.new_page()
    other.goto(page.url)
    roll(page)
    expect(said(other)).to_have_text("Your turn")
    number = page.locator("#dice .sum").inner_text().split()[-1]
    cell(other, "d4").tap()
    expect(cell(other, "d4")).to_have_text(number)
    expect(cell(page, "d4")).to_have_text(number)
    cell(page, "a1").tap()
    expect(cell(other, "a1")).to_have_text(number)
    expect(cell(other, "d4")).to_have_text("")


def test_a_double_tap_writes_once(page: Page, site: Server):
    play_now(page, site.url, "knister")
    page.locator("#roll").dblclick()
    expect(said(page)).to_have_text("Your turn")
    assert turn(page) == 1
    cell(page, "c3").dblclick()
    expect(cell(page, "c3")).not_to_have_text("")
    expect(page.locator("#mine .cell.taken")).to_have_count(1)


LISTEN = """() => {
    window.told = [];
    new MutationObserver(() => window.told.push(document.getElementById('announce').textContent))
        .observe(document.getElementById('announce'), { childList: true, characterData: true, subtree: true });
}"""


def test_a_throw_and_what_is_written_are_told_once_to_a_screen_reader(page: Page, site: Server):
    play_now(page, site.url, "knister")
    page.evaluate(LISTEN)
    roll(page)
    number = page.locator("#dice .sum").inner_text().split()[-1]
    page.wait_for_function("number => window.told.some(text => text.includes(number))", arg=number)
    write(page, "a1")
    page.wait_for_function("window.told.length > 1")
    assert page.evaluate("window.told") == [number, f"a1: {number}. Your turn to throw"]


def test_an_answer_that_was_overtaken_takes_no_throw_back(page: Page, site: Server):
    play_now(page, site.url, "knister")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/parts?*", lambda route: held.append((route, route.fetch())), times=1)
    page.locator("html.js").wait_for()
    page.evaluate("dispatchEvent(new Event('online'))")
    while not held:
        page.wait_for_timeout(20)
    page.evaluate(LISTEN)
    roll(page)
    route, before_the_throw = held[0]
    with suppress(Error):  # the page has given it up
        route.fulfill(response=before_the_throw)
    write(page, "a1")
    number = cell(page, "a1").inner_text()
    assert [text for text in page.evaluate("window.told") if text == number] == [number]
