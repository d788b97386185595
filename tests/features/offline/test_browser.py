"""Kasta as an app on the phone: it can be installed, and is of use without a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kasta.games import OURS
from support.browsing import ARGS, WHOLE_CHROMIUM, Hands, NewPhone, Server, cell, roll
from support.relays import Relay

READY = "() => Boolean(navigator.serviceWorker.controller)"
KEPT = "() => Object.keys(localStorage).filter(key => key.startsWith('kasta-pending'))"
SPEAKS = "async language => (await caches.match('/offline'))?.headers.get('content-language') === language"
IN_CACHE = "async path => Boolean(await caches.match(path))"
PATIENCE = 60  # seconds, for a worker that starts on a busy machine

App = Callable[..., Page]


def wait_until(page: Page, question: str, about: str | None = None) -> None:
    """Ask a page until it says yes. Playwright's own way takes a promise for an answer."""
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(question, about):
        assert time.monotonic() < deadline, question
        page.wait_for_timeout(50)


@pytest.fixture
def line(site: Server) -> Iterator[Relay]:
    """The network. A browser's own switch for it lets some requests of pages with a worker through."""
    line = Relay(site.port)
    line.mend()
    yield line
    line.cut()


@pytest.fixture
def app(new_phone: NewPhone, line: Relay) -> App:
    """A phone whose worker is at work."""

    def new(**options: str) -> Page:
        page = new_phone(service_workers="allow", **options)
        page.goto(line.url)
        wait_until(page, READY)
        return page

    return new


def sentence(page: Page) -> str:
    return page.locator("h1").inner_text()


def test_it_can_be_installed(browser: Browser, site: Server, tmp_path: Path):
    """In a whole browser that remembers: in others nothing can be installed."""
    remembers = browser.browser_type.launch_persistent_context(tmp_path, executable_path=WHOLE_CHROMIUM, args=ARGS)
    page = remembers.new_page()
    page.goto(site.url)
    wait_until(page, READY)
    asked = remembers.new_cdp_session(page)
    errors = asked.send("Page.getInstallabilityErrors")["installabilityErrors"]
    read = asked.send("Page.getAppManifest")["errors"]
    remembers.close()
    assert (errors, read) == ([], [])


def test_without_a_network_it_says_so_in_the_page_s_language_and_shows_all_rules(app: App, line: Relay):
    page = app(locale="sv")
    page.goto(f"{line.url}/rules/knister?table=abc")
    title = sentence(page)
    for game in OURS:  # in idle time, those that nobody has read yet
        wait_until(page, IN_CACHE, f"/rules/{game}")
    with line.away():
        page.goto(f"{line.url}/day")
        assert sentence(page) == "Ingen anslutning"
        expect(page.locator("#seen-rules a:visible")).to_have_count(len(OURS))
        page.locator("#seen-rules a[href='/rules/knister']").click()
        expect(page.locator("h1")).to_have_text(title)
        assert "abc" not in page.content()
        page.goto(f"{line.url}/day")
        assert sentence(page) == "Ingen anslutning"
    expect(page.locator("h1")).not_to_have_text("Ingen anslutning")  # it goes on by itself
    expect(page).to_have_url(f"{line.url}/day")


def test_it_speaks_the_language_that_was_chosen_last(app: App, line: Relay):
    page = app()
    page.locator(".language select").select_option("fr")
    page.locator("html[lang=fr]").wait_for()
    wait_until(page, SPEAKS, "fr")
    with line.away():
        page.goto(f"{line.url}/day")
        assert sentence(page) == "Pas de connexion"


def test_own_games_are_shown_and_can_be_removed_but_no_table_is_as_it_was(app: App, line: Relay):
    page = app()
    hands = Hands(page.context.request, line.url)
    hands.open("knister", "Anna", dice="own")
    hands.roll("34")
    hands.play("c3")
    hands.post("end")
    page.goto(hands.table)
    picture = page.locator("#picture").get_attribute("data-kept")
    text = page.locator("#picture").get_attribute("data-text") or ""
    wait_until(page, IN_CACHE, picture)
    with line.away():
        page.reload()
        assert sentence(page) == "No connection"
        expect(page.locator("#table")).to_have_count(0)
        expect(page.locator("#seen-games img")).to_have_attribute("alt", text)
        page.wait_for_function("document.querySelector('#seen-games img').naturalWidth > 0")
        page.get_by_role("button", name="Remove all this from this device").click()
        expect(page.locator("#seen-games")).to_be_hidden()
        assert page.evaluate(IN_CACHE, picture) is False


def pick_without_network(app: App, line: Relay) -> tuple[Page, Hands]:
    """A phone that has picked c3 without a network, and was closed then."""
    page = app()
    hands = Hands(page.context.request, line.url)
    page.goto(hands.open("knister", "Anna"))
    roll(page)
    expect(cell(page, "c3")).to_be_enabled()
    with line.away():
        cell(page, "c3").tap()
        expect(page.locator(".cell.pending")).to_have_count(1)
        page.reload()
        expect(page.locator("#unsent")).to_be_visible()
        again = page.context.new_page()
        page.close()
    hands.refresh()
    return again, hands


def test_a_pick_survives_closing_the_page_and_is_written_once(app: App, line: Relay):
    page, hands = pick_without_network(app, line)
    page.goto(hands.table)
    expect(cell(page, "c3")).not_to_have_text("")
    expect(page.locator(".cell.pending")).to_have_count(0)
    page.wait_for_function(f"!({KEPT})().length")
    page.reload()
    expect(page.locator("#trouble")).to_be_hidden()
    hands.refresh()
    hands.roll()  # a pick stands in the record when the round is over
    record = hands.request.get(f"{hands.table}/record").text()
    assert record.count('"do": "c3"') == 1


def test_a_pick_that_comes_too_late_is_refused_aloud_and_forgotten(app: App, line: Relay):
    page, hands = pick_without_network(app, line)
    hands.play("a1")
    hands.roll()
    page.goto(hands.table)
    expect(page.locator("#trouble")).to_be_visible()
    expect(cell(page, "c3")).to_have_text("")
    page.wait_for_function(f"!({KEPT})().length")
    page.reload()
    expect(page.locator("#trouble")).to_be_hidden()
