"""Reactions as people see them: they rise from a mark, on phones and on the wall, and a device can do without."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support.browsing import Hands, NewPhone, Server
from support.page_checks import ALL_RULES, misfits

Motion = Literal["reduce", "no-preference"]
NARROW = {"width": 320, "height": 640}


def two(new_phone: NewPhone, server: Server) -> tuple[Page, Page, Hands]:
    """Two phones at one table, before its first throw."""
    anna, tim = new_phone(), new_phone(viewport=NARROW, locale="de")
    hands = Hands(anna.context.request, server.url)
    table = hands.open("knister", "Anna", room="1")
    Hands(tim.context.request, server.url, hands.table).post("sit", name="Tim")
    for page in (anna, tim):
        page.goto(table)
    return anna, tim, hands


def test_a_reaction_rises_on_all_screens_and_is_read_out(new_phone: NewPhone, server: Server):
    anna, tim, hands = two(new_phone, server)
    wall = new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False, has_touch=False)
    wall.goto(f"{hands.table}/wall")
    hands.roll()
    expect(wall.locator("#board")).to_have_attribute("data-phase", "pick")
    anna.locator("#reactions").scroll_into_view_if_needed()
    expect(anna.locator("#dice")).to_have_attribute("data-turn", "1")
    button = tim.get_by_role("button", name="Haha")
    button.focus()
    tim.keyboard.press("Enter")
    for page in (anna, tim, wall):
        expect(page.locator(".risen .reaction")).to_be_visible()
    expect(anna.get_by_text("Tim: Haha.")).to_be_attached()
    mark, risen = (anna.locator(each).bounding_box() for each in ("#p-1 .mark", ".risen"))
    assert mark
    assert risen
    assert abs(mark["x"] - risen["x"]) < 40
    for page in (anna, tim, wall):
        expect(page.locator(".risen")).to_have_count(0)
    for page in (anna, tim):
        assert not misfits(page)
        assert not Axe().run(page, options=ALL_RULES).response["violations"]


def test_a_device_can_do_without_and_still_send(new_phone: NewPhone, server: Server):
    anna, tim, _ = two(new_phone, server)
    tim.locator("summary", has_text="Hilfe").tap()
    tim.locator("#still").check()
    tim.reload()
    tim.locator("#reactions button").first.tap()
    expect(anna.locator(".risen")).to_have_count(1)
    assert tim.locator(".risen").count() == 0
    for _ in range(4):
        tim.locator("#reactions button").first.tap()
    expect(tim.locator("#trouble")).to_contain_text("Warte")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_who_wants_no_motion_sees_it_stand_still(new_phone: NewPhone, server: Server, motion: Motion):
    anna, tim, _ = two(new_phone, server)
    anna.emulate_media(reduced_motion=motion)
    tim.locator("#reactions button").last.tap()
    risen = anna.locator(".risen")
    expect(risen).to_be_visible()
    assert risen.evaluate("each => each.getAnimations().length") == (motion == "no-preference")
