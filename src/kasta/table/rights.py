"""What a seat may do at a table, worked out once: pages and API show it, commands enforce it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kasta.core import Seat
from kasta.errors import Illegal
from kasta.table.state import Table


@dataclass(frozen=True, slots=True)
class Options:
    """What a seat may do: on its own, or instead of what it has done on this throw (`moves`)."""

    actions: Sequence[Any]
    may_undo: bool
    moves: bool


NOTHING = Options((), may_undo=False, moves=False)


def options(table: Table, seat: Seat) -> Options:
    """Until the next throw a pick may be moved: what was done is taken back, and something else done."""
    if table.play is None or table.is_closed:
        return NOTHING
    legal = table.game.legal(table.play, seat)
    undone = undo_all(table, seat)
    if legal or undone is None:
        return Options(legal, may_undo=undone is not None, moves=False)
    return Options(table.game.legal(undone, seat), may_undo=True, moves=True)


def undo_all(table: Table, seat: Seat) -> Any | None:  # noqa: ANN401 - each game has its own tables
    """The game as it was before the seat acted on this throw; None if there is nothing it may take back."""
    if not table.settings.take_back and not table.stood_in(seat):
        return None
    play, undone = table.play, None
    try:
        while True:
            play = undone = table.game.take_back(play, seat)
    except Illegal:
        return undone
