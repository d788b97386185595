"""Values of solved games, which come along on wish."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from kasta.games import OURS, find_game


def values_named() -> tuple[str, ...]:
    """The games whose values can come along, each with its rule set. NumPy is not imported for that."""
    values = find_spec("kasta_values")
    if values is None or values.origin is None or find_spec("numpy") is None:
        return ()
    folder, games = Path(values.origin).parent, [find_game(name) for name in OURS]
    names = [f"{game.name}-{game.rules}" for game in games if game.traits.take_along]
    return tuple(name for name in names if (folder / f"{name}.values").exists())


@cache
def packed_values(name: str) -> bytes:
    """The file of a game. A process of its own makes it: a server need not have all values in memory for that."""
    game = find_game(*name.split("-", 1))
    program = f"import sys; from {game.traits.take_along} import write; write(*sys.argv[1:])"
    command = [sys.executable, "-c", program, game.name, game.rules]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout  # noqa: S603 - our own
