"""Dice of one's own: places that fill one by one, in sight, by keyboard and without a script; and whole games."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.browsing import CELLS, Hands, NewPhone, Server, open_table, status, turn

PLACES = """() => [...document.querySelectorAll('#status .act .hole')].map(place =>
    (place.querySelector('.cube').dataset.face ?? '-') + ('kept' in place.dataset ? '!' : ''))"""


def key(page: Page, face: int) -> None:
    page.locator(f"#status .act .pad button[value='{face}']").tap()


def places(page: Page) -> str:
    return " ".join(page.evaluate(PLACES))


def test_places_fill_are_erased_by_a_tap_and_it_goes_on_by_itself(page: Page, site: Server):
    open_table(page, site.url, "yatzy15", "Sarah", own_dice=True)
    left = page.locator("#status .act output")
    expect(left).to_have_text("5 to go")
    for face in (3, 3, 5):
        key(page, face)
    assert places(page) == "3 3 5 - -"
    expect(left).to_have_text("2 to go")
    page.locator("#status .act .hole").nth(1).tap()
    assert places(page) == "3 - 5 - -"
    for face in (6, 1, 2):
        key(page, face)
    expect(page.locator("#dice")).to_have_attribute("data-turn", "1")  # nobody has said that it is all
    for place in (1, 3):
        page.locator(f"#k-{place}").check(force=True)
    page.locator("#again").tap()
    expect(left).to_have_text("3 to go")
    assert places(page) == "3! - 5! - -"
    expect(page.locator("#announce")).to_contain_text("Kept: 3 5.")
    page.locator("#status").focus()  # figures are for the tray while it has the focus
    page.keyboard.type("44")
    page.keyboard.press("Backspace")
    assert places(page) == "3! 4 5! - -"
    page.locator("#faces").focus()
    page.keyboard.type("46")
    expect(page.locator("#announce")).to_contain_text("Throw 2 of 3: 3 5, new 4 4 6.")
    assert turn(page) == 2


def test_a_wrong_die_is_erased_alone(page: Page, site: Server):
    open_table(page, site.url, "yatzy15", "Sarah", own_dice=True)
    for face in (1, 2, 3, 4, 6):
        key(page, face)
    expect(page.locator("#dice")).to_have_attribute("data-turn", "1")
    page.locator("#fix summary").tap()
    page.locator("#fix .hole").nth(4).tap()
    page.locator("#fix .pad button[value='5']").tap()
    expect(status(page)).to_have_attribute("data-corrected", "2")
    expect(page.locator("#announce")).to_contain_text("1 2 3 4 5")


def test_without_a_script_dice_are_typed(new_phone: NewPhone, site: Server):
    page = new_phone(java_script_enabled=False)
    open_table(page, site.url, "knister", "Sarah", own_dice=True)
    expect(page.locator("#status .act .holes")).to_be_hidden()
    page.get_by_label("What do your dice show?").fill("34")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#dice .sum")).to_contain_text("7")


# Five sums of which no line has two, nor a row of them; sevens alone; and in nearly every box what it is for.
DIFFERENT = ("11", "12", "23", "56", "66")
POOR = [(DIFFERENT[(2 * (place // 5) + place) % 5], name) for place, name in enumerate(CELLS)]
RICH = [("34", name) for name in CELLS]
BOXES = [
    *((str(face) * 3 + "12", f"fill {box}") for face, box in ((3, "threes"), (4, "fours"), (5, "fives"))),
    *(("11126", "fill ones"), ("22213", "fill twos"), ("66612", "fill sixes"), ("55566", "fill full_house")),
    *(("66654", "fill three_of_a_kind"), ("44446", "fill four_of_a_kind"), ("12345", "fill large_straight")),
    *(("12346", "fill small_straight"), ("11235", "fill yatzy"), ("66554", "fill chance")),
]
# Where the sheet is; what lies on it; and what is drawn around its total.
SHEET = """() => [...document.querySelectorAll('#mine :is(.cell, .box, .block tr)')].map(each => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y + scrollY, width, height].join(' ');
})"""
COVERED = """() => [...document.querySelectorAll('#mine :is(.cell, .block td)')].filter(each => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top && !document.getElementById('mine').contains(top) && !top.closest('.navigation');
}).length"""
# How much of something lies under something else.
COVERED_BY = """(each, other) => {
    const [under, over] = [each, document.querySelector(other)].map(one => one.getBoundingClientRect());
    return Math.max(0, under.bottom - over.top) / under.height;
}"""


@pytest.mark.parametrize(
    ("game", "moves", "feast", "heading", "drawn"),
    [
        ("knister", POOR, "0", "0 points", "under"),
        ("yatzy", BOXES, "1", "Very good!", "ring"),
        ("knister", RICH, "2", "Outstanding!", "rays"),
    ],
)
def test_the_end_grows_with_what_was_done_and_covers_nothing(
    new_phone: NewPhone,
    site: Server,
    game: str,
    moves: list[tuple[str, str]],
    feast: str,
    heading: str,
    drawn: str,
):
    page = new_phone(reduced_motion="reduce")
    hands = Hands(page.context.request, site.url)
    hands.open(game, "Sarah", dice="own")
    for faces, do in moves[:-1]:
        hands.roll(faces)
        hands.play(do)
    hands.roll(moves[-1][0])
    page.goto(hands.table)
    page.locator("html.js").wait_for()
    before = page.evaluate(SHEET)
    hands.play(moves[-1][1])
    expect(page.locator("#crown")).to_have_text(heading)
    expect(page.locator("#finish")).to_have_attribute("data-feast", feast)
    expect(page.locator("#finish .verdict")).to_contain_text("Your first game of")
    expect(page.locator(f".reached .{drawn}")).to_be_visible()
    expect(page.locator("#crown")).to_be_in_viewport()
    expect(status(page)).to_be_hidden()
    assert page.evaluate(SHEET) == before
    assert page.evaluate(COVERED) == 0


def test_after_a_great_game_it_can_be_played_again_without_scrolling(new_phone: NewPhone, site: Server):
    page = new_phone(reduced_motion="reduce", locale="de")  # with the longest words
    hands = Hands(page.context.request, site.url)
    hands.open("knister", "Sarah", dice="own")
    for faces, do in RICH:
        hands.roll(faces)
        hands.play(do)
    page.goto(hands.table)
    expect(page.locator("#finish")).to_have_attribute("data-feast", "2")
    assert page.get_by_role("button", name="Noch einmal").evaluate(COVERED_BY, ".navigation") < 0.25
