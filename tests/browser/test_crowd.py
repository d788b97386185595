"""A host and a player among many: all that their pages can do works while a crowd picks, and nothing moves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from phones import Hall, Size
from playwright.sync_api import Page, Route, expect

from kasta.tables.view import MOST_LISTED
from support.browsing import CELLS, Hands, NewPhone, Server, cell, end_game, open_table, said, sit, write

Made = TypeVar("Made")
PATIENCE = 300
PICKS_A_SECOND = 500
LEAST_SECONDS = 0.5  # in which all pick: so long somebody does while the pages are used
# Where the tray and the cells of the own sheet are, and what has moved there by itself since the page was loaded.
PLACES = """() => [...document.querySelectorAll('#status, #mine .cell')].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y + scrollY, width, height].join(' ');
})"""
WATCH = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const inside = entry.sources.filter(each => each.node?.parentElement?.closest('#mine'));
    if (!entry.hadRecentInput && inside.length) {
      window.shifts.push(inside.map(each => each.node.parentElement.outerHTML.slice(0, 200)));
    }
  }
}).observe({ type: 'layout-shift' });
"""


class Crowd:
    """Simulated phones that join a table and pick on every throw, in a thread of their own."""

    def __init__(self, port: int, table: str, phones: int) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._phones = phones
        self._hall = self._run(self._come(port, table))

    async def _come(self, port: int, table: str) -> Hall:
        hall = Hall(port, Size("knister", self._phones, (0.0, max(LEAST_SECONDS, self._phones / PICKS_A_SECOND))))
        hall.table = table
        await hall.let_in()
        return hall

    def finish(self, turn: int) -> None:
        """Wait until all have picked."""

        def is_done() -> bool:
            return turn in self._hall.rounds and len(self._hall.rounds[turn].done) == self._phones

        self._run(self._hall.until(is_done, PATIENCE))
        assert self._hall.errors == []

    def close(self) -> None:
        async def hang_up() -> None:
            self._hall.close()
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)

        self._run(hang_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Made]) -> Made:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


class Two:
    """The host's page and a player's, which take part in every round."""

    def __init__(self, host: Page, player: Page, crowd: Crowd) -> None:
        self.host, self.player, self.crowd = host, player, crowd
        self.turn = 0
        self._places: dict[Page, list[str]] = {}

    def throw(self, *listening: Page) -> None:
        self.host.locator("#roll").tap()
        self.turn += 1
        for page in listening or (self.host, self.player):
            self.see_throw(page)

    def see_throw(self, page: Page) -> None:
        """The dice lie. Until then a tap would move the pick before, or only end the flight."""
        expect(page.locator("#dice")).to_have_attribute("data-turn", str(self.turn))
        expect(said(page)).to_have_text("Your turn")

    def finish(self, name: str) -> None:
        """The host picks as well, and so does everybody else: then the next throw may come."""
        write(self.host, name)
        self.crowd.finish(self.turn)
        expect(self.host.locator("#roll")).to_be_visible()
        self.check()

    def check(self) -> None:
        """Every cell is where it was, and nothing has moved by itself."""
        for page in (self.host, self.player):
            now = page.evaluate(PLACES)
            assert now == self._places.setdefault(page, now)
            assert page.evaluate("window.shifts") == []

    def settle(self, page: Page) -> None:
        """The page has been loaded: what moves from now on is a fault."""
        expect(page.locator("html.js")).to_be_attached()
        page.evaluate("() => new Promise(done => setTimeout(() => done(window.shifts = []), 300))")


def take_back_and_move(two: Two, name: str) -> None:
    write(two.player, "c3")
    two.player.locator("#undo").tap()
    expect(cell(two.player, "c3")).to_have_text("")
    write(two.player, "d3")
    two.player.wait_for_timeout(450)  # no double tap
    write(two.player, name)
    expect(cell(two.player, "d3")).to_have_text("")


def look_around(two: Two, name: str) -> None:
    two.player.get_by_text("Help and settings").tap()
    two.player.locator("#do").fill("line 3")
    two.player.locator("#do").press("Enter")
    expect(two.player.locator("#trouble")).to_contain_text("Row 3")
    two.player.get_by_role("link", name="Rules", exact=True).tap()
    expect(two.player.locator("h1")).to_contain_text("Knister")
    two.player.go_back()
    expect(said(two.player)).to_have_text("Your turn")
    two.settle(two.player)
    write(two.player, name)


def use_the_desk(two: Two, name: str) -> None:
    two.host.locator("#desk > summary").tap()
    pace = two.host.locator("#desk select[name=pace]")
    pace.select_option("60")
    expect(two.player.locator("#extend")).to_be_visible()
    two.host.get_by_role("button", name="Let nobody else in").tap()
    two.host.get_by_role("button", name="Let others in again").tap()
    expect(two.host.get_by_role("button", name="Let nobody else in")).to_be_visible()
    pace.select_option("")
    expect(two.player.locator("#extend")).to_have_count(0)
    two.host.locator("#desk > summary").tap()
    write(two.player, name)


def reload(two: Two, name: str) -> None:
    for page in (two.host, two.player):
        page.reload()
        expect(said(page)).to_have_text("Your turn")
        two.settle(page)
    write(two.player, name)
    two.player.reload()
    expect(cell(two.player, name)).not_to_have_text("")
    two.settle(two.player)


def lose_the_network(two: Two, name: str) -> None:
    two.player.context.set_offline(True)
    cell(two.player, name).tap()
    expect(two.player.locator("#mine .cell.pending")).to_have_count(1)
    two.player.context.set_offline(False)
    expect(cell(two.player, name)).not_to_have_text("")
    expect(two.player.locator("#trouble")).to_be_hidden()


WAYS = (take_back_and_move, look_around, use_the_desk, reload, lose_the_network)


@pytest.mark.parametrize(
    ("phones", "rounds"), [(60, len(WAYS) + 3), pytest.param(1_000, len(CELLS), marks=pytest.mark.prove)]
)
def test_a_host_and_a_player_can_do_everything_among_a_crowd(
    site: Server, new_phone: NewPhone, phones: int, rounds: int
):
    host, player = new_phone(), new_phone(viewport={"width": 320, "height": 640})
    for page in (host, player):
        page.add_init_script(WATCH)
    link = open_table(host, site.url, "knister", "Hanna", room=True, thrower="host")
    player.goto(link)
    sit(player, "Per")
    with closing(Crowd(site.port, urlsplit(link).path, phones)) as crowd:
        for page in (host, player):
            expect(page.locator("#players h2 small")).to_have_text(str(phones + 2))
        two = Two(host, player, crowd)
        two.throw()
        for page in (host, player):
            two.settle(page)
        two.check()
        first, missed, *others = CELLS[:rounds]
        write(player, first)
        two.finish(first)

        player.context.set_offline(True)
        two.throw(host)
        player.context.set_offline(False)
        two.see_throw(player)
        write(player, missed)
        two.finish(missed)

        for number, name in enumerate(others):
            two.throw()
            if number < len(WAYS):
                WAYS[number](two, name)
            else:
                write(player, name)
            if name != CELLS[-1]:
                two.finish(name)
        if rounds == len(CELLS):
            write(host, CELLS[-1])
        else:
            end_game(host)
        for page in (host, player):
            expect(page.locator("#over")).to_be_visible()


def test_a_pick_stays_when_an_answer_from_before_it_comes_late(site: Server, hands: Hands, new_phone: NewPhone):
    hands.open("knister", "Hanna", room="1", thrower="host")
    player, watching = new_phone(), new_phone()
    player.goto(hands.table)
    sit(player, "Per")
    with closing(Crowd(site.port, urlsplit(hands.table).path, MOST_LISTED)) as crowd:
        watching.goto(hands.table)
        expect(watching.get_by_role("button", name="Sit down")).to_be_visible()
        hands.refresh()
        hands.roll()
        expect(said(player)).to_have_text("Your turn")
        expect(watching.locator("#room")).to_contain_text("You are watching.")
        held = hold(player, "**/parts?*")
        player.evaluate("dispatchEvent(new Event('online'))")  # the page asks what it has missed
        while not held:
            player.wait_for_timeout(20)
        write(player, "a1")
        player.evaluate(
            "document.getElementById('table').addEventListener('shown', () => (window.isShown = true))"
        )
        crowd.finish(1)
        held[0]()
        player.wait_for_function("() => window.isShown")
        assert cell(player, "a1").inner_text()


def hold(page: Page, address: str) -> list[Callable[[], None]]:
    """The next answer from there is held up, until it is called."""
    held: list[Callable[[], None]] = []

    def keep(route: Route) -> None:
        answer = route.fetch()
        held.append(lambda: route.fulfill(response=answer))

    page.route(address, keep, times=1)
    return held
