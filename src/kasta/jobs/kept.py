"""Results of a job in a file: a line that says of what, then a line for each chunk, durable before it counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from kasta.errors import Unreadable
from kasta.jobs.job import VERSION

KIND = "results"

Keep = Callable[[int, Any], None]


def forget(_chunk: int, _result: object) -> None:
    """Nothing is kept."""


@contextmanager
def keep_results(path: Path | None, job: str, about: Mapping[str, Any]) -> Iterator[tuple[dict[int, Any], Keep]]:
    """The results that a file has, by chunk, and how to add one; without a file, none and nothing.

    `Unreadable` where the file is of another job. What was torn when a run was killed is dropped.
    """
    if path is None:
        yield {}, forget
        return
    head = {"kasta": KIND, "version": VERSION, "job": job, **about}
    first = _line(head)
    try:
        file = path.open("a+b")
    except OSError as error:
        raise Unreadable("cannot_write", path=str(path), reason=error.strerror) from None
    with file:
        file.seek(0)
        found, end = _read(path, file, first)
        file.truncate(end)

        def keep(chunk: int, result: object) -> None:
            _write(path, file, _line({"chunk": chunk, "result": result}))

        if not end:
            _write(path, file, first)
        yield found, keep


def _read(path: Path, file: BinaryIO, first: bytes) -> tuple[dict[int, Any], int]:
    """The results in a file, and where what can be read of it ends."""
    begun = file.readline()
    if not begun.endswith(b"\n"):
        if not first.startswith(begun):
            raise Unreadable("not_results", path=str(path))
        return {}, 0
    _check(path, begun, json.loads(first))
    found, end = dict[int, Any](), len(begun)
    for line in file:
        if not line.endswith(b"\n"):
            break  # the run was killed while it wrote
        try:
            kept = json.loads(line)
            found[kept["chunk"]] = kept["result"]
        except (ValueError, KeyError, TypeError):
            break  # what a machine that lost its power has left
        end += len(line)
    return found, end


def _check(path: Path, line: bytes, wanted: dict[str, Any]) -> None:
    """Is this the first line of results of the same job?"""
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("kasta") != KIND:
        raise Unreadable("not_results", path=str(path))
    for key in {**wanted, **head}:
        if head.get(key) != wanted.get(key):
            raise Unreadable("other_run", path=str(path), key=key, have=head.get(key), wanted=wanted.get(key))


def _line(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def _write(path: Path, file: BinaryIO, line: bytes) -> None:
    try:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        raise Unreadable("cannot_write", path=str(path), reason=error.strerror) from None
