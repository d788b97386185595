"""How all did in a challenge: told to whoever has a full sheet of their own, and to all when the secret is."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO

from kasta.features.challenge.service import Challenges
from kasta.features.challenge.store import Challenge, Finished
from kasta.games import find_game
from kasta.i18n import Words, words as words_of
from kasta.page.end.ending import Row, Score, rows_of, scores_of
from kasta.record import replay

MOST_RANKED = 20  # that a page lists, beside the visitor
MOST_BESIDE = 3  # sheets of others, beside one's own and the bot's
MOST_KEPT = 500


@dataclass(frozen=True, slots=True)
class Ranked:
    """Somebody's place; `more` is how many points more than the strongest bot, `number` names the sheet."""

    number: int
    place: int
    name: str
    total: int
    more: int | None
    is_mine: bool
    device: str
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
    """One game of a challenge: all who have finished it, and some sheets side by side."""

    leg: int
    legs: tuple[int, ...]  # that may be looked at
    of: int
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

    async def open_legs(self, one: Challenge, device: str) -> list[int]:
        """The games of which a device may know how others did."""
        if one.told is not None:
            return list(one.legs)
        if await self._book.knows(one, device):
            return [1]
        return sorted(await self._book.done(one, device))

    async def of(
        self, one: Challenge, device: str, words: Words, asked: Mapping[str, str] | None = None
    ) -> Comparison | None:
        """What a device may know; nothing, before it has finished a game."""
        legs, asked = await self.open_legs(one, device), asked or {}
        if not legs:
            return None
        leg = next((each for each in legs if str(each) == asked.get("game")), legs[-1])
        people = (await self._book.rankings(one, [leg]))[leg]
        bests = await self._book.bests(one)
        if leg not in bests and people:
            await self._challenges.ask_best(one, leg)
        best = bests.get(leg)
        ranked = ranked_of(people, device, best.total if best else None, words)
        beside = _beside(ranked, asked.get("with", ""))
        sheets = await self._book.records(one, leg, [people[each.number].table for each in beside])
        records = [(each.name, each.total, sheets.get(people[each.number].table)) for each in beside]
        if best:
            records.append((words.say("Strongest bot"), best.total, best.record))
        drawn = [(name, total, record) for name, total, record in records if record is not None]
        return Comparison(
            leg=leg,
            legs=tuple(legs),
            of=len(people),
            ranked=await self._with_strengths(one, _listed(ranked), words),
            best=best.total if best else None,
            usual=usual_of(one.game, one.rules),
            names=tuple(name for name, *_ in drawn),
            totals=tuple(total for _, total, _ in drawn),
            rows=rows_of([_scored(one.game, one.rules, record, words.language) for *_, record in drawn]),
            together=await self._together(one, device, words) if len(legs) == one.games > 1 else (),
        )

    async def _with_strengths(self, one: Challenge, ranked: Sequence[Ranked], words: Words) -> tuple[Ranked, ...]:
        people = {each.device: [each.device] for each in ranked}
        found = await self._challenges.strengths.shown(people, (one.game, one.rules))
        return tuple(
            replace(each, strength=found[each.device].told(words)) if each.device in found else each
            for each in ranked
        )

    async def _together(self, one: Challenge, device: str, words: Words) -> tuple[Together, ...]:
        found = await self._book.together(one, device, MOST_RANKED)
        return tuple(
            Together(each.place, each.name or words.say("Somebody"), each.wins, each.points, each.device == device)
            for each in found
        )


def usual_of(game: str, rules: str) -> float | None:
    par = find_game(game, rules).traits.par.get(rules)
    return par.mean if par else None


def ranked_of(people: Sequence[Finished], device: str, best: int | None, words: Words) -> list[Ranked]:
    """All places; who has as many points shares one."""
    found, place = list[Ranked](), 1
    for number, each in enumerate(people):
        if number and people[number - 1].total > each.total:
            place = number + 1
        name = each.name or words.say("Somebody")
        more = None if best is None else each.total - best
        found.append(Ranked(number, place, name, each.total, more, each.device == device, each.device))
    return found


def _listed(ranked: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """The best, and the visitor."""
    return tuple(each for each in ranked if each.number < MOST_RANKED or each.is_mine)


def _beside(ranked: Sequence[Ranked], wanted: str) -> list[Ranked]:
    """Whose sheets are shown: one's own, the one that is asked for, and the best."""
    mine = [each for each in ranked if each.is_mine]
    asked = [each for each in ranked if str(each.number) == wanted and not each.is_mine]
    others = [each for each in ranked if not each.is_mine and each not in asked]
    return mine + (asked + others)[: MOST_BESIDE - len(mine) + 1]


@lru_cache(MOST_KEPT)
def _scored(game: str, rules: str, record: bytes, language: str) -> dict[str, Score]:
    """The lines or boxes of a sheet, which nobody changes any more."""
    end = replay(BytesIO(zlib.decompress(record)))
    return scores_of(find_game(game, rules), end.game.sheet(end.table, 0), words_of(language))
