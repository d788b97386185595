"""The throws of the day on a phone: a whole try, how it went, and the proof that the page itself works out."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from playwright.sync_api import expect

from kasta.games import find_game
from support.browsing import Hands, NewPhone, Server

STUB = """
navigator.canShare = data => data.files.every(file => file.type === "image/png");
navigator.share = async ({ text, files }) => {
  const bytes = new Uint8Array(await files[0].arrayBuffer());
  window.sent = { text, name: files[0].name, begins: [...bytes.slice(1, 4)], size: bytes.length };
};
"""  # Chromium has no sharing on Linux


def test_a_result_is_shared_with_its_picture_where_the_device_takes_one(new_phone: NewPhone, site: Server):
    page = new_phone()
    page.add_init_script(STUB)
    hands = Hands(page.context.request, site.url)
    page.goto(hands.open("knister", "Sarah", dice="own"))
    hands.roll("34")
    hands.post("end")
    page.reload()
    page.locator("[data-share][data-picture*=sheet]").first.click()
    page.wait_for_function("() => window.sent")
    sent = page.evaluate("() => window.sent")
    assert sent["text"].startswith("Knister: 0 points.")
    assert "Sarah" not in sent["text"]
    assert (sent["name"], bytes(sent["begins"])) == ("kasta.png", b"PNG")
    assert sent["size"] > 2_000


def test_a_day_is_played_and_its_dice_are_proven_on_the_phone(new_phone: NewPhone, site: Server):
    page = new_phone()
    page.goto(site.url)
    page.get_by_role("link", name="Play Maxi Yatzy").click()
    expect(page.locator("time[data-clock]").first).to_have_text(re.compile(r"^\d\d:\d\d$"))
    expect(page.locator("time[data-day]").first).to_have_text(re.compile(r"^\d+ [A-Z][a-z]+ \d{4}$"))
    page.get_by_role("button", name="Play the throws of the day").click()
    expect(page.locator(".day-mark")).to_contain_text("This try counts.")
    hands = Hands(page.context.request, site.url, page.url.split("?")[0])
    hands.refresh()
    for box in find_game("maxi").solo.boxes:
        hands.roll()
        hands.play(f"fill {box}")
    page.get_by_role("link", name="How the others did").click()
    expect(page.locator(".spread rect.own")).to_have_count(1)
    expect(page.locator(".verdict")).to_contain_text("Place")
    page.goto(f"{hands.table}/proof")
    expect(page.get_by_text("revealed when the day is over")).to_be_visible()
    with closing(sqlite3.connect(site.folder / "kasta.db")) as store, store:
        store.execute("UPDATE days SET told = made WHERE game = 'maxi'")
    page.reload()
    expect(page.locator("#verdict")).to_have_text("Proven: every throw is the one that had been fixed.")
