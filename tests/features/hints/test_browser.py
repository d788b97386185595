"""The coach on a narrow phone, each game in another language: hints, mistakes asked again, practice sheets."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from kasta.games import OURS, find_game
from kasta.i18n import words
from support.browsing import LANGUAGES, Hands, NewPhone, Server, play_now, roll
from support.page_checks import ALL_RULES, OPEN_ALL, misfits, visit

NARROW = {"width": 320, "height": 640}
DICE = {2: "66", 5: "66621", 6: "666221"}
BAD = {2: "c3", 5: "fill yatzy", 6: "fill maxi_yatzy"}  # which every coach would rather not do
THINKING = 300_000  # ms; on a slow machine the coach compiles first
each_game_in_its_language = pytest.mark.parametrize(("game", "language"), list(zip(OURS, LANGUAGES, strict=True)))
WHERE = """() => ['#mine', '#after'].map(
    id => document.querySelector(id).getBoundingClientRect().top + scrollY)"""


def is_fine(page: Page) -> None:
    page.evaluate(OPEN_ALL)
    assert not misfits(page)
    found = Axe().run(page, options=ALL_RULES)
    assert not found.response["violations"], found.generate_report()


def fits_in_all_languages(page: Page, address: str) -> None:
    for language in LANGUAGES:
        page.context.add_cookies([{"name": "kasta-language", "value": language, "url": address}])
        visit(page, address)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert not misfits(page), language


def dice_of(game: str) -> int:
    solo = find_game(game).solo
    return int(solo.next(solo.start()).dice)  # type: ignore[union-attr]


HEARD = """() => {
    window.heard = [];
    const voice = document.getElementById('announce');
    new MutationObserver(() => voice.textContent && window.heard.push(voice.textContent))
        .observe(voice, { childList: true, characterData: true, subtree: true });
}"""


@each_game_in_its_language
def test_the_coach_points_at_the_sheet_and_moves_nothing(
    new_phone: NewPhone, site: Server, game: str, language: str
):
    page = new_phone(viewport=NARROW, locale=language)
    play_now(page, site.url, game)
    roll(page)
    page.locator("#hint").scroll_into_view_if_needed()
    before = page.evaluate(WHERE)
    page.evaluate(HEARD)
    page.locator("#hint").tap()
    note = page.locator("#advice")
    expect(note).to_be_visible()
    expect(page.locator(".pointed").first).to_be_visible(timeout=THINKING)
    assert page.evaluate(WHERE) == before
    sentence = note.locator("[data-places]")
    assert page.evaluate("window.heard") == [sentence.get_attribute("data-say")], "it is spoken once"
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert note.evaluate("each => each.getBoundingClientRect().top") >= page.locator("#mine").evaluate(
        "each => each.getBoundingClientRect().bottom"
    ), "it does not cover the sheet"
    expect(note.locator(".advised")).to_be_hidden()
    page.locator("#advice summary").press("Enter")
    expect(note.locator(".advised li")).to_have_count(3)
    is_fine(page)
    if find_game(game).hides_picks:
        page.locator("#mine td.pointed button").tap()
        expect(page.locator(".pointed")).to_have_count(0)
        expect(note).to_be_hidden()
    else:
        faces = page.locator(".spot.pointed .cube, .pointed .worth").evaluate_all("all => all.length")
        assert faces or page.locator("#again.pointed").count()


def test_a_hint_comes_without_a_script(new_phone: NewPhone, site: Server):
    page = new_phone(java_script_enabled=False)
    play_now(page, site.url, "yatzy", has_scripts=False)
    page.locator("#roll").tap()
    page.locator("#hint").tap()
    expect(page.locator(".advised li")).to_have_count(3, timeout=THINKING)
    page.get_by_role("link", name="Back to the game").tap()
    expect(page.locator("#hint")).to_be_visible()


def asked(page: Page, quiz: str) -> Locator:
    """The field for an answer, once the coach has looked at the game."""
    question = page.locator("input[name=text]")
    for _ in range(THINKING // 250):
        page.goto(quiz)
        if question.is_visible():
            break
        page.wait_for_timeout(250)
    expect(question).to_be_visible()
    return question


@each_game_in_its_language
def test_mistakes_are_asked_again_and_answered_by_keyboard(
    new_phone: NewPhone, site: Server, game: str, language: str
):
    page = new_phone(viewport=NARROW, locale=language)
    hands, dice = Hands(page.context.request, site.url), dice_of(game)
    hands.open(game, "Anna", dice="own")
    hands.roll(DICE[dice])
    hands.play(BAD[dice])
    hands.post("end")
    question = asked(page, f"{hands.table}/quiz")
    is_fine(page)
    page.locator(".paper button:not(:disabled)").first.tap()
    expect(page.locator(".numbers")).to_be_visible()
    question = asked(page, f"{hands.table}/quiz")
    question.fill(BAD[dice])
    question.press("Enter")
    expect(page.locator("#asked")).to_contain_text(
        words(language).say("Good try! Even better: %(best)s").split("%")[0].strip()
    )
    is_fine(page)
    better = page.locator(".advised strong").first.text_content()
    page.get_by_text(words(language).say("Done"), exact=True).tap()
    expect(page.locator("#asked")).to_contain_text("0")
    assert better
    fits_in_all_languages(page, f"{hands.table}/quiz")


@each_game_in_its_language
def test_a_practice_sheet_says_what_choices_are_worth(new_phone: NewPhone, site: Server, game: str, language: str):
    page = new_phone(viewport=NARROW, locale=language)
    page.goto(f"{site.url}/practice/{game}")
    page.locator("input[name=dice]").fill(DICE[dice_of(game)])
    place = page.locator(".paper .place > *").first
    place.select_option("3") if find_game(game).hides_picks else place.fill("3")
    page.locator("button.big").tap()
    expect(page.locator(".advised li")).to_have_count(5, timeout=THINKING)
    expect(place).to_have_value("3")
    expect(page.locator(".thrown .die")).to_have_count(dice_of(game))
    is_fine(page)
    fits_in_all_languages(page, page.url)


def test_the_host_sets_the_coach_at_the_desk(page: Page, hands: Hands):
    hands.open("knister", "Anna", coach="after")
    page.goto(hands.table)
    roll(page)
    expect(page.locator("#hint")).to_have_count(0)
    page.locator("#desk > summary").tap()
    page.locator("#desk select[name=coach]").select_option("live")
    expect(page.locator("#hint")).to_be_visible()
