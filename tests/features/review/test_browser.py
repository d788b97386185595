"""The review of a finished game in a browser: it grows, is stepped through, and fits every phone."""

from __future__ import annotations

import re
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from kasta.games import OURS, find_game
from support.browsing import LANGUAGES, Hands, NewPhone, Server
from support.page_checks import ALL_RULES, ONLY_COLOURS, misfits, visit
from support.reflow import LARGE_AND_NARROW, faults

LONG_ENOUGH = 300_000  # ms until the coach has seen a few decisions, however busy the machine is
NARROW = {"viewport": {"width": 320, "height": 640}}


def played(hands: Hands, game: str, *names: str, decisions: int) -> str:
    """The review's address of a game that ended after so many decisions of each player."""
    hands.open(game, *names)
    rng, table = Random(3), hands.table.rsplit("/", 1)[1]

    def state() -> dict[str, object]:
        return dict(hands.request.get(f"{hands.url}/api/tables/{table}").json())

    left = decisions * len(names)
    while left:
        now = state()
        if now["next"] == "throw":
            hands.post("roll", turn=str(now["turn"]))
            continue
        due = next(seat for seat in now["seats"] if seat["due"])  # type: ignore[attr-defined]
        do = rng.choice([each for each in due["legal"] if not each.startswith("keep")])  # one decision a turn
        hands.post("play", turn=str(now["turn"]), seat=str(due["seat"]), step=str(due["step"]), do=do)
        left -= 1
    hands.post("end")
    return f"{hands.table}/review"


def all_there(page: Page) -> None:
    expect(page.locator("#review")).to_be_visible()
    expect(page.locator("#review[data-growing]")).to_have_count(0, timeout=LONG_ENOUGH)


@pytest.mark.parametrize("game", OURS)
def test_a_review_grows_is_stepped_through_and_can_be_used_by_everybody(
    game: str, new_phone: NewPhone, site: Server
):
    page = new_phone(**NARROW)
    address = played(Hands(page.context.request, site.url), game, "Sarah", decisions=2)
    page.goto(f"{address}?step=1")
    all_there(page)
    expect(page.locator(".turning")).to_contain_text("1 of 2")
    expect(page.locator(".figures")).to_contain_text("Given away")
    expect(page.locator(".noted .mine")).to_have_count(1)
    same = find_game(game).hides_picks  # all have the same throws, and so has the ghost
    expect(page.locator("polyline")).to_have_count(2 if same else 1)
    expect(page.locator(".same b").filter(has_text=re.compile(r"^\d+$"))).to_have_count(2 if same else 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".turning")).to_contain_text("2 of 2")
    expect(page).to_have_url(re.compile("step=2"))
    page.locator("#previous").click()
    expect(page.locator(".turning")).to_contain_text("1 of 2")
    for language in LANGUAGES:
        page.context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])
        visit(page, address)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert not misfits(page), language
    axe = Axe()
    found = axe.run(page, options=ALL_RULES).response["violations"]
    assert faults(page, LARGE_AND_NARROW) == []
    page.emulate_media(color_scheme="dark")
    found += axe.run(page, options=ONLY_COLOURS).response["violations"]
    assert not [(each["id"], each["nodes"][0]["html"][:200]) for each in found]


# How much darker or lighter the words of a heading are than the paper that it stands on.
CONTRAST = """heading => {
    const light = colour => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(each => each / 255);
        const [r, g, b] = parts.map(each => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b + .05;
    };
    const paper = heading.closest('.notepad');
    const [a, b] = [getComputedStyle(heading).color, getComputedStyle(paper).backgroundColor].map(light);
    return Math.max(a, b) / Math.min(a, b);
}"""


def test_what_is_said_after_the_last_question_can_be_read(new_phone: NewPhone, site: Server):
    page = new_phone(**NARROW)
    address = played(Hands(page.context.request, site.url), "yatzy", "Sarah", decisions=1)
    page.goto(f"{address.removesuffix('review')}quiz?number=99&score=1")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.locator("#asked").evaluate(CONTRAST) > 4.5


def look_until_made(page: Page, address: str) -> None:
    """Without a script one has to look again: the link leads to the same page."""
    page.goto(address)
    while page.get_by_role("link", name="Refresh").count():
        page.goto(address)


def test_two_players_share_their_graph_also_without_a_script(new_phone: NewPhone, site: Server):
    page = new_phone(java_script_enabled=False)
    hands = Hands(page.context.request, site.url)
    address = played(hands, "yatzy", "Sarah", "Tim", decisions=2)
    for seat in (0, 1, 0, 1):
        look_until_made(page, f"{address}?seat={seat}&step=1")
    expect(page.locator("polyline")).to_have_count(2)
    page.get_by_role("link", name="Next →").click()
    expect(page.locator(".turning")).to_contain_text("2 of 2")
    page.get_by_role("button", name="Show my review to the table").click()
    expect(page.get_by_role("button", name="Hide my review again")).to_be_visible()
