"""What must hold on every kind of page: it fits a narrow phone in every language, and everybody can use it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.kinds import every_kind
from kasta.games import OURS
from support.browsing import LANGUAGES, PHONE, Server
from support.page_checks import ALL_RULES, ONLY_COLOURS, misfits, visit

Kinds = tuple[BrowserContext, dict[str, str]]


LONG_WORDS = ("sv", "de", "fr")  # long ones break lines; English is looked at by axe
SHORT = [language for language in LANGUAGES if language not in {*LONG_WORDS, "en"}]


@pytest.fixture(scope="module")
def kinds(browser: Browser, site: Server) -> Iterator[Kinds]:
    narrow = {**PHONE, "viewport": {"width": 320, "height": 640}}
    context, other = browser.new_context(**narrow), browser.new_context(**narrow)
    yield context, every_kind(context, other, site)
    context.close()
    other.close()


@pytest.mark.parametrize(
    "language", [*LONG_WORDS, *(pytest.param(each, marks=pytest.mark.prove) for each in SHORT)]
)
def test_every_kind_of_page_fits_a_narrow_phone(kinds: Kinds, site: Server, language: str):
    context, pages = kinds
    context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    wrong = {}
    for kind, address in pages.items():
        visit(page, address)
        assert page.locator("html").get_attribute("lang") == language
        if found := misfits(page):
            wrong[kind] = found
    page.close()
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(each, marks=pytest.mark.prove) for each in LANGUAGES if each != "en")]
)
def test_every_kind_of_page_fits_and_axe_finds_nothing_by_day_and_by_night(
    kinds: Kinds, site: Server, language: str
):
    context, pages = kinds
    context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    axe, wrong = Axe(), {}
    for kind, address in pages.items():
        page.emulate_media(color_scheme="light")
        visit(page, address)
        found = axe.run(page, options=ALL_RULES).response["violations"]
        page.emulate_media(color_scheme="dark")
        found += axe.run(page, options=ONLY_COLOURS).response["violations"]
        told = [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"][:3]]
        if told := [*told, *misfits(page)]:
            wrong[kind] = told
    page.close()
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def test_it_can_be_installed(page: Page, site: Server):
    page.goto(site.url)
    devtools = page.context.new_cdp_session(page)
    read = devtools.send("Page.getAppManifest")
    assert read["errors"] == []
    manifest = json.loads(read["data"])
    assert manifest["start_url"] == "/"
    assert manifest["display"] == "standalone"
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],  # as every test context is
    )
    for icon in manifest["icons"]:
        answer = page.request.get(site.url + icon["src"])
        assert answer.ok
        assert answer.headers["content-type"].startswith(icon["type"])


def test_nothing_is_loaded_from_elsewhere(page: Page, site: Server):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.url)
    page.get_by_role("button", name="Play Knister").tap()
    expect(page.locator("#roll")).to_be_visible()
    assert asked
    assert all(address.startswith(site.url) for address in asked)


# Parts of pictures that a style of the page has made larger or smaller than they are drawn.
MISDRAWN = """() => [...document.querySelectorAll('.kasta rect')]
    .filter(each => ['width', 'height'].some(side => Math.abs(each.getBBox()[side] - each.getAttribute(side)) > 1))
    .map(each => each.outerHTML)"""


def test_pictures_of_the_rules_are_shown_as_they_are_drawn(page: Page, site: Server):
    for game in OURS:
        page.goto(f"{site.url}/rules/{game}")
        expect(page.locator(".kasta rect").first).to_be_visible()
        assert page.evaluate(MISDRAWN) == []
