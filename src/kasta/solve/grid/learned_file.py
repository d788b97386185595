"""Files of learned values: only what learning changed, in whole steps, so that they are small enough to ship.

The content is compressed. Each table comes as its non-zero steps: first the gaps between their places, then the
steps themselves.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np

from kasta.solve import value_file
from kasta.solve.types import Table

KIND = "kasta_values"
STEPS = 32  # a point; a power of two, so that sums are exact


def in_steps(table: Table, kind: type[np.signedinteger[Any]]) -> Table:
    """A table of points in whole steps; what is out of range becomes the nearest that is in it."""
    limits = np.iinfo(kind)
    return np.clip(np.rint(table.astype(np.float32) * STEPS), limits.min + 1, limits.max).astype(kind)


def save(path: Path, fingerprint: str, changes: dict[str, Table], about: dict[str, Any]) -> None:
    """Write the changes of tables, in steps, at once or not at all."""
    packed = [_pack(table) for table in changes.values()]
    content = zlib.compress(b"".join(part for parts in packed for part in parts), 9)
    tables = {
        name: {"shape": table.shape, "type": table.dtype.str, "entries": len(parts[1]) // table.itemsize}
        for (name, table), parts in zip(changes.items(), packed, strict=True)
    }
    value_file.write(path, KIND, fingerprint, content, {"tables": tables, **about})


def load(path: Path, fingerprint: str) -> dict[str, Table]:
    """Read changes of tables; a file for other rules is refused, and one that is damaged."""
    header, content = value_file.read(path, KIND, fingerprint)
    bytes_left = memoryview(zlib.decompress(content))
    found = {}
    for name, layout in header["tables"].items():
        kind, entries = np.dtype(layout["type"]), layout["entries"]
        gaps = np.frombuffer(bytes_left, np.uint8, 2 * entries).reshape(2, entries)
        steps = np.frombuffer(bytes_left, kind, entries, offset=2 * entries)
        bytes_left = bytes_left[(2 + kind.itemsize) * entries :]
        table = np.zeros(layout["shape"], kind)
        places = np.cumsum(np.ascontiguousarray(gaps.T).view("<u2").reshape(-1), dtype=np.int64)
        table.reshape(-1)[places] = steps
        found[name] = table
    return found


def _pack(table: Table) -> tuple[bytes, bytes]:
    """The gaps before entries, low bytes first, and the entries, among them zeros where a gap is too long."""
    flat = table.reshape(-1)
    longest = np.iinfo(np.uint16).max
    places = np.flatnonzero(flat)
    gaps = np.diff(places, prepend=0)
    stops = np.maximum(gaps - 1, 0) // longest  # on the way through each gap
    ends = np.cumsum(stops)
    nth = np.arange(stops.sum()) - np.repeat(ends - stops, stops) + 1
    places = np.sort(np.concatenate([places, np.repeat(places - gaps, stops) + nth * longest]))
    gaps = np.diff(places, prepend=0)
    low_and_high = gaps.astype("<u2").view(np.uint8).reshape(-1, 2).T
    return low_and_high.tobytes(), flat[places].astype(table.dtype.newbyteorder("<")).tobytes()
