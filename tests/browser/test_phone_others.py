"""A game of others on a phone: it says nothing about its looks, and can be played all the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support.browsing import Server, roll, tap, total
from support.others import install_example, run


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = install_example(tmp_path_factory.mktemp("packages"))
    server = Server(tmp_path_factory.mktemp("server"), path=path)
    server.start()
    yield server
    server.kill()


def test_a_game_of_others_is_played_from_the_home_page_to_its_result(page: Page, site: Server):
    page.goto(site.url)
    card = page.locator("li.game", has=page.get_by_role("heading", name="Trappa"))
    expect(card).to_contain_text("build the longest staircase")
    card.get_by_role("button", name="Play Trappa").tap()
    for number in range(1, 7):
        roll(page)
        expect(page.locator("#dice .cube")).to_be_visible()
        expect(page.locator("#after button[name=do]")).to_have_count(7 - number)
        tap(page, page.locator(f"#after button[value='{number}']"))
        expect(page.locator("#mine .plain")).not_to_have_text("")
    expect(page.get_by_role("heading", name=re.compile(r"\d+ points?"))).to_be_visible()
    points = total(page).inner_text()

    record = page.request.get(f"{page.url.split('?')[0]}/record")
    assert site.path
    replayed = json.loads(run(site.path, "kasta", "replay", "-", "--json", given=record.text()))
    assert replayed["over"]
    assert replayed["seats"][0]["total"] == int(points)
    assert run(site.path, "kasta", "verify", "-", given=record.text()).startswith("proven: 6 throws")


def test_its_pages_are_there_in_every_language_and_everybody_can_use_them(page: Page, site: Server):
    for language in ("sv", "en"):
        page.context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])
        page.goto(f"{site.url}/rules/trappa")
        expect(page.get_by_role("heading", level=1)).to_have_text("Trappa")
        page.goto(f"{site.url}/new/trappa")
        page.locator("input[name=name]").first.fill("Sarah")
        page.locator("select[name=bots]").select_option("1")
        page.locator("form.card button.big").tap()
        roll(page)
        expect(page.locator("#after button[name=do]")).to_have_count(6)
        assert not Axe().run(page).response["violations"]


def test_without_a_network_it_says_that_it_needs_one(page: Page, site: Server):
    for language, said in (("sv", "Bara med nät: Trappa"), ("en", "Only with a network: Trappa")):
        page.context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])
        page.goto(f"{site.url}/pocket?game=trappa&alone=1")
        expect(page.locator("#pocket-trouble")).to_be_visible()
        expect(page.locator("#pocket .help:not([role])")).to_have_text(said)
        expect(page.locator("#pocket form[data-pocket]")).to_have_count(5)
