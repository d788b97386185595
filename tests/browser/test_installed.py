"""Kasta as an app on the phone: it can be installed, and is of use without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsing import ARGS, CHROMIUM, Hands, NewPhone, Server, cell, roll
from playwright.sync_api import Browser, Page, expect

READY = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise(done => setTimeout(done, 20));
}"""
KEPT = "() => Object.keys(localStorage).filter(key => key.startsWith('kasta-pending'))"
SPEAKS = """async language => {
    const said = async () => (await caches.match('/offline')).headers.get('content-language');
    while (await said() !== language) await new Promise(done => setTimeout(done, 20));
}"""
IN_CACHE = """async path => {
    while (!await caches.match(path)) await new Promise(done => setTimeout(done, 20));
}"""

App = Callable[..., Page]


@pytest.fixture
def app(phone: NewPhone, server: Server) -> App:
    """A phone whose worker is at work."""

    def new(**options: str) -> Page:
        page = phone(service_workers="allow", **options)
        page.goto(server.url)
        page.evaluate(READY)
        return page

    return new


@contextmanager
def unreachable(server: Server) -> Iterator[None]:
    """The server cannot be reached: a browser's own switch for it leaves some requests of controlled pages through."""
    server.kill()
    try:
        yield
    finally:
        server.start()


def sentence(page: Page) -> str:
    return page.locator("h1").inner_text()


def test_it_can_be_installed(browser: Browser, server: Server, tmp_path: Path):
    """In a browser that remembers: in others nothing can be installed."""
    remembers = browser.browser_type.launch_persistent_context(tmp_path, executable_path=CHROMIUM, args=ARGS)
    page = remembers.new_page()
    page.goto(server.url)
    page.evaluate(READY)
    asked = remembers.new_cdp_session(page)
    errors = asked.send("Page.getInstallabilityErrors")["installabilityErrors"]
    read = asked.send("Page.getAppManifest")["errors"]
    remembers.close()
    assert (errors, read) == ([], [])


def test_without_a_network_it_says_so_in_the_page_s_language_and_shows_rules_that_were_seen(
    app: App, server: Server
):
    page = app(locale="sv")
    page.goto(f"{server.url}/rules/knister?table=abc")
    title = sentence(page)
    page.evaluate(IN_CACHE, "/rules/knister")
    with unreachable(server):
        page.goto(server.url)
        assert sentence(page) == "Ingen anslutning"
        expect(page.locator("#seen-rules a:visible")).to_have_count(1)
        page.locator("#seen-rules a:visible").click()
        expect(page.locator("h1")).to_have_text(title)
        assert "abc" not in page.content()
        page.goto(f"{server.url}/rules/yatzy")
        assert sentence(page) == "Ingen anslutning"
    expect(page.locator("article.rules")).to_be_visible()  # it goes on by itself
    expect(page).to_have_url(f"{server.url}/rules/yatzy")


def test_it_speaks_the_language_that_was_chosen_last(app: App, server: Server):
    page = app()
    page.locator(".language select").select_option("fr")
    page.locator("html[lang=fr]").wait_for()
    page.evaluate(SPEAKS, "fr")
    with unreachable(server):
        page.goto(f"{server.url}/new/knister")
        assert sentence(page) == "Pas de connexion"


def test_own_games_are_shown_and_can_be_removed_but_no_table_is_as_it_was(app: App, server: Server):
    page = app()
    hands = Hands(page.context.request, server.url)
    hands.open("knister", "Anna", dice="own")
    hands.roll("34")
    hands.play("c3")
    hands.post("end")
    page.goto(hands.table)
    picture = page.locator("#picture").get_attribute("data-kept")
    text = page.locator("#picture").get_attribute("data-text") or ""
    page.evaluate(IN_CACHE, picture)
    with unreachable(server):
        page.reload()
        assert sentence(page) == "No connection"
        expect(page.locator("#table")).to_have_count(0)
        expect(page.locator("#seen-games img")).to_have_attribute("alt", text)
        page.wait_for_function("document.querySelector('#seen-games img').naturalWidth > 0")
        page.get_by_role("button", name="Remove all this from this device").click()
        expect(page.locator("#seen-games")).to_be_hidden()
        assert page.evaluate("async path => Boolean(await caches.match(path))", picture) is False


def pick_without_network(app: App, server: Server) -> tuple[Page, Hands]:
    """A phone that has picked c3 without a network, and was closed then."""
    page = app()
    hands = Hands(page.context.request, server.url)
    page.goto(hands.open("knister", "Anna"))
    roll(page)
    expect(cell(page, "c3")).to_be_enabled()
    with unreachable(server):
        cell(page, "c3").tap()
        expect(page.locator(".cell.pending")).to_have_count(1)
        page.reload()
        expect(page.locator("#unsent")).to_be_visible()
        again = page.context.new_page()
        page.close()
    hands.refresh()
    return again, hands


def test_a_pick_survives_closing_the_page_and_is_written_once(app: App, server: Server):
    page, hands = pick_without_network(app, server)
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


def test_a_pick_that_comes_too_late_is_refused_aloud_and_forgotten(app: App, server: Server):
    page, hands = pick_without_network(app, server)
    hands.play("a1")
    hands.roll()
    page.goto(hands.table)
    expect(page.locator("#trouble")).to_be_visible()
    expect(cell(page, "c3")).to_have_text("")
    page.wait_for_function(f"!({KEPT})().length")
    page.reload()
    expect(page.locator("#trouble")).to_be_hidden()
