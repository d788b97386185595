"""A real Chromium against a real `kasta serve`. Each module has its own, so that no event loop outlives it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import ARGS, CHROMIUM, PHONE, Hands, NewPhone, Server
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

expect.set_options(timeout=15_000)
USUAL = (
    "Failed to load resource",
    "Cross-Origin-Opener-Policy header has been ignored",
)  # servers die; plain http


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{CHROMIUM} is missing: install Debian's chromium")
        pytest.skip(f"no {CHROMIUM}: apt install chromium to run the browser tests")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def phone(browser: Browser) -> Iterator[NewPhone]:
    """Phones, each with cookies of its own. A fault in a page or a breach of its policy fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def new(**options: Any) -> Page:  # noqa: ANN401 - what Playwright takes
        context = browser.new_context(**{**PHONE, **options})
        context.set_default_timeout(15_000)
        contexts.append(context)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on(
            "console",
            lambda said: (
                faults.append(said.text)
                if said.type == "error" and not any(usual in said.text for usual in USUAL)
                else None
            ),
        )
        return context.new_page()

    yield new
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def page(phone: NewPhone) -> Page:
    return phone()


@pytest.fixture
def hands(page: Page, server: Server) -> Hands:
    return Hands(page.context.request, server.url)
