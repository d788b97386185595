"""The second of a throw in a browser: how soon a touch is seen, and how soon after the dice lie their result.

In each game alone, on a phone's screen, with delays added to every answer of the server. Times are from the touch
to the frame in which something is seen; the largest is in brackets. `early` counts the throws of which anything
was told, to eyes, ears or the tab, while a die was in the air.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kasta.games import OURS
from support.browsing import ARGS, CHROMIUM, PHONE, Server, play_now, slow_down
from support.watching import WATCH, Frame, came_to_rest, frames

DELAYS: tuple[int, ...] = (0, 150, 600)
LIES = "() => frames_seen.some(each => each.air) && frames_seen.slice(-5).every(each => !each.air)"
AWAKE = "#status .throw:not([aria-disabled=true])"
PLACES = "#mine .pay, #mine .cell button:enabled"
WRITTEN = "() => frames_seen.some(each => each.sketched)"
IS_OVER = "#status[data-phase=over]"


@dataclass
class Seconds:
    """What was seen of some throws, in ms."""

    leaving: list[float] = field(default_factory=list)
    lying: list[float] = field(default_factory=list)
    telling: list[float] = field(default_factory=list)
    writing: list[float] = field(default_factory=list)
    early: int = 0

    def note(self, seen: list[Frame]) -> None:
        """One throw, from its touch to its result."""
        left = next(number for number, frame in enumerate(seen) if frame.air)
        lay = next(number for number, frame in enumerate(seen) if number > left and not frame.air)
        rest = came_to_rest(seen, left, lay)
        told = next(number for number, frame in enumerate(seen) if frame.told != seen[left].told)
        self.early += told < rest
        self.leaving.append(seen[left].at)
        self.lying.append(seen[rest].at)
        self.telling.append(seen[told].at - seen[rest].at)

    def row(self) -> str:
        cells = (f"{median(each):.0f} ({max(each):.0f}) ms" for each in (self.leaving, self.telling, self.writing))
        return " | ".join([*cells, f"{median(self.lying) / 1_000:.2f} s", f"{self.early} of {len(self.lying)}"])


def watched(page: Page) -> list[Frame]:
    return frames(page.evaluate("frames_seen"))


def throw(page: Page, seconds: Seconds) -> None:
    page.locator(AWAKE).tap()
    page.wait_for_function(LIES)
    seconds.note(watched(page))


def pick(page: Page, seconds: Seconds) -> None:
    """Tap on a place, and wait until the page can go on."""
    page.locator(PLACES).first.tap()
    page.wait_for_function(WRITTEN)
    seconds.writing.append(next(frame.at for frame in watched(page) if frame.sketched))
    page.locator("#mine .pending").first.wait_for(state="detached")
    while not page.locator(f"#status .throw, {IS_OVER}").count():  # circles that it brings
        page.locator(f"#mine .serve, {PLACES}").first.tap()
        page.wait_for_timeout(500)


def measure(browser: Browser, url: str, game: str, delay: int, rounds: int) -> Seconds:
    """So many rounds of a game; in Yatzy dice are thrown again in each."""
    seconds = Seconds()
    context = browser.new_context(**PHONE)
    page = context.new_page()
    play_now(page, url, game)
    slow_down(page, delay)
    page.evaluate(WATCH)
    for _ in range(rounds):
        throw(page, seconds)
        if page.locator("#keep").count():
            page.locator("#status .spot").nth(1).tap()
            throw(page, seconds)
        pick(page, seconds)
    context.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", choices=OURS, default=list(OURS))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="two rounds of one game, to see that it works")
    options = parser.parse_args()
    games, delays, rounds = options.games, DELAYS, options.rounds
    if options.quick:
        games, delays, rounds = games[:1], DELAYS[:1], 2
    print("| game, delay | dice leave | words after they lie | number in pencil | dice lie after | early |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        server = Server(Path(folder))
        server.start()
        try:
            for game in games:
                for delay in delays:
                    print(f"| {game}, {delay} ms | {measure(browser, server.url, game, delay, rounds).row()} |")
        finally:
            server.kill()
            browser.close()


if __name__ == "__main__":
    main()
