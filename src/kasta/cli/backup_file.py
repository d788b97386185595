"""Where backups are written: whole files for their owner only, under names with dates if there are many."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from kasta.errors import Unavailable, Unreadable

NAME = re.compile(r"kasta-\d{8}-\d{6}\.jsonl")


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """A file that gets its name when all of it is on the disk. One that is there already is not overwritten."""
    part = path.with_name(f".{path.name}.part")
    if path.exists():
        raise Unreadable("cannot_write", path=path, reason="it exists already")
    with _failures(path):
        part.unlink(missing_ok=True)  # a backup that was killed has left it
        file = os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")
    try:
        with _failures(path), file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with _failures(path):
            part.rename(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def standard_output() -> Iterator[TextIO]:
    """A file of its own for it: what could not be written is not tried again at the end."""
    with _failures("-"), os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as file:
        yield file


def dated(folder: Path) -> Path:
    """A file for a backup of now. What backups have left that were killed is cleared away."""
    with _failures(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in folder.glob(".kasta-*.jsonl.part"):
            part.unlink(missing_ok=True)
    return folder / f"kasta-{datetime.now(UTC):%Y%m%d-%H%M%S}.jsonl"


def keep_newest(written: Path, count: int) -> int:
    """Remove all but the newest so many, up to the one just written: how many files.

    Those with later dates are of a clock that was wrong: they neither count nor go.
    """
    with _failures(written.parent):
        files = sorted(path for path in written.parent.iterdir() if NAME.fullmatch(path.name) and path <= written)
        for path in files[:-count]:
            path.unlink(missing_ok=True)
    return len(files[:-count])


@contextmanager
def _failures(path: object) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unavailable("cannot_write", path=path, reason=error.strerror or str(error)) from None
