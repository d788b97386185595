"""The home page as it is seen and touched: the code in reach, the sheets that are written, the way around."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support.browsing import Hands, NewPhone, Server, end_game, open_table, play_now, roll
from support.page_checks import ALL_RULES

WAYS = ["Play", "Today", "Learn", "My games"]
PLACES = {"/": "Play", "/new/knister": "Play", "/day": "Today", "/day/yatzy": "Today", "/learn": "Learn"}
PLACES |= {"/rules/maxi": "Learn", "/practice/knaster": "Learn", "/puzzle": "Learn", "/games": "My games"}
# Of three kinds: their tops, and how much wider their words are than they.
KINDS = """labels => labels.map(label => {
    const words = document.createRange();
    words.selectNodeContents(label);
    const { left, right, top } = label.getBoundingClientRect();
    const over = [...words.getClientRects()].map(each => Math.max(left - each.left, each.right - right));
    return [top, Math.max(...over)];
})"""
WRITING = "document.getAnimations().filter(each => each.animationName === 'write').length"


def test_a_code_is_typed_without_scrolling_and_a_wrong_one_is_answered_beside_it(
    site: Server, new_phone: NewPhone
):
    sarah, tim = new_phone(), new_phone()
    open_table(sarah, site.url, "knister", "Sarah", room=True)
    for page, path in ((tim, "/"), (sarah, "/")):  # a first visit, and one of somebody who is in a game
        page.goto(site.url + path)
        bar = page.get_by_role("navigation").bounding_box()
        for thing in (page.get_by_label("Room code"), page.get_by_role("button", name="Join")):
            box = thing.bounding_box()
            assert box
            assert bar
            assert box["y"] + box["height"] < bar["y"], "nothing is below the fold or under the navigation"
    sarah.go_back()
    code = sarah.locator("strong.code").inner_text()
    tim.get_by_label("Room code").fill("bbbbbb")
    tim.get_by_role("button", name="Join").tap()
    expect(tim.locator(".ticket").get_by_role("alert")).to_be_visible()
    expect(tim.get_by_label("Room code")).to_have_value("bbbbbb")
    expect(tim.get_by_label("Room code")).to_be_focused()
    tim.get_by_label("Room code").fill(code.lower())
    tim.get_by_role("button", name="Join").tap()
    expect(tim.get_by_role("button", name="Sit down")).to_be_visible()


def test_who_comes_back_finds_the_day_and_a_new_game_before_other_company(site: Server, new_phone: NewPhone):
    page = new_phone()
    Hands(page.context.request, site.url).open("knister", "Sarah")
    page.goto(site.url)
    headings = [
        page.get_by_role("heading", name=name) for name in ("Go on", "Throws of the day", "New game", "Challenge")
    ]
    tops = [heading.evaluate("each => each.getBoundingClientRect().top") for heading in headings]
    assert tops == sorted(tops)
    page.set_viewport_size({"width": 1280, "height": 800})
    beside = [
        page.get_by_role("heading", name=name).evaluate("each => each.getBoundingClientRect().top")
        for name in ("Challenge", "Your circles")
    ]
    assert beside[0] == beside[1]


@pytest.mark.parametrize(("locale", "size"), [("en", "13"), ("sv", "15")])
def test_the_kinds_of_yatzy_are_one_card_with_the_best_known_chosen(page: Page, site: Server, new_phone: NewPhone, locale: str, size: str):  # fmt: skip # noqa: E501
    page = new_phone(locale=locale)
    page.goto(site.url)
    card = page.locator(".game.family")
    expect(card).to_have_count(1)
    expect(card.locator("label", has=page.locator(":checked"))).to_contain_text(size)
    card.locator("label", has_text="Maxi").tap()
    expect(card.locator(".picture:visible")).to_have_count(1)
    card.locator(".do button").first.tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Maxi")
    page.go_back()
    card.locator("label", has_text="Maxi").tap()
    card.locator(".do button").last.tap()
    expect(page).to_have_url(f"{site.url}/new/maxi")


@pytest.mark.parametrize("wide", [320, 390, 1280])
@pytest.mark.parametrize("locale", ["sv", "de"])
def test_the_names_of_kinds_are_whole_side_by_side(site: Server, new_phone: NewPhone, locale: str, wide: int):
    page = new_phone(locale=locale, viewport={"width": wide, "height": 800})
    page.goto(site.url)
    kinds = page.locator(".kinds label").evaluate_all(KINDS)
    assert len(kinds) == 3
    assert len({top for top, _ in kinds}) == 1
    assert all(over <= 0 for _, over in kinds)


def test_buttons_are_named_by_their_game(page: Page, site: Server):
    page.goto(site.url)
    named = [button.aria_snapshot() for button in page.locator("main button").all()]
    assert len(set(named)) == len(named), named
    for action in ("Play", "Together"):
        expect(page.get_by_role("button", name=f"{action} Knister", exact=True)).to_be_visible()


def test_sheets_are_written_while_one_looks_and_are_still_for_those_who_want_it(site: Server, new_phone: NewPhone):
    lively, calm = new_phone(), new_phone(reduced_motion="reduce")
    lively.goto(site.url)
    lively.wait_for_function(f"{WRITING} > 0")
    assert lively.locator(".game .unseen").count() >= 1, "what is below the fold waits"
    calm.goto(site.url)
    assert calm.evaluate(WRITING) == 0


def test_every_page_has_one_way_around_but_a_running_game(page: Page, site: Server):
    way = page.get_by_role("navigation")
    for path, place in PLACES.items():
        page.goto(site.url + path)
        expect(way.get_by_role("link")).to_have_text(WAYS)
        expect(way.locator("[aria-current]")).to_have_text(place)
    for link in WAYS:
        page.goto(site.url)
        way.get_by_role("link", name=link).tap()
        expect(way.locator("[aria-current]")).to_have_text(link)
    play_now(page, site.url, "knister")
    expect(way).to_be_hidden()
    roll(page)
    end_game(page)
    expect(way).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    box = way.bounding_box()
    assert box
    assert box["y"] < 60, "where there is room it is in the bar"


def test_games_that_one_is_in_come_first_with_their_sheets(page: Page, hands: Hands, site: Server):
    hands.open("knister", "Sarah")
    hands.roll()
    hands.play("c3")
    page.goto(site.url)
    game = page.locator(".running a")
    expect(game).to_contain_text("Your turn to throw")
    expect(game.locator(".sheet-picture use")).not_to_have_count(0)
    first, second = game.bounding_box(), page.locator(".game").first.bounding_box()
    assert first
    assert second
    assert first["y"] < second["y"]
    assert Axe().run(page, options=ALL_RULES).response["violations"] == []
