"""Everybody's turn can be seen: a bot's, the next player's at one phone, and what there is to be glad of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browsing import Hands, NewPhone, Server, cell, enter_dice, roll, said, tap

# What the page shows in each frame in which something differs.
WATCH = """() => {
    window.seen = [];
    window.slip = 0; // seconds between two frames, at most: a loaded machine sees nothing in between
    let lookedAt = performance.now();
    const text = part => document.querySelector(part)?.textContent ?? '';
    const look = () => {
        slip = Math.max(slip, (performance.now() - lookedAt) / 1000);
        lookedAt = performance.now();
        const now = {
            turn: document.getElementById('dice').dataset.turn,
            isRolling: document.querySelector('#table.rolling') !== null,
            said: text('#status .say strong'),
            hint: text('#status .hint'),
            joy: text('#status .joy'),
            heard: text('#announce'),
            tab: document.querySelector('.tabs [aria-current]')?.dataset.name ?? '',
            card: text('.next-player').trim(),
            written: document.querySelectorAll('#mine .cell.taken').length,
            isSliding: (document.querySelector('#mine .paper')?.getAnimations().length ?? 0) > 0,
            isWide: document.documentElement.scrollWidth > innerWidth,
        };
        const { at, ...last } = seen.at(-1) ?? {};
        if (JSON.stringify(now) !== JSON.stringify(last)) {
            seen.push({ ...now, at: performance.now() / 1000 });
        }
        requestAnimationFrame(look);
    };
    look();
}"""
# The place of what is said in joy, and all that it must not lie on.
PLACES = """() => {
    const box = part => document.querySelector(part)?.getBoundingClientRect();
    const joy = document.createRange();
    joy.selectNode(document.querySelector('#status .joy').firstChild); // not its sparks, which fly off
    const said = joy.getBoundingClientRect();
    const tray = box('#status');
    const isOn = other => other && other.width && said.left < other.right && other.left < said.right
        && said.top < other.bottom && other.top < said.bottom;
    const under = ['#dice .spots', '#dice .sum', '#roll', '#mine', '#mute'].filter(part => isOn(box(part)));
    const isInside = said.left >= tray.left && said.right <= Math.min(tray.right, innerWidth)
        && said.top >= tray.top && said.bottom <= tray.bottom;
    return { under, isInside, text: document.querySelector('#status .joy').textContent };
}"""

Frame = dict[str, Any]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as people have it: bots take their time."""
    server = Server(tmp_path_factory.mktemp("server"), bot_pace="1")
    server.start()
    yield server
    server.kill()


def frames(page: Page) -> list[Frame]:
    found: list[Frame] = page.evaluate("seen")
    return found


def fill(page: Page) -> None:
    tap(page, page.locator("#mine .pay").first)


def test_a_bots_turn_is_seen_and_can_be_skipped(page: Page, site: Server):
    page.goto(Hands(page.context.request, site.url).open("yatzy15", "Anna", bots="1"))
    roll(page)
    page.evaluate(WATCH)
    fill(page)
    tap(page, page.locator("#undo"))
    expect(said(page)).to_have_text("Your turn")
    fill(page)
    filled = frames(page)[-1]["at"]
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#skip")).to_be_visible()
    expect(said(page)).to_have_text("Your turn to throw")

    bots = [each for each in frames(page) if each["at"] >= filled]
    left = [now["at"] for before, now in pairwise(bots) if now["isRolling"] and not before["isRolling"]]
    lay = [now["at"] for before, now in pairwise(bots) if before["isRolling"] and not now["isRolling"]]
    over = bots[-1]
    name = over["hint"].partition(" fills ")[0]
    slip = page.evaluate("slip")
    assert left[0] - filled > 2.8 - slip, "three seconds in which one may take back"
    assert 2 - slip <= over["at"] - left[0] <= 5 + slip
    assert all(after - before >= 0.6 - slip for before, after in zip(lay[:-1], left[1:], strict=True))
    keeps = [each["said"] for each in bots if each["said"].startswith((f"{name} keeps ", f"{name} throws all"))]
    assert len(set(keeps)) <= len(left) - 1 <= len(keeps)
    assert over["heard"] == f"{over['hint']}. Your turn to throw"

    roll(page)
    fill(page)
    page.evaluate("seen.length = 0")
    page.locator("#skip").tap()
    expect(said(page)).to_have_text("Your turn to throw", timeout=2_000)
    assert not any(each["isRolling"] for each in frames(page))


def four_sevens(page: Page, site: Server, *names: str) -> None:
    """Each has four sevens in the first row; another one is thrown."""
    hands = Hands(page.context.request, site.url)
    page.goto(hands.open("knister", *names, dice="own"))
    for place in ("a1", "b1", "d1", "e1"):
        hands.refresh()
        hands.roll("34")
        for _ in names:
            hands.refresh()
            hands.play(place)
    hands.refresh()
    hands.roll("34")
    expect(page.locator("#mine .cell.taken")).to_have_count(4)
    expect(page.locator(".next-player")).to_have_count(0)


LONG = ("Anna", "Tim", "Eva", "Maximilian-Alexander")


def test_at_one_phone_a_number_is_seen_before_the_next_sheet_comes(page: Page, site: Server):
    four_sevens(page, site, *LONG)
    current = page.locator(".tabs [aria-current]")
    expect(said(page)).to_have_text("Anna picks")
    page.evaluate(WATCH)
    cell(page, "c1").tap()
    expect(said(page)).to_have_text("Tim picks")
    expect(page.locator(".next-player")).to_have_count(0)
    seen = frames(page)
    assert not any(each["isWide"] for each in seen)
    wrote = next(each for each in seen if each["written"] == 5)
    came = next(each for each in seen if each["tab"] == "Tim")
    assert came["at"] - wrote["at"] > 1.6, "ten points are seen for longer"
    assert {each["joy"] for each in seen if each["tab"] == "Tim"} == {""}
    assert any(each["joy"] == "Five of a kind +10" for each in seen)
    assert all(each["tab"] == "Anna" for each in seen if each["joy"])
    carded = [each for each in seen if each["card"]]
    assert all(each["card"].endswith("Tim") for each in carded)
    assert {each["tab"] for each in carded if each["isSliding"]} == {"Anna", "Tim"}
    assert seen[-1]["at"] - carded[0]["at"] > 0.9

    cell(page, "c3").tap()  # five sevens elsewhere: nothing to be glad of
    expect(page.locator("#mine .cell.taken")).to_have_count(5)
    page.locator("#mine .paper").tap(position={"x": 5, "y": 5})  # a tap skips
    expect(current).to_contain_text("Eva", timeout=600)
    cell(page, "c1").tap()
    expect(current).to_contain_text(LONG[3])
    tabs, tab = page.locator("#tabs").bounding_box(), current.bounding_box()
    assert tabs is not None
    assert tab is not None
    assert tab["x"] >= tabs["x"]
    assert tab["x"] + tab["width"] <= tabs["x"] + tabs["width"] + 1


def test_whoever_wants_no_motion_sees_no_sheet_slide(new_phone: NewPhone, site: Server):
    page = new_phone(reduced_motion="reduce")
    four_sevens(page, site, "Anna", "Tim")
    page.evaluate(WATCH)
    cell(page, "c3").tap()
    expect(said(page)).to_have_text("Tim picks")
    seen = frames(page)
    assert not any(each["isSliding"] for each in seen)
    wrote = next(each for each in seen if each["written"] == 5)
    assert seen[-1]["at"] - wrote["at"] > 0.85


@pytest.mark.parametrize(("width", "language"), [(390, "en"), (320, "de")])
def test_joy_is_said_in_the_tray_and_marked_on_the_line(
    new_phone: NewPhone, site: Server, width: int, language: str
):
    page = new_phone(viewport={"width": width, "height": 700}, locale=language)
    four_sevens(page, site, "Anna")
    page.reload()  # what is earned next is news all the same
    page.locator("html.js").wait_for()
    cell(page, "c1").tap()
    expect(page.locator("#status .joy")).to_contain_text("+10")
    places = page.evaluate(PLACES)
    assert (places["under"], places["isInside"]) == ([], True), places
    expect(page.locator("#mine .cell.won")).to_have_count(5)
    expect(page.locator("#mine tr", has=page.locator(".cell.won"))).to_have_count(1)
    enter_dice(page, "11")
    expect(page.locator("#mine .cell.won")).to_have_count(0)
