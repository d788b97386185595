"""A seat that moves to another device, several seats at one device, and dice of one's own."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.browsing import (
    NewPhone,
    Server,
    cell,
    correct_dice,
    enter_dice,
    open_table,
    roll,
    said,
    sit,
    write,
)

SLOW = 450  # no double tap, whose second half must not write on the next player's sheet


def two(server: Server, phone: NewPhone, **settings: bool) -> tuple[Page, Page]:
    sarah, tim = phone(), phone()
    tim.goto(open_table(sarah, server.url, "knister", "Sarah", room=True, **settings))
    sit(tim, "Tim")
    expect(sarah.locator("#players .who")).to_have_text(["Sarah", "Tim"])
    return sarah, tim


def test_a_seat_moves_by_its_link_once(site: Server, new_phone: NewPhone):
    sarah, tim = two(site, new_phone)
    roll(sarah)
    write(tim, "c3")
    ends = "all => all.map(each => each.getBoundingClientRect().right)"
    mine, theirs = tim.locator("#players li > strong").evaluate_all(ends)
    assert mine == theirs  # one column, though only one's own line has options
    number = cell(tim, "c3").inner_text()
    tim.locator("summary", has_text="Options for Tim").tap()
    tim.get_by_role("button", name="Move this seat to another device").tap()
    expect(tim.locator("dialog.ask svg")).to_be_visible()
    link = tim.get_by_role("textbox", name="Link").input_value()
    tim.get_by_role("link", name="Back").tap()

    other = new_phone()
    other.goto(link)
    assert "#" not in other.url  # the secret stands in no history
    expect(tim.locator("#mine .grid")).to_be_visible()  # opening the link moves nothing
    other.get_by_role("button", name="Take the seat").tap()
    expect(cell(other, "c3")).to_have_text(number)
    expect(tim.get_by_text("You are watching.")).to_be_visible()
    write(other, "d4")
    expect(cell(other, "d4")).to_have_text(number)

    third = new_phone()
    third.goto(link)
    third.get_by_role("button", name="Take the seat").tap()
    expect(third.get_by_role("alert")).to_be_visible()


def test_a_seat_is_given_to_another_device_when_the_host_accepts(site: Server, new_phone: NewPhone):
    sarah, again, stranger = new_phone(), new_phone(), new_phone()
    open_table(sarah, site.url, "knister", "Sarah", "Tim")
    roll(sarah)
    again.goto(sarah.url)
    stranger.goto(sarah.url)
    again.get_by_text("I already play here").tap()
    again.get_by_role("button", name="I am Tim").tap()
    digits = re.findall(r"\d\d", again.locator(".claim").inner_text())[0]
    expect(sarah.locator(".claim")).to_contain_text("Tim")
    expect(sarah.locator(".claim")).to_contain_text(digits)
    expect(stranger.locator(".claim")).to_have_count(0)
    sarah.get_by_role("button", name="Yes, that is right").tap()
    expect(said(again)).to_have_text("Your turn")
    write(again, "c3")
    expect(cell(again, "c3")).not_to_have_text("")
    expect(sarah.locator(".claim")).to_have_count(0)


def test_pass_and_play_has_a_tab_for_each_player(page: Page, site: Server):
    open_table(page, site.url, "knister", "Anna", "Tim", "Eva")
    roll(page)
    tabs = page.get_by_role("navigation", name="Players at this device")
    for name in ("Anna", "Tim", "Eva"):  # who has still to pick comes up by itself
        expect(tabs.locator("[aria-current]")).to_contain_text(name)
        expect(said(page)).to_have_text(f"{name} picks")
        page.wait_for_timeout(SLOW)
        cell(page, "c3").tap()
        expect(tabs.get_by_role("link", name=name)).not_to_contain_text("✎")
    expect(said(page)).to_have_text("Tim throws")
    tabs.get_by_role("link", name="Anna").tap()
    expect(tabs.locator("[aria-current]")).to_contain_text("Anna")
    page.wait_for_timeout(SLOW)
    write(page, "a1")
    expect(cell(page, "c3")).to_have_text("")
    tabs.get_by_role("link", name="Tim").tap()
    expect(cell(page, "c3")).not_to_have_text("")
    roll(page)
    expect(tabs.locator(".due")).to_have_count(3)
    expect(said(page)).to_have_text("Tim picks")  # who has the phone


def test_after_a_tab_was_chosen_the_next_player_comes_up_again(page: Page, site: Server):
    open_table(page, site.url, "knister", "Anna", "Tim")
    roll(page)
    tabs = page.get_by_role("navigation", name="Players at this device")
    tabs.get_by_role("link", name="Tim").tap()
    expect(tabs.locator("[aria-current]")).to_contain_text("Tim")
    cell(page, "c3").tap()
    expect(said(page)).to_have_text("Anna picks")
    page.wait_for_timeout(SLOW)
    cell(page, "c3").tap()
    expect(said(page)).to_have_text("Tim throws")


def test_the_phone_is_handed_over_where_its_players_want_that(page: Page, site: Server):
    open_table(page, site.url, "knister", "Sarah", "Tim")
    curtain = page.locator("#curtain")
    page.get_by_text("Help and settings").tap()
    page.get_by_label("Hide each sheet until the phone is handed over").check()
    roll(page)
    cell(page, "c3").tap()
    expect(curtain).to_contain_text("Hand the phone to Tim")
    box, screen = curtain.bounding_box(), page.viewport_size
    assert box is not None
    assert screen is not None
    assert (box["width"], box["height"]) >= (screen["width"], screen["height"])  # nothing is seen beside it
    page.reload()
    expect(curtain).to_contain_text("Hand the phone to Tim")
    page.get_by_role("button", name="Here I am").tap()
    expect(curtain).to_be_hidden()
    cell(page, "a1").tap()
    expect(said(page)).to_have_text("Tim throws")
    expect(curtain).to_be_hidden()
    roll(page)
    expect(curtain).to_be_hidden()
    cell(page, "c3").tap()
    expect(curtain).to_contain_text("Hand the phone to Sarah")


def test_own_dice_can_be_corrected_and_picks_return(site: Server, new_phone: NewPhone):
    sarah, tim = two(site, new_phone, own_dice=True)
    expect(tim.locator("#faces")).to_have_count(0)
    enter_dice(sarah, "34")
    for page in (sarah, tim):
        write(page, "c3")
        expect(cell(page, "c3")).to_have_text("7")
    correct_dice(sarah, "66")
    for page in (sarah, tim):
        expect(cell(page, "c3")).to_have_text("")
        expect(page.locator("#dice .sum")).to_contain_text("12")
        expect(page.locator("#status .round")).to_have_text("Round 1 of 25")
        expect(page.locator("#trouble")).to_contain_text("corrected")
        write(page, "c3")
        expect(cell(page, "c3")).to_have_text("12")
        expect(page.locator("#trouble")).to_be_hidden()
