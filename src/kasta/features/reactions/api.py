"""Reactions for programs. Streams tell them to those that ask with `signals=1`."""

from __future__ import annotations

from typing import Literal

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kasta.edge.http import Visit, device
from kasta.edge.problems import REFUSALS
from kasta.features.reactions.nudges import Nudges
from kasta.features.reactions.service import Reactions
from kasta.live.dependencies import TableId
from kasta.wire.tables import Body, Number


class NewReaction(Body, frozen=True):
    reaction: Literal["well_done", "ouch", "laugh", "hurry", "luck", "thanks"]
    seat: Number | None = None  # by default, the first of the token's holder


@post("/tables/{table:str}/react", status_code=204, responses=REFUSALS)
async def react_as(
    request: Visit, table: TableId, data: JSONBody[NewReaction], reactions: NamedDependency[Reactions]
) -> None:
    """Show one of six reactions on all screens; four at once, then six a minute."""
    await reactions.react(table, device(request), data.reaction, data.seat)


@post("/tables/{table:str}/nudge", status_code=204, responses=REFUSALS)
async def nudge_as(request: Visit, table: TableId, nudges: NamedDependency[Nudges]) -> None:
    """Remind whoever has kept all others waiting for a minute."""
    await nudges.nudge(table, device(request))


API = [react_as, nudge_as]
