"""What only playing can tell of a game too large for exact distributions: totals and chances, with errors."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from kasta.core import FACES, Pick, Throw
from kasta.games.block import Action, Sheet
from kasta.solve.splitmix import WORD
from kasta.solve.types import Ints
from kasta.solve.yatzy.estimate import Estimate
from kasta.solve.yatzy.kernels.estimated_play import most_throws, new_room, play_estimated_turn
from kasta.solve.yatzy.kernels.play import rolls
from kasta.values import Option, Progress, quietly

GAMES = 20_000  # for a distribution
GAMES_OF_ACTION = 100
SEED = 1


def play_on(estimate: Estimate, sheets: Sequence[Sheet], seed: int, progress: Progress = quietly) -> Ints:
    """The totals of games from these sheets on, between turns and with as many free boxes each."""
    space, t = estimate.space, estimate.space.arrays
    totals = np.array([space.counted(sheet) for sheet in sheets], np.int64)
    at = np.array([space.state(space.position(sheet)) for sheet in sheets], np.int64)
    saved = np.array([sheet.saved for sheet in sheets], np.int64)
    room, turns = new_room(t), sheets[0].boxes.count(None) if sheets else 0
    tall, wide = np.tensordot(estimate.steps, estimate.values.rows, 1), estimate.values.columns
    for turn in range(turns):
        numbers = (np.arange(len(sheets)) * turns + turn) * most_throws(t)
        word = np.uint64(seed & WORD)
        rest = at, saved, space.game.saves, np.argsort(at), totals
        play_estimated_turn(t, rolls(space), tall, wide, room, word, numbers, *rest)
        progress(turn + 1, turns)
    return totals + space.bonus(at).astype(np.int64) if sheets else totals


def chances(estimate: Estimate, sheet: Sheet, total: int, progress: Progress = quietly) -> list[Option[Action]]:
    """Every legal action with the part of its games that reach a total, played for the expectation; best first."""
    game, rng = estimate.space.game, Random(SEED)  # noqa: S311 - no dice that anybody plays with
    expected = estimate.options(sheet)
    ends = [
        _end_turn(estimate, game.act(sheet, option.action), rng)
        for option in expected
        for _ in range(GAMES_OF_ACTION)
    ]
    totals = play_on(estimate, ends, SEED, progress).reshape(len(expected), -1)
    reached = (totals >= total).mean(axis=1)
    errors = np.sqrt(reached * (1 - reached) / GAMES_OF_ACTION)
    order = sorted(range(len(expected)), key=lambda i: -reached[i])  # of equal ones, the higher expected total
    return [Option(expected[i].action, float(reached[i]), float(errors[i])) for i in order]


def _end_turn(estimate: Estimate, sheet: Sheet, rng: Random) -> Sheet:
    """Play on to the end of the turn."""
    game = estimate.space.game
    while not game.rests(sheet):
        match game.next(sheet):
            case Throw(dice):
                sheet = game.throw(sheet, tuple(rng.choices(FACES, k=dice)))
            case Pick():
                sheet = game.act(sheet, estimate.options(sheet)[0].action)
    return sheet
