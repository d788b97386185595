"""My games: what this device has played to the end, even if the table is gone; to take along, or to delete."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect
from markupsafe import Markup

from kasta.db.personal import delete_all, move_all
from kasta.edge.http import Visit, device, html, posted, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.errors import Illegal, KastaError
from kasta.features.my_games.service import MyGames
from kasta.features.my_games.statistics import Statistics, day_of, ruled, statistics
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.i18n.dates import day_noted
from kasta.live.dependencies import TheJoining
from kasta.live.qr import qr_svg
from kasta.page.end.book import Stamp, stamps
from kasta.page.models import company
from kasta.results.model import POCKET, Result, Ruled
from kasta.results.own import OwnBook, earned
from kasta.results.store import PERSONAL as RESULTS
from kasta.results.strength import LEAST, StrengthTally
from kasta.results.titles import is_known, title_of
from kasta.tables.service import Service
from kasta.tables.state import Table

TheMyGames = NamedDependency[MyGames]

ON_A_PAGE = 12
MOST_DRAWN = 100  # games that statistics are made of
PAUSE = 50  # games that are packed without a pause


@dataclass(frozen=True, slots=True)
class MyGame:
    """A finished game. Its table, and who else played, are known as long as the table is kept.

    `review` is the address of its review, if there can be one.
    """

    table: str | None
    review: str | None
    theme: str
    title: str
    ended: str
    total: int
    about: str


@dataclass(frozen=True, slots=True)
class StatisticsLink:
    """A game that was played by a rule set, how often, and where its statistics are."""

    title: str
    count: int
    href: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class OwnStrength:
    """How strong the visitor is, in words, by so many games; empty after fewer than `least`."""

    told: str
    games: int
    is_shown: bool
    least: int = LEAST


@dataclass(frozen=True, slots=True)
class MyGamesPage:
    """my_games/page.html; `unreviewed` of the games that are drawn could have a review, `waiting` will."""

    count: int
    has_answers: bool  # to puzzles
    games: tuple[MyGame, ...]
    choices: tuple[StatisticsLink, ...]
    statistics: Statistics | None
    strength: OwnStrength | None  # None where no game of a day or a challenge was reviewed
    stamps: tuple[Stamp, ...]  # what was earned in the game that is shown
    unreviewed: int
    waiting: int
    shown: Ruled | None
    number: int
    last: int
    query: str


@dataclass(frozen=True, slots=True)
class CountPage:
    """my_games/delete.html: how many games there are, and whether puzzles were answered."""

    count: int
    has_answers: bool


@dataclass(frozen=True, slots=True)
class TakeAlongPage:
    """my_games/link.html: the link that takes the games along to another device."""

    link: str
    qr: Markup


@dataclass(frozen=True, slots=True)
class TakePage:
    """my_games/take.html: where that link leads."""


@get("/games")
async def show(request: Visit, my_games: TheMyGames) -> Response[str]:
    asked = request.query_params
    number = asked.get("page", "1")
    page = await my_games_page(
        my_games,
        device(request),
        (asked.get("game", ""), asked.get("rules", "")),
        int(number) if re.fullmatch(r"[1-9]\d{0,5}", number, re.ASCII) else 1,
        spoken(request),
    )
    return html(render(spoken(request), "my_games/page.html", page))


async def my_games_page(my_games: MyGames, me: str, wanted: Ruled, number: int, words: Words) -> MyGamesPage:
    """A page of a device's games, and statistics of one: the one that is wanted, or was played most."""
    known = {each: count for each, count in (await my_games.results.played(me)).items() if is_known(each)}
    shown = wanted if wanted in known else next(iter(known), None)
    count = sum(known.values())
    last = max(1, -(-count // ON_A_PAGE))
    number = min(number, last)
    found = await my_games.results.of_device(me, ON_A_PAGE, (number - 1) * ON_A_PAGE)
    drawn = await my_games.results.of_device(me, MOST_DRAWN, 0, shown) if shown else []
    own = my_games.reviews
    return MyGamesPage(
        count,
        await _has_more(my_games, me),
        tuple([await _my_game(my_games.tables, result, me, words) for result in found if is_known(ruled(result))]),
        tuple(
            StatisticsLink(title_of(each, words), times, f"/games?game={each[0]}&rules={each[1]}", each == shown)
            for each, times in known.items()
        ),
        statistics(drawn, words) if drawn else None,
        await _strength(my_games, me, shown, words) if shown else None,
        await _stamps(my_games, me, shown[0], words) if shown else (),
        len(own.wanting(drawn)),
        own.waiting(me),
        shown,
        number,
        last,
        f"game={shown[0]}&rules={shown[1]}&" if shown else "",
    )


async def _strength(my_games: MyGames, me: str, ruled: Ruled, words: Words) -> OwnStrength | None:
    tally = await my_games.strengths.own(me, ruled)
    if not tally.games or ruled[1] not in GAMES[ruled[0]].par:
        return None
    return _own_strength(tally, ruled, words, is_shown=await my_games.strengths.is_shown(me))


def _own_strength(tally: StrengthTally, ruled: Ruled, words: Words, *, is_shown: bool) -> OwnStrength:
    found = tally.strength(ruled)
    return OwnStrength(found.told(words) if found else "", tally.games, is_shown)


async def _stamps(my_games: MyGames, me: str, game: str, words: Words) -> tuple[Stamp, ...]:
    """The badges of a game, each with the day on which it was earned first."""
    traits = GAMES[game]
    first = earned(traits, await OwnBook(my_games.results).games(me, game))
    return stamps(traits, {code: day_noted(words, day_of(ended)) for code, ended in first.items()}, words)


async def _my_game(service: Service, result: Result, me: str, words: Words) -> MyGame:
    table: Table | None = None
    with suppress(KastaError):  # it may be forgotten by now, or damaged
        table = await service.table(result.table)
    return MyGame(
        table.id if table else None,
        f"/t/{table.id}/review" if table else _own_review(result),
        GAMES[result.game].theme,
        title_of(ruled(result), words),
        day_of(result.ended),
        result.total,
        " · ".join(_about(result, table, me, words)),
    )


def _own_review(result: Result) -> str | None:
    """Of a game that never had a table here: its sheet alone is reviewed."""
    return f"/games/{result.table}/{result.seat}/review" if result.kind == POCKET else None


def _about(result: Result, table: Table | None, me: str, words: Words) -> Iterator[str]:
    """The place, who else played as far as it is known, and whether somebody helped."""
    if result.seats > 1:
        yield words.say("place {place} of {seats}", place=result.place, seats=result.seats)
    if table is not None and (names := company(table, me)):
        yield words.say("with {names}", names=names)
    if result.is_helped:
        yield words.say("with help")
    if result.kind == POCKET:
        yield words.say("played without a network")


@post("/games/review")
async def review(request: Visit, my_games: TheMyGames) -> Redirect:
    """Have the last games by a rule set reviewed, as far as they are not."""
    form = await posted(request)
    asked = str(form.get("game", "")), str(form.get("rules", ""))
    me = device(request)
    if is_known(asked):
        my_games.reviews.ask(me, await my_games.results.of_device(me, MOST_DRAWN, 0, asked))
    return Redirect(f"/games?{urlencode({'game': asked[0], 'rules': asked[1]})}#luck", status_code=303)


@post("/games/strength")
async def show_strength(request: Visit, my_games: TheMyGames) -> Redirect:
    """Let others see how strong the visitor is, or not any more."""
    form = await posted(request)
    asked = {"game": str(form.get("game", "")), "rules": str(form.get("rules", ""))}
    await my_games.strengths.show(device(request), wish=form.get("show") == "1")
    return Redirect(f"/games?{urlencode(asked)}#strength", status_code=303)


@get("/games/export")
async def export(request: Visit, my_games: TheMyGames) -> Response[bytes]:
    """Everything that is kept for this device: a record of each game, their results, and answers to puzzles."""
    packed, listed = io.BytesIO(), list[str]()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        async for result in my_games.results.export(device(request)):
            name = f"{day_of(result.ended)}-{result.game}-{len(listed) + 1}.jsonl"
            archive.writestr(name, result.lines())
            listed.append(json.dumps(about(result) | {"record": name}))
            if len(listed) % PAUSE == 0:
                await asyncio.sleep(0)
        archive.writestr("games.jsonl", "".join(f"{line}\n" for line in listed))
        for kind in my_games.personal:
            async for name, text in kind.files(my_games.db.fetch, device(request)):
                archive.writestr(name, text)
    headers = {"content-disposition": 'attachment; filename="kasta-games.zip"', "cache-control": "no-store"}
    return Response(packed.getvalue(), media_type="application/zip", headers=headers)


async def _has_more(my_games: MyGames, me: str) -> bool:
    """Whether anything is kept of a device beside its games."""
    return any([await my_games.db.fetch(kind.exists, me) for kind in my_games.personal if kind is not RESULTS])


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def about(result: Result) -> dict[str, object]:
    """A result as its owner may have it: all but what leads to a table or a device."""
    hidden = {"table", "device", "record"}
    fields = {name: getattr(result, name) for name in result.__struct_fields__ if name not in hidden}
    return fields | {"ended": _moment(result.ended)}


@get("/games/delete")
async def ask_to_delete(request: Visit, my_games: TheMyGames) -> Response[str]:
    me = device(request)
    page = CountPage(sum((await my_games.results.played(me)).values()), await _has_more(my_games, me))
    return html(render(spoken(request), "my_games/delete.html", page))


@post("/games/delete")
async def delete(request: Visit, my_games: TheMyGames) -> Redirect:
    await delete_all(my_games.db, my_games.personal, visitor_of(request).own_device)
    return Redirect("/games", status_code=303)


@post("/games/link")
async def make_link(request: Visit, joining: TheJoining) -> Response[str]:
    """A link that takes the games along to another device, and its QR code."""
    secret = joining.signer.games_link(visitor_of(request).own_device)
    link = f"{visitor_of(request).origin}/games/take#{secret}"
    return html(render(spoken(request), "my_games/link.html", TakeAlongPage(link, qr_svg(link))))


@get("/games/take")
async def ask_to_take(request: Visit) -> Response[str]:
    """Its secret stands after #, and only pressing the button uses it; without a script the link is pasted."""
    return html(render(spoken(request), "my_games/take.html", TakePage()))


@post("/games/take")
async def take(request: Visit, my_games: TheMyGames, joining: TheJoining) -> Redirect:
    me = visitor_of(request).own_device
    secret = str((await posted(request)).get("secret", "")).strip().rpartition("#")[2]
    other = joining.signer.games_of(secret)
    if other == me:  # the link stays good for another device
        return Redirect("/games", status_code=303)
    if other is None or not await joining.use_link(secret):
        raise Illegal("link_used")
    await move_all(my_games.db, my_games.personal, other, me)
    return Redirect("/games", status_code=303)


PAGES = [show, review, show_strength, export, ask_to_delete, delete, make_link, ask_to_take, take]
