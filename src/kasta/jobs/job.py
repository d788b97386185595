"""A job: chunks of work, done in any order by anybody, and combined in theirs.

How a job is cut never depends on who works, and each chunk has a seed of its own: so one process, many of them and
a cluster come to the same, bit by bit. Whoever stops early decides that on results in the order of chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Generic, TypeVar

C = TypeVar("C")
VERSION = version("kasta")  # others may come to other results


def nothing() -> None:
    """Nobody is to be told."""


@dataclass(frozen=True)
class Job(Generic[C]):
    """What is to be done.

    `work` is a function of a module, which other processes find by its name. What it gives JSON can write, and may
    have come back from there: lists stand for tuples. `about` is all that results depend on. `end` is told to a
    process that gets no more chunks.
    """

    name: str
    about: Mapping[str, Any]
    work: Callable[[C], Any]
    chunks: Sequence[C]
    end: Callable[[], None] = nothing
