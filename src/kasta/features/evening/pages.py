"""An evening, or a league: games that follow on each other, with a running table, on a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litestar import Response, get
from litestar.params import FromPath

from kasta.edge.fair_queue import draw_in_thread
from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.live.dependencies import TheService
from kasta.tables import rights
from kasta.tables.evening import EveningStanding, handicaps, standings
from kasta.tables.state import Table
from kasta.tables.view import MOST_BEST, MOST_LISTED

MOST_GAMES = 30  # that are listed; what was before is in the tally
SLOW = (r"/t/[^/]+/evening",)
BEST_OF = (3, 5, 7, 9, 11)


@dataclass(frozen=True, slots=True)
class EveningPlayer:
    """Somebody of the evening; `seat` and `level` are those at the newest table, None if they are gone."""

    name: str
    wins: int
    points: int
    seat: int | None
    level: str | None
    handicap: int


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening: what each player made of it, and whether that won; None for who was not there."""

    number: int
    table: str
    title: str
    is_over: bool
    totals: tuple[int | None, ...]
    most: int | None


@dataclass(frozen=True, slots=True)
class EveningPage:
    """evening/page.html: `table` is the newest one, where the evening goes on."""

    table: str
    link: str
    players: tuple[EveningPlayer, ...]
    games: tuple[EveningGame, ...]
    best_of: int | None
    lengths: tuple[int, ...]
    verdict: str
    is_over: bool
    may_agree: bool
    may_go_on: bool
    choices: tuple[tuple[str, str], ...]  # what may be played next: its value and its title
    now: str


@get("/t/{table:str}/evening")
async def show(request: Visit, table: FromPath[str], service: TheService) -> Response[str]:
    games = await service.evening(table, MOST_GAMES)
    visitor = visitor_of(request)
    link = f"{visitor.origin}/t/{games[-1].id}/evening"
    page = await draw_in_thread(visitor.address, evening_page, games, str(visitor.device), link, spoken(request))
    return html(render(spoken(request), "evening/page.html", page))


def evening_page(games: Sequence[Table], me: str, link: str, words: Words) -> EveningPage:
    newest, ranked = games[-1], standings(games)
    listed = _listed(ranked, newest, me)
    given, levels = handicaps(newest), dict(newest.agreed.levels)
    return EveningPage(
        newest.id,
        link,
        tuple(
            EveningPlayer(
                player.name,
                player.wins,
                player.points,
                player.seat,
                None if player.seat is None else levels.get(player.seat),
                0 if player.seat is None else given.get(player.seat, 0),
            )
            for player in listed
        ),
        tuple(_played(number, table, ranked, listed, words) for number, table in enumerate(games)),
        newest.agreed.best_of,
        tuple(sorted({*BEST_OF, *([newest.agreed.best_of] if newest.agreed.best_of else [])})),
        _verdict(newest.agreed.best_of, ranked, words),
        newest.is_closed,
        rights.host(newest, me) is None,
        rights.rematch(newest, me) is None,
        tuple(
            (f"{traits.name}/{rules}", f"{traits.heading(words)}: {traits.rule_set_title(words, rules)}")
            for traits in GAMES.working()
            for rules in traits.rule_sets
        ),
        f"{newest.game.name}/{newest.game.rules}",
    )


def _listed(ranked: Sequence[EveningStanding], newest: Table, me: str) -> Sequence[EveningStanding]:
    """Of a crowd, the best and who plays at this device."""
    if len(ranked) <= MOST_LISTED:
        return ranked
    own = newest.devices.get(me, ())
    return [player for place, player in enumerate(ranked) if place < MOST_BEST or player.seat in own]


def _played(
    number: int,
    table: Table,
    ranked: Sequence[EveningStanding],
    listed: Sequence[EveningStanding],
    words: Words,
) -> EveningGame:
    totals = tuple(player.totals.get(number) for player in listed)
    most = max((player.totals[number] for player in ranked if number in player.totals), default=None)
    return EveningGame(number + 1, table.id, table.game.traits.heading(words), table.is_closed, totals, most)


def _verdict(best_of: int | None, ranked: Sequence[EveningStanding], words: Words) -> str:
    """Who has won the evening, or what it takes."""
    if best_of is None:
        return ""
    needed = best_of // 2 + 1
    winner = next((player.name for player in ranked if player.wins >= needed), None)
    if winner is not None:
        return words.say("{name} wins the evening!", name=winner)
    return words.say("Best of {games}: whoever wins {number} first has won.", games=best_of, number=needed)


PAGES = [show]
