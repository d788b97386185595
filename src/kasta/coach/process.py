"""What the coach thinks about, in a process of its own that gives way to bots and pages: options and reviews.

Tables take turns: a review is made in short slices, and what others ask comes in between.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from hashlib import sha256
from itertools import count
from math import sqrt
from typing import Any

from kasta.bots.base import Sight, at_level, find_bot, look
from kasta.coach.review import OthersLack, Reviewer, SeatGame, others_lack, seats_of_bots
from kasta.coach.reviewed import ReviewedSeat, reviewed
from kasta.core import Over, Seat, Throw
from kasta.errors import Illegal
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_reviewer, find_valuer
from kasta.jobs.workers import ThinkerPool
from kasta.record import Do, Moment, Roll
from kasta.values import AnyValuer, Option, beside

GIVE_WAY = 10  # a move never waits for the coach: bots are at 5, pages at 0
SLICE_SECONDS = 0.2
MOST_WAITING = 20  # questions of one table
MOST_UNDER_WAY = 8  # reviews that the process has begun
TRIES = 3  # of a review whose process dies
FORMAT = 6  # of what reviews tell, beside the values


class Coach(ThinkerPool):
    """One process for all tables of a node."""

    def __init__(self) -> None:
        super().__init__(1, GIVE_WAY)
        self._keys = count()
        self._under_way = asyncio.Semaphore(MOST_UNDER_WAY)

    async def options(
        self,
        table: str,
        game: AnyGame,
        sheet: Any,  # noqa: ANN401 - of any game
        others_lack: int | None = None,
    ) -> list[Option[Any]]:
        """Everything that can be done on a sheet, best first; `Illegal` if its table asks too much at once.

        At a table, `others_lack` is how many numbers the fullest of the other sheets lacks, where that matters.
        """
        found: list[Option[Any]] = await self._asked(table, _options, game.name, game.rules, sheet, others_lack)
        return found

    async def best(self, client: str, game: AnyGame, sheet: Any) -> Any:  # noqa: ANN401 - of any game
        """What the strongest bot does on a sheet; the same on equal ones."""
        return await self._asked(client, _best, game.name, game.rules, sheet)

    async def values(self, game: AnyGame) -> str:
        """The fingerprint of a game's values: reviews by others are made again."""
        return str(await self._asked("", _values, game.name, game.rules))

    async def review(self, table: str, played: SeatGame) -> AsyncGenerator[ReviewedSeat]:
        """A seat's review while it grows. Tables take turns; a table has one under way at a time."""
        async with self._under_way:
            tries, key = TRIES, next(self._keys)
            while True:
                try:
                    found: ReviewedSeat | None = await self._asked(table, _go_on, key, None)
                    found = found or await self._asked(table, _go_on, key, played)
                except BrokenProcessPool:
                    tries -= 1
                    if not tries:
                        raise
                    continue
                yield found
                if found.is_done:
                    return

    async def _asked(self, table: str, function: Callable[..., Any], *asked: object) -> Any:  # noqa: ANN401
        if table and self._waiting.count(table) >= MOST_WAITING:
            raise Illegal("too_many_questions")
        return await self.ask(table, function, *asked)


# ---- what is done in the process


_growing: dict[int, Iterator[ReviewedSeat]] = {}


def _options(
    name: str,
    rules: str,
    sheet: Any,  # noqa: ANN401 - of any game
    others_lack: int | None = None,
) -> list[Option[Any]]:
    return beside(find_valuer(find_game(name, rules)), others_lack).options(sheet)


def _best(name: str, rules: str, sheet: Any) -> Any:  # noqa: ANN401 - of any game
    game = find_game(name, rules)
    mood = random.Random(repr(sheet))  # noqa: S311 - no dice
    return find_bot(at_level("best", game), game).choose(Sight(game, sheet), game.solo.legal(sheet), mood)


def _values(name: str, rules: str) -> str:
    game = find_game(name, rules)
    return values_of(game, find_reviewer(game))


def values_of(game: AnyGame, valuer: AnyValuer) -> str:
    """A fingerprint of a valuer: by what it says of the start and of a first throw."""
    start = game.solo.start()
    said = [valuer.spread, valuer.value(start)]
    if isinstance(throw := game.solo.next(start), Throw):
        said.append(valuer.value(game.solo.throw(start, (1,) * throw.dice)))
    text = " ".join([str(FORMAT), game.name, game.rules, *(f"{value:.6g}" for value in said)])
    return sha256(text.encode()).hexdigest()[:16]


def _go_on(key: int, played: SeatGame | None) -> ReviewedSeat | None:
    """A slice more of a review; None for one that is not known here, and then it is begun with what was played."""
    if played is not None:
        _growing[key] = _grow(played)
    if key not in _growing:
        return None
    until = time.monotonic() + SLICE_SECONDS
    for found in _growing[key]:
        if found.is_done:
            del _growing[key]
            return found
        if time.monotonic() > until:
            return found
    raise AssertionError("a review ends with one that is done")


def _grow(played: SeatGame) -> Iterator[ReviewedSeat]:
    """A review, after every step of the seat's game."""
    walk = _along(played) if played.is_ghost else moments(played)
    first = next(walk)
    valuer = find_reviewer(first.game)
    bots = seats_of_bots(step for _, step in played.steps)
    reviewer = Reviewer(first, valuer, (played.seat,), bots, others_lack_in(played))
    values = values_of(first.game, valuer)
    one, minds = reviewer.reviews[played.seat], 0.0  # the squares of all changes of mind
    so_far = partial(reviewed, one, first.game, values=values, spread=valuer.spread)
    for moment in walk:
        drift, moves = one.drift, len(one.moves)
        reviewer.take(moment)
        minds += (one.drift - drift) ** 2
        if len(one.moves) > moves:
            yield so_far(luck_error=sqrt(minds), is_done=False)
    yield so_far(luck_error=sqrt(minds), is_done=True)


def others_lack_in(played: SeatGame) -> OthersLack:
    """How near the others were to the end, of which a seat's game does not have all sheets."""
    lines = [line for line, step in played.steps if isinstance(step, Roll)]
    fullest = dict(zip([1, *lines], [*played.fullest[:1], *played.fullest], strict=False))

    def found(moment: Moment, seat: Seat) -> int | None:
        if moment.line not in fullest:
            return others_lack(moment, seat)
        lacks = getattr(moment.game.solo, "lacks", None)
        own = lacks(moment.game.sheet(moment.table, seat)) if lacks and not played.is_ghost else None
        return fullest[moment.line].beside(own)

    return found


def moments(played: SeatGame) -> Iterator[Moment]:
    """Every position of a seat's game, each after its line of the record."""
    header, game = played.header, find_game(played.header.game, played.header.rules)
    table = game.start(len(header.seats))
    yield Moment(header, game, 1, None, table)
    for line, step in played.steps:
        table = step.apply(game, table)
        yield Moment(header, game, line, step, table)


def sheet_before(played: SeatGame, line: int) -> Any:  # noqa: ANN401 - of any game
    """A seat's sheet as it was before a line of the record."""
    sheet = None
    for moment in moments(played):
        if moment.line >= line:
            break
        sheet = moment.game.sheet(moment.table, played.seat)
    return sheet


def _along(played: SeatGame) -> Iterator[Moment]:
    """The best player acts on the same throws as all others, until the game is over for either."""
    header, game = played.header, find_game(played.header.game, played.header.rules)
    bot, rng, ghost = find_bot(at_level("best", game), game), random.Random(0), played.seat  # noqa: S311 - no dice
    table = game.start(len(header.seats))
    yield Moment(header, game, 1, None, table)
    for line, step in played.steps:
        if isinstance(step, Roll) and isinstance(game.next(table), Over):
            return  # the ghost's own sheet was full before the others'
        table = step.apply(game, table)
        yield Moment(header, game, line, step, table)
        while isinstance(step, Roll) and (legal := game.legal(table, ghost)):
            done = Do(ghost, str(bot.choose(look(game, table, ghost), legal, rng)))
            table = done.apply(game, table)
            yield Moment(header, game, line, done, table)
