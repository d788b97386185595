"""Arrays of a solution: some come with Kasta, others are kept in the user's cache folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from kasta.errors import KastaError
from kasta.solve import value_file
from kasta.solve.types import Floats
from kasta.solve.yatzy.scratch import remove

KIND = "kasta_solution"


@dataclass(frozen=True)
class Computed:
    """An array, and what is noted with it."""

    array: Floats
    seconds: float | None = None  # what it took to compute
    sd: float | None = None  # the best player's standard deviation


def folder() -> Path:
    """Where a user's solutions are kept."""
    return user_cache_path("kasta") / "solutions"


def load_or_compute(path: Path, fingerprint: str, compute: Callable[[], Computed]) -> Computed:
    """What the file has, if it is whole and for this game; else it is computed, and kept if there is a place."""
    return load_any(places(path), fingerprint) or _keep(path, fingerprint, compute())


def _keep(path: Path, fingerprint: str, computed: Computed) -> Computed:
    with suppress(OSError):
        save(path, fingerprint, computed)
        remove(path)
        return load(path, fingerprint)  # which takes less memory
    return computed


def places(path: Path) -> tuple[Path, Path]:
    """Where to look for a file: in the user's folder, and among those that come with Kasta."""
    return path, value_file.SHIPPED / path.name


def load_any(paths: Iterable[Path], fingerprint: str) -> Computed | None:
    """What the first of these files has that is there, whole, and for this game."""
    for path in paths:
        with suppress(OSError, KastaError):
            return load(path, fingerprint)
    return None


def save(path: Path, fingerprint: str, computed: Computed) -> None:
    """Write the file at once or not at all."""
    content = computed.array.astype("<f8", copy=False).data
    noted = {"seconds": computed.seconds, "sd": computed.sd}
    about = {name: number for name, number in noted.items() if number is not None}
    value_file.write(path, KIND, fingerprint, content, about)


def load(path: Path, fingerprint: str) -> Computed:
    """Open a file; one for other rules is refused, and one that is damaged.

    The array stays in the file, and takes memory only where it is used. It may be written to, as other arrays:
    kernels are compiled for one kind. That changes nothing in the file.
    """
    header, start = value_file.check(path, KIND, fingerprint)
    if start % value_file.ALIGNMENT:  # one of an earlier version
        array = np.frombuffer(path.read_bytes()[start:], "<f8").astype(np.float64)
    else:
        array = np.memmap(path, "<f8", "c", start).view(np.ndarray)
    return Computed(array, header.get("seconds"), header.get("sd"))
