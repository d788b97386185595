"""The home page: the games that there are, those that one is in, and the way into a room."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect
from markupsafe import Markup

from kasta.edge.http import Visit, back_to, html, posted, spoken
from kasta.edge.problems import status_of
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import KastaError, Unavailable
from kasta.feature import HomeSection
from kasta.games import GAMES
from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.live.dependencies import TheJoining, TheService
from kasta.page.models import company, game_card
from kasta.page.sheet_model import BlockPart, GridPart
from kasta.page.sheet_picture import dice_picture, sample_picture, sheet_picture
from kasta.page.table_page import TablePage, table_page
from kasta.tables.service import Service
from kasta.tables.state import Table

MOST_OWN = 12  # games that are listed
LONGEST_CODE = 9

TheSections = NamedDependency[list[HomeSection]]


@dataclass(frozen=True, slots=True)
class HomeGame:
    """A game that the visitor is in: with whom, and what it waits for."""

    id: str
    theme: str
    title: str
    company: str
    status: str
    picture: Markup
    is_due: bool  # to do something
    is_over: bool


@dataclass(frozen=True, slots=True)
class GameKind:
    """One of the games of a family; `title` and `size` are empty where it is the only one."""

    name: str
    title: str
    size: str
    blurb: str
    picture: Markup
    dice: Markup


@dataclass(frozen=True, slots=True)
class GameChoice:
    """What the home page shows as one game; `chosen` is the kind that is best known to the visitor."""

    heading: str
    note: str
    theme: str
    kinds: tuple[GameKind, ...]
    chosen: GameKind


@dataclass(frozen=True, slots=True)
class HomePage:
    """home/page.html; a `code` that was typed is there if there is `trouble` with it."""

    games: tuple[GameChoice, ...]
    own: tuple[HomeGame, ...]
    sections: tuple[Markup, ...] = ()  # of other features
    code: str = ""
    trouble: str = ""


@get("/")
async def home(request: Visit, service: TheService, home_sections: TheSections) -> Response[str]:
    return html(await _page(request, service, home_sections))


@post("/join")
async def join(
    request: Visit, joining: TheJoining, service: TheService, home_sections: TheSections
) -> Response[str] | Redirect:
    """Find a room by its code, while its seats are open."""
    code = str((await posted(request)).get("code", ""))
    try:
        return back_to((await joining.find(visitor_of(request), code)).id)
    except Unavailable:
        raise
    except KastaError as error:
        trouble = spoken(request).error(error)
        return html(await _page(request, service, home_sections, code[:LONGEST_CODE], trouble), status_of(error))


async def _page(
    request: Visit, service: Service, sections: list[HomeSection], code: str = "", trouble: str = ""
) -> str:
    said, who = spoken(request), visitor_of(request).device
    tables = await service.tables_of(who, MOST_OWN) if who else []
    page = HomePage(
        choices(GAMES.working(), said),
        tuple(_own_game(service, table, who or "", said) for table in tables),
        tuple([await section(who, said) for section in sections]),
        code,
        trouble,
    )
    return render(said, "home/page.html", page)


def choices(games: Iterable[AnyTraits], words: Words) -> tuple[GameChoice, ...]:
    """Games as they are chosen: those of a family are one."""
    families: dict[str, list[AnyTraits]] = {}
    for traits in games:
        families.setdefault(traits.family or traits.name, []).append(traits)
    return tuple(_choice(family, words) for family in families.values())


def _choice(family: list[AnyTraits], words: Words) -> GameChoice:
    first = family[0]
    known = next((place for place, each in enumerate(family) if words.language in each.known_in), 0)
    kinds = tuple(_kind(each, words, is_only=len(family) == 1) for each in family)
    heading = first.heading(words) if len(family) == 1 else first.say(words, first.family)
    note = first.say(words, first.note) if first.note else ""
    return GameChoice(heading, note, first.theme, kinds, kinds[known])


def _kind(traits: AnyTraits, words: Words, *, is_only: bool) -> GameKind:
    title, size = ("", "") if is_only else (traits.say(words, text) if text else "" for text in traits.member)
    blurb = game_card(traits, words).blurb
    return GameKind(traits.name, title, size, blurb, sample_picture(traits), dice_picture(traits))


def _own_game(service: Service, table: Table, device: str, words: Words) -> HomeGame:
    page = table_page(table, device, words, service.silence(table.id))
    names = company(table, device)
    return HomeGame(
        table.id,
        page.game.theme,
        page.game.heading,
        words.say("with {names}", names=names) if names else "",
        page.status,
        _picture(page, table),
        page.may.throw or bool(page.sheet and page.sheet.is_due),
        page.phase == "over",
    )


def _picture(page: TablePage, table: Table) -> Markup:
    """One's own sheet as it is now."""
    match page.sheet.drawn.part if page.sheet else None:
        case GridPart() as part:
            return sheet_picture(part.grid)
        case BlockPart() as part:
            return sheet_picture(part.block)
    return sample_picture(table.game.traits)


PAGES = [home, join]
