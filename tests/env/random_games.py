"""Random games, and what the rules make of their records."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np

import kasta.env
from kasta.core import Over
from kasta.env.dice_stream import Stream, choice_start
from kasta.record import replay

ID = {game: name for name, game in kasta.env.IDS.items()}


def stored(env: Any) -> list[Any]:
    """The environment as it comes back from a pickle, and as a copy."""
    return [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]  # noqa: S301 - our own


def any_legal(mask: np.ndarray, choices: Stream) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[choices.below(len(legal))])


def hunter(mask: np.ndarray, env: Any) -> int:
    """Goes for five equal dice, which random players hardly ever throw twice."""
    sheet, coding = env.sheet, env.coding
    legal = [coding.actions[i] for i in np.flatnonzero(mask)]
    face = max(sheet.dice, key=sheet.dice.count)
    wanted = [f"keep {' '.join([str(face)] * sheet.dice.count(face))}"]
    equal = sheet.dice.count(face) == len(sheet.dice)
    if equal or sheet.throws == coding.solo.throws:
        order = ["yatzy"] if equal else []
        order += ["ones", "small_straight", "chance", "full_house", "twos", "three_of_a_kind", "large_straight"]
        order += ["threes", "four_of_a_kind", "fours", "fives", "sixes", "yatzy"]
        wanted = [f"fill {box}" for box in order]
    chosen = next(action for text in wanted for action in legal if str(action) == text)
    return int(coding.number[chosen])


def play(env: Any, seed: int, choose: Any = None) -> float:
    """A whole game; the sum of its rewards."""
    choices = Stream(choice_start(seed))
    _, info = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        mask = info["action_mask"]
        _, reward, over, _, info = env.step(choose(mask, env) if choose else any_legal(mask, choices))
        total += reward
    return total


def totals_of(record: Iterable[str]) -> list[int]:
    """What a record's replay says, which must have come to its end."""
    end = replay(io.BytesIO("\n".join(record).encode()))
    assert isinstance(end.game.next(end.table), Over)
    return [end.game.total(end.table, seat) for seat in range(len(end.header.seats))]
