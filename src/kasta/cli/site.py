"""Pages as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kasta.cli.common import write_file
from kasta.errors import Unreadable
from kasta.extras import extra

Folder = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="The folder; it is made if it is not there.")
]


def site(out: Folder = Path("site")) -> None:
    """What needs no server, as files for any web server, in any folder of it.

    Example: kasta site -o site
    """
    with extra("web"):
        from kasta.app import all_features
    for feature in all_features():
        for path, content in feature.static():
            _make(out / path)
            write_file(out / path, content)


def _make(file: Path) -> None:
    """The folder of a file."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unreadable("cannot_write", path=str(file), reason=error.strerror) from None
