"""Knaster on a phone: one number that completes several lines, and the circles that these earn."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from support.browsing import Hands, cell, enter_dice, live, open_table, said, status, tap, total


def crossing(hands: Hands) -> None:
    """Row 3 and column c lack only c3, where they cross; two numbers of the column are circled already."""
    hands.open("knaster", "Sarah", dice="own")
    for name in ("a3", "b3", "d3", "e3", "c1", "c2", "c4", "c5", "(c1)", "(c2)"):
        hands.roll("34")
        hands.play(name)


def test_one_number_completes_two_lines_that_are_served_in_turn(page: Page, hands: Hands):
    crossing(hands)
    page.goto(hands.table)
    enter_dice(page, "61")
    expect(status(page)).to_contain_text("Write or circle the 7")
    expect(page.locator("#mine .letters")).to_have_text("abcde")
    tap(page, cell(page, "c3"))

    expect(status(page)).to_contain_text("Which line first? Choose its box at the edge.")
    expect(live(page)).to_have_count(0)
    expect(page.locator("#mine a.serve")).to_have_count(2)
    page.locator("#mine a.serve[data-serve='3']").tap()
    expect(status(page)).to_contain_text("3 more to circle")
    expect(live(page)).to_have_count(5)
    expect(page.locator("#mine .box.serving")).to_have_text("3Row 3: 7, 7, 7, 7, 7; five of a kind, 0 points")

    tap(page, cell(page, "c3"))
    expect(status(page)).to_contain_text("2 more to circle")
    expect(page.locator("#mine .box.owes .circles")).to_have_text(["2", "2"])  # the other line still waits
    tap(page, cell(page, "a3"))
    expect(status(page)).to_contain_text("1 more to circle")
    page.get_by_role("button", name="Take back").tap()
    expect(status(page)).to_contain_text("2 more to circle")
    expect(page.locator("#mine .cell.circled")).to_have_count(3)
    tap(page, cell(page, "b3"))
    tap(page, cell(page, "d3"))

    # Column c has two numbers left and earns more circles than that: they are drawn without asking.
    expect(page.locator("#mine .cell.circled")).to_have_count(7)
    expect(page.locator("#mine .box.earned")).to_have_count(1)
    expect(total(page)).to_have_text("14")
    expect(said(page)).to_have_text("Your turn to throw")


def test_a_number_is_circled_instead_of_written(page: Page, hands: Hands):
    hands.open("knaster", "Sarah", dice="own")
    for name in ("c3", "a1"):
        hands.roll("34")
        hands.play(name)
    page.goto(hands.table)
    enter_dice(page, "25")
    tap(page, cell(page, "c3"))
    expect(page.get_by_role("button", name="c3: 7, circled")).to_be_visible()
    expect(total(page)).to_have_text("1")
    page.get_by_role("button", name="Take back").tap()
    expect(page.get_by_role("button", name="c3: 7", exact=True)).to_be_enabled()


def test_half_a_throw_survives_what_happens_elsewhere(page: Page, hands: Hands):
    open_table(page, hands.url, "knaster", "Sarah", "Tim", own_dice=True)
    pad = page.locator("#status .act form .pad button")
    pad.nth(2).tap()
    hands.table = page.url
    hands.post("rename", seat="1", name="Tom")
    expect(page.locator("#players .who").nth(1)).to_have_text("Tom")
    pad.nth(3).tap()
    expect(page.locator("#faces")).to_have_value("34")
    expect(page.locator("#status .act form output")).to_have_text("7")
