"""The files of `kasta site` in a browser, in a folder of two web servers that run no program."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from features.pocket.served import BELOW, SERVERS, served
from kasta.i18n import LANGUAGES
from support.browsing import NewPhone, cell, status
from support.page_checks import ALL_RULES, misfits
from support.reflow import LARGE, LARGE_AND_NARROW, NARROW, faults
from support.visitors import KASTA

PATIENCE = 120_000  # ms, for Python in a browser on a busy machine
FREE = "#mine .cell button:enabled"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "files"
    subprocess.run([KASTA, "site", "-o", folder], check=True)
    return folder


@pytest.fixture(scope="module", params=SERVERS)
def address(
    request: pytest.FixtureRequest, files: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    if request.param == "nginx" and not shutil.which("nginx"):
        pytest.skip("no nginx: `make proxies` installs it")
    with served(request.param, files, tmp_path_factory.mktemp("served")) as url:
        yield url


def throw_and_write(page: Page, before: int) -> None:
    """Write into the first free cell, after so many others."""
    page.locator("#roll").tap()
    expect(page.locator("#roll")).to_have_count(0)
    page.locator(FREE).first.tap()
    expect(page.locator(FREE)).to_have_count(24 - before)


def test_people_find_the_rules_in_their_language_below_the_folder(address: str, new_phone: NewPhone):
    page = new_phone()
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    expect(page.locator("html")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    page.get_by_role("link", name="Rules Knister").click()
    expect(page).to_have_url(f"{address}rules/knister/")
    page.get_by_role("link", name="Svenska").click()
    expect(page).to_have_url(f"{address}sv/rules/knister/")
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    page.get_by_role("link", name="Alla spel").click()
    expect(page).to_have_url(f"{address}sv/")
    page.get_by_role("link", name="Kasta", exact=True).click()
    expect(page.get_by_role("heading", name="Kasta tärningarna")).to_be_visible()
    assert all(f"/{BELOW}/" in each for each in asked)


def test_a_game_is_played_and_gone_on_with_below_the_folder(address: str, new_phone: NewPhone):
    page = new_phone(reduced_motion="reduce")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}sv/")
    page.get_by_role("link", name="Spela Knister").tap()
    expect(status(page)).to_be_visible(timeout=PATIENCE)
    throw_and_write(page, 0)
    written = cell(page, "a1").inner_text()
    assert written.strip()
    page.wait_for_url(f"{address}sv/play/?t=*")
    page.goto(f"{address}de/play/")
    page.locator("#go-on a").tap()
    expect(status(page)).to_be_visible(timeout=PATIENCE)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(cell(page, "a1")).to_have_text(written)
    throw_and_write(page, 1)
    assert all(f"/{BELOW}/" in each for each in asked if each.startswith("http")), asked


@pytest.mark.prove
def test_a_whole_game_is_played_to_its_end(address: str, new_phone: NewPhone):
    page = new_phone(reduced_motion="reduce")
    page.goto(f"{address}play/?game=knister&alone=1")
    for before in range(25):
        throw_and_write(page, before)
    expect(page.locator("#status")).to_have_attribute("data-phase", "over")


@pytest.mark.parametrize("address", ["python"], indirect=True)
def test_everybody_can_read_and_use_it(address: str, new_phone: NewPhone):
    page, axe = new_phone(viewport={"width": 320, "height": 640}), Axe()
    languages = (f"{language}/" for language in LANGUAGES if language != "en")
    for path in ("", *languages, "play/", "de/play/", "de/rules/knister/"):
        page.goto(address + path)
        assert misfits(page) == [], path
        assert axe.run(page, options=ALL_RULES).response["violations"] == [], path
        for reading in (LARGE_AND_NARROW, LARGE, NARROW):
            assert faults(page, reading) == [], (path, reading)
