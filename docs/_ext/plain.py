"""Docstrings on the pages of the reference follow the rules of all pages: tools/plain_english.py."""  # noqa: INP001 - no package

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from sphinx.util import logging

sys.path.append(str(Path(__file__).parents[2] / "tools"))

import plain_english

LOGGER = logging.getLogger(__name__)


def setup(app: Any) -> dict[str, bool]:  # noqa: ANN401 - Sphinx need not be installed to check this file
    """Read every docstring as it is shown."""
    app.connect("autodoc-process-docstring", check)
    return {"parallel_read_safe": True}


def check(_app: Any, _what: str, name: str, _of: object, _options: object, lines: list[str]) -> None:  # noqa: ANN401
    """Warn of sentences that are hard to read; a warning ends `make docs`."""
    for _, words, instead in plain_english.findings("\n\n" + "\n".join(lines) + "\n"):
        LOGGER.warning('%s: "%s": write %s', name, words, instead)
