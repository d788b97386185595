"""What a seat may do on its sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kasta.core import Seat
from kasta.tables.rights import SeatRights, undone
from kasta.tables.state import Table


@dataclass(frozen=True, slots=True)
class Options:
    """What a seat may do: on its own, or instead of what it has done on this throw (`moves`)."""

    actions: Sequence[Any]
    may_undo: bool
    moves: bool


NOTHING = Options((), may_undo=False, moves=False)


def options(table: Table, seat: Seat, may: SeatRights) -> Options:
    """Until the next throw a pick may be moved: what was done is taken back, and something else done."""
    if may.act:
        return Options(table.game.legal(table.play, seat), may_undo=may.take_back, moves=False)
    if may.move_pick and (before := undone(table, seat)) is not None:
        return Options(table.game.legal(before[0], seat), may_undo=True, moves=True)
    return Options((), may_undo=may.take_back, moves=False)
