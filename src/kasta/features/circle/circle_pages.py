"""Makes the pages of a circle from what is kept of it."""

from __future__ import annotations

import math
from asyncio import gather
from dataclasses import dataclass

from markupsafe import Markup

from kasta.dice import day_of
from kasta.features.circle import views
from kasta.features.circle.model import Membership
from kasta.features.circle.service import Circles, group_of
from kasta.features.circle.store import MyCircle
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.live.groups import Groups
from kasta.page.models import GameCard, game_card
from kasta.results.model import Ruled

MOST_ROWS = 600  # of games that evenings are made of
MOST_EVENINGS = 10  # on a page
SHOWN_EVENINGS = 3  # on the circle's own page
FIRST_ROWS = 120  # for these


@dataclass(frozen=True, slots=True)
class CirclesPage:
    """circle/all.html: the circles of a device, and a form for a new one."""

    circles: tuple[MyCircle, ...]
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CirclePage:
    """circle/page.html: `shown` is the game whose table of points is shown, None before the first."""

    id: str
    name: str
    link: str
    me: views.CirclePerson
    members: tuple[views.CirclePerson, ...]
    running: tuple[views.RunningTable, ...]
    games: tuple[GameCard, ...]
    choices: tuple[views.CircleChoice, ...]
    seasons: tuple[views.CircleChoice, ...]
    lines: tuple[views.CircleLine, ...]
    records: tuple[views.CircleRecord, ...]
    evenings: tuple[views.CircleEvening, ...]
    sections: tuple[Markup, ...]  # of other features


@dataclass(frozen=True, slots=True)
class EveningsPage:
    """circle/evenings.html: `earlier` is where the next page begins, if there is one."""

    id: str
    name: str
    evenings: tuple[views.CircleEvening, ...]
    earlier: float | None


@dataclass(frozen=True, slots=True)
class MemberPage:
    """circle/member.html: one member against each other."""

    id: str
    name: str
    who: views.CirclePerson
    seasons: tuple[views.CircleChoice, ...]
    lines: tuple[views.PairLine, ...]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """circle/people.html: who belongs to it, how others come in, and what one may change."""

    id: str
    name: str
    link: str
    me: views.CirclePerson
    members: tuple[views.CirclePerson, ...]
    marks: tuple[int, ...]


async def circle_page(
    circles: Circles,
    groups: Groups,
    here: Membership,
    device: str,
    wanted: Ruled,
    season: int,
    link: str,
    words: Words,
) -> CirclePage:
    circle, me, store, today = here.circle, here.me.id, circles.store, day_of(here.now)
    known, scores, last, tables, showing, sections = await gather(
        store.seasons(circle.id),
        store.all_scores(circle.id, season),
        store.games_before(circle.id, math.inf, FIRST_ROWS),
        circles.tables(circle.id, device),
        store.showing(circle.id),
        groups.shown(group_of(here), device, words),
    )
    played = sorted(scores, key=lambda each: -sum(score.games for score in scores[each].values()))
    shown = wanted if wanted in scores else next(iter(played), None)
    strengths = await store.strengths.shown(showing, shown) if shown else {}
    return CirclePage(
        circle.id,
        circle.name,
        link,
        views.person(here.me, me),
        tuple(views.person(each, me) for each in here.present),
        views.running(tables, here.members, device, words),
        tuple(game_card(traits, words) for traits in GAMES.working()),
        views.choices(dict.fromkeys(played), shown, circle.id, season, words),
        views.seasons(known, season, circle.id, shown, today, words),
        views.lines(scores[shown], here.members, me, {each: one.told(words) for each, one in strengths.items()})
        if shown
        else (),
        views.records(scores, here.members, today, words),
        tuple(views.evenings(last, here.members, me, today, words)[:SHOWN_EVENINGS]),
        tuple(sections),
    )


async def evenings_page(circles: Circles, here: Membership, before: float, words: Words) -> EveningsPage:
    circle, today = here.circle, day_of(here.now)
    games = await circles.store.games_before(circle.id, before, MOST_ROWS)
    found = views.evenings(games, here.members, here.me.id, today, words)
    is_cut = len(games) == MOST_ROWS
    whole = found[:-1] if is_cut and len(found) > 1 else found
    shown = whole[:MOST_EVENINGS]
    earlier = shown[-1].began if shown and (is_cut or len(shown) < len(found)) else None
    return EveningsPage(circle.id, circle.name, tuple(shown), earlier)


async def member_page(circles: Circles, here: Membership, member: str, season: int, words: Words) -> MemberPage:
    circle, me, store = here.circle, here.me.id, circles.store
    known, pairs = await gather(store.seasons(circle.id), store.pairs(circle.id, member, season))
    return MemberPage(
        circle.id,
        circle.name,
        views.person(here.members[member], me),
        views.seasons(known, season, f"{circle.id}/member/{member}", None, day_of(here.now), words),
        views.pair_lines(pairs, here.members, me),
    )
