"""Circles, for programs that act for a member."""

from __future__ import annotations

import math
from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from kasta.edge.http import Visit, device
from kasta.edge.problems import REFUSALS
from kasta.edge.visitor import visitor_of
from kasta.features.circle.model import CircleScore, Membership
from kasta.features.circle.service import Circles

TheCircles = NamedDependency[Circles]
Id = PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
Season = Annotated[int, QueryParameter(ge=0, le=1_000_000)]
Before = Annotated[float | None, QueryParameter(ge=0, le=1e11)]

MOST_ROWS = 400


class NewCircle(Struct, frozen=True, forbid_unknown_fields=True):
    circle: str
    name: str
    mark: Annotated[int, Meta(ge=0, le=7)] = 0


class NewMember(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    mark: Annotated[int, Meta(ge=0, le=7)] = 0


class CircleGameWish(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    rules: str | None = None


class Leaving(Struct, frozen=True, forbid_unknown_fields=True):
    forget: bool = False


class CircleListed(Struct, frozen=True):
    circle: str
    title: str


class CirclesListed(Struct, frozen=True):
    circles: list[CircleListed]


class MemberTold(Struct, frozen=True):
    member: str
    name: str
    mark: int
    host: bool
    left: bool


class CircleTableTold(Struct, frozen=True):
    table: str
    game: str
    rules: str
    open: bool


class SeasonTold(Struct, frozen=True):
    season: int
    began: float


class CircleTold(Struct, frozen=True):
    circle: str
    title: str
    me: str
    link: str
    members: list[MemberTold]
    tables: list[CircleTableTold]
    seasons: list[SeasonTold]


class ScoreTold(Struct, frozen=True):
    member: str
    game: str
    rules: str
    games: int
    wins: int
    points: int
    best: int | None
    run: int
    longest: int


class ScoresTold(Struct, frozen=True):
    scores: list[ScoreTold]


class PlayedTold(Struct, frozen=True):
    member: str
    game: str
    rules: str
    season: int
    ended: float
    total: int
    won: bool


class PlayedListed(Struct, frozen=True):
    played: list[PlayedTold]


class AgainstTold(Struct, frozen=True):
    member: str
    games: int
    wins: int
    losses: int


class AgainstListed(Struct, frozen=True):
    against: list[AgainstTold]


class CircleTableMade(Struct, frozen=True):
    table: str


@get("/circles", responses=REFUSALS)
async def list_circles(request: Visit, circles: TheCircles) -> CirclesListed:
    """The circles that you are in, the last one that you joined first."""
    circles.check_on()
    return CirclesListed([CircleListed(each.id, each.name) for each in await circles.mine(device(request))])


@post("/circles", responses=REFUSALS)
async def start_circle(request: Visit, data: JSONBody[NewCircle], circles: TheCircles) -> CircleListed:
    """Start a circle, as its first member and host. Only your own token can do that."""
    visitor = visitor_of(request)
    made = await circles.found(visitor, visitor.owner, data.circle, data.name, data.mark)
    return CircleListed(made, (await circles.of(made, device(request))).circle.name)


@post("/circles/join/{secret:str}", status_code=200, responses=REFUSALS)
async def join_circle(
    request: Visit, secret: Annotated[str, Id], data: JSONBody[NewMember], circles: TheCircles
) -> CircleListed:
    """Join a circle by its link. Only your own token can do that."""
    visitor = visitor_of(request)
    joined = await circles.join(secret, visitor, visitor.owner, data.name, data.mark)
    return CircleListed(joined, (await circles.of(joined, device(request))).circle.name)


@get("/circles/{circle:str}", responses=REFUSALS)
async def circle_told(request: Visit, circle: Annotated[str, Id], circles: TheCircles) -> CircleTold:
    """A circle that you are in: its members, its tables that are not over, its seasons."""
    here = await circles.of(circle, device(request))
    return await _told(request, here, circles)


async def _told(request: Visit, here: Membership, circles: Circles) -> CircleTold:
    circle = here.circle
    tables = await circles.tables(circle.id, device(request))
    return CircleTold(
        circle.id,
        circle.name,
        here.me.id,
        f"{visitor_of(request).origin}/circles/join/{circle.secret}",
        [
            MemberTold(each.id, each.name, each.mark, bool(each.is_host), each.gone is not None)
            for each in here.members.values()
        ],
        [
            CircleTableTold(each.table.id, each.table.game.name, each.table.game.rules, each.is_open)
            for each in tables
        ],
        [SeasonTold(*each) for each in await circles.store.seasons(circle.id)],
    )


@get("/circles/{circle:str}/scores", responses=REFUSALS)
async def circle_scores(
    request: Visit, circle: Annotated[str, Id], circles: TheCircles, season: Season = 0
) -> ScoresTold:
    """What each member made of each game: of all time (season 0), or in a season."""
    await circles.of(circle, device(request))
    found = await circles.store.all_scores(circle, season)
    return ScoresTold([_score(member, *ruled, each) for ruled, by in found.items() for member, each in by.items()])


def _score(member: str, game: str, rules: str, each: CircleScore) -> ScoreTold:
    return ScoreTold(member, game, rules, each.games, each.wins, each.points, each.best, each.run, each.longest)


@get("/circles/{circle:str}/games", responses=REFUSALS)
async def circle_games(
    request: Visit, circle: Annotated[str, Id], circles: TheCircles, before: Before = None
) -> PlayedListed:
    """The last results of members at the circle's tables, 400 at most; `before` is the end of the last one."""
    await circles.of(circle, device(request))
    found = await circles.store.games_before(circle, math.inf if before is None else before, MOST_ROWS)
    return PlayedListed(
        [
            PlayedTold(each.member, each.game, each.rules, each.season, each.ended, each.total, bool(each.is_won))
            for each in found
        ]
    )


@get("/circles/{circle:str}/members/{member:str}", responses=REFUSALS)
async def member_against(
    request: Visit, circle: Annotated[str, Id], member: Annotated[str, Id], circles: TheCircles, season: Season = 0
) -> AgainstListed:
    """How a member did against each other member, of all time (season 0), or in a season."""
    await circles.of(circle, device(request))
    pairs = await circles.store.pairs(circle, member, season)
    return AgainstListed([AgainstTold(other, *tally) for other, tally in pairs.items()])


@post("/circles/{circle:str}/tables", responses=REFUSALS)
async def open_circle_table(
    request: Visit, circle: Annotated[str, Id], data: JSONBody[CircleGameWish], circles: TheCircles
) -> CircleTableMade:
    """Open a table, sit down there, and invite all members."""
    return CircleTableMade((await circles.open(circle, visitor_of(request), data.game, data.rules)).id)


@post("/circles/{circle:str}/leave", status_code=204, responses=REFUSALS)
async def leave_circle(
    request: Visit, circle: Annotated[str, Id], data: JSONBody[Leaving], circles: TheCircles
) -> None:
    """Leave a circle; with `forget`, take your name and your games out of it. Only your own token can do that."""
    me = visitor_of(request).own_device
    await (circles.forget_me(circle, me) if data.forget else circles.leave(circle, me))


API = [
    list_circles,
    start_circle,
    join_circle,
    circle_told,
    circle_scores,
    circle_games,
    member_against,
    open_circle_table,
    leave_circle,
]
