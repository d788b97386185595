"""Pictures of every state at several widths: PYTHONPATH=tests python -m browser.screenshots [word ...]

They go to build/screenshots; with words, only scenes whose names hold one of them. A few of them stand in the
documentation.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from browser.company.scenes import COMPANY_SCENES
from browser.kinds import PAGE_SCENES
from browser.scenes import SCENES, Scene, Stage
from support.browsing import ARGS, CHROMIUM, Server

ALL_SCENES = SCENES | PAGE_SCENES | COMPANY_SCENES
AT_ONCE = 20  # scenes a store: it lets an address open so many tables in ten minutes
ALL, SHOWN = Path("build/screenshots"), Path("docs/screenshots")


@dataclass(frozen=True, slots=True)
class View:
    """A screen, and what its owner told the system."""

    wide: int
    high: int
    is_dark: bool = False
    is_forced: bool = False


VIEWS = {
    "narrow": View(320, 568),
    "phone": View(390, 844),
    "sideways": View(844, 390),
    "tablet": View(768, 1024),
    "wide": View(1280, 800),
    "wall": View(1920, 1080),
    "dark": View(390, 844, is_dark=True),
    "wide-dark": View(1280, 800, is_dark=True),
    "forced": View(390, 844, is_dark=True, is_forced=True),
    "wide-forced": View(1280, 800, is_forced=True),
}
# Every scene is seen on these; the others cost much time, and are for scenes that hold what they could spoil.
USUAL = ("narrow", "phone", "sideways", "wide")
THOROUGH = {
    "home-running",
    "new",
    "lobby-few",
    "lobby-many",
    "lobby-wall",
    "knister-late",
    "knister-four",
    "knister-rules",
    "knaster-choosing",
    "yatzy-keeping",
    "yatzy-four",
    "yatzy15-late",
    "maxi-four",
    "knister-end",
    "end-four",
    "crowd",
    "crowd-end",
}
# The pictures of the documentation: what they are called there, the scene, and the view.
IN_DOCS = {
    "home": ("home", "phone"),
    "knister": ("knister-late", "phone"),
    "yatzy": ("yatzy-keeping", "phone"),
    "wide": ("knister-four", "wide"),
    "end": ("end-four", "wide"),
    "dark": ("knaster-choosing", "dark"),
}


def shoot(stage: Stage, scene: Scene) -> None:
    """One picture of a scene for each view; pages to be read are shown to their end."""
    page = stage.page
    for name in ("wall",) if scene.is_wall else VIEWS if scene.name in THOROUGH else USUAL:
        view = VIEWS[name]
        page.set_viewport_size({"width": view.wide, "height": view.high})
        page.emulate_media(
            color_scheme="dark" if view.is_dark else "light",
            forced_colors="active" if view.is_forced else "none",
            reduced_motion="reduce",
        )
        stage.look(scene)
        page.screenshot(
            path=ALL / f"{scene.name}.{name}.png",
            animations="disabled",
            full_page=not scene.opened and scene.is_long,
        )


@contextmanager
def stage(browser: Browser) -> Iterator[Stage]:
    """A new server, and whoever looks at it."""
    with tempfile.TemporaryDirectory() as store:
        server, settings = Server(Path(store)), Path(store) / "kasta.toml"
        settings.write_text("open_tables = true\n")
        server.start("--config", str(settings))
        try:
            yield Stage(browser, server.url, server)
        finally:
            server.kill()


def make_pictures(words: Iterable[str]) -> None:
    wanted = [name for name in ALL_SCENES if not words or any(word in name for word in words)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for first in range(0, len(wanted), AT_ONCE):
            with stage(browser) as there:
                for name in wanted[first : first + AT_ONCE]:
                    shoot(there, ALL_SCENES[name](there, name))


def main() -> None:
    words = sys.argv[1:]
    ALL.mkdir(parents=True, exist_ok=True)
    make_pictures(words)
    if not words:
        for name, (scene, view) in IN_DOCS.items():
            shutil.copy(ALL / f"{scene}.{view}.png", SHOWN / f"{name}.png")
    print(f"{len(list(ALL.glob('*.png')))} pictures in {ALL}")


if __name__ == "__main__":
    main()
