"""Finished games in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from kasta.core import Seat
from kasta.results.model import Board, Result, Results, Ruled


class MemoryResults(Results):
    """`closed` tells which tables may be asked for their results."""

    def __init__(self, closed: Callable[[], Iterable[str]]) -> None:
        self._closed = closed
        self.kept: dict[tuple[str, Seat], Result] = {}
        self.taken: set[str] = set()

    async def add(self, table: str, results: Sequence[Result]) -> bool:
        if table in self.taken:
            return False
        self.taken.add(table)
        self.insert(results)
        return True

    def insert(self, results: Iterable[Result]) -> int:
        """Keep results that are not there yet: how many."""
        new = {(each.table, each.seat): each for each in results if (each.table, each.seat) not in self.kept}
        self.kept |= new
        return len(new)

    async def untaken(self) -> list[str]:
        return [name for name in self._closed() if name not in self.taken]

    async def of_device(self, device: str, most: int, skip: int = 0, ruled: Ruled | None = None) -> list[Result]:
        own = [each for each in self._of(device) if ruled in {None, (each.game, each.rules)}][::-1]
        return sorted(own, key=lambda each: -each.ended)[skip : skip + most]

    async def played(self, device: str) -> dict[Ruled, int]:
        counted = Counter((each.game, each.rules) for each in self._of(device))
        return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))

    async def ranking(self, board: Board, most: int) -> list[Result]:
        return sorted(self._on(board), key=lambda each: (-each.total, each.ended))[:most]

    async def distribution(self, board: Board) -> dict[int, int]:
        return dict(sorted(Counter(each.total for each in self._on(board)).items()))

    async def show(self, device: str, table: str, name: str | None) -> None:
        for key, result in self.kept.items():
            if (result.device, result.table) == (device, table):
                self.kept[key] = replace(result, shown=name)

    async def hide(self, table: str, seat: Seat | None = None) -> None:
        for key, result in self.kept.items():
            if result.table == table and seat in {None, result.seat}:
                self.kept[key] = replace(result, shown=None)

    async def note_review(self, table: str, seat: Seat, luck: float, lost: float) -> None:
        if (result := self.kept.get((table, seat))) is not None:
            self.kept[table, seat] = replace(result, luck=luck, lost=lost)

    async def move(self, device: str, to: str) -> int:
        moved = {(each.table, each.seat): replace(each, device=to) for each in self._of(device)}
        self.kept |= moved
        return len(moved)

    async def delete(self, device: str) -> int:
        gone = [(each.table, each.seat) for each in self._of(device)]
        for key in gone:
            del self.kept[key]
        return len(gone)

    async def idle(self, since: float) -> list[str]:
        devices = {each.device for each in self.kept.values()}
        return [device for device in devices if all(each.ended < since for each in self._of(device))]

    def _of(self, device: str) -> Iterator[Result]:
        return (each for each in list(self.kept.values()) if each.device == device)

    def _on(self, board: Board) -> Iterator[Result]:
        return (each for each in self.kept.values() if each.board == board and not each.is_helped)
