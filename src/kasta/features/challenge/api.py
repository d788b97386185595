"""Challenges for programs: what they read and do."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from kasta.edge.http import Visit, device
from kasta.edge.problems import REFUSALS
from kasta.edge.visitor import visitor_of
from kasta.features.challenge.comparison import Comparisons
from kasta.features.challenge.routes import ChallengeId, TheChallenges
from kasta.features.challenge.service import MOST_PEOPLE, USUAL_DAYS, Challenges
from kasta.features.challenge.store import BestGame, Challenge, Finished, LegStanding
from kasta.live.dependencies import TheJoining, TheService, TheSigner
from kasta.wire.tables import Body, Name, Opened, tell

MOST_TOLD = 100  # challenges, and results of one game

Skipped = Annotated[int, QueryParameter(ge=0, le=MOST_PEOPLE)]


class NewChallenge(Body, frozen=True):
    """The same throws for all who know its id: new ones of a game, or those of a table of yours that is over."""

    name: Name = ""
    game: str = ""
    rules: str | None = None
    table: str | None = None
    games: int = 1
    days: int = USUAL_DAYS


class NewChallengeTry(Body, frozen=True):
    name: Name
    leg: int = 1


class ChallengeListed(msgspec.Struct, frozen=True):
    """A challenge that you have made or begun, and what you made of its games."""

    challenge: str
    game: str
    rules: str
    name: str
    ends: float
    games: int
    done: dict[int, int]


class ChallengeResult(msgspec.Struct, frozen=True):
    """What somebody made of a game of a challenge."""

    name: str
    total: int
    place: int
    mine: bool


class ChallengeGame(msgspec.Struct, frozen=True):
    """A game of a challenge. Until you have finished it, or the secret is told, there are no results."""

    leg: int
    dice: str
    begun: int
    finished: int
    total: int | None
    best: int | None
    results: list[ChallengeResult]


class ChallengeState(msgspec.Struct, frozen=True):
    """A challenge. Throws are worked out with `dice` in the place of a table's id, and the `secret`."""

    challenge: str
    game: str
    rules: str
    name: str
    published: float
    ends: float
    commitment: str
    secret: str | None
    known: int | None
    legs: list[ChallengeGame]


@get("/challenges", operation_id="challenges", responses=REFUSALS)
async def own_challenges(request: Visit, challenges: TheChallenges) -> list[ChallengeListed]:
    """The last 100 challenges that you have made or begun, the newest first."""
    me = device(request)
    several = await challenges.book.of_device(me, MOST_TOLD)
    done = await challenges.book.done_of(several, me)
    return [_listed(one, done.get(one.id, {})) for one in several]


def _listed(one: Challenge, done: Mapping[int, Finished]) -> ChallengeListed:
    totals = {leg: each.total for leg, each in sorted(done.items())}
    return ChallengeListed(one.id, one.game, one.rules, one.name, one.ends, one.games, totals)


@post("/challenges", operation_id="make_challenge", responses=REFUSALS)
async def make_by_program(
    request: Visit, data: JSONBody[NewChallenge], challenges: TheChallenges, joining: TheJoining
) -> ChallengeState:
    """Make a challenge: new throws, the same for all who know its id."""
    await joining.count_opening(visitor_of(request).address)
    me = device(request)
    if data.table is not None:
        return await _told(await challenges.make_known(me, data.table, data.days), me, challenges)
    one = await challenges.make(me, data.name, data.game, data.rules, data.games, data.days)
    return await _told(one, me, challenges)


@get("/challenges/{challenge:str}", operation_id="challenge", responses=REFUSALS)
async def one_challenge(
    request: Visit, challenge: ChallengeId, challenges: TheChallenges, skip: Skipped = 0
) -> ChallengeState:
    """A challenge. Of each game that you have finished it has your own result, and the best 100 after `skip`."""
    return await _told(await challenges.find(challenge), device(request), challenges, skip)


@post("/challenges/{challenge:str}", operation_id="begin_challenge", responses=REFUSALS)
async def begin_by_program(
    request: Visit,
    challenge: ChallengeId,
    data: JSONBody[NewChallengeTry],
    challenges: TheChallenges,
    service: TheService,
    joining: TheJoining,
    signer: TheSigner,
) -> Opened:
    """Begin the one try of a game that counts for your token, or go on with it; once it is over, play for fun."""
    await joining.count_opening(visitor_of(request).address)
    me = device(request)
    table = await challenges.play(await challenges.find(challenge), data.leg, me, data.name)
    return Opened(table.id, visitor_of(request).token(signer), None, tell(table, me, service.silence(table.id)))


async def _told(one: Challenge, me: str, challenges: Challenges, skip: int = 0) -> ChallengeState:
    book = challenges.book
    done = await challenges.done(one, me, await challenges.tables(one, me))
    legs = await Comparisons(challenges).open_legs(one, me, done)
    standings, begun, bests = await gather(
        book.standings(one, legs, me, range(skip, skip + MOST_TOLD)), book.begun(one), book.bests(one)
    )
    for leg in legs:
        if leg not in bests and standings[leg].finished:
            await challenges.ask_best(one, leg)
    return ChallengeState(
        one.id,
        one.game,
        one.rules,
        one.name,
        one.made,
        one.ends,
        one.commitment,
        one.told_secret,
        one.known.total if one.known else None,
        [
            _leg_told(one.given(leg).id, leg, me, begun[leg], standings.get(leg), bests.get(leg))
            for leg in one.legs
        ],
    )


def _leg_told(
    dice: str, leg: int, me: str, begun: int, standing: LegStanding | None, best: BestGame | None
) -> ChallengeGame:
    """Nothing is told of a game without a `standing`."""
    people = standing.people if standing else ()
    results = [ChallengeResult(each.name or "", each.total, each.place, each.device == me) for each in people]
    mine = next((each.total for each in people if each.device == me), None)
    finished = standing.finished if standing else 0
    return ChallengeGame(leg, dice, begun, finished, mine, best.total if best and people else None, results)


API = [own_challenges, make_by_program, one_challenge, begin_by_program]
