"""Half a solution, kept while it is made: who stops a long one may go on later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import numpy as np

from kasta.solve.types import Floats, Ints


@dataclass
class Scratch:
    """An array that is made level by level, in how many seconds so far; with a path, it lies in that file."""

    array: Floats
    states: Callable[[int], Iterable[Ints]]  # the places of a level, in pieces
    path: Path | None = None
    fingerprint: str = ""
    seconds: float = 0.0
    checksums: list[int] = field(default_factory=list)  # of the levels that are done

    def note(self, seconds: float) -> None:
        """One more level is done, in so many seconds."""
        self.seconds += seconds
        self.checksums.append(0 if self.path is None else self._checksum(len(self.checksums)))
        if self.path is not None:
            if isinstance(self.array, np.memmap):
                self.array.flush()
            note = [self.fingerprint, self.seconds, self.checksums]
            _note(self.path).write_text(json.dumps(note), "utf-8")

    def is_whole(self) -> bool:
        """Whether what was noted as done is what the array has."""
        return all(self._checksum(level) == noted for level, noted in enumerate(self.checksums))

    def _checksum(self, level: int) -> int:
        checksum = 0
        for piece in self.states(level):
            checksum = crc32(self.array[piece].data, checksum)
        return checksum


def scratch(of: Path, fingerprint: str, size: int, states: Callable[[int], Iterable[Ints]]) -> Scratch:
    """What is left of an earlier attempt, if it is whole and for this game; else a new file, full of nothing."""
    path = _part(of)
    with suppress(OSError, ValueError):
        of_rules, seconds, checksums = json.loads(_note(path).read_text("utf-8"))
        array = np.memmap(path, np.float64, "r+", shape=(size,))
        found = Scratch(array, states, path, fingerprint, seconds, checksums)
        if of_rules == fingerprint and found.is_whole():
            return found
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        array = np.memmap(path, np.float64, "w+", shape=(size,))
    except OSError:  # no place: then in one go
        return Scratch(np.full(size, np.nan), states)
    array[:] = np.nan
    return Scratch(array, states, path, fingerprint)


def remove(of: Path) -> None:
    """The file itself is there: what was kept while it was made is not needed any more."""
    for path in (_note(_part(of)), _part(of)):
        path.unlink(missing_ok=True)


def _part(path: Path) -> Path:
    return path.with_suffix(path.suffix + ".part")


def _note(path: Path) -> Path:
    return path.with_suffix(path.suffix + ".json")
