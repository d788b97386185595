"""Where challenges are found: pages, and what programs read and do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from litestar.response import Redirect

from kasta.edge.http import Visit, back_to, device, html, posted, spoken, whole_number
from kasta.edge.problems import REFUSALS
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.challenge.comparison import Comparisons
from kasta.features.challenge.groups import Answers, GroupPages
from kasta.features.challenge.pages import ChallengePages
from kasta.features.challenge.service import USUAL_DAYS, Challenges
from kasta.features.challenge.store import BestGame, Challenge, Finished
from kasta.live.dependencies import TheJoining, TheService, TheSigner
from kasta.wire.tables import Body, Name, Opened, tell

MOST_TOLD = 100

TheChallenges = NamedDependency[Challenges]
TheChallengePages = NamedDependency[ChallengePages]
TheGroupPages = NamedDependency[GroupPages]
TheAnswers = NamedDependency[Answers]

ChallengeId = Annotated[
    str, PathParameter(description="The id of a challenge.", max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
]


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


@get("/challenge")
async def new_challenge(request: Visit, challenge_pages: TheChallengePages) -> Response[str]:
    if table := request.query_params.get("table", ""):
        page = await challenge_pages.of_table(table, device(request), spoken(request))
    else:
        page = challenge_pages.new(request.query_params.get("game", ""), spoken(request))
    return html(render(spoken(request), "challenge/new.html", page))


@post("/challenge")
async def make(
    request: Visit, challenges: TheChallenges, group_challenges: TheGroupPages, joining: TheJoining
) -> Redirect:
    form, visitor = await posted(request), visitor_of(request)
    if group := str(form.get("group", "")):
        await group_challenges.check(group, visitor.known_device)
    await joining.count_opening(visitor.address)
    days = whole_number(form.get("days")) or USUAL_DAYS
    if table := str(form.get("table", "")):
        one = await challenges.make_known(visitor.known_device, table, days)
        return Redirect(f"/challenge/{one.id}", status_code=303)
    one = await challenges.make(
        visitor.known_device,
        str(form.get("name", "")),
        str(form.get("game", "")),
        None,
        whole_number(form.get("games")) or 1,
        days,
    )
    if group:
        await group_challenges.put(one, group, visitor.known_device)
    return Redirect(f"/challenge/{one.id}", status_code=303)


@get("/challenge/{challenge:str}")
async def show(
    request: Visit,
    challenge: ChallengeId,
    challenges: TheChallenges,
    challenge_pages: TheChallengePages,
    group_challenges: TheGroupPages,
    challenge_answers: TheAnswers,
) -> Response[str]:
    one, me = await challenges.find(challenge), device(request)
    groups = await group_challenges.of_host(one, me)
    page = await challenge_pages.one(one, visitor_of(request), request.query_params, groups)
    challenge_answers.seen(one, me)
    return html(render(spoken(request), "challenge/page.html", page))


@post("/challenge/{challenge:str}")
async def begin(
    request: Visit, challenge: ChallengeId, challenges: TheChallenges, joining: TheJoining
) -> Redirect:
    """Begin, or go on; play for fun once it has been played."""
    await joining.count_opening(visitor_of(request).address)
    form, one = await posted(request), await challenges.find(challenge)
    leg = whole_number(form.get("leg")) or 1
    return back_to((await challenges.play(one, leg, device(request), str(form.get("name", "")))).id)


@post("/challenge/{challenge:str}/group")
async def put_to_group(
    request: Visit, challenge: ChallengeId, challenges: TheChallenges, group_challenges: TheGroupPages
) -> Redirect:
    """Put it to a group of whoever made it."""
    one = await challenges.find(challenge)
    await group_challenges.put(one, str((await posted(request)).get("group", "")), device(request))
    return Redirect(f"/challenge/{one.id}", status_code=303)


@get("/challenges", operation_id="challenges", responses=REFUSALS)
async def own_challenges(request: Visit, challenges: TheChallenges) -> list[ChallengeState]:
    """The challenges that you have made or begun, the newest first."""
    me = device(request)
    return [await _told(one, me, challenges) for one in await challenges.book.of_device(me, MOST_TOLD)]


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
async def one_challenge(request: Visit, challenge: ChallengeId, challenges: TheChallenges) -> ChallengeState:
    """A challenge, with all results of the games that you have finished."""
    return await _told(await challenges.find(challenge), device(request), challenges)


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


async def _told(one: Challenge, me: str, challenges: Challenges) -> ChallengeState:
    await challenges.done(one, me, await challenges.tables(one, me))
    legs = await Comparisons(challenges).open_legs(one, me)
    rankings, begun = await challenges.book.rankings(one, legs), await challenges.book.begun(one)
    bests = await challenges.book.bests(one) if legs else {}
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
            _leg_told(one.given(leg).id, leg, me, begun[leg], rankings.get(leg, ()), bests.get(leg))
            for leg in one.legs
        ],
    )


def _leg_told(
    dice: str, leg: int, me: str, begun: int, people: Sequence[Finished], best: BestGame | None
) -> ChallengeGame:
    first = {each.total: place for place, each in reversed([*enumerate(people, 1)])}
    results = [
        ChallengeResult(each.name or "", each.total, first[each.total], each.device == me) for each in people
    ]
    mine = next((each.total for each in people if each.device == me), None)
    return ChallengeGame(leg, dice, begun, mine, best.total if best and people else None, results)


PAGES = [new_challenge, make, show, begin, put_to_group]
API = [own_challenges, make_by_program, one_challenge, begin_by_program]
