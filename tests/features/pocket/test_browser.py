"""Games without a network, on a phone whose server is away."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from features.pocket.playing import games, play_to_the_end
from kasta.games import OURS
from kasta.record import replay as replay_record
from support.browsing import NewPhone, Server, cell, status
from support.page_checks import ALL_RULES
from support.relays import Relay

IS_KEPT = "async () => Boolean(await caches.match('/pocket/list') && await caches.match('/rules/yatzy'))"
ASKED = "{ language: 'en', isLater: true }"  # as pages do once they are idle
PATIENCE = 120  # seconds, for a bundle that is made on a busy machine
BODIES = """() => new Promise(resolve => {
  const asked = indexedDB.open('kasta-pocket');
  asked.onsuccess = () => {
    const all = asked.result.transaction('events').objectStore('events').getAll();
    all.onsuccess = () => resolve(all.result.map(row => JSON.parse(row.body).kind));
  };
})"""

App = Callable[..., Page]


@pytest.fixture
def line(site: Server) -> Iterator[Relay]:
    """The network. A browser's own switch for it lets some requests of pages with a worker through."""
    line = Relay(site.port)
    line.mend()
    yield line
    line.cut()


@pytest.fixture
def app(new_phone: NewPhone, line: Relay) -> App:
    """A phone that has kept, in idle time, what it needs to play without a network."""

    def new(**options: str) -> Page:
        page = new_phone(service_workers="allow", **options)
        page.goto(line.url)
        deadline = time.monotonic() + PATIENCE
        while not page.evaluate(IS_KEPT):
            assert time.monotonic() < deadline
            page.wait_for_timeout(200)
        return page

    return new


FOCUS_NEXT = """() => {
  const targets = [...document.querySelectorAll(
    '#roll, #mine button[name=do], #after button[name=do], #status button[name=do], #mine a[data-serve]')];
  const next = targets.find(each => each.checkVisibility() && !each.disabled && each.ariaDisabled !== 'true'
    && !each.form?.elements.kept && (each.id === 'roll' || each.value || each.matches('a')));
  next?.focus();
  return document.activeElement === next;
}"""


def throw(page: Page) -> None:
    page.locator("#roll").tap()
    page.wait_for_selector("#mine .cell button:enabled")


def test_one_tap_on_the_home_page_opens_a_game_without_a_network_and_it_is_gone_on_with_later(
    app: App, line: Relay
):
    page = app(locale="sv")
    with line.away():
        page.locator(".game button").first.tap()  # the home page that was seen before
        expect(status(page)).to_be_visible(timeout=PATIENCE * 1000)
        assert page.locator("#table").get_attribute("data-slow") == "", "no network is slow"
        throw(page)
        cell(page, "c3").tap()
        expect(cell(page, "c3")).not_to_have_text("")
        assert page.evaluate(BODIES) == ["opened", "seated", "rolled", "acted"]
        written = cell(page, "c3").inner_text()
        address = page.url
        page.close()
        again = page.context.new_page()
        again.goto(line.url)
        expect(again.locator("h1")).to_have_text("Spela utan nät")
        again.locator("#go-on a").tap()
        expect(status(again)).to_be_visible(timeout=PATIENCE * 1000)
        assert again.url == address
        expect(cell(again, "c3")).to_have_text(written)
        throw(again)
        again.goto(f"{line.url}/day")
        expect(again.locator("h1")).to_have_text("Ingen anslutning")
        again.goto(f"{line.url}/rules/yatzy")
        expect(again.locator("h1")).to_contain_text("Yatzy")
    again.goto(line.url)
    expect(again.locator("#in-pocket li")).to_have_count(1)
    game, others = again.locator("#in-pocket li"), again.locator(".game").first
    assert game.bounding_box()["y"] < others.bounding_box()["y"], "first come the games that one is in"  # type: ignore[index]


def test_what_a_network_that_comes_and_goes_could_not_bring_is_fetched_again(new_phone: NewPhone, line: Relay):
    page = new_phone(service_workers="allow")
    page.goto(line.url)
    page.evaluate("async () => void await navigator.serviceWorker.ready")
    with line.away():
        page.evaluate(f"async () => (await navigator.serviceWorker.ready).active.postMessage({ASKED})")
        page.wait_for_timeout(5_000)  # by then the page itself has asked for it, too
    page.wait_for_function(IS_KEPT, timeout=PATIENCE * 1000, polling=200)


def test_what_needs_a_server_says_so(app: App, line: Relay):
    page = app()
    with line.away():
        page.goto(f"{line.url}/pocket?game=knister&name=Anna&name=Tim&bots=1")
        expect(status(page)).to_be_visible(timeout=PATIENCE * 1000)
        expect(page.locator("#tabs a")).to_have_count(2)
        levels = "() => [...document.querySelectorAll('[name=strength]')].map(each => each.options.length)"
        assert set(page.evaluate(levels)) == {2}, "as many as there are bots"
        page.locator(".extras summary").last.tap()
        for only_server in ("a[href$='/proof']", "a[href$='/wall']", "#still", "[name=pace]", "[name=wall]"):
            assert not page.locator(only_server).filter(visible=True).count(), only_server
        page.locator("a[href$='/proof']").last.evaluate("each => each.click()")
        expect(page.locator("#trouble")).to_have_text("This needs a network.")
        expect(status(page)).to_be_visible()


def test_two_pages_of_one_table_show_the_same_and_lose_nothing(app: App, line: Relay):
    page = app()
    with line.away():
        page.goto(f"{line.url}/pocket?game=knister&alone=1")
        expect(status(page)).to_be_visible(timeout=PATIENCE * 1000)
        page.wait_for_url("**/pocket?t=*")
        other = page.context.new_page()
        other.goto(page.url)
        expect(status(other)).to_be_visible(timeout=PATIENCE * 1000)
        throw(page)
        other.wait_for_selector("#mine .cell button:enabled")
        cell(other, "a1").tap()
        expect(cell(page, "a1")).not_to_have_text("")
        kinds = page.evaluate(BODIES)
        assert kinds == ["opened", "seated", "rolled", "acted"]


def test_only_the_worker_may_make_code_of_text(site: Server, new_phone: NewPhone):
    page = new_phone()
    policies = {
        path: page.request.get(f"{site.url}{path}").headers["content-security-policy"]
        for path in ("/", "/pocket", "/pocket/worker.js", "/pocket/list")
    }
    allowed = [path for path, policy in policies.items() if "unsafe-eval" in policy]
    assert allowed == ["/pocket/worker.js"]


SHOWN = """() => [...document.querySelectorAll('#mine .cell')].flatMap(
  cell => (cell.querySelector('svg:not(.pale)') ? [`${cell.id} ${cell.textContent.trim()}`] : []))"""


def check_nothing_shown_is_lost(page: Page, times: int, seed: int = 0) -> Page:
    """Close a page soon after a tap, at another moment each time: what it had shown stands there again."""
    rng = Random(seed)
    address, seen = page.url, list[str]()
    for _ in range(times):
        expect(status(page)).to_be_visible(timeout=PATIENCE * 1000)
        assert set(seen) <= set(page.evaluate(SHOWN))
        if page.locator("#roll").count():
            throw(page)
        page.locator("#mine .cell button:enabled").first.tap()
        page.wait_for_timeout(rng.choice((0, 5, 20, 60, 150, 400)))
        seen = page.evaluate(SHOWN)
        following = page.context.new_page()
        page.close()
        page = following
        page.goto(address)
    expect(status(page)).to_be_visible(timeout=PATIENCE * 1000)
    assert set(seen) <= set(page.evaluate(SHOWN))
    return page


def test_a_tab_that_is_closed_at_any_moment_costs_nothing_that_was_shown(app: App, line: Relay):
    page = app()
    with line.away():
        page.goto(f"{line.url}/pocket?game=knister&alone=1")
        page.wait_for_url("**/pocket?t=*", timeout=PATIENCE * 1000)
        check_nothing_shown_is_lost(page, 3)


@pytest.mark.prove
def test_200_tabs_closed_at_random_moments_lose_nothing_that_was_shown(app: App, line: Relay):
    page = app()
    with line.away():
        for begun in range(8):  # a sheet has 25 cells
            page.goto(f"{line.url}/pocket?game=knister&alone=1")
            page.wait_for_url("**/pocket?t=*", timeout=PATIENCE * 1000)
            page = check_nothing_shown_is_lost(page, 25, seed=begun)


def play_away(page: Page, line: Relay, game: str) -> int:
    """A whole game without a network; what it brought. The page is at home again afterwards, with a network."""
    with line.away():
        page.goto(f"{line.url}/pocket?game={game}&alone=1")
        play_to_the_end(page)
        expect(page.locator("#finish h1, #finish h2").first).to_be_visible()
        (kept,) = games(page)
        assert kept["over"]
        assert not kept["told"]
    page.goto(line.url)
    deadline = time.monotonic() + PATIENCE
    while not games(page)[0]["told"]:
        assert time.monotonic() < deadline
        page.wait_for_timeout(100)
    end = replay_record(io.BytesIO(kept["record"].encode()))
    return end.game.total(end.table, 0)


@pytest.mark.parametrize(
    "game", ["yatzy", *(pytest.param(each, marks=pytest.mark.prove) for each in OURS if each != "yatzy")]
)
def test_a_whole_game_without_a_network_is_among_my_games_when_it_is_back(app: App, line: Relay, game: str):
    page = app()
    total = play_away(page, line, game)
    page.goto(f"{line.url}/games")
    expect(page.locator(".finished .total")).to_have_text(str(total))


@pytest.mark.prove
@pytest.mark.parametrize("game", OURS)
def test_a_whole_game_is_played_by_keyboard_without_a_network_and_everybody_can_use_it(
    app: App, line: Relay, game: str
):
    page, axe = app(reduced_motion="reduce"), Axe()
    with line.away():
        page.goto(f"{line.url}/pocket?game={game}&alone=1")
        page.wait_for_selector("#roll", timeout=PATIENCE * 1000)
        for step in range(1_000):
            if step % 40 == 0:
                assert axe.run(page, options=ALL_RULES).response["violations"] == []
            if page.locator("#status[data-phase=over]").count():
                break
            if page.evaluate(FOCUS_NEXT):
                before = page.locator("#status").get_attribute("data-seq")
                page.keyboard.press("Enter")
                page.wait_for_function("was => document.getElementById('status').dataset.seq !== was", arg=before)
            else:
                page.wait_for_timeout(20)
        assert axe.run(page, options=ALL_RULES).response["violations"] == []
        expect(page.locator("#status")).to_have_attribute("data-phase", "over")


FULL = {
    "at once": "throw new DOMException('', 'QuotaExceededError')",
    "later": "this.transaction.abort(); return {}",
}


@pytest.mark.parametrize("moment", FULL)
def test_a_full_disk_says_so_and_what_could_not_be_kept_has_not_happened(
    site: Server, new_phone: NewPhone, moment: str
):
    page = new_phone(reduced_motion="reduce")
    with page.expect_worker() as asked:
        page.goto(f"{site.url}/pocket?game=knister&alone=1")
    expect(status(page)).to_be_visible(timeout=PATIENCE * 1000)
    page.wait_for_selector("#roll")
    asked.value.evaluate(f"""() => {{
      self.add = IDBObjectStore.prototype.add;
      IDBObjectStore.prototype.add = function () {{ {FULL[moment]}; }};
    }}""")
    page.locator("#roll").tap()
    expect(page.locator("#status .note, #trouble").filter(has_text="no room left").first).to_be_visible()
    assert page.evaluate(BODIES) == ["opened", "seated"]
    asked.value.evaluate("() => { IDBObjectStore.prototype.add = self.add; }")
    throw(page)
    assert page.evaluate(BODIES) == ["opened", "seated", "rolled"]
