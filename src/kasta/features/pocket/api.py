"""Where pages bring the games that were played without the server."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from msgspec import Meta, Struct

from kasta.edge.http import Visit
from kasta.edge.problems import REFUSALS
from kasta.edge.visitor import visitor_of
from kasta.features.pocket.coming_home import LONGEST_RECORD, ComingHome, PocketGame

LONGEST_BODY = 2 * LONGEST_RECORD  # every line of a record has quotes, which JSON escapes

TheComingHome = NamedDependency[ComingHome]


class FinishedGame(Struct, frozen=True):
    """A game that was played without the server."""

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{26,64}$")]
    record: str
    finished: float
    seat: int | None = None


class GameKept(Struct, frozen=True):
    """It is among the games of the device."""

    game: str
    kept: bool = True


AGAIN = ResponseSpec(GameKept, description="It was kept before.", generate_examples=False)


@post(
    "/pocket/games",
    operation_id="keep_pocket_game",
    request_max_body_size=LONGEST_BODY,
    responses=REFUSALS | {200: AGAIN},
)
async def keep_pocket_game(
    request: Visit, data: JSONBody[FinishedGame], coming_home: TheComingHome
) -> Response[GameKept]:
    """Keep a finished game that you played without the server, under a random id that you choose.

    The server plays its record again. It is listed under *My games*, and on no board: nobody knows its dice. Only
    your own token, or your browser's cookie, can do that. Sent again, a game is kept once.
    """
    visitor = visitor_of(request)
    game = PocketGame(data.id, data.record, data.finished, data.seat)
    is_new = await coming_home.take(visitor.owner, visitor.address, game)
    return Response(GameKept(data.id), status_code=201 if is_new else 200)


API = [keep_pocket_game]
