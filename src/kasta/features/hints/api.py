"""The coach in the JSON API: what it would do."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

from kasta.coach.reasons.reason import reason
from kasta.edge.http import Visit, device, spoken
from kasta.edge.problems import REFUSALS
from kasta.features.hints.service import best_options
from kasta.live.dependencies import TableId, TheCoach, TheService
from kasta.wire.tables import Choice, Hint, OneSeat


@post("/tables/{table:str}/hint", status_code=200, responses=REFUSALS)
async def hint(
    request: Visit, table: TableId, data: JSONBody[OneSeat], service: TheService, coach: TheCoach
) -> Hint:
    """The best three actions of a seat that has to decide, where the coach is `live`. The record tells it."""
    now, sheet, best = await best_options(service, coach, table, device(request), data.seat)
    said = spoken(request)
    actions = [
        Choice(str(action), value, error, reason(now.game, sheet, action, action, said))
        for action, value, error in best
    ]
    return Hint(data.seat, actions)


API = [hint]
