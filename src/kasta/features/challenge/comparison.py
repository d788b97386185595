"""How all did in a challenge: told to whoever has a full sheet of their own, and to all when the secret is."""

from __future__ import annotations

import zlib
from asyncio import gather
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from kasta.edge.http import whole_number
from kasta.features.challenge.service import Challenges
from kasta.features.challenge.store import Challenge, Finished, Placed
from kasta.games import find_game
from kasta.i18n import Words, words as words_of
from kasta.page.end.ending import Row, Score, rows_of, scores_of
from kasta.record import replay

MOST_RANKED = 50  # that a page lists, beside the visitor
MOST_BESIDE = 3  # sheets of others, beside one's own and the bot's
MOST_KEPT = 500


@dataclass(frozen=True, slots=True)
class Ranked:
    """Somebody's place; `number` names the sheet."""

    number: int
    place: int
    name: str
    total: int
    is_mine: bool
    strength: str = ""  # if they want it to be shown


@dataclass(frozen=True, slots=True)
class Together:
    """Somebody's place over all games: who has won most of them, and then who has most points."""

    place: int
    name: str
    wins: int
    points: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """One game of a challenge: who have finished it, a page at a time, and some sheets side by side.

    `after` is how many come before this page, `following` how many when the next one begins, if there is one.
    """

    leg: int
    legs: tuple[int, ...]  # that may be looked at
    of: int
    after: int
    following: int | None
    ranked: tuple[Ranked, ...]
    best: int | None
    usual: float | None  # what the strongest bot makes on average, if that is known
    names: tuple[str, ...]
    totals: tuple[int, ...]
    rows: tuple[Row, ...]
    together: tuple[Together, ...]

    @property
    def luck(self) -> float | None:
        """How much more the throws brought the bot than others do: the same for all who have played them."""
        return None if self.best is None or self.usual is None else self.best - self.usual


class Comparisons:
    """Reads what became of challenges."""

    def __init__(self, challenges: Challenges) -> None:
        self._challenges, self._book = challenges, challenges.book

    async def open_legs(
        self, one: Challenge, device: str, done: Mapping[int, Finished] | None = None
    ) -> list[int]:
        """The games of which a device may know how others did; `done` are those that it has finished, if known."""
        if one.told is not None:
            return list(one.legs)
        if await self._book.knows(one, device):
            return [1]
        return sorted(await self._book.done(one, device) if done is None else done)

    async def of(
        self,
        one: Challenge,
        device: str,
        words: Words,
        asked: Mapping[str, str] | None = None,
        done: Mapping[int, Finished] | None = None,
    ) -> Comparison | None:
        """What a device may know; nothing, before it has finished a game."""
        done = await self._book.done(one, device) if done is None else done
        legs, asked = await self.open_legs(one, device, done), asked or {}
        if not legs:
            return None
        leg = next((each for each in legs if str(each) == asked.get("game")), legs[-1])
        after, wanted = (whole_number(asked.get(name)) or 0 for name in ("after", "with"))
        page, shown = range(after, after + MOST_RANKED), [*range(1, MOST_BESIDE + 2), wanted]
        standings, bests, together = await gather(
            self._book.standings(one, [leg], device, page, shown),
            self._book.bests(one),
            self._together(one, device, words, page, done) if len(legs) == one.games > 1 else _nothing(),
        )
        standing = standings[leg]
        if leg not in bests and standing.finished:
            await self._challenges.ask_best(one, leg)
        best = bests.get(leg)
        beside = _beside(standing.people, device, wanted)
        sheets, ranked = await gather(
            self._book.records(one, leg, [each.table for each in beside]),
            self._ranked(one, _listed(standing.people, page, device), device, words),
        )
        records = [(_name(each, words), each.total, sheets.get(each.table)) for each in beside]
        if best:
            records.append((words.say("Strongest bot"), best.total, best.record))
        drawn = [(name, total, record) for name, total, record in records if record is not None]
        return Comparison(
            leg=leg,
            legs=tuple(legs),
            of=standing.finished,
            after=after,
            following=page.stop if page.stop < standing.finished else None,
            ranked=ranked,
            best=best.total if best else None,
            usual=usual_of(one.game, one.rules),
            names=tuple(name for name, *_ in drawn),
            totals=tuple(total for _, total, _ in drawn),
            rows=rows_of([_scored(one.game, one.rules, record, words.language) for *_, record in drawn]),
            together=together,
        )

    async def _ranked(
        self, one: Challenge, people: Sequence[Placed], device: str, words: Words
    ) -> tuple[Ranked, ...]:
        devices = {each.device: [each.device] for each in people}
        strengths = await self._challenges.strengths.shown(devices, (one.game, one.rules))
        told = {each: strength.told(words) for each, strength in strengths.items()}
        return tuple(
            Ranked(
                each.number,
                each.place,
                _name(each, words),
                each.total,
                each.device == device,
                told.get(each.device, ""),
            )
            for each in people
        )

    async def _together(
        self, one: Challenge, device: str, words: Words, page: range, done: Mapping[int, Finished]
    ) -> tuple[Together, ...]:
        """All games together, for whoever may know all of several."""
        found = await self._challenges.together.page(one, device, page, has_all=len(done) == one.games)
        return tuple(
            Together(each.place, each.name or words.say("Somebody"), each.wins, each.points, each.device == device)
            for each in found
        )


def usual_of(game: str, rules: str) -> float | None:
    par = find_game(game, rules).traits.par.get(rules)
    return par.mean if par else None


async def _nothing() -> tuple[Together, ...]:
    return ()


def _name(each: Placed, words: Words) -> str:
    return each.name or words.say("Somebody")


def _listed(people: Sequence[Placed], page: range, device: str) -> list[Placed]:
    """A page, and the visitor."""
    return [each for each in people if each.number - 1 in page or each.device == device]


def _beside(people: Sequence[Placed], device: str, wanted: int) -> list[Placed]:
    """Whose sheets are shown: one's own, the one that is asked for, and the best."""
    mine = [each for each in people if each.device == device]
    asked = [each for each in people if each.number == wanted and each not in mine]
    others = [each for each in people if each not in mine and each not in asked]
    return mine + (asked + others)[: MOST_BESIDE - len(mine) + 1]


@lru_cache(MOST_KEPT)
def _scored(game: str, rules: str, record: bytes, language: str) -> dict[str, Score]:
    """The lines or boxes of a sheet, which nobody changes any more."""
    end = replay(BytesIO(zlib.decompress(record)))
    return scores_of(find_game(game, rules), end.game.sheet(end.table, 0), words_of(language))
