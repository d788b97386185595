"""Where the throws of the day are found: pages, and what programs read and do."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from litestar.response import Redirect

from kasta.dice import day_id
from kasta.edge.http import Visit, back_to, device, html, posted, spoken
from kasta.edge.problems import REFUSALS
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.day.pages import DayPages
from kasta.features.day.play import play_day
from kasta.features.day.service import Days, day_after
from kasta.features.day.store import DayDice
from kasta.live.dependencies import TheJoining, TheService, TheSigner
from kasta.wire.tables import Body, Name, Opened, tell

DAYS_TOLD = 31  # to programs

TheDays = NamedDependency[Days]
TheDayPages = NamedDependency[DayPages]

Game = Annotated[str, PathParameter(description="The name of a game.", max_length=64)]
Day = Annotated[str, PathParameter(description="A day of UTC, such as 2026-11-16.", max_length=10)]


class DayState(msgspec.Struct, frozen=True):
    """The dice of a game on a day. `table` stands for a table's id where throws are worked out.

    `published` is when the commitment was, in seconds since 1970. The `secret` revealed when the day is over.
    """

    day: str
    game: str
    table: str
    commitment: str
    published: float
    secret: str | None


class DayTold(msgspec.Struct, frozen=True):
    """How a day went: how many have each total, what the bot `best` made of it, and your own.

    Until you have finished, or the secret is told, there are no totals.
    """

    day: str
    game: str
    totals: dict[int, int]
    best: int | None
    total: int | None
    place: int | None
    percentile: int | None


class NewTry(Body, frozen=True):
    name: Name


def _visitor(request: Visit) -> str | None:
    found: str | None = visitor_of(request).device
    return found


@get("/day")
async def all_games(request: Visit, day_pages: TheDayPages) -> Response[str]:
    page = await day_pages.all(_visitor(request), spoken(request))
    return html(render(spoken(request), "day/today.html", page))


@get("/day/{game:str}")
async def today(request: Visit, game: Game, days: TheDays, day_pages: TheDayPages) -> Response[str]:
    return await _show(request, await days.today(), game, day_pages)


@get("/day/{game:str}/{day:str}")
async def one_day(request: Visit, game: Game, day: Day, day_pages: TheDayPages) -> Response[str]:
    return await _show(request, day, game, day_pages)


async def _show(request: Visit, day: str, game: str, day_pages: DayPages) -> Response[str]:
    page = await day_pages.one(day, game, _visitor(request), spoken(request), visitor_of(request).origin)
    return html(render(spoken(request), "day/page.html", page))


@post("/day/{game:str}/{day:str}")
async def begin(
    request: Visit, game: Game, day: Day, service: TheService, days: TheDays, joining: TheJoining
) -> Redirect:
    """Begin, or go on."""
    await joining.count_opening(visitor_of(request).address)
    name = spoken(request).say("Player {number}", number=1)
    return back_to((await play_day(service, days, device(request), game, day, name)).id)


@post("/day/{game:str}/{day:str}/name")
async def be_named(request: Visit, game: Game, day: Day, day_pages: TheDayPages) -> Redirect:
    name = str((await posted(request)).get("name", "")).strip()
    await day_pages.show_name(day, game, device(request), name)
    return Redirect(f"/day/{game}/{day}", status_code=303)


@get("/days", operation_id="days", responses=REFUSALS)
async def told_days(days: TheDays) -> list[DayState]:
    """The dice of tomorrow, of today and of the last month, the latest day first."""
    since = day_after(await days.prepare(), -DAYS_TOLD)
    return [_told(each) for each in await days.book.since(since)]


@get("/days/{game:str}/{day:str}", operation_id="day", responses=REFUSALS)
async def told_day(request: Visit, game: Game, day: Day, day_pages: TheDayPages) -> DayTold:
    """How a day went."""
    page = await day_pages.one(day, game, _visitor(request), spoken(request))
    mine = page.result
    own = (mine.total, mine.place, mine.percentile) if mine else (None, None, None)
    return DayTold(day, game, page.counts, page.best, *own)


@post("/days/{game:str}/{day:str}", operation_id="begin_day", responses=REFUSALS)
async def begin_by_program(
    request: Visit,
    game: Game,
    day: Day,
    data: JSONBody[NewTry],
    service: TheService,
    days: TheDays,
    joining: TheJoining,
    signer: TheSigner,
) -> Opened:
    """Begin the one try that counts for your token, or go on with it; once it is over, play for fun."""
    await joining.count_opening(visitor_of(request).address)
    me = device(request)
    table = await play_day(service, days, me, game, day, data.name)
    return Opened(table.id, visitor_of(request).token(signer), None, tell(table, me, service.silence(table.id)))


def _told(dice: DayDice) -> DayState:
    return DayState(dice.day, dice.game, day_id(dice.day, dice.game), dice.commitment, dice.made, dice.told_secret)


PAGES = [all_games, today, one_day, begin, be_named]
API = [told_days, told_day, begin_by_program]
