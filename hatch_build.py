"""Make the catalogues (.mo) that Kasta reads out of those that people write (.po), when the wheel is built.

In a source tree, `make` and the tests do the same for files that are out of date:

    python hatch_build.py
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


def compile_catalogues(root: Path = ROOT) -> None:
    """Make every .mo that is missing or older than its .po. Whoever reads meanwhile sees a whole file."""
    for source in root.glob("src/kasta/i18n/*.po"):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as text:
            catalogue = read_po(text, locale=source.stem)
        unfinished = target.with_suffix(f".{os.getpid()}")
        with unfinished.open("wb") as compiled:
            write_mo(compiled, catalogue)
        unfinished.replace(target)


class CompileCatalogues(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - asked for by hatch
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    compile_catalogues()
