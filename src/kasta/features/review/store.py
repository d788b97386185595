"""Where a store keeps reviews: beside the logs, because they can be made again, and gone with their table."""

from __future__ import annotations

from abc import ABC, abstractmethod

from kasta.core import Seat


class ReviewStore(ABC):
    """One review a seat. They are in no backup: whoever asks for one after a restore has it made again."""

    @abstractmethod
    async def find(self, table: str, seat: Seat) -> bytes | None:
        """The review that was kept last, if there is one."""

    @abstractmethod
    async def keep(self, table: str, seat: Seat, body: bytes) -> None:
        """Put a review in place of the last one; nothing is kept for a table that is gone."""
