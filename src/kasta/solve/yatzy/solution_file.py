"""Arrays of a solution, kept in the user's cache folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from kasta.errors import KastaError
from kasta.solve import value_file
from kasta.solve.types import Floats

KIND = "kasta_solution"


@dataclass(frozen=True)
class Computed:
    """An array, and how long it took to compute."""

    array: Floats
    seconds: float


def folder() -> Path:
    return user_cache_path("kasta") / "solutions"


def load_or_compute(path: Path, fingerprint: str, compute: Callable[[], Computed]) -> Computed:
    """What the file has, if it is whole and for this game; else it is computed, and kept if there is a place."""
    try:
        return load(path, fingerprint)
    except (OSError, KastaError):
        computed = compute()
    with suppress(OSError):
        save(path, fingerprint, computed)
    return computed


def save(path: Path, fingerprint: str, computed: Computed) -> None:
    """Write the file at once or not at all."""
    content = computed.array.astype("<f8").tobytes()
    value_file.write(path, KIND, fingerprint, content, {"seconds": computed.seconds})


def load(path: Path, fingerprint: str) -> Computed:
    """Read a file; one for other rules is refused, and one that is damaged."""
    header, content = value_file.read(path, KIND, fingerprint)
    return Computed(np.frombuffer(content, "<f8").astype(np.float64), float(header["seconds"]))
