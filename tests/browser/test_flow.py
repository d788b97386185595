"""Coming in, hosting, waiting and going on: what happens around a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from kasta.games import find_game
from support.browsing import (
    PHONE,
    SHIFTS,
    Hands,
    NewPhone,
    Server,
    end_game,
    open_table,
    play_now,
    roll,
    said,
    sit,
    write,
)


def test_play_now_opens_the_board_with_the_first_throw_to_be_made(page: Page, site: Server):
    play_now(page, site.url, "knister")
    expect(page.locator("#mine .grid")).to_be_visible()
    expect(said(page)).to_have_text("Your turn to throw")
    expect(page.get_by_role("button", name="Invite others")).to_be_hidden()
    expect(page.locator("#desk > summary")).to_have_text("Game settings")
    page.get_by_text("Play with others").tap()
    page.get_by_role("button", name="Add a bot").tap()
    expect(page.locator("#players li")).to_contain_text(["Player 1", "bot, medium"])
    expect(page.locator("#desk > summary")).to_have_text("Host controls")


def test_a_first_game_says_what_to_do_on_the_sheet_and_no_second_one(new_phone: NewPhone, site: Server):
    page = new_phone(has_played=False)
    page.add_init_script(SHIFTS)
    play_now(page, site.url, "knister")
    note = page.locator("#first-game p")
    expect(note).to_have_text("Throw both dice: their sum goes on your sheet.")
    roll(page)
    expect(note).to_have_text(re.compile("Write the sum in any free cell"))
    page.locator("#hint").tap()
    expect(page.locator("#advice")).to_be_visible()
    expect(note).to_be_hidden()  # it would lie on the coach's note
    write(page, "c3")
    expect(note).to_have_text(re.compile("Five numbers in a line"))
    paper, below = page.locator("#mine").bounding_box(), note.bounding_box()
    assert paper
    assert below
    assert paper["y"] + paper["height"] <= below["y"], "no note lies on the sheet"
    roll(page)
    expect(note).to_have_count(0)
    assert page.evaluate("shifted") == []
    play_now(page, site.url, "knister")
    page.get_by_text("Play with others").tap()
    expect(note).to_have_count(0)

    play_now(page, site.url, "yatzy15")
    page.get_by_role("button", name="No more hints").tap()
    expect(page.locator("#status")).to_be_focused()
    roll(page)
    expect(page.locator("#after button")).to_be_visible()
    expect(note).to_have_count(0)


def test_ending_asks_first_and_can_be_thought_better_of(page: Page, hands: Hands):
    page.goto(hands.open("knister", "Sarah", "Tim"))
    roll(page)
    page.get_by_text("Host controls").tap()
    page.get_by_role("link", name="End the game").tap()
    expect(page.get_by_role("dialog")).to_contain_text("The points so far count.")
    page.get_by_role("link", name="No, back").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#over")).to_be_hidden()
    page.get_by_role("link", name="End the game").tap()
    page.get_by_role("dialog").get_by_role("button", name="End the game").tap()
    expect(page.locator("#over")).to_be_visible()


def test_without_a_script_the_question_is_a_page(new_phone: NewPhone, site: Server):
    page = new_phone(java_script_enabled=False)
    page.goto(Hands(page.context.request, site.url).open("knister", "Sarah", "Tim", "Eva"))
    page.locator(".tools > summary").nth(1).tap()
    page.get_by_role("link", name="Leave the seat").tap()
    expect(page.get_by_role("heading", name="Leave the seat?")).to_be_visible()
    page.get_by_role("button", name="Leave the seat").tap()
    expect(page.locator("#players .who")).to_have_text(["Sarah", "Eva"])


def test_the_host_changes_how_the_table_is_played_during_the_game(page: Page, hands: Hands):
    page.goto(hands.open("knister", "Sarah"))
    page.get_by_text("Game settings").tap()
    page.get_by_label("Points are shown").select_option("end")
    roll(page)
    expect(page.get_by_label("Points are shown")).to_have_count(0)
    expect(page.locator("#mine .total")).not_to_contain_text("0")
    page.get_by_label("Who throws").select_option("auto")
    write(page, "c3")
    expect(said(page)).to_have_text("Your turn")
    assert page.locator("#dice").get_attribute("data-turn") == "2", "it was thrown without a tap"


def test_whoever_comes_too_late_watches_and_is_seated_at_the_next_game(site: Server, new_phone: NewPhone):
    sarah, late = new_phone(), new_phone()
    open_table(sarah, site.url, "knister", "Sarah", room=True)
    code = sarah.locator("strong.code").inner_text()
    roll(sarah)
    late.goto(site.url)
    late.get_by_label("Room code").fill(code)
    late.get_by_role("button", name="Join").tap()
    expect(late.get_by_text("You are watching.")).to_be_visible()
    late.get_by_label("Your name").fill("Tim")
    late.get_by_role("button", name="Seat me at the next game").tap()
    expect(late.get_by_text("You will be seated at the next game.")).to_be_visible()
    end_game(sarah)
    sarah.get_by_role("button", name="Play again").tap()
    for page in (sarah, late):
        expect(page.locator("#players .who")).to_have_text(["Sarah", "Tim"])
    roll(sarah)
    write(late, "c3")


def test_the_invitation_stays_where_it_is_as_guests_come(site: Server, new_phone: NewPhone):
    wall = new_phone(viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    link = open_table(wall, site.url, "knister", room=True)
    guests = Hands(new_phone().context.request, site.url, link)
    guests.post("sit", name="Anna")
    expect(wall.locator("#players li")).to_have_count(1)
    before = wall.locator("img.qr").bounding_box()
    for number in range(12):
        guests.post("sit", name=f"Guest {number}")
    expect(wall.locator("#players li")).to_have_count(13)
    assert wall.locator("img.qr").bounding_box() == before


def test_a_guest_in_a_lobby_sits_down(site: Server, new_phone: NewPhone):
    sarah, tim = new_phone(), new_phone()
    tim.goto(open_table(sarah, site.url, "knister", "Sarah", room=True))
    sit(tim, "Tim")
    expect(sarah.locator("#players .who")).to_have_text(["Sarah", "Tim"])


def test_home_leads_back_to_the_games_one_is_in(site: Server, new_phone: NewPhone):
    sarah, tim = new_phone(), new_phone()
    link = open_table(sarah, site.url, "knister", "Sarah", room=True)
    tim.goto(link)
    sit(tim, "Tim")
    roll(sarah)
    write(sarah, "c3")
    for page, others, state in ((sarah, "Tim", "Still to pick: Tim"), (tim, "Sarah", "Your turn")):
        page.goto(site.url)
        own = page.get_by_role("link", name=f"Knister with {others}")
        expect(own).to_contain_text(state)
        own.tap()
        expect(page).to_have_url(link)
    sarah.get_by_text("Help and settings").tap()
    sarah.get_by_role("link", name="Rules").tap()
    sarah.get_by_role("link", name="Back to the game").tap()
    expect(sarah).to_have_url(link)
    end_game(sarah)
    expect(sarah.locator("#over")).to_be_visible()
    tim.goto(site.url)
    tim.get_by_text("Finished games").tap()
    tim.get_by_role("link", name="Knister with Sarah").tap()
    expect(tim).to_have_url(link)


@pytest.fixture
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where whoever closes the page is away after a second and a half."""
    server = Server(tmp_path_factory.mktemp("impatient"), away=1.5)
    server.start()
    yield server
    server.kill()


def test_away_back_and_what_others_may_do_then_appear_by_themselves(impatient: Server, new_phone: NewPhone):
    wall, tim, anna = new_phone(), new_phone(), new_phone()
    link = open_table(wall, impatient.url, "knister", room=True)
    for page, name in ((tim, "Tim"), (anna, "Anna")):
        page.goto(link)
        sit(page, name)
    expect(wall.locator("#players .who")).to_have_text(["Tim", "Anna"])
    tim.goto("about:blank")
    expect(anna.locator("#players li", has_text="Tim")).to_contain_text("away")
    expect(anna.locator("#announce")).to_have_text("Tim is away.")
    tim.goto(link)
    expect(anna.locator("#players li", has_text="Tim")).not_to_contain_text("away")
    expect(anna.locator("#announce")).to_have_text("Tim is back.")

    # Whoever is to throw goes away: others may, and so may a host who only watches.
    roll(wall)
    write(anna, "c3")
    expect(said(wall)).to_have_text("Still to pick: Tim")
    write(tim, "c3")
    anna.goto("about:blank")
    expect(said(wall)).to_have_text("Anna is away.")
    expect(tim.locator("#roll")).to_be_visible()
    roll(wall)

    # The host goes away: the first of the players may take over.
    wall.context.close()
    tim.get_by_role("button", name="Become host").tap()
    expect(tim.get_by_text("Host controls")).to_be_visible()


def test_the_end_says_who_wins_and_shows_all_sheets_in_one_view(site: Server, new_phone: NewPhone):
    page = new_phone()
    hands = Hands(page.context.request, site.url)
    table = hands.open("knister", "Sarah", "Tim", dice="own")
    page.goto(table)
    for faces, name in (("34", "a1"), ("34", "b1"), ("34", "c1"), ("34", "d1"), ("34", "e1")):
        hands.roll(faces)
        hands.play(name)
        hands.refresh()
        hands.play(name if name != "e1" else "e5")
    end_game(page)
    over = page.locator("#over")
    expect(page.get_by_role("heading", name="Sarah wins!")).to_be_visible()
    expect(over.locator(".places li")).to_contain_text(["five of a kind", "Tim"])
    expect(page.locator("#finish .standing > span")).to_contain_text(
        ["1. ● Sarah", "2. ▲ Tim"], use_inner_text=True
    )
    at_once = "all => all.map(each => each.getBoundingClientRect().toJSON())"  # the page may still be scrolling
    first, second = over.locator(".places .points").evaluate_all(at_once)
    assert first["y"] < second["y"]  # higher on the podium,
    assert second["x"] + second["width"] <= first["x"]  # and to the right of the second
    expect(over.get_by_role("table", name="All sheets compared").get_by_role("row", name="Total")).to_be_visible()
    expect(over.get_by_role("button", name="Copy")).to_be_visible()


def test_after_a_game_of_several_it_can_be_played_again_without_scrolling(new_phone: NewPhone, site: Server):
    page = new_phone(reduced_motion="reduce")
    hands = Hands(page.context.request, site.url)
    page.goto(hands.open("knister", "Sarah", "Tim"))
    hands.refresh()
    hands.roll()
    for _ in range(2):
        hands.refresh()
        hands.play("c3")
    end_game(page)
    page.wait_for_function("() => document.querySelector('#crown') && scrollY === 0")
    again = page.get_by_role("button", name="Play again").bounding_box()
    ways = page.locator(".navigation").bounding_box()
    assert again
    assert ways
    assert again["y"] + again["height"] < ways["y"]


BOXES = {"yatzy": find_game("yatzy").solo.boxes, "maxi": find_game("maxi").solo.boxes}


@pytest.mark.parametrize("game", BOXES)
def test_after_yatzy_it_can_be_played_again_without_scrolling(new_phone: NewPhone, site: Server, game: str):
    page = new_phone(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    hands = Hands(page.context.request, site.url)
    hands.open(game, "Sarah")
    for box in BOXES[game]:
        hands.refresh()
        hands.roll()
        hands.play(f"fill {box}")
    page.goto(hands.table)
    again = page.get_by_role("button", name="Play again").bounding_box()
    ways = page.locator(".navigation").bounding_box()
    assert again
    assert ways
    assert again["y"] + again["height"] < ways["y"]


# What is seen of the end at every change of the page: the total on one's own sheet, and what else would tell it.
WATCH_THE_END = """() => {
    window.seen = [];
    const isSeen = part => [...document.querySelectorAll(part)]
        .some(each => each.textContent.trim() && each.checkVisibility({ visibilityProperty: true }));
    const look = () => seen.push({
        total: document.querySelector('#mine .total strong')?.textContent ?? '',
        told: document.querySelectorAll('.told').length,
        spoilers: ['.crown', '.places', '.verdict', '.compare tfoot', '#players strong'].filter(isSeen),
    });
    const whole = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document.getElementById('table'), whole);
}"""


@dataclass
class End:
    """Three pages of a game with secret points, of which one has no sheet and one wants no motion."""

    own: Page
    calm: Page
    watching: Page

    def seen(self, page: Page) -> list[dict[str, Any]]:
        expect(page.locator(".crown")).to_be_visible()
        expect(page.locator(".crown")).to_be_in_viewport()
        found: list[dict[str, Any]] = page.evaluate("seen.filter(each => each.spoilers.length || each.total)")
        return found


@pytest.fixture(scope="module")
def ended(browser: Browser, site: Server) -> Iterator[End]:
    contexts = [
        browser.new_context(**{**PHONE, "reduced_motion": motion})
        for motion in ("no-preference", "reduce", "no-preference")
    ]
    pages = [context.new_page() for context in contexts]
    hands, others = (Hands(context.request, site.url) for context in contexts[:2])
    others.table = hands.open("yatzy", "Sarah", room="1", dice="own", points="end")
    others.post("sit", name="Tim")
    for box in ("sixes", "yatzy"):
        for each in (hands, others):
            each.refresh()
            each.roll("66666")
            each.play(f"fill {box}")
    for page in pages:
        page.goto(hands.table)
        page.locator("html.js").wait_for()
        page.evaluate(WATCH_THE_END)
    hands.post("end")
    yield End(*pages)
    for context in contexts:
        context.close()


def test_the_total_grows_line_by_line_before_anything_tells_who_wins(ended: End):
    seen = ended.seen(ended.own)
    totals = [int(each["total"]) for each in seen]
    assert totals == sorted(totals)
    assert len(set(totals)) > 2
    assert totals[0] == 0
    assert not any(each["spoilers"] for each in seen if each["total"] != seen[-1]["total"])
    assert set(seen[-1]["spoilers"]) >= {".crown", ".places", "#players strong"}


def test_whoever_wants_no_motion_sees_the_end_at_once(ended: End):
    assert len({each["total"] for each in ended.seen(ended.calm)}) == 1


def test_whoever_only_watches_is_told_line_by_line_too(ended: End):
    seen = ended.seen(ended.watching)
    assert min(each["told"] for each in seen) > 10  # nothing told the end before the lines had
