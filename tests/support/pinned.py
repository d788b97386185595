"""Files that are never changed are pinned by their checksums, as `sha256sum` writes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def pinned(files: Iterable[Path]) -> str:
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
