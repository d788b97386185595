"""Small and low screens, and large text: what can be tapped is in sight, and no words are cut or covered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.scenes import PLAY, Stage
from browser.screenshots import ALL_SCENES, AT_ONCE, stage
from kasta.games import OURS
from support.browsing import LANGUAGES, Hands, NewPhone, Server, open_table, play_now, roll, said
from support.reflow import (
    LARGE,
    LARGE_AND_NARROW,
    LARGER,
    NARROW,
    PLAIN,
    SIDEWAYS,
    WIDE,
    Reading,
    faults,
    read_as,
)

SCREENS = {
    "narrow": (320, 568),
    "phone": (390, 844),
    "low": (568, 320),
    "sideways": (844, 390),
    "wide": (1280, 800),
}
# Of the lowest screen, sums and the last row of a grid's boxes, which nobody taps, may be below.
TAPPED = "#mine :is(.cell, .block tr:not(.sum))"
SEEN = "#mine :is(.box, .block tr, .total)"
EDGES = "all => { const edges = all.map(each => each.getBoundingClientRect()).filter(edge => edge.height); \
    return [Math.max(...edges.map(each => each.right)), Math.max(...edges.map(each => each.bottom))]; }"
CUT = """all => all
    .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map(each => each.textContent)"""
# How wide the tick of a kept die is, beside the die.
TICK = """spot => parseFloat(getComputedStyle(spot, '::after').width)
    / spot.querySelector('.cube').getBoundingClientRect().width"""
# Words that go on in the next line, though they have no hyphen there.
BROKEN = """all => all.flatMap(each => {
    const text = each.firstChild;
    return [...text.data.matchAll(/[^\\s-]+/g)].map(([word]) => word).filter(word => {
        const range = document.createRange();
        range.setStart(text, text.data.indexOf(word));
        range.setEnd(text, text.data.indexOf(word) + word.length);
        return new Set([...range.getClientRects()].map(each => Math.round(each.top))).size > 1;
    });
})"""
INSIDE = """(each, of) => {
    const [a, b] = [each, each.closest(of)].map(one => one.getBoundingClientRect());
    return b.left <= a.left && a.right <= b.right && b.top <= a.top && a.bottom <= b.bottom;
}"""
OVERLAP = """([one, other]) => {
    const [a, b] = [one, other].map(each => document.querySelector(each).getBoundingClientRect());
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""

# Scenes that are read in each run; all of them, in every language, by `make prove`.
SAMPLE = ("knister-thrown", "knaster-choosing", "yatzy-joker", "maxi-thrown", "lobby-few", "reactions")
FRENCH = (
    "yatzy-joker",
    "knister-end",
    "crowd-end",
    "knaster-start",
    "day-over",
    "remote",
    "challenge-over",
)  # with long words
ALL = [name for name in ALL_SCENES if not name.startswith("wall")]
PARTS = [ALL[first : first + AT_ONCE] for first in range(0, len(ALL), AT_ONCE)]


def screen(phone: NewPhone, name: str, **settings: str) -> Page:
    wide, high = SCREENS[name]
    return phone(viewport={"width": wide, "height": high}, reduced_motion="reduce", **settings)


@pytest.mark.parametrize("name", SCREENS)
def test_a_whole_sheet_is_in_sight(new_phone: NewPhone, site: Server, name: str):
    page = screen(new_phone, name)
    for game in OURS:
        page.goto(Hands(page.context.request, site.url).open(game, "Sarah"))
        for what in (TAPPED,) if name == "low" else (TAPPED, SEEN):
            right, bottom = page.locator(what).evaluate_all(EDGES)
            assert right <= SCREENS[name][0], (game, what)
            assert bottom <= SCREENS[name][1], (game, what)


@pytest.mark.parametrize("name", ["narrow", "low"])
def test_every_box_of_a_long_sheet_is_a_target_for_a_thumb(new_phone: NewPhone, site: Server, name: str):
    page = screen(new_phone, name)
    play_now(page, site.url, "maxi")
    roll(page)
    sizes = page.locator("#mine .pay").evaluate_all(
        "all => all.map(each => [each.offsetWidth, each.offsetHeight])"
    )
    assert len(sizes) == 20
    assert min(map(min, sizes)) >= 44, sizes
    page.locator("#mine .pay").last.tap()
    expect(page.locator("#mine tr.fresh")).to_have_count(1)


@pytest.mark.parametrize("name", ["narrow", "phone"])
def test_what_a_beginner_is_told_is_not_cut_in_any_language(new_phone: NewPhone, site: Server, name: str):
    page = screen(new_phone, name)
    for game in ("yatzy", "maxi"):
        play_now(page, site.url, game)
        roll(page)
        table = page.url
        for language in LANGUAGES:
            page.context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])
            page.goto(table)
            words = page.locator("#status :is(.say, .hint, .tip), #again")
            assert words.evaluate_all(CUT) == [], (game, language)
            assert page.locator("#mine th").evaluate_all(BROKEN) == [], (game, language)
        page.context.clear_cookies()


def test_the_last_throw_is_announced_whole_and_beside_the_button(new_phone: NewPhone, site: Server):
    page = screen(new_phone, "narrow")
    play_now(page, site.url, "knaster")
    page.evaluate(PLAY, {"throws": 999, "answered": False, "until": "last"})
    expect(said(page)).to_contain_text("one last throw!")
    page.locator("#status .sum").evaluate("sum => { sum.textContent = '12'; }")  # the widest
    for wide, high in SCREENS.values():
        page.set_viewport_size({"width": wide, "height": high})
        assert page.locator("#status :is(.say, .hint), #roll").evaluate_all(CUT) == [], (wide, high)
        assert not page.evaluate(OVERLAP, ["#status .hint", "#roll"]), (wide, high)
        assert not page.evaluate(OVERLAP, ["#status .dice", "#status .say strong"]), (wide, high)
        assert page.locator("#mute").evaluate(INSIDE, "#status"), (wide, high)


@pytest.mark.parametrize("game", ["yatzy15", "maxi"])
def test_the_tick_of_a_kept_die_hides_no_face_also_with_large_text(new_phone: NewPhone, site: Server, game: str):
    page = screen(new_phone, "narrow")
    play_now(page, site.url, game)
    roll(page)
    page.locator("#status .spot").first.tap()
    for reading in (NARROW, LARGE_AND_NARROW):
        read_as(page, reading)
        assert page.locator("#status .spot").first.evaluate(TICK) < 0.5


def test_on_a_phone_held_sideways_whoever_watches_sees_the_players_beside_the_dice(
    new_phone: NewPhone, site: Server
):
    host, guest = new_phone(), screen(new_phone, "sideways")
    table = open_table(host, site.url, "knister", "Sarah", room=True)
    roll(host)
    guest.goto(table)
    expect(said(guest)).to_have_text("Still to pick: Sarah")
    expect(guest.locator("#players")).to_be_in_viewport()
    assert not guest.evaluate(OVERLAP, ["#status", "#players"])
    guest.evaluate("scrollTo(0, 9999)")
    assert not guest.evaluate(OVERLAP, ["#status", "#extras"])


def test_a_qr_code_stays_black_on_white_in_forced_colours(new_phone: NewPhone, site: Server):
    page = new_phone(color_scheme="dark", forced_colors="active")
    open_table(page, site.url, "knister", "Sarah", room=True)
    assert page.locator(".qr").evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(255, 255, 255)"


def unreadable(
    there: Stage, name: str, languages: tuple[str, ...], readings: tuple[Reading, ...]
) -> dict[str, list[str]]:
    """The faults of a scene, by what it was read with."""
    scene = ALL_SCENES[name](there, name)
    found = {}
    for language in languages:
        there.page.context.add_cookies([{"name": "kasta-language", "value": language, "url": there.url}])
        for reading in readings:
            read_as(there.page, reading)
            there.look(scene)
            found[f"{name} in {language} {reading}"] = faults(there.page, reading)
    return {where: what for where, what in found.items() if what}


def test_pages_can_be_read_with_large_text_and_on_narrow_screens(browser: Browser, site: Server):
    there = Stage(browser, site.url)
    for name in SAMPLE:
        assert unreadable(there, name, ("en",), (PLAIN, NARROW, LARGE_AND_NARROW)) == {}
    for name in FRENCH:
        assert unreadable(there, name, ("fr",), (LARGE, LARGE_AND_NARROW, WIDE, SIDEWAYS)) == {}
    there.page.context.close()


@pytest.mark.prove
@pytest.mark.parametrize("names", PARTS, ids=lambda names: names[0])
def test_every_page_can_be_read_in_every_language(browser: Browser, names: list[str]):
    with stage(browser) as there:
        found = dict[str, list[str]]()
        for name in names:
            found |= unreadable(there, name, LANGUAGES, (PLAIN, NARROW, LARGE, LARGE_AND_NARROW, LARGER, WIDE))
        there.page.context.close()
    assert found == {}, "\n".join(f"{where}: {what}" for where, what in found.items())
