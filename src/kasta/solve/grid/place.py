"""Playing for the place: how often each choice wins, by playing games to their end with the others' sheets.

All choices, and all sheets, get the same throws. Everybody is taken to play on by the learned value alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kasta.solve.types import Floats
from kasta.values import Option

TIE_IS_WORTH = 0.5  # of a win, among however many
SURE = 2.5  # standard errors by which a choice must win more often than the one with the best total


class Chances(NamedTuple):
    """Of one choice: by game, 1 for a win, one half for a shared first place."""

    option: Option[Any]
    won: Floats


def won(own: Floats, others: Sequence[Floats] | Floats) -> Floats:
    """By game, given totals of the same games, the others' one after the other."""
    most = np.max(np.asarray(others), axis=0)
    return np.where(own > most, 1.0, np.where(own == most, TIE_IS_WORTH, 0.0))


def by_place(chances: Sequence[Chances]) -> Option[Any]:
    """The choice that wins most often: the first, which has the best total, unless another clearly does."""
    first = chances[0]
    best, most = first, 0.0
    for each in chances[1:]:
        more = each.won - first.won
        gain = float(more.mean())
        if gain > most and gain > SURE * float(more.std()) / sqrt(len(more)):
            best, most = each, gain
    return best.option._replace(value=float(best.won.mean()), error=float(best.won.std()) / sqrt(len(best.won)))
