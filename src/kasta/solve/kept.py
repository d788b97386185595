"""What takes long to make from the rules is kept beside the compiled kernels, for each state of the sources."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import TypeVar

from kasta.solve.jit import FOLDER

T = TypeVar("T")


def kept(name: str, make: Callable[[], T]) -> T:
    """What was made before by the same sources, in any process; else it is made now, and kept if that can be.

    `name` tells everything that it is made from.
    """
    path = FOLDER / f"{sha256(name.encode()).hexdigest()[:16]}.pickle"
    with suppress(Exception):  # a damaged file may raise anything
        found: T = pickle.loads(path.read_bytes())  # noqa: S301 - as numba's kernels in the same folder
        return found
    made = make()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}")
        partial.write_bytes(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
        partial.replace(path)
    return made
