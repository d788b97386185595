"""Pictures of every kind of page, for the documentation: python tests/browser/screenshots.py [folder]

The icon is drawn, too, for phones that want a PNG.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from browsing import ARGS, CHROMIUM, PHONE, Hands, Server
from playwright.sync_api import Browser, Page, sync_playwright

from kasta.bots.base import Greedy, Sight
from kasta.games import find_game

WIDE: dict[str, Any] = {"viewport": {"width": 1200, "height": 860}, "is_mobile": False, "has_touch": False}
STATIC, ICON_SIDE = Path("src/kasta/web/static"), 512


def play_alone(hands: Hands, game: str, throws: int) -> None:
    """Some throws of a game, by a bot that the page knows nothing of."""
    rule, bot = find_game(game), Greedy()
    sheet = rule.solo.start()
    for _ in range(throws):
        while 'data-owing="0"' not in hands.parts:  # the others pick, too
            hands.refresh()
        hands.roll()
        faces = tuple(map(int, re.findall(r'aria-label="(\d)"', hands.parts.partition('class="sum"')[0])))
        sheet = rule.solo.throw(sheet, faces)
        while legal := rule.solo.legal(sheet):
            action = bot.choose(Sight(rule, sheet), legal, random.Random(1))
            sheet = rule.solo.act(sheet, action)
            if f'value="{action}"' in hands.parts or "(" not in str(action):
                hands.play(str(action))


def shots(browser: Browser, server: Server, folder: Path) -> None:
    def shoot(name: str, address: str, page: Page) -> None:
        page.goto(address)
        page.wait_for_load_state("networkidle") if "/t/" not in address else page.locator("main").wait_for()
        page.evaluate("document.querySelectorAll('.moment').forEach(each => each.remove())")
        page.screenshot(path=folder / f"{name}.png", animations="disabled")

    def phone(**options: Any) -> tuple[Page, Hands]:  # noqa: ANN401 - what Playwright takes
        context = browser.new_context(**{**PHONE, "reduced_motion": "reduce", **options})
        return context.new_page(), Hands(context.request, server.url)

    page, hands = phone()
    shoot("home", server.url, page)
    shoot("new", f"{server.url}/new/knister", page)
    shoot("rules", f"{server.url}/rules/knaster", page)

    hands.open("knister", "Sarah", "Tim", bots="1", room="1")
    shoot("lobby", hands.table, page)

    hands.open("knister", "Sarah")
    play_alone(hands, "knister", 12)
    hands.roll()
    shoot("knister", hands.table, page)

    hands.open("knaster", "Sarah", dice="own")
    for faces, name in zip(
        ("34", "44", "33", "46", "45", "56", "56", "11", "34", "44", "44"),
        ("a3", "a1", "b3", "d3", "c1", "c2", "c4", "c5", "(a3)", "(a1)", "e3"),
        strict=True,
    ):
        hands.roll(faces)
        hands.play(name)
    hands.roll("45")
    hands.play("c3")
    shoot("knaster", f"{hands.table}?serve=3", page)

    hands.open("yatzy", "Sarah", dice="own")
    for faces, box in (
        ("66666", "yatzy"),
        ("66666", "sixes"),
        ("23456", "large_straight"),
        ("33322", "full_house"),
    ):
        hands.roll(faces)
        hands.play(f"fill {box}")
    hands.roll("13355")
    shoot("yatzy", hands.table, page)

    hands.open("knister", "Sarah", "Tim", dice="own")
    shoot("own-dice", hands.table, page)

    hands.open("knister", "Sarah")
    play_alone(hands, "knister", 25)
    shoot("over", hands.table, page)
    shoot("proof", f"{hands.table}/proof", page)

    dark, hands = phone(color_scheme="dark", locale="sv")
    hands.open("knister", "Sarah", bots="2")
    play_alone(hands, "knister", 1)
    shoot("dark", hands.table, dark)

    wide, hands = phone(**WIDE)
    hands.open("knister", "Sarah", bots="2", thrower="host")
    play_alone(hands, "knister", 14)
    while 'data-owing="0"' not in hands.parts:
        hands.refresh()
    hands.roll()
    shoot("wide", hands.table, wide)


def draw_icon(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": ICON_SIDE, "height": ICON_SIDE})
    page.goto((STATIC / "icon.svg").resolve().as_uri())
    page.screenshot(path=STATIC / "icon.png")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as store, sync_playwright() as playwright:
        server = Server(Path(store))
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
            draw_icon(browser)
            shots(browser, server, folder)
        finally:
            server.kill()
    for picture in sorted(folder.glob("*.png")):
        print(f"{picture}  {picture.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main()
