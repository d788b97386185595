"""The files that pages load. Styles and scripts are joined when first asked for: a page needs one of each."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path, PurePosixPath

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

STATIC = Path(__file__).parents[1] / "page/static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml"}
# In the order in which they are joined into style.css; the wall, its remote and the coach have files beside it.
SHEETS = (
    "layers",
    "tokens",
    "base",
    "controls",
    "layout",
    "page",
    "status",
    "tray_sizes",
    "pencil",
    "dice",
    "grid",
    "block",
    "block_low",
    "sheet",
    "players",
    "end",
    "day",
    "rules",
    "api",
    "coach",
    "my_games",
    "moments",
    "overrides",
)
WALL = ("wall", "wall_end", "remote")
REVIEW = ("review", "review_step", "coach_board")
# The modules that templates load. Each is served with all that it imports, and that in turn.
ENTRIES = (
    "app/page.js",
    "app/table.js",
    "app/wall.js",
    "app/remote.js",
    "app/offline.js",
    "app/review.js",
    "proof/page.js",
)
ICONS = ("icon.svg", "icon.png")
FOR_EVER = "public, max-age=31536000, immutable"
IMPORT = re.compile(r"""^import\b[^'"]*["']\./([\w-]+\.js)["'];\n""", re.MULTILINE)


@cache
def assets() -> dict[str, bytes]:
    """Every file that is served, by its name; nothing else can be asked for."""
    return {
        "style.css": lean("\n".join(source(f"style/{name}.css") for name in SHEETS)),
        "wall.css": lean("\n".join(source(f"style/{name}.css") for name in WALL)),
        "review.css": lean("\n".join(source(f"style/{name}.css") for name in REVIEW)),
        **{entry: joined(entry) for entry in ENTRIES},
        **{name: (STATIC / name).read_bytes() for name in ICONS},
    }


def source(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def modules(entry: str) -> tuple[str, ...]:
    """A module after all those that it imports, in the order in which a browser would run them."""
    found: dict[str, None] = {}
    for name in IMPORT.findall(source(entry)):
        found |= dict.fromkeys(modules(str(PurePosixPath(entry).with_name(name))))
    return (*found, entry)


def joined(entry: str) -> bytes:
    """Modules as one. As all their names differ (a test sees to it), imports and exports can just be left out."""
    text = "\n".join(IMPORT.sub("", source(name)) for name in modules(entry))
    return lean(re.sub(r"^export ", "", text, flags=re.MULTILINE))


def lean(text: str) -> bytes:
    """Without indentation, and without comments that have a line to themselves."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*"))).encode()


@cache
def version() -> str:
    """What all files together hash to: a part of their addresses, so that browsers may keep them."""
    return hashlib.sha256(repr(assets()).encode()).hexdigest()[:8]


def static_url(name: str) -> str:
    if name not in assets():
        raise KeyError(name)
    return f"/static/{version()}/{name}"


@get("/static/{asked:str}/{name:path}", include_in_schema=False)
async def asset(asked: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """A file. Asked for by another version's page, while servers are being renewed, it is not to be kept."""
    content = assets().get(name.removeprefix("/"))
    if content is None:
        raise NotFoundException
    kept = FOR_EVER if asked == version() else "no-cache"
    return Response(content, media_type=KINDS[PurePosixPath(name).suffix], headers={"cache-control": kept})
