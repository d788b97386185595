"""The files that pages load. Styles and scripts are joined when first asked for: a page needs one of each."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path, PurePosixPath

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kasta.edge.folders import FEATURES, PAGE

STATIC = PAGE / "static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml"}
# In the order in which they are joined: what every page has, and what a table's page has beside it.
BASE = (
    "layers",
    "tokens",
    "base",
    "controls",
    "layout",
    "page",
    "felt",
    "pencil",
    "dice",
    "paper",
    "results",
    "columns",
    "drawings",
    "coach",
    "overrides",
)
TABLE = (
    "layout",
    "status",
    "tray_sizes",
    "grid",
    "block",
    "block_low",
    "sheet",
    "players",
    "end",
    "moments",
    "overrides",
)
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
        **{f"{name}.css": lean("\n".join(map(_text, paths))) for name, paths in styles().items()},
        **{entry: joined(entry) for entry in ENTRIES},
        **{name: (STATIC / name).read_bytes() for name in ICONS},
    }


def styles() -> dict[str, list[Path]]:
    """What each style sheet is made of: the base's, the table's, and one for each feature that has a style."""
    ours = {
        "base": [PAGE / f"style/{name}.css" for name in BASE],
        "table": [PAGE / f"style/table/{name}.css" for name in TABLE],
    }
    return ours | {name: [path] for name, folder in FEATURES.items() if (path := folder / "style.css").exists()}


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def styles_of(template: str) -> list[str]:
    """The style sheets of a page: the base's and, as its template's name begins, those of its feature."""
    name = template.partition("/")[0].removesuffix(".html")
    return [static_url(each) for each in ("base.css", f"{name}.css") if each in assets()]


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
