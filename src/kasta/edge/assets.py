"""The files that pages load. Styles and scripts are joined when first asked for: a page needs few of them."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kasta.edge.folders import FEATURES, PAGE

STATIC = PAGE / "static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".svg": "image/svg+xml"}
ICONS = ("icon.svg", "icon.png")  # the second is the first at 512 px, with a palette of 32 colours
FOR_EVER = "public, max-age=31536000, immutable"
PART = re.compile(r'^@import "(kasta|\.)/([\w/-]+\.css)";\n', re.MULTILINE)
COMMENT = re.compile(r"""\s(?://[^'"`]*|/\*[^'"`]*\*/)$""")
IMPORT = re.compile(r"""^import (?:(\{[^}]*\}) from )?'(kasta|\.)/([\w-]+\.js)';$""", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export) .*", re.MULTILINE)  # there is no need for it, and so no way
EXPORT = re.compile(r"^export ((?:async )?(?:function|const) (\w+))", re.MULTILINE)


@cache
def assets() -> dict[str, bytes]:
    """Every file that is served, by its name; nothing else can be asked for."""
    return {
        **{f"{name}.css": lean("\n".join(map(_rules, parts(path)))) for name, path in styles().items()},
        **{name: joined(path) for name, path in scripts().items()},
        **{name: (STATIC / name).read_bytes() for name in ICONS},
    }


def bring(folders: Iterable[tuple[str, Path]]) -> None:
    """Have features of others, too, each by its name and folder, before the first page is shown."""
    FEATURES.update(folders)
    for kept in (assets, packed, version):
        kept.cache_clear()


def styles() -> dict[str, Path]:
    """The style sheets that pages load: every page's, the table's, and one for each feature that has a style."""
    ours = {name: PAGE / f"style/{name}.css" for name in ("base", "table")}
    return ours | {name: path for name, folder in FEATURES.items() if (path := folder / "style.css").exists()}


def parts(sheet: Path) -> list[Path]:
    """A style sheet after those that it imports: 'kasta/...' is one of the page's, './...' stands beside it."""
    found = [_beside(sheet, "style", where, name) for where, name in PART.findall(_text(sheet))]
    return [*found, sheet]


def _rules(sheet: Path) -> str:
    return PART.sub("", _text(sheet))


def _beside(path: Path, kind: str, where: str, name: str) -> Path:
    return (PAGE / kind if where == "kasta" else path.parent) / name


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def styles_of(template: str) -> list[str]:
    """The style sheets of a page: the base's and, as its template's name begins, those of its feature."""
    name = template.partition("/")[0].removesuffix(".html")
    return [static_url(each) for each in ("base.css", f"{name}.css") if each in assets()]


def scripts() -> dict[str, Path]:
    """The modules that pages load: every page's, the table's, and those called as a template of their feature."""
    ours = {name: PAGE / "js" / name for name in ("page.js", "table.js")}
    return ours | {
        f"{name}/{path.name}": path
        for name, folder in FEATURES.items()
        for path in sorted(folder.glob("*.js"))
        if (folder / "templates" / path.with_suffix(".html").name).exists()
    }


def script_of(template: str) -> str:
    """The script of a page: the one that is called as its template or, where there is none, every page's."""
    own = template.removesuffix(".html") + ".js"
    return static_url(own if own in assets() else "page.js")


def imports(path: Path) -> list[tuple[str, Path]]:
    """What a module imports, and from which: 'kasta/...' is a page's, './...' stands beside it."""
    return [(names, _beside(path, "js", where, name)) for names, where, name in IMPORT.findall(_text(path))]


def modules(entry: Path) -> tuple[Path, ...]:
    """A module after all those that it imports, in the order in which a browser would run them."""
    found: dict[Path, None] = {}
    for _, path in imports(entry):
        found |= dict.fromkeys(modules(path))
    return (*found, entry)


def joined(entry: Path) -> bytes:
    """Modules as one: each is a function that gives what it exports, so that its other names are its own."""
    *before, last = modules(entry)
    places = {path: f"${number}" for number, path in enumerate(before)}
    parts = [f"const {places[path]} = (() => {{\n{_body(path, places)}\n}})();" for path in before]
    return lean("\n".join([*parts, f"{{\n{_body(last, places)}\n}}"]))  # a block may wait for something


def _body(path: Path, places: dict[Path, str]) -> str:
    """A module's text, in which imports are taken from their places, and exports are given back."""
    taken = [f"const {names} = {places[other]};" for names, other in imports(path) if names]
    text = EXPORT.sub(r"\1", IMPORT.sub("", _text(path)))
    if other := OTHER.search(text):
        raise ValueError(f"{path}: {other[0]}")
    given = [name for _, name in EXPORT.findall(_text(path))]
    return "\n".join([*taken, text, *([f"return {{ {', '.join(given)} }};"] if given else [])])


def lean(text: str) -> bytes:
    """Without indentation, and without comments to the end of a line; one with quotation marks may be a string."""
    lines = (COMMENT.sub("", line.strip()) for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*"))).encode()


@cache
def packed(name: str) -> bytes:
    """A file as most browsers take it, compressed once and as far as it goes."""
    return gzip.compress(assets()[name], mtime=0)


@cache
def version() -> str:
    """What all files together hash to: a part of their addresses, so that browsers may keep them."""
    return hashlib.sha256(repr(assets()).encode()).hexdigest()[:8]


def static_url(name: str) -> str:
    if name not in assets():
        raise KeyError(name)
    return f"/static/{version()}/{name}"


@get("/static/{asked:str}/{name:path}", include_in_schema=False)
async def asset(request: Request[Any, Any, Any], asked: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """A file. Asked for by another version's page, while servers are being renewed, it is not to be kept."""
    name, kind = name.removeprefix("/"), KINDS.get(PurePosixPath(name).suffix, "")
    if (content := assets().get(name)) is None:
        raise NotFoundException
    headers = {"cache-control": FOR_EVER if asked == version() else "no-cache", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["content-encoding"] = packed(name), "gzip"
    return Response(content, media_type=kind, headers=headers)
