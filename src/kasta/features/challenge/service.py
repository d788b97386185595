"""Challenges: who makes their secret, who may play, and when it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kasta import dice
from kasta.edge.fair_queue import draw_in_thread
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.features.challenge.known import known_game, known_player
from kasta.features.challenge.store import BestGame, Challenge, ChallengeStore, Finished, KnownGame, parts_of
from kasta.features.challenge.together import AllGamesBook
from kasta.games import find_game
from kasta.record import Header, write_record
from kasta.results.collect import ResultCollector
from kasta.results.model import packed
from kasta.results.strength import Strengths
from kasta.series.ghost import GhostGame, Ghosts
from kasta.series.play import SeriesPlay
from kasta.series.telling import Telling
from kasta.series.tries import Tries
from kasta.tables.log import Log
from kasta.tables.names import clean_name
from kasta.tables.opening import new_id
from kasta.tables.service import Service
from kasta.tables.state import Table

DAY = 86_400.0
MOST_DAYS = 14
MOST_GAMES = 5
MOST_PEOPLE = 1_000  # who play one game of a challenge
MOST_RUNNING = 50  # that a device has made
USUAL_DAYS = 3


class Challenges:
    """The challenges of a store, the same at every node."""

    def __init__(
        self, log: Log, service: Service, collector: ResultCollector, ghosts: Ghosts, kept: float
    ) -> None:
        self._log, self._service, self._collector = log, service, collector
        self._ghosts, self._kept = ghosts, kept
        self.strengths = Strengths(log.db)
        self.book, self.together, self.tries = ChallengeStore(log.db), AllGamesBook(log.db), Tries(log.db)
        self._play, self._telling = SeriesPlay(service, self.tries, MOST_PEOPLE), Telling(self.book)

    async def make(self, by: str, name: str, game: str, rules: str | None, games: int, days: int) -> Challenge:
        """A challenge with new throws."""
        found, now = find_game(game, rules), await self._log.now()
        await self._check(by, games, days, now)
        secret, ends = dice.new_secret(), now + days * DAY
        one = Challenge(new_id(), found.name, found.rules, games, secret, now, ends, by, clean_name(name))
        await self.book.add(one)
        return one

    async def make_known(self, by: str, table: str, days: int) -> Challenge:
        """A challenge with the throws of a game that is over, and that this device has played."""
        now = await self._log.now()
        await self._check(by, 1, days, now)
        played, known, name = await self._played(table, by)
        secret, ends, game = await self._log.secret(table), now + days * DAY, played.game
        one = Challenge(new_id(), game.name, game.rules, 1, secret, now, ends, by, name, known)
        await self.book.add(one, {place.device for place in played.places.values() if not place.is_program} | {by})
        return one

    async def player(self, table: str, by: str) -> tuple[Table, int, str]:
        """A game that is over, the total of a device there, and what its player is called."""
        played = await self._service.table(table)
        seat, total = known_player(played, by)
        return played, total, played.places[seat].name

    async def _played(self, table: str, by: str) -> tuple[Table, KnownGame, str]:
        """The same with all of the game; a long one takes a twentieth of a second."""
        played, *_ = await self.player(table, by)
        record = (await self._service.record(table)).text
        known, name = await draw_in_thread(by, known_game, played, record, by)
        return played, known, name

    async def _check(self, by: str, games: int, days: int, now: float) -> None:
        if not (1 <= games <= MOST_GAMES and games % 2 and 1 <= days <= MOST_DAYS):
            raise Unreadable("challenge_limits", games=MOST_GAMES, days=MOST_DAYS)
        self._log.check_room()
        if await self.book.running(by, now) >= MOST_RUNNING:
            raise Illegal("too_many_challenges", most=MOST_RUNNING)

    async def find(self, name: str) -> Challenge:
        found = await self.book.find(name)
        if found is None:
            raise Illegal("no_such_challenge")
        return found

    async def is_open(self, one: Challenge) -> bool:
        """Whether it may still be begun."""
        return one.told is None and await self._log.now() < one.ends

    async def play(self, one: Challenge, leg: int, by: str, name: str) -> Table:
        """Begin a device's counted try, or go on with it. Once that is over, play the same throws for fun."""
        if leg not in one.legs:
            raise Unreadable("no_such_leg", games=one.games)
        given, is_open = one.given(leg), await self.is_open(one)
        if (begun := (await self.tables(one, by)).get(leg)) is not None and not begun.is_closed and begun.seats:
            return begun
        if not given.is_told:
            counted = None
            if not await self.book.knows(one, by):
                counted = await self._play.counted(given, by, clean_name(name), begin=is_open)
            if counted is not None:
                return counted
            if not is_open:
                raise Illegal("challenge_over")
        return await self._play.for_fun(given, by, clean_name(name))

    async def done(self, one: Challenge, device: str, tables: Mapping[int, Table | None]) -> dict[int, Finished]:
        """What a device has finished; also what was not taken up yet when the game ended."""
        done = await self.book.done(one, device)
        missing = [table for leg, table in tables.items() if leg not in done and table and table.is_closed]
        for table in missing:
            await self._collector.take(table.id)
        return await self.book.done(one, device) if missing else done

    async def tables(self, one: Challenge, device: str) -> dict[int, Table | None]:
        """The tables of a device's counted tries by the number of the game; None for those that are gone."""
        begun = await self.tries.begun([one.series(leg) for leg in one.legs], one.game, device)
        return {leg: await self._table(begun[name]) for leg in one.legs if (name := one.series(leg)) in begun}

    async def _table(self, name: str) -> Table | None:
        try:
            return await self._service.table(name)
        except KastaError:
            return None

    async def ask_best(self, one: Challenge, leg: int) -> None:
        """Let the strongest bot play a game. What it made is known some seconds later."""

        async def keep(played: GhostGame) -> None:
            lines = list(write_record(Header(one.game, one.rules, ("Player 1",)), played.steps))
            await self.book.set_best(one, leg, BestGame(played.total, packed(lines)))

        self._ghosts.ask(one.given(leg), keep)

    # -- as a source of dice

    async def published(self, dice_id: str, commitment: str) -> str | None:
        """The secret of a challenge's dice, if they are of this store and everybody may know it."""
        if not dice_id.startswith(dice.CHALLENGE):
            return None
        series, _, game = dice_id.rpartition("/")
        one = await self.book.find(parts_of(series)[0])
        is_ours = one is not None and (one.game, one.commitment) == (game, commitment)
        return one.told_secret if one is not None and is_ours else None

    async def known(self, dice_id: str) -> dice.KnownThrows | None:
        """Where throws were thrown before."""
        if not dice_id.startswith(dice.CHALLENGE):
            return None
        one = await self.book.find(parts_of(dice_id.rpartition("/")[0])[0])
        return one.known.throws if one is not None and one.known is not None else None

    async def told_at(self, table: Table) -> float | None:
        one = await self._of(table)
        return one.told if one else None

    async def best_total(self, table: Table) -> int | None:
        one = await self._of(table)
        best = (await self.book.bests(one)).get(parts_of(table.challenge or "")[1]) if one else None
        return best.total if best else None

    async def _of(self, table: Table) -> Challenge | None:
        return None if table.challenge is None else await self.book.find(parts_of(table.challenge)[0])

    async def look(self, now: float, is_sure: bool) -> None:  # noqa: FBT001 - called by whoever looks at the clock
        """Tell the secrets of what was over at an earlier look, too; forget what was told long ago."""
        await self._telling.look(now, await self.book.untold(now), is_sure=is_sure)
        if is_sure:
            await self.book.forget(now - self._kept)


def next_leg(legs: Sequence[int], finished: Sequence[int], tables: Mapping[int, Table | None]) -> int | None:
    """The game that a device plays next: one that it has begun, or the first that it has not."""
    for leg in legs:
        table = tables.get(leg)
        if leg not in finished and (leg not in tables or (table is not None and not table.is_closed)):
            return leg
    return None
