"""Yatzy played to win: what counts is the chance of the highest total, not how high it is.

It is exact when the others have finished. Before that they are taken to play for their expected totals, whatever
we do: with few boxes left their totals' exact distributions are played against, earlier only means and spreads. In
games that are estimated it is means and spreads to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import erf, sqrt
from typing import cast

import numpy as np

from kasta.core import Pick
from kasta.games.block import Action, Sheet
from kasta.games.traits import AnyGame
from kasta.solve.types import Floats
from kasta.solve.yatzy.distribution import Distribution, distribution
from kasta.solve.yatzy.estimate import Estimate, found_estimate
from kasta.solve.yatzy.solution import Solution, block, solution
from kasta.solve.yatzy.target import aim, rank_chances
from kasta.solve.yatzy.turn import Turn
from kasta.values import Option

CLOSE = 5  # free boxes from which on whole distributions are played against: a few hundredths of a second a turn
TIE_IS_WORTH = 0.5
KEPT = 256  # distributions and turns in memory
RIVALS = 8  # others that are looked at, those with the highest expected totals: at a crowded table few can win


@dataclass(frozen=True)
class Winner:
    """Ranks choices by the chance to win; a shared first place counts half, among however many."""

    valuer: Solution | Estimate
    close: int = CLOSE

    def value(self, sheet: Sheet, others: Sequence[Sheet]) -> float:
        return self._turn(Sheet(sheet.boxes, sheet.jokers), self._rivals(others)).value(sheet)

    def options(self, sheet: Sheet, others: Sequence[Sheet]) -> list[Option[Action]]:
        """Every legal action with its chance to win, best first; alone at the table, with its expected total."""
        if not isinstance(self.valuer.space.game.next(sheet), Pick):
            return []
        if not others:
            return self.valuer.options(sheet)
        turn = self._turn(Sheet(sheet.boxes, sheet.jokers), self._rivals(others))
        return rank_chances(turn, sheet, self.valuer.options(sheet))

    def _rivals(self, others: Sequence[Sheet]) -> tuple[Sheet, ...]:
        """Those that may win. The same ones as long as they do nothing."""
        if len(others) <= RIVALS:
            return tuple(others)
        space = self.valuer.space
        positions = [space.position(other) for other in others]
        states = np.array([space.state(position) for position in positions])
        rest = [self.valuer.rest(states[i : i + 1], other.saved)[0] for i, other in enumerate(others)]
        expected = np.array([space.counted(other) for other in others]) + rest
        return tuple(others[i] for i in sorted(np.argsort(-expected, kind="stable")[:RIVALS]))

    @cached_property
    def _final(self) -> Callable[[Sheet], Distribution]:
        return lru_cache(KEPT)(partial(distribution, cast(Solution, self.valuer)))

    @cached_property
    def _turn(self) -> Callable[[Sheet, tuple[Sheet, ...]], Turn]:
        return lru_cache(KEPT)(self._evaluated)

    def _evaluated(self, sheet: Sheet, others: tuple[Sheet, ...]) -> Turn:
        valuer, space = self.valuer, self.valuer.space
        after: Callable[[int], Floats] = partial(self._against_means, sheet, others)
        if isinstance(valuer, Solution) and sheet.boxes.count(None) <= self.close:
            chances = self._against_totals(valuer, sheet, others)
            after = lambda _left: chances  # noqa: E731
        return Turn(space, space.position(sheet), after)

    def _against_totals(self, solution: Solution, sheet: Sheet, others: tuple[Sheet, ...]) -> Floats:
        space = solution.space
        finals = [self._final(other) for other in others]
        counted = space.counted(sheet)
        top = max([0, *(final.first + len(final.chances) - counted for final in finals)])
        totals = range(counted, counted + top + 1)
        alone = np.array([np.prod([final.below(total) for final in finals]) for total in totals])
        shared = np.array([np.prod([final.below(total + 1) for final in finals]) for total in totals])
        return aim(space, space.position(sheet), alone + TIE_IS_WORTH * (shared - alone))

    def _against_means(self, sheet: Sheet, others: tuple[Sheet, ...], left: int) -> Floats:
        """As if all totals were normally distributed, and nobody would play otherwise than for the expectation."""
        space, valuer = self.valuer.space, self.valuer
        to = space.following(space.position(sheet))
        mean = space.counted(sheet) + space.arrays.boxes.gain + valuer.rest(to, left)
        variance = valuer.variance(to)
        chance = np.ones(len(mean))
        for other in others:
            state = np.array([space.state(space.position(other))])
            ahead = mean - space.counted(other) - valuer.rest(state, other.saved)
            spread = np.sqrt(np.maximum(variance + valuer.variance(state), 1e-9))
            chance *= [0.5 + 0.5 * erf(x / sqrt(2)) for x in ahead / spread]
        return chance


_winners: dict[AnyGame, Winner] = {}


def winner_of(game: AnyGame) -> Winner:
    """Who plays a game to win, with what was evaluated before."""
    if game not in _winners:
        rules = block(game)
        _winners[game] = Winner(found_estimate(rules) or solution(rules))
    return _winners[game]
