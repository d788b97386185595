"""Small things that a store keeps beside its tables: named tokens, and which tables are listed."""

from __future__ import annotations

from abc import ABC, abstractmethod

TOKENS = "token"  # owned by a device; the key is the token's id, the text its name
LISTED = "listed"  # owned by nobody; the key is a table


class Notes(ABC):
    """Texts by kind, owner and key. They are no part of a backup."""

    @abstractmethod
    async def put(self, kind: str, owner: str, key: str, text: str = "") -> None:
        """Keep a text, in place of the one that was there."""

    @abstractmethod
    async def has(self, kind: str, owner: str, key: str) -> bool: ...

    @abstractmethod
    async def all(self, kind: str, owner: str, most: int) -> dict[str, str]:
        """Texts by their keys, the newest first."""

    @abstractmethod
    async def drop(self, kind: str, owner: str, key: str) -> bool:
        """False where there was nothing to drop."""
