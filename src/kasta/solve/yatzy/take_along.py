"""Exact values for a device that has no solver: all of them in a small file, and a turn evaluated in plain Python.

A file is a line of JSON and bytes: for each set of filled boxes the part of its upper ones, for each set how many
states it has (twice, where it matters whether the Yatzy box holds points), for each part and upper total its place
among them, and the states themselves in hundredths of a point, each as what it is more than the one before: all
high bytes, then all low ones. It is compressed.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, cast

from kasta.core import FACES, Faces
from kasta.games import find_game
from kasta.games.block import BlockGame, Keep, Sheet
from kasta.values import Option

HUNDREDTHS = 100
Rest = Callable[[int, bool, int], float]
"""The expected rest of the total: of a mask of filled boxes, whether Yatzy holds points, and the upper total."""


def packed(game: BlockGame) -> bytes:
    """The small file of a game that is solved."""
    import numpy as np

    from kasta.solve.yatzy.solution import found_solution

    found = found_solution(game)
    if found is None:
        raise ValueError("there are no values of this game")
    numbering, boxes = found.space.arrays.numbering, found.space.arrays.boxes
    about = {"boxes": boxes.size, "cap": boxes.cap, "ways": numbering.ways}
    numbers = np.round(found.values * HUNDREDTHS).astype(np.int64)
    more = np.diff(numbers, prepend=0).astype(np.uint16)
    parts = (numbering.part, np.diff(numbering.first), numbering.rank, more >> 8, more & 255)
    content = b"".join(each.astype(np.uint8).tobytes() for each in parts)
    return gzip.compress(json.dumps(about).encode() + b"\n" + content, mtime=0)


@cache
def _sets(dice: int) -> tuple[list[Faces], dict[Faces, int], list[list[int]]]:
    """All sets of so many dice and fewer, by size; their numbers; for each, those of the sets with one more."""
    sets = [each for size in range(dice + 1) for each in combinations_with_replacement(FACES, size)]
    number = {each: place for place, each in enumerate(sets)}
    more = [[number[tuple(sorted((*each, face)))] for face in FACES] for each in sets if len(each) < dice]
    return sets, number, more


def write(game: str, rules: str) -> None:
    """The small file of a game, for whoever reads what is printed."""
    sys.stdout.buffer.write(packed(cast(BlockGame, find_game(game, rules).solo)))


class TurnValues:
    """A turn evaluated: what each throw is worth if a box is filled with it, and what kept dice are."""

    def __init__(self, game: BlockGame, sheet: Sheet, rest: Rest) -> None:
        self._game, self._rest, self._before = game, rest, sheet
        self._known: dict[tuple[str, int, bool], float] = {}
        self._filled: list[float] = []  # by throw
        self._kept: list[list[float]] = [[]]  # [throws left, the next one among them][set]

    def options(self, sheet: Sheet) -> list[Option[Any]]:
        """Every legal action with the expected final total, best first."""
        fills, left = self.fills(sheet), self._game.throws_left(sheet)
        kept, (_, number, _) = self.kept(left), _sets(self._game.dice)
        found = [
            Option(action, kept[number[action.dice]] if isinstance(action, Keep) else fills[action.box])
            for action in self._game.legal(sheet)
        ]
        return sorted(found, key=lambda each: -each.value)

    def fills(self, sheet: Sheet) -> dict[str, float]:
        """What filling each box with the dice brings in the end."""
        return {box: self._fill(sheet, box) for box in self._game.open_boxes(sheet)}

    def _fill(self, sheet: Sheet, box: str) -> float:
        """What a box changes depends on its points alone, and on whether the dice are all equal."""
        key = box, self._game.points(sheet, box), len(set(sheet.dice)) == 1
        if key not in self._known:
            self._known[key] = _between(self._game, self._game.filled(sheet, box), self._rest)
        return self._known[key]

    def kept(self, left: int) -> list[float]:
        """What each set of kept dice is worth with so many throws left, the next one among them."""
        sets, _, more = _sets(self._game.dice)
        while len(self._kept) <= left:
            if not self._filled:
                self._filled = [max(self.fills(self._thrown(dice)).values()) for dice in sets[len(more) :]]
                best = self._filled
            else:
                again = _best(more, self._kept[-1], may_keep_none=self._game.rethrow_all)
                best = [max(pair) for pair in zip(self._filled, again, strict=True)]
            self._kept.append(_spread(more, best))
        return self._kept[left]

    def _thrown(self, dice: Faces) -> Sheet:
        before = self._before
        return Sheet(before.boxes, before.jokers, dice, before.throws, before.saved)


def _between(game: BlockGame, sheet: Sheet, rest: Rest) -> float:
    """The expected final total between two turns. The upper section's bonus belongs to the rest."""
    mask = sum([1 << place for place, points in enumerate(sheet.boxes) if points is not None])
    holds = "yatzy" in game.boxes and bool(game.held(sheet, "yatzy"))
    upper = min(game.upper(sheet), game.upper_goal)
    return game.total(sheet) - game.bonus(sheet) + rest(mask, holds, upper)


def _spread(more: list[list[int]], best: list[float]) -> list[float]:
    """What kept dice are worth, given what complete throws are."""
    worth = [0.0] * len(more) + best
    for place in range(len(more) - 1, -1, -1):
        worth[place] = sum([worth[larger] for larger in more[place]]) / len(FACES)
    return worth


def _best(more: list[list[int]], kept: list[float], *, may_keep_none: bool) -> list[float]:
    """The most that keeping some dice of each complete throw is worth."""
    most = kept[: len(more)] + [0.0] * (len(kept) - len(more))
    if not may_keep_none:
        most[0] = 0.0
    for place, larger in enumerate(more):
        for each in larger:
            most[each] = max(most[each], most[place])
    return most[len(more) :]
