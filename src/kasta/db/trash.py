"""Where tables wait before they are deleted, and what the store remembers of readings of the clock."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple


class ClockReading(NamedTuple):
    """The clock was looked at last then, and since when it has gone on without a jump or a long pause."""

    since: float
    last: float


class Trash(ABC):
    """Hidden tables are as good as gone for all who play, and can be brought back until they are deleted."""

    @abstractmethod
    async def newest(self) -> float | None:
        """When something last happened, at any table."""

    @abstractmethod
    async def last_reading(self) -> ClockReading | None: ...

    @abstractmethod
    async def keep_reading(self, reading: ClockReading) -> None: ...

    @abstractmethod
    async def hide(self, at: float, untouched_since: float, *, unplayed: bool = False) -> int:
        """Hide what nobody has touched since then, or only what nobody has played: how many tables."""

    @abstractmethod
    async def hidden(self) -> dict[str, float]:
        """The hidden tables, and when each was hidden."""

    @abstractmethod
    async def bring_back(self, table: str, at: float) -> bool:
        """Whether a table was hidden. It counts as touched now."""

    @abstractmethod
    async def delete(self, hidden_before: float) -> None: ...
