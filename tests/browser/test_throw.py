"""The second of a throw: dice leave on touch, nothing tells before they lie, and a second tap is no error."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from kasta.games import GAMES
from support.browsing import (
    NewPhone,
    Server,
    cell,
    live,
    open_table,
    play_now,
    roll,
    said,
    sit,
    slow_down,
    tap,
    turn,
    write,
)
from support.watching import WATCH, Frame, check_throw, frames

DELAYS = (0, 150, 600)
DOUBLES = (60, 120, 200, 300, 450, 700)  # ms between two taps
WAYS = [("knister", 600), ("yatzy15", 150)]
ALL_WAYS = [(game, delay) for game in GAMES for delay in DELAYS]
TWICE = """([button, gap]) => {
    button.click();
    setTimeout(() => document.querySelector('#status .throw')?.click(), gap);
}"""
# As soon as dice fly, however slow the machine is.
TAP_IN_FLIGHT = """name => {
    const look = () => {
        const button = document.querySelector(`#mine .cell button[id$='-${name}']`);
        if (!document.querySelector('.cube.flying')) {
            requestAnimationFrame(look);
            return;
        }
        button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        button.click();
        window.tapped = true;
    };
    look();
}"""
INDENT = "note => note.getClientRects()[0].left - note.parentElement.getBoundingClientRect().left"
SKIP_AFTER = "gap => setTimeout(() => document.body.dispatchEvent(new PointerEvent('pointerdown')), gap)"


def watched(page: Page) -> list[Frame]:
    return frames(page.evaluate("frames_seen"))


def lie(page: Page) -> None:
    """Wait until no die is in the air, and one frame more."""
    page.wait_for_function("() => frames_seen.at(-1)?.air === 0 && frames_seen.some(each => each.air)")
    page.wait_for_timeout(200)


def pick(page: Page) -> None:
    """Fill the first place there is, and draw the circles that it brings."""
    places, lines = page.locator("#mine .pay, #mine .cell button:enabled"), page.locator("#mine .serve")
    tap(page, places.first)
    while not page.locator("#status .throw, #status[data-phase=over]").count():
        if not places.count():
            lines.first.tap()
        tap(page, places.first)


def check_a_throw(page: Page, delay: int) -> None:
    page.locator("#status .throw").tap()
    page.wait_for_function("() => frames_seen.at(-1)?.air > 0")
    lie(page)
    _, lay = check_throw(watched(page))
    assert max(750, delay) < lay < delay + 2_000


@pytest.mark.parametrize(
    ("game", "delay"), [*WAYS, *(pytest.param(*way, marks=pytest.mark.prove) for way in ALL_WAYS)]
)
def test_nothing_tells_the_result_before_the_dice_lie(page: Page, site: Server, game: str, delay: int):
    play_now(page, site.url, game)
    slow_down(page, delay)
    page.evaluate(WATCH)
    check_a_throw(page, delay)
    if page.locator("#keep").count():
        page.locator("#status .spot").nth(1).tap()
        check_a_throw(page, delay)
    place = page.locator("#mine .pay, #mine .cell button:enabled").nth(3)
    place.tap()
    expect(page.locator("#mine .pending")).to_have_count(0)
    seen = watched(page)
    sketched = next(number for number, frame in enumerate(seen) if frame.sketched)
    assert sketched < 3 or seen[sketched].at < 50
    assert delay == 0 or seen[sketched].pending


@pytest.mark.parametrize("delay", [0, pytest.param(600, marks=pytest.mark.prove)])
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_double_tap_throws_once(new_phone: NewPhone, site: Server, delay: int, motion: str):
    page = new_phone(reduced_motion=motion)
    play_now(page, site.url, "yatzy15")
    slow_down(page, delay)
    for gap in DOUBLES[:: 1 if delay else 2]:
        before = turn(page)
        page.evaluate(TWICE, [page.locator("#status .throw").element_handle(), gap])
        expect(page.locator("#dice")).to_have_attribute("data-turn", str(before + 1))
        expect(page.locator("#status .throw")).to_be_enabled()
        assert turn(page) == before + 1
        expect(page.locator("#trouble")).to_be_hidden()
        expect(page.locator("#status .note")).to_be_empty()
        pick(page)


@pytest.mark.prove
@pytest.mark.parametrize("game", GAMES)
def test_two_hundred_double_taps_burn_no_throw(page: Page, site: Server, game: str):
    play_now(page, site.url, game)
    for number in range(200):
        slow_down(page, DELAYS[number % 3])
        before = turn(page)
        page.evaluate(TWICE, [page.locator("#status .throw").element_handle(), DOUBLES[number % 6]])
        expect(page.locator("#dice")).to_have_attribute("data-turn", str(before + 1))
        page.wait_for_timeout(800)
        assert turn(page) == before + 1
        expect(page.locator("#trouble")).to_be_hidden()
        pick(page)
        if page.locator("#status[data-phase=over]").count():
            play_now(page, site.url, game)


def test_a_tap_ends_the_flight_unless_it_is_half_of_a_double_tap(page: Page, site: Server):
    play_now(page, site.url, "knister")
    page.evaluate(WATCH)
    page.evaluate(SKIP_AFTER, 100)
    page.locator("#roll").tap()
    lie(page)
    assert check_throw(watched(page))[1] > 750
    pick(page)
    page.locator("#roll").tap()
    page.evaluate(SKIP_AFTER, 470)
    lie(page)
    assert check_throw(watched(page))[1] < 750


def test_the_space_bar_throws_where_the_tray_has_the_focus_and_burns_no_throw(page: Page, site: Server):
    play_now(page, site.url, "yatzy15")
    page.locator("#status").focus()
    page.keyboard.press("Space")
    expect(page.locator("#dice")).to_have_attribute("data-turn", "1")
    expect(page.locator("#again")).to_be_enabled()
    expect(page.locator("#status")).to_be_focused()
    page.keyboard.press("Space")
    page.locator("#mine .pay").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#roll")).to_be_enabled()
    assert turn(page) == 1


def test_a_tap_on_a_cell_in_flight_ends_the_flight_and_the_next_one_writes(new_phone: NewPhone, site: Server):
    anna, bo = new_phone(), new_phone()
    bo.goto(open_table(anna, site.url, "knister", "Anna", room=True, thrower="host"))
    sit(bo, "Bo")
    expect(anna.locator("#players .who")).to_have_count(2)
    roll(anna)
    for page in (anna, bo):
        write(page, "a1")
    expect(anna.locator("#roll")).to_be_visible()
    bo.evaluate(TAP_IN_FLIGHT, "b1")
    bo.context.set_offline(True)
    roll(anna)
    bo.context.set_offline(False)  # what was missed is thrown now
    bo.wait_for_function("() => window.tapped")
    expect(said(bo)).to_have_text("Your turn")
    expect(live(bo)).to_have_count(24)  # nobody knew the number: it was not written unseen
    bo.wait_for_timeout(260)
    write(bo, "b1")
    expect(bo.locator("#mine .cell.taken")).to_have_count(2)


def test_where_motion_is_unwanted_the_result_comes_with_the_answer(new_phone: NewPhone, site: Server):
    page = new_phone(reduced_motion="reduce")
    play_now(page, site.url, "knister")
    page.evaluate(WATCH)
    roll(page)
    seen = watched(page)
    assert not any(frame.air for frame in seen)
    assert seen[-1].turn == "1"
    expect(page.locator("#announce")).to_have_text(page.locator("#dice").get_attribute("data-say") or "")


def test_a_throw_that_nobody_answers_is_mentioned_and_then_can_be_tried_again(page: Page, site: Server):
    play_now(page, site.url, "yatzy15")
    held: list[Route] = []
    page.route("**/roll", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.clock.install()
    page.locator("#roll").tap()
    expect(page.locator("#roll")).to_be_disabled()
    page.clock.run_for(1_600)
    expect(page.locator("#status .note")).to_have_text("The dice still roll: the network is slow.")
    assert page.locator("#status .note").evaluate(INDENT) == 0
    expect(page.locator(".cube.flying")).to_have_count(5)
    page.clock.run_for(7_000)
    expect(page.locator("#status .note")).to_have_text("No answer. Try again.")
    expect(page.locator(".cube.flying")).to_have_count(0)
    expect(page.locator("#roll")).to_be_enabled()
    expect(page.locator("#trouble")).to_be_hidden()
    page.unroute("**/roll")
    page.clock.resume()
    tap(page, page.locator("#roll"))
    assert turn(page) == 1
    expect(page.locator("#status .note")).to_be_empty()


def test_a_throw_that_fell_although_its_answer_was_lost_is_no_error(page: Page, site: Server):
    play_now(page, site.url, "knister")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/roll", lose, times=1)
    page.locator("#roll").tap()
    expect(page.locator("#dice")).to_have_attribute("data-turn", "1")
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#status .note")).to_be_empty()
    assert turn(page) == 1


def test_a_pick_that_is_refused_is_taken_back_and_said_why_beside_it(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    page.route("**/play", lambda route: route.fulfill(status=422, body="That is not possible."))
    cell(page, "c3").tap()
    trouble = page.locator("#trouble")
    expect(trouble).to_have_text("That is not possible.")
    place, told = cell(page, "c3").bounding_box(), trouble.bounding_box()
    assert place
    assert told
    assert 0 < told["y"] - place["y"] - place["height"] < 20
    expect(page.locator("#mine .pale")).to_have_count(0)
    expect(cell(page, "c3")).to_be_enabled()
    with page.expect_response(lambda answer: "/parts" in answer.url):
        page.evaluate("dispatchEvent(new Event('online'))")  # the page catches up and still says it
    expect(trouble).to_be_visible()
    page.unroute("**/play")
    tap(page, cell(page, "c3"))
    expect(trouble).to_be_hidden()


def test_a_pick_without_a_network_stands_in_its_cell_and_waits(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    page.context.set_offline(True)
    cell(page, "c3").tap()
    expect(page.locator("#mine .pending .pale")).to_be_visible()
    expect(page.locator("#trouble")).to_contain_text("No connection. Trying again.")
    page.context.set_offline(False)
    expect(page.locator("#mine .cell.taken")).to_have_count(1)
    expect(page.locator("#mine .pale")).to_have_count(0)
    expect(page.locator("#trouble")).to_be_hidden()


def test_others_see_a_throw_fly_and_nothing_before_it_lies(new_phone: NewPhone, site: Server):
    anna, bo = new_phone(), new_phone()
    bo.goto(open_table(anna, site.url, "knister", "Anna", room=True))
    sit(bo, "Bo")
    expect(anna.locator("#players .who")).to_have_count(2)
    bo.evaluate(WATCH)
    roll(anna)
    lie(bo)
    seen = watched(bo)
    check_throw(seen[next(number for number, frame in enumerate(seen) if frame.air) - 1 :])
    expect(live(bo)).to_have_count(25)
