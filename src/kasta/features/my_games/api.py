"""My games in the JSON API: the tables that one is at, and the games that one has finished."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from kasta.edge.http import Visit, device
from kasta.edge.problems import REFUSALS
from kasta.features.my_games.service import MyGames
from kasta.live.dependencies import TheService
from kasta.results.model import Result
from kasta.wire.tables import OwnGame, OwnGames, OwnTable, OwnTables, TableState, tell

MOST_TABLES, MOST_GAMES = 50, 100


@get("/mine/tables", responses=REFUSALS)
async def my_tables(request: Visit, service: TheService) -> OwnTables:
    """The latest 50 tables at which you play, wait or host. What was played last comes first."""
    me = device(request)
    states = [tell(table, me, service.silence(table.id)) for table in await service.tables_of(me, MOST_TABLES)]
    return OwnTables([_at(state) for state in states])


def _at(state: TableState) -> OwnTable:
    is_due = any(seat.mine and seat.due for seat in state.seats)
    return OwnTable(state.table, state.game, state.rules, state.next, is_due)


@get("/mine/games", responses=REFUSALS)
async def my_finished_games(
    request: Visit,
    my_games: NamedDependency[MyGames],
    skip: Annotated[int, QueryParameter(ge=0, le=10**6)] = 0,
) -> OwnGames:
    """Your finished games, the latest 100 after those to `skip`. They stay when their tables are deleted."""
    found = await my_games.results.of_device(device(request), MOST_GAMES, skip)
    return OwnGames([_told(each) for each in found])


def _told(result: Result) -> OwnGame:
    return OwnGame(
        result.kind,
        result.game,
        result.rules,
        result.ended,
        result.total,
        result.place,
        result.seats,
        result.bots,
        result.luck,
        result.lost,
        result.lines(),
    )


API = [my_tables, my_finished_games]
