"""Blocks of boxes on a phone: jokers of Yatzy, and Maxi's throws that are saved."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from support.browsing import Server, enter_dice, open_table, play_now, roll, status, tap, total, turn


def box(page: Page, name: str) -> Locator:
    return page.locator(f"#mine [id$='-{name}'].pay")


def row(page: Page, label: str) -> Locator:
    return page.locator("#mine .block tr", has=page.get_by_role("rowheader", name=label, exact=True))


def test_a_second_yatzy_is_a_joker(page: Page, site: Server):
    open_table(page, site.url, "yatzy", "Sarah", own_dice=True)
    enter_dice(page, "66666")
    tap(page, box(page, "yatzy"))
    expect(row(page, "yatzy").locator("td")).to_have_text("50")

    enter_dice(page, "66666")
    expect(page.locator("#mine .pay")).to_have_count(1)  # the sixes come first
    tap(page, box(page, "sixes"))
    expect(row(page, "Joker marks").locator("td")).to_contain_text("✕ 100")

    enter_dice(page, "66666")
    expect(page.locator("#mine .pay")).to_have_count(6)  # then the lower section, at full worth
    expect(box(page, "full_house")).to_have_text(re.compile(r"25$"))
    expect(box(page, "large_straight")).to_have_text(re.compile(r"40$"))
    tap(page, box(page, "large_straight"))
    expect(total(page)).to_have_text(str(50 + 30 + 100 + 40 + 100))


def test_dice_are_kept_by_tapping_them_until_they_are_tapped_again(page: Page, site: Server):
    play_now(page, site.url, "yatzy")
    roll(page)
    expect(page.locator("#keep input:checked")).to_have_count(0)
    page.locator("#status .spot").nth(1).tap()
    page.locator("#status .spot").nth(3).tap()
    for number in (1, 2):
        expect(status(page)).to_contain_text(f"Throw {number} of 3")
        expect(page.locator("#keep input:checked")).to_have_count(2)
        tap(page, page.get_by_role("button", name="Throw the others again"))
    expect(status(page)).to_contain_text("Throw 3 of 3")
    expect(page.get_by_role("button", name="Throw the others again")).to_have_count(0)
    worth = box(page, "chance").inner_text().split()[-1]
    tap(page, box(page, "chance"))
    expect(total(page)).to_have_text(worth)


def test_own_dice_are_asked_for_as_many_as_are_thrown_again(page: Page, site: Server):
    open_table(page, site.url, "yatzy", "Sarah", own_dice=True)
    enter_dice(page, "11234")
    page.locator("#status .spot").nth(0).tap()
    page.locator("#status .spot").nth(1).tap()
    tap(page, page.get_by_role("button", name="Throw the others again"))
    expect(page.locator("#status .act form")).to_have_attribute("data-faces", "3")
    enter_dice(page, "111")
    expect(box(page, "yatzy")).to_have_text(re.compile(r"50$"))


def test_a_throw_that_the_rules_forbid_sleeps_and_says_why_beside_the_dice(page: Page, site: Server):
    play_now(page, site.url, "yatzy")
    roll(page)
    again = page.locator("#again")
    expect(page.get_by_text("Keep at least one die")).to_be_visible()
    for kept in (0, 5):  # that is none, or all
        expect(page.locator("#keep :checked")).to_have_count(kept)
        expect(again).to_be_disabled()
        again.tap(force=True)
        for spot in page.locator("#status .spot").all():
            spot.tap()
    assert turn(page) == 1
    page.locator("#status .spot").first.tap()
    expect(page.get_by_text("Keep at least one die")).to_be_hidden()
    tap(page, again)
    expect(page.locator("#trouble")).to_be_hidden()


def test_throws_are_saved_and_used_after_the_third(page: Page, site: Server):
    page.set_viewport_size({"width": 320, "height": 640})
    open_table(page, site.url, "maxi", "Sarah", own_dice=True)
    enter_dice(page, "555566")
    tap(page, box(page, "tower"))
    expect(row(page, "Saved throws").locator("td")).to_have_text("2")

    again = page.get_by_role("button", name="Throw all again")
    enter_dice(page, "123456")
    for told, saved in (
        ("Throw 1 of 3, 2 saved", ""),
        ("Throw 2 of 3, 2 saved", ""),
        ("2 saved throws left", "uses a saved throw"),
        ("1 saved throw left", "uses a saved throw"),
    ):
        expect(status(page)).to_contain_text(told)
        expect(again.locator("small")).to_have_text([saved] if saved else [])
        tap(page, again)
        enter_dice(page, "123456")
    expect(status(page)).to_contain_text("No throw left: fill a box")
    expect(again).to_have_count(0)
    tap(page, box(page, "full_straight"))
    expect(row(page, "Saved throws").locator("td")).to_have_text("0")
    expect(total(page)).to_have_text(str(32 + 21))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
