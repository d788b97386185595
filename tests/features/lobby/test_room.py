"""A room shows its invitation first, and begins only when somebody means it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from support.browsing import SHIFTS, NewPhone, Server, open_table, roll, said, sit


def test_the_invitation_comes_first_and_the_button_counts_who_is_there(site: Server, new_phone: NewPhone):
    sarah, tim = new_phone(), new_phone()
    tim.add_init_script(SHIFTS)
    link = open_table(sarah, site.url, "knister", "Sarah", room=True)
    expect(sarah.locator("#roll")).to_have_text("Begin with 1 player")
    assert sarah.locator("#roll").evaluate("each => getComputedStyle(each).backgroundColor") == "rgba(0, 0, 0, 0)"
    code, button = sarah.locator("strong.code").bounding_box(), sarah.locator("#roll").bounding_box()
    assert code
    assert button
    assert code["y"] < 200 < button["y"]
    assert sarah.locator("img.qr").evaluate("each => each.offsetWidth") > 100, (
        "nothing stands beside the invitation"
    )
    tim.goto(link)
    expect(tim.get_by_role("heading", name="You are invited: Knister")).to_be_visible()
    sit(tim, "Tim")
    expect(tim.get_by_role("heading", name="You are invited: Knister")).to_have_count(0)
    expect(tim.get_by_role("heading", name="You are in")).to_be_visible()
    expect(tim.get_by_role("button", name="Copy the link")).to_be_visible()
    expect(sarah.locator("#roll")).to_have_text("Begin with 2 players")
    assert sarah.locator("#roll").evaluate("each => getComputedStyle(each).backgroundColor") != "rgba(0, 0, 0, 0)"
    expect(tim.locator("#roll")).to_have_count(0)
    expect(tim.get_by_text("Waiting for the host to begin").locator("visible=true")).to_be_visible()
    tim.wait_for_timeout(700)  # what sitting down has moved is Tim's own doing
    tim.evaluate("shifted.length = 0")
    roll(sarah)
    expect(said(tim)).to_have_text("Your turn")
    expect(tim.locator("#mine")).to_be_visible()
    assert tim.evaluate("shifted") == []


def test_names_typed_on_a_device_are_offered_there_again(page: Page, new_phone: NewPhone, site: Server):
    open_table(page, site.url, "knister", "Sarah", "Tim")
    page.goto(f"{site.url}/new/knaster")
    expect(page.locator(".known-names button")).to_have_count(0)
    page.get_by_label("Player 1").tap()
    expect(page.locator(".known-names button")).to_have_text(["Sarah", "Tim"])
    for name in ("Tim", "Sarah"):
        page.get_by_role("button", name=name).tap()
    expect(page.locator("input[name=name]").nth(0)).to_have_value("Tim")
    expect(page.locator("input[name=name]").nth(1)).to_have_value("Sarah")
    page.goto(open_table(new_phone(), site.url, "knister", "Anna", room=True))
    page.locator("#sit-name").tap()
    page.get_by_role("button", name="Sarah").tap()
    page.get_by_role("button", name="Sit down").tap()
    expect(page.locator("#players .who")).to_have_text(["Anna", "Sarah"])
