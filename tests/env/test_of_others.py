"""Games of other packages, which say themselves how they become numbers."""

from __future__ import annotations

import os
from pathlib import Path

from support.others import EXAMPLE, run

PACKAGE = Path(__file__).parent / "of_others"


def test_an_installed_game_works_in_every_kind_of_environment():
    """In a process of its own: the libraries cannot forget a game again."""
    path = f"{PACKAGE}{os.pathsep}{EXAMPLE / 'src'}"
    run(Path(path), "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", PACKAGE / "suite.py")
