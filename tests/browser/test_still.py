"""Nothing moves under a finger: whatever is thrown and picked, all cells and boxes stay where they were."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.browsing import Hands, NewPhone, Server, cell, play_now, roll

OURS = ("knister", "knaster", "yatzy", "yatzy15", "maxi")
WIDTHS = {"narrow": (320, 568), "phone": (390, 844), "sideways": (844, 390), "wide": (1280, 800)}
WIDER = [width for width in WIDTHS if width != "narrow"]
FIRST_TURNS = 12  # steps
# Plays by clicking what can be clicked, so many steps or to the end, and gives what moved, at which step.
PLAY = """async (most) => {
    const SHEET = '.paper :is(.cell, .box, .block tr, .block td)';
    const STILL = `#status, #dice .spot, .paper, #after, ${SHEET}`;
    const FREE = '#play:not([data-moves]) ~ * .cell button:enabled';
    const NEXT = ['#roll', FREE, '.serve', '.pay', '#after [name=do]'];
    const status = () => document.getElementById('status').dataset;
    const visible = what => [...document.querySelectorAll(what)].filter(each => each.checkVisibility());
    const places = what => visible(what).map(each => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y + scrollY, width, height].join(' ');
    });
    const first = { [STILL]: places(STILL), [SHEET]: places(SHEET) };
    for (let step = 1; step <= most && status().phase !== 'over'; step++) {
        const next = NEXT.map(each => document.querySelector(each)).find(each => each);
        const { seq } = status();
        next?.click();
        for (let waits = 0; waits < 500 && status().seq === seq && (waits < 50 || next?.isConnected); waits++) {
            await new Promise(done => setTimeout(done, 4));
        }
        const what = status().phase === 'over' ? SHEET : STILL; // then words stand where the tray was
        const [now, before] = [places(what), first[what]];
        const moved = now.filter((place, at) => place !== before[at]);
        if (moved.length || now.length !== before.length) {
            const was = before.filter((place, at) => place !== now[at]);
            return { step, tapped: next?.outerHTML, was: was.slice(0, 4), moved: moved.slice(0, 4) };
        }
    }
    return {};
}"""


def begin(phone: NewPhone, server: Server, game: str, width: str) -> Page:
    wide, high = WIDTHS[width]
    page = phone(viewport={"width": wide, "height": high}, reduced_motion="reduce")
    hands = Hands(page.context.request, server.url)
    page.goto(hands.open(game, "Sarah", "Tim" if (game, width) == ("yatzy", "phone") else ""))
    page.locator("html.js").wait_for()
    return page


def events(page: Page) -> int:
    """How many the page knows of."""
    return int(page.locator("#status").get_attribute("data-seq") or 0)


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("width", ["narrow", *(pytest.param(each, marks=pytest.mark.prove) for each in WIDER)])
def test_nothing_moves_in_a_whole_game(new_phone: NewPhone, site: Server, game: str, width: str):
    page = begin(new_phone, site, game, width)
    assert page.evaluate(PLAY, 400) == {}
    expect(page.locator("#over")).to_be_visible()


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("width", WIDER)
def test_nothing_moves_in_the_first_turns(new_phone: NewPhone, site: Server, game: str, width: str):
    page = begin(new_phone, site, game, width)
    before = events(page)
    assert page.evaluate(PLAY, FIRST_TURNS) == {}
    assert page.locator(".paper :is(.cell, .box, .block td)").count() >= 13, "something was watched"
    assert events(page) - before >= FIRST_TURNS / 2, "something was played"


def test_a_double_tap_writes_where_it_was(page: Page, site: Server):
    play_now(page, site.url, "knister")
    for number, name in enumerate(("a1", "e1", "c3", "a5", "e5")):
        roll(page)
        target = cell(page, name).bounding_box()
        assert target
        x, y = target["x"] + target["width"] / 2, target["y"] + target["height"] / 2
        page.touchscreen.tap(x, y)
        page.touchscreen.tap(x, y)
        expect(cell(page, name)).not_to_have_text("")
        expect(page.locator("#mine .cell.taken")).to_have_count(number + 1)


# Two taps at once, however slow the machine is.
SLIP = "['c3', 'c4'].forEach(name => document.querySelector(`#mine .cell button[id$='-${name}']`).click())"


def test_a_second_tap_elsewhere_moves_the_pick_unless_it_comes_at_once(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    page.evaluate(SLIP)
    expect(cell(page, "c3")).not_to_have_text("")
    page.wait_for_timeout(450)
    expect(cell(page, "c4")).to_have_text("")
    cell(page, "d4").tap()
    expect(cell(page, "d4")).not_to_have_text("")
    expect(cell(page, "c3")).to_have_text("")


def test_arrow_keys_go_to_the_next_free_cell(page: Page, site: Server):
    play_now(page, site.url, "knister")
    roll(page)
    cell(page, "c3").tap()
    expect(page.locator("#roll")).to_be_visible()
    roll(page)
    cell(page, "b3").focus()
    for key, name in (("ArrowRight", "d3"), ("ArrowDown", "d4"), ("ArrowLeft", "c4"), ("ArrowUp", "c2")):
        page.keyboard.press(key)
        expect(cell(page, name)).to_be_focused()
