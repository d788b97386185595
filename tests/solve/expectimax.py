"""The plainest solver there is: it plays every throw and every action by the rules."""
# ruff: noqa: ANN401 - for any game

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from kasta.core import FACES, Over, Throw


def expectimax(game: Any, at_end: Callable[[Any], float], seen: dict[Any, float]) -> Callable[[Any], float]:
    def worth(sheet: Any) -> float:
        if sheet not in seen:
            match game.next(sheet):
                case Over():
                    seen[sheet] = at_end(sheet)
                case Throw(dice):
                    throws = list(product(FACES, repeat=dice))
                    seen[sheet] = sum(worth(game.throw(sheet, faces)) for faces in throws) / len(throws)
                case _:
                    seen[sheet] = max(worth(game.act(sheet, action)) for action in game.legal(sheet))
        return seen[sheet]

    return worth
