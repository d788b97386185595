"""Rows beside the log, by one SQL text for every database.

Texts are written as PostgreSQL has them: values are `$1`, `$2` and so on, and every table begins with `kasta_`.
What both databases know is enough: `ON CONFLICT`, `RETURNING`, `CAST(... AS ...)`, `clock_timestamp()`. One of
many values is `column = ANY($1)`, with a list. `kasta_now()` gives seconds since 1970.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

Row = Any
"""The values of a row, in their order."""
Statement = tuple[Any, ...]
"""A text, and its values."""


class Many(NamedTuple):
    """A text that is run once for each row of values, and answers nothing."""

    text: str
    rows: Sequence[Row]


Steps = Generator[Statement | Many, list[Row], T]
"""The statements of a transaction: each is yielded, and answered by its rows."""


class Fetch(Protocol):
    """Reads rows."""

    def __call__(self, text: str, *values: object) -> Awaitable[list[Row]]: ...


class Database(ABC):
    """Runs statements, whichever database it is: `kind` says which."""

    kind: Literal["sqlite", "postgres"]

    @abstractmethod
    async def fetch(self, text: str, *values: object) -> list[Row]:
        """The rows that a question is answered by; it changes nothing."""

    @abstractmethod
    async def execute(self, text: str, *values: object) -> int:
        """Change something: how many rows."""

    @abstractmethod
    async def transaction(self, steps: Callable[[], Steps[T]]) -> T:
        """Do several statements, all or none, and give what the generator returns."""

    @abstractmethod
    async def scrub(self) -> None:
        """Leave nothing of what was deleted in the database's files, as far as that is in our hands."""


def insert(table: str, columns: str, rows: Sequence[Row], *, returning: str = "") -> Statement:
    """One statement that adds rows which are not there yet; with `returning`, it answers once for each new one."""
    width, values = len(rows[0]), [value for row in rows for value in row]
    places = ", ".join(
        f"({', '.join(f'${first + number}' for number in range(1, width + 1))})"
        for first in range(0, len(values), width)
    )
    text = f"INSERT INTO {table} ({columns}) VALUES {places} ON CONFLICT DO NOTHING"  # noqa: S608 - names of ours
    return (f"{text} RETURNING {returning}" if returning else text, *values)
