"""The pages where people find challenges."""

from __future__ import annotations

from asyncio import gather
from dataclasses import replace
from typing import Annotated

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter
from litestar.response import Redirect

from kasta.edge.http import Visit, back_to, device, html, posted, spoken, whole_number
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.challenge.groups import Answers, GroupPages
from kasta.features.challenge.pages import ChallengePages
from kasta.features.challenge.service import USUAL_DAYS, Challenges
from kasta.live.dependencies import TheJoining

TheChallenges = NamedDependency[Challenges]
TheChallengePages = NamedDependency[ChallengePages]
TheGroupPages = NamedDependency[GroupPages]
TheAnswers = NamedDependency[Answers]

ChallengeId = Annotated[
    str, PathParameter(description="The id of a challenge.", max_length=64, pattern=r"^[A-Za-z0-9_-]+$")
]


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
    page, groups = await gather(
        challenge_pages.one(one, visitor_of(request), request.query_params), group_challenges.of_host(one, me)
    )
    challenge_answers.seen(one, me)
    return html(render(spoken(request), "challenge/page.html", replace(page, groups=tuple(groups))))


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


PAGES = [new_challenge, make, show, begin, put_to_group]
