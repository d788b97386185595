"""Links to files beside docs/ lead to the pages that include them: one link serves the site and the repository."""  # noqa: INP001 - no package

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "docs/adr": "adr/index.md",
    **{
        f"bench/{name}.md": f"benchmarks/{name}.md"
        for name in ("results", "results-env", "results-grid", "results-reviews", "results-yatzy")
    },
}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)[^)#\s]+")


def setup(app: Any) -> dict[str, bool]:  # noqa: ANN401 - Sphinx need not be installed to check this file
    """Follow every page as it is read."""
    app.connect("source-read", follow)
    return {"parallel_read_safe": True}


def follow(app: Any, name: str, source: list[str]) -> None:  # noqa: ANN401
    """Let the links of a page lead to pages of the site."""
    docs = Path(app.srcdir)
    here = (docs / name).parent

    def led(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(here / link[0]))
        beside = os.path.relpath(target, docs.parent)
        page = PAGES.get(PurePosixPath(beside).as_posix())
        return os.path.relpath(docs / page, here) if page else link[0]

    source[0] = LINK.sub(led, source[0])
