"""Files of arrays that took long to make: trusted only with the right fingerprint and checksum.

A file is a line of JSON, the header, and the bytes that its checksum is of. The header says which format it is and
in which version, the fingerprint of the rules, and what else the format needs. Spaces fill its line, so that what
follows can be used where it lies in the file.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import numpy as np

from kasta.errors import Unreadable
from kasta.extras import extra

with extra("solve"):
    from kasta_values import FOLDER

SHIPPED = FOLDER  # the files that the extra `solve` brings
VERSION = 1
ALIGNMENT = 64
LONGEST_HEADER = 1 << 16
Header = dict[str, Any]


def write(path: Path, kind: str, fingerprint: str, content: bytes | memoryview, about: Header) -> None:
    """Write a file at once or not at all."""
    header = {kind: VERSION, "fingerprint": fingerprint, "sha256": sha256(content).hexdigest(), **about}
    line = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(line + b" " * (-(len(line) + 1) % ALIGNMENT) + b"\n")
        file.write(content)
    Path(file.name).replace(path)
    path.chmod(0o644)


def check(path: Path, kind: str, fingerprint: str) -> tuple[Header, int]:
    """The header, and where the content begins; a file that is damaged is refused, and one for other rules."""
    with path.open("rb") as file:
        line = file.readline(LONGEST_HEADER)
        try:
            header = json.loads(line)
            version, of_rules = header[kind], header["fingerprint"]
            whole = header["sha256"] == file_digest(file, "sha256").hexdigest()
        except (ValueError, KeyError, TypeError):
            raise Unreadable("solution_damaged", path=path) from None
    if not whole:
        raise Unreadable("solution_damaged", path=path)
    if (version, of_rules) != (VERSION, fingerprint):
        raise Unreadable("solution_of_other_rules", path=path)
    return header, len(line)


def read(path: Path, kind: str, fingerprint: str) -> tuple[Header, bytes]:
    """The header and the content of a file that `check` lets through."""
    header, start = check(path, kind, fingerprint)
    with path.open("rb") as file:
        file.seek(start)
        return header, file.read()


def fingerprint(values: Mapping[str, Any]) -> str:
    """Rules that give the same arrays have the same fingerprint. A value is an array, a number, or a tuple.

    The names belong to the file format: a field that was renamed would make all files those of other rules.
    """
    digest = sha256()
    for label, value in values.items():
        if isinstance(value, tuple):
            digest.update(f"{label} {fingerprint(value._asdict())}\n".encode())  # type: ignore[attr-defined]
        else:
            array = np.asarray(value, order="C")
            digest.update(f"{label} {array.dtype} {array.shape}\n".encode())
            digest.update(array.data)
    return digest.hexdigest()
