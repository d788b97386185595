"""The pages of the throws of the day: what is played, how it went, and what proves the dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from kasta.dice import DAY, day_id, day_of
from kasta.edge.templates import render
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.feature import TodayEntry, TodayThing
from kasta.features.day.service import Days, day_after
from kasta.features.day.store import DayDice, DayDone
from kasta.games import GAMES, find_game
from kasta.i18n import Words
from kasta.page.charts import Column, spread
from kasta.page.end.pattern import DayShare, day_shared, day_total
from kasta.page.models import GameCard, game_card
from kasta.results.collect import ResultCollector
from kasta.results.model import Board, series_kind, standing
from kasta.results.store import Results
from kasta.series.ghost import GhostGame, Ghosts
from kasta.tables.names import clean_name
from kasta.tables.service import Service
from kasta.tables.state import Table
from kasta.tables.view import view

MOST_NAMED = 20  # on the board
MOST_RANKED = 200  # among whom those are looked for who want to be named
DAYS_LISTED = 14
MOST_TALLIED = 15

State = Literal["new", "running", "broken", "done", "missed"]


@dataclass(frozen=True, slots=True)
class DayCard:
    """A game of today: whether the visitor has begun it, and the `total` that came of it."""

    game: GameCard
    is_begun: bool
    total: int | None

    @property
    def is_done(self) -> bool:
        return self.total is not None


@dataclass(frozen=True, slots=True)
class DayStreak:
    """On how many days in a row somebody has finished a game: now, and at most."""

    now: int
    longest: int


@dataclass(frozen=True, slots=True)
class DayResult:
    """What a visitor made of a day: the place among so many, and how many percent of them are behind.

    The table may be forgotten by now.
    """

    table: str | None
    total: int
    place: int
    of: int
    percentile: int
    said: str  # the total, in words
    shown: str | None
    share: DayShare


@dataclass(frozen=True, slots=True)
class DayTotals:
    """How all totals are spread; `mine` and `best` are where the columns of these begin."""

    columns: tuple[Column, ...]
    step: int
    middle: int
    mine: int | None
    best: int | None


@dataclass(frozen=True, slots=True)
class DayFact:
    """A day's dice as anybody may know them."""

    day: str
    game: str
    id: str
    commitment: str
    secret: str | None
    is_early: bool  # published before the day began


@dataclass(frozen=True, slots=True)
class DayPage:
    """day/page.html: one game on one day. `state` is how far the visitor's try has come; broken: given up."""

    game: GameCard
    fact: DayFact
    tomorrow: DayFact | None
    is_today: bool
    state: State
    ends: str  # the moment, as <time> takes it
    result: DayResult | None
    counts: dict[int, int]  # how many have each total
    totals: DayTotals | None
    best: int | None
    streak: DayStreak
    board: tuple[tuple[int, str, int], ...]
    has_names: bool  # whether whoever hosts the server lets people be named
    earlier: tuple[DayFact, ...]


@dataclass(frozen=True, slots=True)
class DayHome:
    """day/home.html: the section of the home page, and the leaf of the page of today."""

    day: str
    cards: tuple[DayCard, ...]
    others: tuple[TodayThing, ...]  # what other features have today
    streak: DayStreak
    tally: tuple[str, ...]

    @property
    def number(self) -> int:
        """Of the day in its month."""
        return int(self.day[-2:])


@dataclass(frozen=True, slots=True)
class DaysPage:
    """day/today.html: all games of today, and what was published for tomorrow."""

    leaf: DayHome
    ends: str  # the moment, as <time> takes it
    facts: tuple[DayFact, ...]
    tomorrow: tuple[DayFact, ...]


def streak(days: Iterable[str], today: str) -> DayStreak:
    """In a row up to today, or to yesterday while today can still be played."""
    played, longest, run = sorted(set(days)), 0, 0
    before = ""
    for day in played:
        run = run + 1 if before and day_after(before) == day else 1
        longest, before = max(longest, run), day
    is_alive = before in {today, day_after(today, -1)}
    return DayStreak(run if is_alive else 0, longest)


def tally(days: int) -> tuple[str, ...]:
    """Strokes for so many days, as paths: a bundle of five is crossed out, and more than three bundles are cut."""
    bundles = (min(5, days - begun) for begun in range(0, min(days, MOST_TALLIED), 5))
    return tuple(
        "".join(f"M{4 + 6 * stroke} 3l-1 24" for stroke in range(min(count, 4))) + "M0 22L27 7" * (count == 5)  # noqa: PLR2004
        for count in bundles
    )


class DayPages:
    """Makes the pages of the days. `has_names` is whether players may be named on boards."""

    def __init__(
        self,
        service: Service,
        days: Days,
        results: Results,
        collector: ResultCollector,
        ghosts: Ghosts,
        others: Sequence[TodayEntry] = (),
        *,
        has_names: bool,
    ) -> None:
        self._service, self._days, self._results, self._collector = service, days, results, collector
        self._ghosts, self._others, self._has_names = ghosts, others, has_names

    async def leaf(self, device: str | None, words: Words) -> DayHome:
        """All games of today, and what else there is."""
        today, played = await self._days.prepare(), await self._done(device)
        done = {each.game: each.total for each in played if each.day == today}
        row = streak((each.day for each in played), today)
        begun = await self._days.tries.counted(f"{DAY}{today}", device) if device else {}
        cards = (
            DayCard(game_card(traits, words), traits.name in begun, done.get(traits.name))
            for traits in GAMES.working()
        )
        others = [await other(device, words) for other in self._others]
        return DayHome(today, tuple(cards), tuple(others), row, tally(row.now))

    async def home_section(self, device: str | None, words: Words) -> Markup:
        """All games of today, on the home page."""
        return Markup(render(words, "day/home.html", await self.leaf(device, words)))  # noqa: S704 - rendered

    async def all(self, device: str | None, words: Words) -> DaysPage:
        leaf = await self.leaf(device, words)
        today = leaf.day
        facts = [_fact(each) for each in await self._days.book.since(today)]
        by_day = {day: tuple(each for each in facts if each.day == day) for day in (today, day_after(today))}
        return DaysPage(leaf, _end(today), *by_day.values())

    async def one(self, day: str, game: str, device: str | None, words: Words, origin: str = "") -> DayPage:
        """A game on a day. What others made of it is told to who has finished, and to all when the secret is.

        `origin` is where the visitor finds this server.
        """
        dice, today = await self._days.dice(day, game), await self._days.today()
        if day > today:
            raise Unreadable("no_such_day", text=day)
        board = board_of(day, game)
        mine = await self._mine(dice, device) or await self._settled(dice, device)
        totals = await self._known_totals(dice, board, mine)
        best = dice.best if totals else None
        return DayPage(
            game=game_card(GAMES[game], words),
            fact=_fact(dice),
            tomorrow=_fact(await self._days.dice(day_after(today), game)) if day == today else None,
            is_today=day == today,
            state=await self._state(dice, today, device, mine),
            ends=_end(day),
            result=await self._result(mine, device or "", totals, origin, words) if mine else None,
            counts=totals,
            totals=_totals(totals, mine.total if mine else None, best),
            best=best,
            streak=streak((each.day for each in await self._done(device) if each.game == game), today),
            board=await self._named(board, totals) if self._has_names else (),
            has_names=self._has_names,
            earlier=await self._earlier(game, today),
        )

    async def _known_totals(self, dice: DayDice, board: Board, mine: DayDone | None) -> dict[int, int]:
        """How many have each total, for who may know. Then the bot plays, too."""
        if mine is None and dice.told is None:
            return {}
        if totals := await self._results.distribution(board):
            self._ask_ghost(dice)
        return totals

    def _ask_ghost(self, dice: DayDice) -> None:
        async def keep(played: GhostGame) -> None:
            await self._days.book.set_best(dice.day, dice.game, played.total)

        if dice.best is None:
            self._ghosts.ask(dice.given, keep)

    async def show_name(self, day: str, game: str, device: str, name: str) -> None:
        """Be named on the board of a day from now on; without a name, no longer."""
        mine = await self._mine(await self._days.dice(day, game), device)
        if mine is None or (name and not self._has_names):
            raise Illegal("no_board")
        await self._results.show(device, mine.table, clean_name(name) if name else None)

    async def _done(self, device: str | None) -> list[DayDone]:
        return await self._days.book.done(device) if device else []

    async def _mine(self, dice: DayDice, device: str | None) -> DayDone | None:
        mine = (each for each in await self._done(device) if (each.day, each.game) == (dice.day, dice.game))
        return next(mine, None)

    async def _settled(self, dice: DayDice, device: str | None) -> DayDone | None:
        """The visitor's result, if it was not taken up when the game ended, or not yet."""
        tries = await self._days.tries.counted(dice.series, device) if device else {}
        if (table := tries.get(dice.game)) is None:
            return None
        with suppress(KastaError):  # it has not been opened after all
            if (await self._service.table(table)).is_closed:
                await self._collector.take(table)
        return await self._mine(dice, device)

    async def _result(
        self, mine: DayDone, device: str, totals: Mapping[int, int], origin: str, words: Words
    ) -> DayResult:
        place, of, percentile = standing(totals, mine.total)
        said = words.count("{number} point", "{number} points", mine.total)
        share = day_total(find_game(mine.game), mine.day, mine.total, origin, words)
        table: Table | None = None
        with suppress(KastaError):  # it may be forgotten by now
            table = await self._service.table(mine.table)
            share = day_shared(table, view(table, device).mine[0], origin, words) or share
        return DayResult(
            table.id if table else None, mine.total, place, of, round(percentile), said, mine.shown, share
        )

    async def _state(self, dice: DayDice, today: str, device: str | None, mine: DayDone | None) -> State:
        if mine is not None:
            return "done"
        tries = await self._days.tries.counted(dice.series, device) if device else {}
        if (table := tries.get(dice.game)) is None:
            is_new = dice.day == today and dice.told is None
            return "new" if is_new else "missed"
        try:
            now = await self._service.table(table)
        except KastaError:
            return "new" if dice.day == today else "missed"
        return "broken" if now.is_closed else "running"

    async def _named(self, board: Board, totals: Mapping[int, int]) -> tuple[tuple[int, str, int], ...]:
        """Those of the best who want to be named, with their places among all."""
        best = await self._results.ranking(board, MOST_RANKED) if totals else []
        named = [(standing(totals, each.total).place, each.shown, each.total) for each in best if each.shown]
        return tuple(named[:MOST_NAMED])

    async def _earlier(self, game: str, today: str) -> tuple[DayFact, ...]:
        known = await self._days.book.since(day_after(today, -DAYS_LISTED))
        return tuple(_fact(each) for each in known if each.game == game and each.day < today)


def board_of(day: str, game: str) -> Board:
    """The results that are compared on a day."""
    return Board(series_kind(f"{DAY}{day}"), game, find_game(game).rules)


def _end(day: str) -> str:
    return f"{day_after(day)}T00:00Z"


def _fact(dice: DayDice) -> DayFact:
    is_early = day_of(dice.made) < dice.day
    return DayFact(dice.day, dice.game, day_id(dice.day, dice.game), dice.commitment, dice.told_secret, is_early)


def _totals(totals: Mapping[int, int], mine: int | None, best: int | None) -> DayTotals | None:
    """The columns of all totals, with room for that of the bot, which is not counted."""
    drawn = spread({**totals, **({} if best is None else {best: totals.get(best, 0)})}) if totals else None
    if drawn is None:
        return None

    def column(total: int | None) -> int | None:
        return None if total is None else total - total % drawn.step

    middle = spread(totals)
    return DayTotals(drawn.columns, drawn.step, middle.middle if middle else 0, column(mine), column(best))
