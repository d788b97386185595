"""Arrays that took long to make, kept in the user's cache folder, trusted only with fingerprint and checksum."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from kasta.errors import KastaError, Unreadable
from kasta.solve.yatzy.arrays import Floats

VERSION = 1


@dataclass(frozen=True)
class Kept:
    """An array, and what it took to make it."""

    array: Floats
    seconds: float


def folder() -> Path:
    return user_cache_path("kasta") / "solutions"


def kept(path: Path, fingerprint: str, make: Callable[[], Kept]) -> Kept:
    """What the file has, if it is whole and for this game; else it is made, and kept if there is a place."""
    try:
        return load(path, fingerprint)
    except (OSError, KastaError):
        made = make()
    with suppress(OSError):
        save(path, fingerprint, made)
    return made


def save(path: Path, fingerprint: str, made: Kept) -> None:
    """Write the file at once or not at all."""
    content = made.array.astype("<f8").tobytes()
    header = {
        "kasta_solution": VERSION,
        "fingerprint": fingerprint,
        "seconds": made.seconds,
        "sha256": sha256(content).hexdigest(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(json.dumps(header).encode() + b"\n" + content)
    Path(file.name).replace(path)


def load(path: Path, fingerprint: str) -> Kept:
    """Read a file; one for other rules is refused, and one that is damaged."""
    line, _, content = path.read_bytes().partition(b"\n")
    try:
        header = json.loads(line)
        version, whose = header["kasta_solution"], header["fingerprint"]
        whole = header["sha256"] == sha256(content).hexdigest()
        made = Kept(np.frombuffer(content, "<f8").astype(np.float64), float(header["seconds"]))
    except (ValueError, KeyError, TypeError):
        raise Unreadable("solution_damaged", path=path) from None
    if not whole:
        raise Unreadable("solution_damaged", path=path)
    if (version, whose) != (VERSION, fingerprint):
        raise Unreadable("solution_of_other_rules", path=path)
    return made
