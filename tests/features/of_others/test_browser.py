"""The docs' example feature in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from kasta.i18n import LANGUAGES
from support.browsing import Server
from support.others import EXAMPLES, install_example

TITLES = {"sv": "Gästbok", "nb": "Gjestebok", "de": "Gästebuch", "fr": "Livre d\N{RIGHT SINGLE QUOTATION MARK}or"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path = install_example(tmp_path_factory.mktemp("packages"), EXAMPLES / "guestbook")
    server = Server(tmp_path_factory.mktemp("server"), path=path)
    (server.folder / "kasta.toml").write_text("guestbook_entries = 2\n")
    server.start("--config", str(server.folder / "kasta.toml"))
    yield server
    server.kill()


def speak(page: Page, site: Server, language: str) -> None:
    page.context.add_cookies([{"name": "kasta-language", "value": language, "url": site.url}])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_writes_a_line_in_each_language(language: str, page: Page, site: Server):
    speak(page, site, language)
    page.goto(site.url)
    page.get_by_role("link", name=TITLES.get(language, "Guest book")).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES.get(language, "Guest book"))
    page.locator("input[name=text]").fill(f"Hello in {language} <b>")
    page.locator("form.line button").tap()
    expect(page.locator(".entries li").first).to_contain_text(f"Hello in {language} <b>")
    assert page.locator(".entries li").count() <= 2, "as the setting says"
    assert any("guestbook.css" in (link.get_attribute("href") or "") for link in page.locator("link").all())
    assert not Axe().run(page).response["violations"]


def test_what_cannot_be_written_is_said_in_the_guest_s_language(page: Page, site: Server):
    speak(page, site, "sv")
    page.goto(f"{site.url}/guestbook")
    page.locator("input[name=text]").evaluate("field => { field.required = false; }")
    page.locator("form.line button").tap()
    expect(page.locator("main")).to_contain_text("Skriv något, men högst 200 tecken.")
