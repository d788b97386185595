"""A wall shows a game by itself: a count that grows, a throw, the podium; also after the server was killed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support.browsing import CELLS, Hands, NewPhone, Server

SCREEN = {"viewport": {"width": 1920, "height": 1080}, "is_mobile": False, "has_touch": False}
SIZES = ((1920, 1080), (1280, 720), (3840, 2160))
SEATS = ("Astrid", "Familie Kern", "Wolfeschlegelsteinha", "Ole")
# What is smaller than a thirtieth of the screen's height, or lies outside of its part of the screen.
WRONG = """() => [...document.querySelectorAll('#board *')].filter(element => {
  const text = [...element.childNodes].some(node => node.nodeType === 3 && node.nodeValue.trim());
  const box = element.getBoundingClientRect();
  if (!text || !element.checkVisibility() || element.closest('.hidden')) {
    return false;
  }
  const scale = element.ownerSVGElement ? element.getScreenCTM().a : 1;
  const size = parseFloat(getComputedStyle(element).fontSize) * scale;
  const room = (element.closest('section') ?? document.body).getBoundingClientRect();
  const isOut = box.left < room.left || box.right > room.right || box.top < 0 || box.bottom > innerHeight;
  return size < innerHeight / 30 || isOut;
}).map(element => element.outerHTML)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One of its own: it is killed."""
    server = Server(tmp_path_factory.mktemp("wall"))
    server.start()
    yield server
    server.kill()


# How the board itself is drawn: it is the felt in every phase, from edge to edge.
DRAWN = """() => {
  const board = document.getElementById('board');
  const { backgroundColor, backgroundImage, borderRadius, boxShadow, textAlign } = getComputedStyle(board);
  const { width, height } = board.getBoundingClientRect();
  const isWhole = width === innerWidth && height === innerHeight;
  return [isWhole, backgroundColor, backgroundImage, borderRadius, boxShadow, textAlign];
}"""
FELT = [True, "rgba(0, 0, 0, 0)", "none", "0px", "none", "start"]


def check(screen: Page, phase: str) -> None:
    """Everything can be read from far away, on screens of all sizes, and nothing is wrong for anybody."""
    expect(screen.locator("#board")).to_have_attribute("data-phase", phase)
    assert screen.evaluate(DRAWN) == FELT, phase
    for width, height in SIZES:
        screen.set_viewport_size({"width": width, "height": height})
        assert screen.evaluate(WRONG) == [], (width, height)
    screen.set_viewport_size({"width": 1920, "height": 1080})
    assert [found["id"] for found in Axe().run(screen).response["violations"]] == []


def test_a_wall_shows_a_game_by_itself_and_comes_back(site: Server, new_phone: NewPhone, hands: Hands):
    hands.open("knister", room="1", wall="on", thrower="host", pace="600")
    screen = new_phone(**SCREEN)
    screen.goto(f"{hands.table}/wall?also=fr")
    said = screen.locator("#said")
    expect(said).to_contain_text("0 players are here")
    for name in SEATS:
        hands.post("sit", name=name)
    expect(said).to_contain_text("4 joueurs sont là")
    expect(screen.locator("#came li").first).to_have_text("Ole")
    check(screen, "lobby")

    host = new_phone()
    host.context.add_cookies(hands.request.storage_state()["cookies"])  # type: ignore[arg-type]
    host.goto(f"{hands.table}/remote")
    host.get_by_role("button", name="Begin with 4 players").tap()
    expect(said).to_contain_text("4 of 4 still to pick")
    expect(host.locator(".missing li")).to_have_count(4)
    assert [found["id"] for found in Axe().run(host).response["violations"]] == []

    site.kill()
    expect(screen.locator("#trouble")).to_be_visible()
    site.start()
    hands.post("play", turn=1, seat=0, step=0, do=CELLS[0])
    expect(said).to_contain_text("3 of 4 still to pick", timeout=30_000)
    expect(screen.locator("#trouble")).to_be_hidden()
    expect(screen.locator("#clock")).to_be_visible()
    check(screen, "pick")

    for turn, cell in enumerate(CELLS[:6], 1):
        if turn > 1:
            hands.post("roll", turn=turn - 1)
        for seat in range(turn == 1, len(SEATS)):
            column = cell if seat % 2 else cell.translate(str.maketrans("abcde", "acebd"))
            hands.post("play", turn=turn, seat=seat, step=0, do=column)
    expect(screen.locator("#board")).to_contain_text("Round 6 of 25")
    expect(screen.locator("#best li")).to_have_count(4)
    check(screen, "throw")
    hands.post("end")
    expect(screen.locator("#board[data-phase=over] #said")).not_to_be_empty()
    check(screen, "over")
    hands.post("rematch")
    expect(said).to_contain_text("4 players are here")
    expect(screen).not_to_have_url(f"{hands.table}/wall?also=fr")
    assert screen.url.endswith("/wall?also=fr")


GAMES = 8  # of 25 rounds: hours in a hall
STEADY = 1.2  # what grows by less does not grow


def held(screen: Page) -> tuple[float, float]:
    """How many nodes and how many bytes a page keeps, once all that is gone was collected."""
    devtools = screen.context.new_cdp_session(screen)
    devtools.send("Performance.enable")
    devtools.send("HeapProfiler.collectGarbage")
    found = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    devtools.detach()
    return found["Nodes"], found["JSHeapUsedSize"]


def play(hands: Hands, screen: Page, rounds: int) -> None:
    for turn in range(rounds):
        hands.post("roll", turn=turn)
        for seat in range(len(SEATS)):
            hands.post("play", turn=turn + 1, seat=seat, step=0, do=CELLS[(turn + seat) % len(CELLS)])
        if turn + 1 < len(CELLS):
            expect(screen.locator("#board")).to_contain_text(f"Round {turn + 1} of 25")


@pytest.mark.prove
def test_a_wall_does_not_grow_in_an_hour_of_games(new_phone: NewPhone, hands: Hands):
    hands.open("knister", room="1", wall="on", thrower="host")
    for name in SEATS:
        hands.post("sit", name=name)
    screen = new_phone(**SCREEN)
    screen.goto(f"{hands.table}/wall")
    sizes = []
    for _ in range(GAMES):
        expect(screen.locator("#said")).to_contain_text("4 players are here")
        play(hands, screen, len(CELLS))
        expect(screen.locator("#board[data-phase=over] #said")).not_to_be_empty()
        sizes.append(held(screen))
        old = screen.url
        hands.post("rematch")
        expect(screen).not_to_have_url(old)
        hands.table = screen.url.removesuffix("/wall")
    for first, last in zip(sizes[1], sizes[-1], strict=True):
        assert last < STEADY * first, sizes
