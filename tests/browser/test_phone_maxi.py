"""Maxi on a small phone, with throws that are saved."""

from __future__ import annotations

from browsing import Server, enter_dice, open_table, status, tap, total
from playwright.sync_api import Locator, Page, expect


def box(page: Page, name: str) -> Locator:
    return page.locator(f"#mine [id$='-{name}'].pay")


def row(page: Page, label: str) -> Locator:
    return page.locator("#mine .block tr", has=page.get_by_role("rowheader", name=label, exact=True))


def test_throws_are_saved_and_used_after_the_third(page: Page, server: Server):
    page.set_viewport_size({"width": 320, "height": 640})
    open_table(page, server.url, "maxi", "Sarah", own_dice=True)
    enter_dice(page, "555566")
    tap(page, box(page, "tower"))
    expect(row(page, "Saved throws").locator("td")).to_have_text("2")

    again = page.get_by_role("button", name="Throw the others again")
    enter_dice(page, "123456")
    for number, saved in ((1, 2), (2, 2), (3, 2), (3, 1)):
        expect(status(page)).to_contain_text(f"Throw {number} of 3. Saved throws: {saved}")
        tap(page, again)
        enter_dice(page, "123456")
    expect(status(page)).to_contain_text("Throw 3 of 3")
    expect(again).to_have_count(0)
    tap(page, box(page, "full_straight"))
    expect(row(page, "Saved throws").locator("td")).to_have_text("0")
    expect(total(page)).to_have_text(str(32 + 21))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
