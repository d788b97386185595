"""What dice pay in a box, as functions of the dice: the parts that blocks of boxes are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import chain, permutations, product, repeat

from kasta.core import FACES, Faces

Score = Callable[[Faces], int]
Scores = Mapping[str, Score]
"""The boxes by name, in the order of the block."""


def of_face(face: int) -> Score:
    """The sum of the dice that show this face."""
    return lambda dice: face * dice.count(face)


UPPER: Scores = {
    name: of_face(face)
    for face, name in zip(FACES, ("ones", "twos", "threes", "fours", "fives", "sixes"), strict=True)
}
"""The upper section: one box for each face."""


def any_dice(dice: Faces) -> int:
    """The sum of all dice."""
    return sum(dice)


def pays(points: int, test: Callable[[Faces], bool]) -> Score:
    """So many points for dice that pass a test."""
    return lambda dice: points if test(dice) else 0


def all_if(test: Callable[[Faces], bool]) -> Score:
    """The sum of all dice, if they pass a test."""
    return lambda dice: sum(dice) if test(dice) else 0


def straight(faces: Iterable[int]) -> Score:
    """The sum of these faces, if all of them were thrown."""
    wanted = set(faces)
    return pays(sum(wanted), wanted.issubset)


def groups(*sizes: int, differ: bool = True) -> Score:
    """The sum of the best dice that make groups of equal ones, of these sizes; groups differ in their faces."""

    @cache
    def score(dice: Faces) -> int:
        faces = set(dice)
        ways = permutations(faces, len(sizes)) if differ else product(faces, repeat=len(sizes))
        wanted = (tuple(chain(*map(repeat, way, sizes))) for way in ways)
        return max((sum(group) for group in wanted if not Counter(group) - Counter(dice)), default=0)

    return score


def all_equal(dice: Faces) -> bool:
    """Whether all dice show the same face."""
    return len(set(dice)) == 1


def has_equal(count: int) -> Callable[[Faces], bool]:
    """Whether at least so many dice show the same face."""
    return lambda dice: max(Counter(dice).values()) >= count


def has_run(length: int) -> Callable[[Faces], bool]:
    """Whether so many faces follow each other."""
    runs = [set(range(face, face + length)) for face in FACES]
    return lambda dice: any(run <= set(dice) for run in runs)
