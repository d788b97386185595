"""The page of tables in the pocket, the worker that holds them, and the files that it needs."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from markupsafe import Markup

from kasta.edge.assets import FOR_EVER, static_url
from kasta.edge.http import Visit, html, spoken
from kasta.edge.middleware import POLICY
from kasta.edge.templates import render
from kasta.features.pocket.packing.bundle import MAIN, bundle
from kasta.features.pocket.packing.values import packed_values, values_named
from kasta.features.pocket.runtime.answers import FORMS
from kasta.features.pocket.runtime.bots import LEVELS
from kasta.features.pocket.site_place import SitePlace
from kasta.games import GAMES, OURS
from kasta.i18n import Words
from kasta.page.models import GameCard, game_card

HERE = Path(__file__).parent
JAVASCRIPT = "text/javascript"
PYTHON_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'")
"""Of the worker alone: it makes code of the modules that it is given (docs/adr/0029)."""
ASSETS = (
    "base.css",
    "pocket.css",
    "table.css",
    "pocket/page.js",
    "pocket/home.js",
    "page.js",
    "table.js",
    "icon.svg",
)


def hints_of() -> dict[str, str]:
    """The names of the values that can come along, by game."""
    return {name.partition("-")[0]: name for name in values_named()}


@dataclass(frozen=True, slots=True)
class PocketPage:
    """pocket/page.html; on a site without a server it has a `place`, from which `up` leads to the top."""

    games: tuple[GameCard, ...]
    worker: str
    forms: tuple[str, ...]
    base: str = "base.html"
    home: str = "/pocket"
    place: SitePlace | None = None
    others: tuple[str, ...] = ()  # games that need the server
    levels: tuple[str, ...] = LEVELS
    hints: dict[str, str] = field(default_factory=hints_of)  # the values for them, by game

    @property
    def up(self) -> str:
        return self.place.up if self.place else ""

    @property
    def action(self) -> str:
        """Where forms go while the page's script is not there yet."""
        return self.home if self.place else "/new"


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file of the worker, as it is sent."""

    content: bytes
    kind: str
    packed: bytes


def brython() -> bytes:
    """Brython, out of its installed package."""
    import brython as package

    return (Path(package.__file__ or "").parent / "data" / "brython.js").read_bytes()


def packed_files() -> dict[str, PackedFile]:
    """All files that the worker needs, by names with their fingerprints: made once, when first asked for."""
    with _making:
        return _packed_files()


_making = Lock()


@cache
def _packed_files() -> dict[str, PackedFile]:
    made = bundle()
    contents = {"brython.js": brython(), "kasta.js": made.script.encode()}
    contents |= {f"{language}.json": _json(texts) for language, texts in made.texts.items()}
    return {_named(name, content): _packed(name, content) for name, content in contents.items()}


def _json(data: Any) -> bytes:  # noqa: ANN401 - any JSON
    return json.dumps(data, ensure_ascii=False).encode()


def _named(name: str, content: bytes) -> str:
    stem, _, kind = name.partition(".")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:8]}.{kind}"


def _packed(name: str, content: bytes) -> PackedFile:
    kind = JAVASCRIPT if name.endswith(".js") else "application/json"
    return PackedFile(content, kind, gzip.compress(content, mtime=0))


@cache
def worker_script(folder: str = "/pocket/packed/", of_values: str = "/pocket/values/") -> bytes:
    """The worker of these files, which are in folders."""
    names = {name.partition("-")[0]: f"{folder}{name}" for name in packed_files()}
    scripts = f"{names.pop('brython')} {names.pop('kasta')}"
    values = {name: f"{of_values}{name}" for name in values_named()}
    text = (HERE / "table_worker.js").read_text("utf-8")
    text = text.replace("@files@", scripts).replace("@texts@", json.dumps(names))
    return text.replace("@values@", json.dumps(values)).replace("@main@", MAIN).encode()


def worker_url() -> str:
    return f"/pocket/worker.js?{hashlib.sha256(worker_script()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class BegunSection:
    """pocket/home.html"""


async def begun_section(_device: str | None, said: Words) -> Markup:
    """The place on the home page for games that were begun without a network."""
    return Markup(render(said, "pocket/home.html", BegunSection()))  # noqa: S704 - made of templates


def games_of(words: Words) -> tuple[GameCard, ...]:
    """The games that can be played so."""
    return tuple(game_card(GAMES[name], words) for name in OURS)


def others_of(words: Words) -> tuple[str, ...]:
    """What games of other packages are called: nobody knows what they need, so they are played at the server."""
    return tuple(traits.heading(words) for traits in GAMES.working() if traits.name not in OURS)


@get("/pocket")
async def pocket_page(request: Visit) -> Response[str]:
    said = spoken(request)
    address = await asyncio.to_thread(worker_url)
    page = PocketPage(games_of(said), address, tuple(FORMS), others=others_of(said))
    answer = html(render(said, "pocket/page.html", page))
    answer.headers["content-language"] = said.language
    return answer


@get("/pocket/worker.js")
async def pocket_worker() -> Response[bytes]:
    content = await asyncio.to_thread(worker_script)
    headers = {"cache-control": "no-cache", "content-security-policy": PYTHON_POLICY}
    return Response(content, media_type=JAVASCRIPT, headers=headers)


@get("/pocket/packed/{name:str}")
async def pocket_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    found = (await asyncio.to_thread(packed_files)).get(name)
    if found is None:
        raise NotFoundException
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, media_type=found.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(found.content, media_type=found.kind, headers=headers)


@get("/pocket/values/{name:str}")
async def pocket_values(name: FromPath[str]) -> Response[bytes]:
    """What states of a solved game are worth: only who wants hints without a network asks for it."""
    if name not in values_named():
        raise NotFoundException
    content = await asyncio.to_thread(packed_values, name)
    return Response(content, media_type="application/octet-stream", headers={"cache-control": "no-cache"})


@get("/pocket/list")
async def pocket_list() -> Response[dict[str, Any]]:
    """What a service worker keeps for the time without a network, and which pages this one then stands in for."""
    files = [f"/pocket/packed/{name}" for name in await asyncio.to_thread(packed_files)]
    kept = [worker_url(), *files, *map(static_url, ASSETS)]
    told = {"page": "/pocket", "for": ["/", "/new"], "files": kept, "rules": [f"/rules/{name}" for name in OURS]}
    return Response(told, headers={"cache-control": "no-cache"})


PAGES = [pocket_page, pocket_worker, pocket_file, pocket_values, pocket_list]
