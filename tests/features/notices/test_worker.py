"""What the app's worker makes of a push, in a real browser."""

from __future__ import annotations

import json
import time
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page

from support.browsing import ARGS, WHOLE_CHROMIUM, Server

READY = "() => Boolean(navigator.serviceWorker.controller)"
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
    .map(({ tag, title, body, data }) => ({ tag, title, body, address: data.address }))"""
TITLES = f"async () => (await ({SHOWN})()).map(each => each.title).sort().join(', ')"
PATIENCE = 30  # seconds, on a busy machine
TURN = {"tag": "t1", "title": "Your turn", "text": "Knister", "address": "/t/abc", "icon": "/static/icon.png"}


def until(page: Page, question: str, wanted: object) -> None:
    deadline = time.monotonic() + PATIENCE
    while (found := page.evaluate(question)) != wanted:
        assert time.monotonic() < deadline, found
        page.wait_for_timeout(50)


def registration_of(page: Page, worker: CDPSession, origin: str) -> str:
    """The browser's own name for the worker of a site."""
    found: list[str] = []
    worker.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(
            each["registrationId"] for each in told["registrations"] if each["scopeURL"].startswith(origin)
        ),
    )
    worker.send("ServiceWorker.enable")
    deadline = time.monotonic() + PATIENCE
    while not found:
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)
    return found[-1]


def test_a_push_shows_a_notice_and_a_later_one_takes_it_away(browser: Browser, site: Server, tmp_path: Path):
    """In a whole browser that remembers: others show no notices."""
    remembers = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=WHOLE_CHROMIUM, args=ARGS, permissions=["notifications"]
    )
    page = remembers.new_page()
    page.goto(site.url)
    until(page, READY, wanted=True)
    devtools = remembers.new_cdp_session(page)
    registration = registration_of(page, devtools, site.url)

    def shows(question: str, wanted: object, *pushes: dict[str, str]) -> None:
        """Push until it is so: a browser that has just started forgets some notices."""
        found, deadline = None, time.monotonic() + PATIENCE
        while found != wanted:
            assert time.monotonic() < deadline, found
            for data in pushes:
                told = {"origin": site.url, "registrationId": registration, "data": json.dumps(data)}
                devtools.send("ServiceWorker.deliverPushMessage", told)
            looks = time.monotonic() + 1
            while found != wanted and time.monotonic() < looks:
                page.wait_for_timeout(50)
                found = page.evaluate(question)

    shows(SHOWN, [{"tag": "t1", "title": "Your turn", "body": "Knister", "address": "/t/abc"}], TURN)
    other, again = (
        TURN | {"tag": "t2", "title": "You are challenged"},
        TURN | {"title": "Somebody is waiting for you"},
    )
    shows(TITLES, "Somebody is waiting for you, You are challenged", other, again)
    shows(TITLES, "You are challenged", other, {"tag": "t1", "title": "Done already", "withdraw": "1"})
    remembers.close()
