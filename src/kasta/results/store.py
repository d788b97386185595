"""Where results are kept, the same in every database."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from kasta.core import Seat
from kasta.db.backup import BackupPart
from kasta.db.personal import PersonalData
from kasta.results.model import PIECE, Board, Hands, Result, Ruled, Standing, standing
from kasta.sql import Database, Fetch, Row, Statement, Steps, insert

COLUMNS = (
    "name, seat, device, kind, game, rules, ended, total, place, seats, bots, is_helped, hands, record, shown, "
    "luck, lost"
)
_SELECT = f"SELECT {COLUMNS} FROM kasta_results"  # noqa: S608 - names of ours
_PIECE = f"SELECT id, {COLUMNS} FROM kasta_results WHERE id > $1 ORDER BY id LIMIT $2"  # noqa: S608
_PLAYED = """
SELECT game, rules, count(*) FROM kasta_results WHERE device = $1 GROUP BY game, rules ORDER BY 3 DESC, 1, 2
"""
_BEST = """
SELECT game, rules, total, ended FROM (
    SELECT game, rules, total, ended,
        row_number() OVER (PARTITION BY game, rules ORDER BY total DESC, ended) AS rank
    FROM kasta_results WHERE device = $1
) AS own WHERE rank = 1 ORDER BY ended DESC, game, rules
"""
_TOTALS = """
SELECT name, rules, ended, total, hands FROM kasta_results WHERE device = $1 AND game = $2
    ORDER BY ended DESC, id DESC LIMIT $3
"""
_SPREAD = """
SELECT total, number FROM kasta_spreads WHERE kind = $1 AND game = $2 AND rules = $3 AND number > 0 ORDER BY total
"""
_HIDE = "UPDATE kasta_results SET shown = NULL WHERE name = $1 AND (CAST($2 AS integer) IS NULL OR seat = $2)"
_REVIEWED = "UPDATE kasta_results SET luck = $3, lost = $4 WHERE name = $1 AND seat = $2"


MOST_COUNTED = 5_000  # games of one kind, from which stamps and best games are made whenever somebody looks


class Results:
    """All answers come from indexes and kept counts: none takes longer because others have played much."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(
        self, table: str, results: Sequence[Result], beside: Sequence[Callable[[], Steps[None]]] = ()
    ) -> bool:
        """Keep what a table's seats made. False if its results were taken before: then nothing is written.

        What is written `beside` them is there if they are.
        """

        def steps() -> Steps[bool]:
            taken = yield "UPDATE kasta_tables SET taken = true WHERE name = $1 AND NOT taken RETURNING 1", table
            if not taken and (yield "SELECT 1 FROM kasta_tables WHERE name = $1 AND taken", table):
                return False
            for first in range(0, len(results), PIECE):
                yield _insert(results[first : first + PIECE])
            for each in beside:
                yield from each()
            return True

        return await self._db.transaction(steps)

    async def of_device(self, device: str, most: int, skip: int = 0, ruled: Ruled | None = None) -> list[Result]:
        """A device's games, the last one first; all of them, or of one game by one rule set."""
        where = "device = $1 AND game = $4 AND rules = $5" if ruled else "device = $1"
        last_first = f"WHERE {where} ORDER BY ended DESC, id DESC LIMIT $2 OFFSET $3"
        return await self._select(last_first, device, most, skip, *(ruled or ()))

    async def played(self, device: str) -> dict[Ruled, int]:
        """What a device has played, and how many games of each; what it played most comes first."""
        return {(game, rules): number for game, rules, number in await self._db.fetch(_PLAYED, device)}

    async def best_of(self, device: str) -> list[tuple[Ruled, int, float]]:
        """A device's best total in each game, and when it was made; the one that was made last comes first."""
        rows = await self._db.fetch(_BEST, device)
        return [((game, rules), total, ended) for game, rules, total, ended in rows]

    async def totals_of(self, device: str, game: str) -> list[tuple[str, str, float, int, Hands]]:
        """Of a device's last games of one kind, the oldest first: table, rules, end, total and hands."""
        rows = await self._db.fetch(_TOTALS, device, game, MOST_COUNTED)
        return [(*row[:4], msgspec.json.decode(row[4], type=Hands)) for row in reversed(rows)]

    async def owner(self, table: str) -> str | None:
        """Whose the results of a table are, if they are one device's; None if there are none."""
        rows = await self._db.fetch("SELECT device FROM kasta_results WHERE name = $1 LIMIT 1", table)
        return rows[0][0] if rows else None

    async def own(self, device: str, table: str, seat: Seat) -> Result | None:
        """What a device made of a game in one seat."""
        found = await self._select("WHERE name = $1 AND seat = $2 AND device = $3", table, seat, device)
        return found[0] if found else None

    async def ranking(self, board: Board, most: int) -> list[Result]:
        """The best; of equal totals the earlier one comes first."""
        where = "WHERE kind = $1 AND game = $2 AND rules = $3 AND NOT is_helped"
        return await self._select(f"{where} ORDER BY total DESC, ended, id LIMIT $4", *board, most)

    async def distribution(self, board: Board) -> dict[int, int]:
        """How many have each total, in ascending order."""
        return dict(await self._db.fetch(_SPREAD, *board))

    async def show(self, device: str, table: str, name: str | None) -> None:
        """Show a device's results of a table with a name from now on, or with none."""
        query = "UPDATE kasta_results SET shown = $1 WHERE device = $2 AND name = $3"
        await self._db.execute(query, name, device, table)

    async def note_review(self, table: str, seat: Seat, luck: float, lost: float) -> None:
        """Keep what a review has found; nothing, where there is no such result."""
        await self._db.execute(_REVIEWED, table, seat, luck, lost)

    async def standing(self, board: Board, total: int) -> Standing:
        """Where a total stands among all of a board."""
        return standing(await self.distribution(board), total)

    async def export(self, device: str) -> AsyncGenerator[Result]:
        """All results of a device, the last one first, read in pieces."""
        skip, is_more = 0, True
        while is_more:
            piece = await self.of_device(device, PIECE, skip)
            for result in piece:
                yield result
            skip, is_more = skip + PIECE, len(piece) == PIECE

    async def _select(self, where: str, *values: object) -> list[Result]:
        return [_result(row) for row in await self._db.fetch(f"{_SELECT} {where}", *values)]


def _move(device: str, to: str) -> Steps[None]:
    """Give all results of a device to another."""
    yield "UPDATE kasta_results SET device = $2 WHERE device = $1", device, to


def _delete(device: str) -> Steps[None]:
    yield "DELETE FROM kasta_results WHERE device = $1", device


def _forget_names(table: str, seat: Seat | None) -> Steps[None]:
    """The names that results are shown with."""
    yield _HIDE, table, seat


PERSONAL = PersonalData(
    exists="SELECT 1 FROM kasta_results WHERE device = $1 LIMIT 1",
    idle="SELECT device FROM kasta_results GROUP BY device HAVING max(ended) < $1",
    move=_move,
    delete=_delete,
    forget_names=_forget_names,
)


def _insert(results: Sequence[Result]) -> Statement:
    return insert("kasta_results", COLUMNS, [_row(result) for result in results], returning="1")


def _row(result: Result) -> tuple[Any, ...]:
    row = msgspec.structs.asdict(result)
    return tuple((row | {"hands": msgspec.json.encode(result.hands).decode()}).values())


def _result(row: Row) -> Result:
    fields = dict(zip(Result.__struct_fields__, row, strict=True))
    hands = msgspec.json.decode(fields["hands"], type=Hands)
    return Result(**fields | {"hands": hands, "is_helped": bool(fields["is_helped"])})


class _ResultLine(Struct, forbid_unknown_fields=True):
    """A result in a backup."""

    result: Result


async def _lines(fetch: Fetch) -> AsyncIterator[_ResultLine]:
    after = 0
    while rows := await fetch(_PIECE, after, PIECE):
        for row in rows:
            yield _ResultLine(_result(row[1:]))
        after = rows[-1][0]


def _restored(lines: Sequence[_ResultLine]) -> Statement:
    return _insert([line.result for line in lines])


RESULTS = BackupPart("result", _ResultLine, _lines, _restored)
