"""Notes in memory."""

from __future__ import annotations

from kasta.db.key_value import Notes


class MemoryNotes(Notes):
    def __init__(self) -> None:
        self._notes: dict[tuple[str, str, str], str] = {}

    async def put(self, kind: str, owner: str, key: str, text: str = "") -> None:
        self._notes.pop((kind, owner, key), None)  # what is put is the newest
        self._notes[kind, owner, key] = text

    async def has(self, kind: str, owner: str, key: str) -> bool:
        return (kind, owner, key) in self._notes

    async def all(self, kind: str, owner: str, most: int) -> dict[str, str]:
        found = [(key, text) for (a, b, key), text in self._notes.items() if (a, b) == (kind, owner)]
        return dict(found[::-1][:most])

    async def drop(self, kind: str, owner: str, key: str) -> bool:
        return self._notes.pop((kind, owner, key), None) is not None
