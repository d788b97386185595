"""What the browser tests share: a real server, phones, and how a person does things on the page."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Locator, Page, expect

from support.others import with_packages
from support.visitors import free_port

# Debian's; Ubuntu has none in its archive, but its machines often have another.
WHOLE = [Path("/usr/bin", name) for name in ("chromium", "chromium-browser", "google-chrome")]
WHOLE_CHROMIUM = next((path for path in WHOLE if path.exists()), WHOLE[0])
# The same without windows, menus and an address bar takes half the time; `make prove` asks for the whole browser.
SHELL = Path("/usr/bin/chromium-headless-shell")
CHROMIUM = Path(os.environ.get("KASTA_TEST_CHROMIUM") or (SHELL if SHELL.exists() else WHOLE_CHROMIUM))
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--no-proxy-server",
]
LANGUAGES = ("sv", "nb", "de", "fr", "en")
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "locale": "en",
    "service_workers": "block",  # so that requests can be held up; those who test it allow it
}
NewPhone = Callable[..., Page]
# What moves by itself on a page, as `shifted`.
SHIFTS = """addEventListener('load', () => {
    window.shifted = [];
    new PerformanceObserver(list => list.getEntries().filter(each => !each.hadRecentInput).forEach(
        each => shifted.push(each.value))).observe({ type: "layout-shift" });
})"""
CELLS = [column + row for row in "12345" for column in "abcde"]


def lan_address() -> str | None:
    """An address of this machine that is not the loopback, if it has one. Nothing is sent."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") else address


@dataclass
class Server:
    """`kasta serve` as a process of its own, on a store of its own, that can be killed and started again."""

    folder: Path
    lan: bool = False
    path: Path | None = None  # where packages of others are installed
    away: float | None = (
        None  # after how many seconds somebody is away, a host after twice as long; None: as usual
    )
    bot_pace: str = "0"  # bots play at once, unless somebody looks at how they play
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://{lan_address() if self.lan else 'localhost'}:{self.port}"

    def start(self, *options: str) -> None:
        command: list[str | Path] = [
            *self._kasta(),
            "serve",
            "--port",
            str(self.port),
            "--store",
            f"sqlite:///{self.folder / 'kasta.db'}",
        ]
        with (self.folder / "server.log").open("ab") as out:
            self.process = subprocess.Popen(
                [*command, *options, *(["--lan"] if self.lan else [])],
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
                env=(with_packages(self.path) if self.path else os.environ)
                | {"KASTA_NAMES_ON_BOARDS": "true", "KASTA_BOT_PACE": self.bot_pace},
            )
        until = time.monotonic() + 90
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self.folder / "server.log").read_text())
            time.sleep(0.05)

    def _kasta(self) -> list[str | Path]:
        if self.away is None:
            return [Path(sys.executable).parent / "kasta"]
        hurry = f"r.AWAY_SECONDS, r.HOST_AWAY_SECONDS = {self.away}, {2 * self.away}"
        return [
            sys.executable,
            "-c",
            f"from kasta.tables import rights as r; {hurry}; from kasta.cli import app; app()",
        ]

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:  # noqa: S310 - our own server
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """SIGKILL: nothing can be tidied up."""
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def log(self) -> str:
        return (self.folder / "server.log").read_text()


# ---- where things are on the page


def status(page: Page) -> Locator:
    return page.locator("#status")


def said(page: Page) -> Locator:
    """What the table says: whose turn it is, or who is still to pick."""
    return page.locator("#status .say strong")


def cell(page: Page, name: str) -> Locator:
    return page.locator(f"#mine .cell button[id$='-{name}']")


def live(page: Page) -> Locator:
    """The cells in which a tap does something on this throw, not counting those to which a pick could move."""
    return page.locator("#play:not([data-moves]) ~ * .cell button:enabled")


def total(page: Page) -> Locator:
    return page.locator("#mine .total strong")


def turn(page: Page) -> int:
    return int(page.locator("#dice").get_attribute("data-turn") or 0)


# ---- what a person does


def play_now(page: Page, url: str, game: str, *, has_scripts: bool = True) -> None:
    page.goto(url)
    named = page.locator(f"[name=game][value='{game}']")
    if named.get_attribute("type") == "radio":
        page.locator("label", has=named).tap()  # what is seen of it
    page.locator(".game", has=named).get_by_role("button").first.tap()
    # Before its script is there, the page's forms are sent without it.
    page.locator("html.js #roll" if has_scripts else "#roll").wait_for()


def seen(page: Page) -> str:
    return page.locator("#status").get_attribute("data-seq") or ""


def tap(page: Page, target: Locator) -> None:
    """Tap something that changes the table, and wait until the page shows it."""
    before = seen(page)
    target.tap()
    expect(page.locator("#status")).not_to_have_attribute("data-seq", before)


def write(page: Page, name: str) -> None:
    """Tap a cell as soon as it is live, and wait until the number stands there."""
    cell(page, name).tap()
    expect(cell(page, name)).not_to_have_text("")


def slow_down(page: Page, delay: int) -> None:
    """Every answer comes so many milliseconds later."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": delay, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def roll(page: Page) -> None:
    """Throw, as those do who want no motion: their dice lie when the answer comes."""
    page.emulate_media(reduced_motion="reduce")
    tap(page, page.locator("#roll"))
    page.emulate_media(reduced_motion="null")


def end_game(page: Page) -> None:
    """The host ends the game, and says so twice."""
    page.locator("#desk > summary").click()
    page.get_by_role("link", name="End the game").click()
    page.get_by_role("dialog").get_by_role("button", name="End the game").click()


def enter_dice(page: Page, faces: str) -> None:
    """Own dice: tap what they show, and do not wait until it goes on by itself."""
    form = page.locator("#status .act form.owndice")
    for face in faces:
        form.locator(f".pad button[value='{face}']").tap()
    before = seen(page)
    form.locator("[name=faces]").press("Enter")
    expect(page.locator("#status")).not_to_have_attribute("data-seq", before)


def correct_dice(page: Page, faces: str) -> None:
    """Own dice were told wrongly: erase all of them, and tell what they show."""
    before = seen(page)
    page.locator("#fix summary").tap()
    for place in page.locator("#fix .hole:not([data-kept])").all():
        place.tap()
    for face in faces:
        page.locator(f"#fix .pad button[value='{face}']").tap()
    expect(page.locator("#status")).not_to_have_attribute("data-seq", before)


def open_table(page: Page, url: str, game: str, *names: str, **settings: str | bool) -> str:
    """Fill in the form for a new table, and give its address."""
    page.goto(f"{url}/new/{game}")
    for place, name in enumerate(names):
        page.locator("input[name=name]").nth(place).fill(name)  # the next one shows up when this one is filled
    if settings.pop("room", False):
        page.locator("input[name=room]").check()
    if settings.pop("own_dice", False):
        page.locator("input[name=dice]").check()
    if settings:
        page.locator("form.card details > summary").click()
    for key, value in settings.items():
        page.locator(f"select[name={key}]").select_option(str(value))
    page.locator("form.card button.big").click()
    page.locator("#table").wait_for()
    return page.url


def sit(page: Page, name: str) -> None:
    page.locator("#sit-name").fill(name)
    page.locator("#room button", has_text="Sit down").tap()
    expect(page.locator("#players li.me .who", has_text=name)).to_be_visible()


# ---- the quick way to a position: posting forms as the page does


@dataclass
class Hands:
    """A device that plays by posting the forms; it shares the cookies of a browser context."""

    request: APIRequestContext
    url: str
    table: str = ""
    parts: str = ""

    def open(self, game: str, *names: str, **form: str) -> str:
        """Open a table; with faces of one's own where dice="own"."""
        fields = [("name", name) for name in names] + list(form.items())
        body = "&".join(f"{key}={value}" for key, value in fields)
        answer = self.request.post(
            f"{self.url}/new/{game}",
            data=body,
            headers={"origin": self.url, "content-type": "application/x-www-form-urlencoded"},
        )
        assert answer.ok, answer.text()
        self.table = answer.url.split("?")[0]
        self.parts = answer.text()
        return self.table

    def post(self, action: str, **form: str | float | bool) -> str:
        answer = self.request.post(f"{self.table}/{action}", form=form, headers={"origin": self.url})
        assert answer.ok, answer.text()
        self.parts = answer.text()
        return self.parts

    def refresh(self) -> None:
        self.parts = self.request.get(self.table).text()

    def _hidden(self, key: str) -> str:
        found = re.search(rf'id="play".*?name="{key}" value="(\d+)"', self.parts, re.DOTALL)
        return found[1] if found else "0"

    def roll(self, faces: str = "") -> None:
        found = re.search(r'id="dice"[^>]*data-turn="(\d+)"', self.parts)
        assert found
        self.post("roll", turn=found[1], faces=faces)

    def play(self, do: str) -> None:
        self.post("play", turn=self._hidden("turn"), seat=self._hidden("seat"), step=self._hidden("step"), do=do)

    def write(self, *cells: str) -> None:
        """A throw for each of these cells, alone at the table."""
        self.refresh()
        for name in cells:
            self.roll()
            self.play(name)
