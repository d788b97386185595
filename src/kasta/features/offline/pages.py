"""Kasta as an installed app: its manifest, its service worker, and the page that is shown without a network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency

from kasta.edge.assets import lean, static_url, version
from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.games import GAMES
from kasta.page.models import GameCard, game_card

FILES = ("base.css", "offline.css", "page.js", "offline/page.js", "icon.svg")  # beside those of other features
WORKER = Path(__file__).with_name("worker.js")
FRESH = {"cache-control": "no-cache"}


@dataclass(frozen=True, slots=True)
class OfflinePage:
    """offline/page.html"""

    games: tuple[GameCard, ...]


@cache
def worker_source(version: str, of_features: tuple[str, ...], later: tuple[str, ...]) -> bytes:
    """The worker of these files: when one of them changes, browsers see another worker and take it."""
    files = " ".join(map(static_url, (*FILES, *of_features)))
    text = WORKER.read_text("utf-8").replace("@version@", version).replace("@files@", files)
    return lean(text.replace("@later@", " ".join(later)))


@get("/worker.js")
async def worker(
    offline_files: NamedDependency[list[str]], offline_later: NamedDependency[list[str]]
) -> Response[bytes]:
    """It stands at the root, as it may only look after what is below it."""
    text = worker_source(version(), tuple(offline_files), tuple(offline_later))
    return Response(text, media_type="text/javascript", headers=FRESH)


@get("/offline")
async def offline_page(request: Visit) -> Response[str]:
    said = spoken(request)
    page = OfflinePage(tuple(game_card(traits, said) for traits in GAMES.working()))
    answer = html(render(said, "offline/page.html", page))
    answer.headers["content-language"] = said.language
    return answer


@get("/manifest.webmanifest")
async def manifest(request: Visit) -> Response[dict[str, Any]]:
    said = spoken(request)
    data = {
        "id": "/",
        "name": "Kasta",
        "short_name": "Kasta",
        "lang": said.language,
        "description": ", ".join(traits.heading(said) for traits in GAMES.working()),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f1e7",
        "theme_color": "#12343b",
        "icons": [
            {"src": static_url("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"},
            {"src": static_url("icon.png"), "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
        ],
    }
    return Response(data, media_type="application/manifest+json")


PAGES = [worker, offline_page, manifest]
