"""What would you do? The coach answers whoever has to decide, where the table lets it."""

from __future__ import annotations

from typing import Any

from kasta.coach.process import Coach
from kasta.core import Seat
from kasta.errors import Conflict
from kasta.tables import rights
from kasta.tables.commands import AskHint
from kasta.tables.rights import check
from kasta.tables.service import Service
from kasta.tables.state import Table
from kasta.values import Option

BEST = 3  # that are told


async def best_options(
    service: Service, coach: Coach, table: str, by: str, seat: Seat
) -> tuple[Table, Any, list[Option[Any]]]:
    """The table, the seat's sheet, and the best that can be done on it. The log says that this was told."""
    now = await service.table(table)
    check(rights.still_open(now) or rights.hint(now, by, seat))
    sheet = now.game.sheet(now.play, seat)
    options = await coach.options(now.id, now.game, sheet, now.game.others_lack(now.play, seat))
    after = await service.table(table)
    if seat not in after.coached:
        after = await service.do(table, AskHint(by, now.turn, seat))
    if after.game.sheet(after.play, seat) != sheet:
        raise Conflict("stale", turn=after.turn, step=after.step(seat))
    return after, sheet, options[:BEST]
