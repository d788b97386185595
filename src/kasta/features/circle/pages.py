"""Circles as people see them. Who is not in a circle finds nothing at its addresses."""

from __future__ import annotations

import math
from asyncio import gather
from dataclasses import dataclass

from litestar import Response, get, post
from litestar.datastructures import FormMultiDict
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from kasta.edge.http import Visit, back_to, device, html, posted, spoken, whole_number
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal
from kasta.features.circle import views
from kasta.features.circle.circle_pages import (
    CirclesPage,
    PeoplePage,
    circle_page,
    evenings_page,
    member_page,
)
from kasta.features.circle.model import Membership
from kasta.features.circle.service import Circles
from kasta.live.groups import Groups
from kasta.live.qr import qr_svg
from kasta.page.sheet_html import SHAPES

TheCircles = NamedDependency[Circles]
TheGroups = NamedDependency[Groups]

MARKS = tuple(range(len(SHAPES)))


@dataclass(frozen=True, slots=True)
class InvitedPage:
    """circle/invited.html: where a circle's link leads."""

    secret: str
    name: str
    marks: tuple[int, ...]
    mark: int  # that few have


@dataclass(frozen=True, slots=True)
class CircleLinkPage:
    """circle/link.html: a link with its QR code, by which others come in, or another device of one's own."""

    id: str
    name: str
    link: str
    qr: Markup
    is_own: bool


@dataclass(frozen=True, slots=True)
class OwnDevicePage:
    """circle/device.html: where the link for another device of one's own leads."""

    circle: str


@dataclass(frozen=True, slots=True)
class GonePage:
    """circle/gone.html: for those who have left."""

    id: str
    name: str


@get("/circles")
async def all_circles(request: Visit, circles: TheCircles) -> Response[str]:
    circles.check_on()
    mine = await circles.mine(visitor_of(request).device)
    return html(render(spoken(request), "circle/all.html", CirclesPage(tuple(mine), MARKS)))


@post("/circles")
async def found(request: Visit, circles: TheCircles) -> Redirect:
    form = await posted(request)
    visitor = visitor_of(request)
    made = await circles.found(visitor, visitor.own_device, str(form.get("circle", "")), *_who(form))
    return _to(made)


@get("/circles/join/{secret:str}")
async def invited(request: Visit, secret: FromPath[str], circles: TheCircles) -> Response[str] | Redirect:
    circle = await circles.invited(secret)
    if circle.id in {each.id for each in await circles.mine(visitor_of(request).device)}:
        return _to(circle.id)
    page = InvitedPage(secret, circle.name, MARKS, await circles.rare_mark(circle.id))
    return html(render(spoken(request), "circle/invited.html", page))


@post("/circles/join/{secret:str}")
async def join(request: Visit, secret: FromPath[str], circles: TheCircles) -> Redirect:
    visitor = visitor_of(request)
    return _to(await circles.join(secret, visitor, visitor.own_device, *_who(await posted(request))))


@get("/circle/{circle:str}")
async def show(request: Visit, circle: FromPath[str], circles: TheCircles, groups: TheGroups) -> Response[str]:
    here = await circles.known(circle, device(request))
    if here.me.gone is not None:
        return html(render(spoken(request), "circle/gone.html", GonePage(circle, here.circle.name)))
    asked = request.query_params
    wanted = asked.get("game", ""), asked.get("rules", "")
    season = whole_number(asked.get("season")) or 0
    me, said, link = device(request), spoken(request), _link(request, here)
    page, _ = await gather(
        circle_page(circles, groups, here, me, wanted, season, link, said), groups.seen(circle, me)
    )
    return html(render(spoken(request), "circle/page.html", page))


@get("/circle/{circle:str}/evenings")
async def evenings(request: Visit, circle: FromPath[str], circles: TheCircles) -> Response[str]:
    here = await circles.of(circle, device(request))
    page = await evenings_page(circles, here, _before(request), spoken(request))
    return html(render(spoken(request), "circle/evenings.html", page))


@get("/circle/{circle:str}/member/{member:str}")
async def one_member(
    request: Visit, circle: FromPath[str], member: FromPath[str], circles: TheCircles
) -> Response[str]:
    here = await circles.of(circle, device(request))
    if member not in here.members:
        raise Illegal("no_such_circle")
    season = whole_number(request.query_params.get("season")) or 0
    page = await member_page(circles, here, member, season, spoken(request))
    return html(render(spoken(request), "circle/member.html", page))


@get("/circle/{circle:str}/people")
async def people(request: Visit, circle: FromPath[str], circles: TheCircles) -> Response[str]:
    here = await circles.of(circle, device(request))
    me = here.me.id
    members = tuple(views.person(each, me) for each in here.present)
    page = PeoplePage(circle, here.circle.name, _link(request, here), views.person(here.me, me), members, MARKS)
    return html(render(spoken(request), "circle/people.html", page))


@get("/circle/{circle:str}/link")
async def link(request: Visit, circle: FromPath[str], circles: TheCircles) -> Response[str]:
    here = await circles.of(circle, device(request))
    address = _link(request, here)
    page = CircleLinkPage(circle, here.circle.name, address, qr_svg(address), is_own=False)
    return html(render(spoken(request), "circle/link.html", page))


@post("/circle/{circle:str}/play")
async def play(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    """Open a table, and invite all."""
    game, _, rules = str((await posted(request)).get("game", "")).partition("/")
    return back_to((await circles.open(circle, visitor_of(request), game, rules or None)).id)


@post("/circle/{circle:str}/sit")
async def sit(request: Visit, circle: FromPath[str], circles: TheCircles, groups: TheGroups) -> Redirect:
    table = str((await posted(request)).get("table", ""))
    await circles.sit(circle, visitor_of(request), table)
    await groups.seen(circle, device(request))
    return back_to(table)


@post("/circle/{circle:str}/me")
async def rename_me(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    await circles.rename_me(circle, device(request), *_who(await posted(request)))
    return _to(circle, "/people")


@post("/circle/{circle:str}/name")
async def rename(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    await circles.rename(circle, device(request), str((await posted(request)).get("circle", "")))
    return _to(circle, "/people")


@post("/circle/{circle:str}/new-link")
async def renew_link(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    await circles.renew_link(circle, visitor_of(request).own_device)
    return _to(circle, "/link")


@post("/circle/{circle:str}/season")
async def new_season(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    await circles.new_season(circle, visitor_of(request).own_device)
    return _to(circle)


@post("/circle/{circle:str}/remove")
async def remove(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    member = str((await posted(request)).get("member", ""))
    await circles.remove(circle, visitor_of(request).own_device, member)
    return _to(circle, "/people")


@post("/circle/{circle:str}/leave")
async def leave(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    """Leave, and take one's name out of everything if it is wished."""
    me = visitor_of(request).own_device
    if (await posted(request)).get("forget"):
        await circles.forget_me(circle, me)
    else:
        await circles.leave(circle, me)
    return Redirect("/circles", status_code=303)


@post("/circle/{circle:str}/device", status_code=200)
async def make_device_link(request: Visit, circle: FromPath[str], circles: TheCircles) -> Response[str]:
    """A link with which another device becomes the same member."""
    visitor = visitor_of(request)
    here = await circles.of(circle, visitor.own_device)
    secret = await circles.device_link(circle, visitor.own_device)
    address = f"{visitor.origin}/circles/device/{circle}#{secret}"
    page = CircleLinkPage(circle, here.circle.name, address, qr_svg(address), is_own=True)
    return html(render(spoken(request), "circle/link.html", page))


@get("/circles/device/{circle:str}")
async def own_device(request: Visit, circle: FromPath[str], circles: TheCircles) -> Response[str]:
    """Its secret stands after #, and only pressing the button uses it; without a script the link is pasted."""
    circles.check_on()
    return html(render(spoken(request), "circle/device.html", OwnDevicePage(circle)))


@post("/circles/device/{circle:str}")
async def add_device(request: Visit, circle: FromPath[str], circles: TheCircles) -> Redirect:
    secret = str((await posted(request)).get("secret", "")).strip().rpartition("#")[2]
    await circles.add_device(circle, secret, visitor_of(request).own_device)
    return _to(circle)


def _who(form: FormMultiDict) -> tuple[str, int]:
    """A name and a mark."""
    return str(form.get("name", "")), whole_number(form.get("mark"), least=0) or 0


def _link(request: Visit, here: Membership) -> str:
    return f"{visitor_of(request).origin}/circles/join/{here.circle.secret}"


def _to(circle: str, page: str = "") -> Redirect:
    return Redirect(f"/circle/{circle}{page}", status_code=303)


def _before(request: Visit) -> float:
    """Where a page of evenings begins."""
    try:
        found = float(request.query_params.get("before", "inf"))
    except ValueError:
        return math.inf
    return math.inf if math.isnan(found) else found


PAGES = [
    all_circles,
    found,
    invited,
    join,
    show,
    evenings,
    one_member,
    people,
    link,
    play,
    sit,
    rename_me,
    rename,
    renew_link,
    new_season,
    remove,
    leave,
    make_device_link,
    own_device,
    add_device,
]
