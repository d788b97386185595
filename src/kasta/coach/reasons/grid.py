"""Reasons on a grid: what lines can still become, and what they cannot any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import NamedTuple

from kasta.core import FACES
from kasta.games.grid import FREE, NUMBERS, Cell, Grid, Line, Numbers, hand as hand_of
from kasta.games.grid_drawing import line_name
from kasta.i18n import Words

DICE = 2
THROWS = Counter(sum(faces) for faces in product(FACES, repeat=DICE))
MOST_KEPT = 20_000  # lines
MOST_MISSING = 2  # numbers of a hand that is near enough to be worth a word
STRAIGHTS = ("straight", "straight_with_7", "straight_without_7")

Named = Callable[[Numbers], str | None]
"""The hand that a full line makes."""


@lru_cache(MOST_KEPT)
def chances(numbers: Numbers, named: Named) -> Mapping[str, float]:
    """The hands that a line can still become, with their chances if its free cells took the next throws."""
    known = tuple(number for number in numbers if number != FREE)
    free = len(numbers) - len(known)
    found: Counter[str] = Counter()
    for rest in combinations_with_replacement(NUMBERS, free):
        if name := named(known + rest):
            orders = factorial(free) // prod(map(factorial, Counter(rest).values()))
            found[name] += orders * prod(THROWS[number] for number in rest)
    return {name: ways / THROWS.total() ** free for name, ways in found.items()}


class GridAfter(NamedTuple):
    """A grid after an action; `cell` is where it wrote a number, if it did."""

    numbers: Numbers
    cell: Cell | None


@dataclass(frozen=True)
class LineReasons:
    """What is said of lines; a game tells what hands are called and what they are worth."""

    grid: Grid
    named: Named
    worth: Callable[[Line, str], int]  # of a hand in a line
    say_hand: Callable[[Words, str], str]
    say_worth: Callable[[Words, int], str]

    def reason(self, chosen: GridAfter, best: GridAfter, said: Words) -> str:
        """The first thing that can be said of the line and hand where most was given away."""
        sentences = (
            self._sentence(line, hand, chosen, best, said) for line, hand in self._given_away(chosen, best)
        )
        return next(filter(None, sentences), "") or self._crossing(chosen, best, said)

    def _given_away(self, chosen: GridAfter, best: GridAfter) -> Iterator[tuple[Line, str]]:
        """Lines and hands that stand better after the best choice, the dearest first."""
        gains: dict[Line, dict[str, float]] = {}
        for line in self.grid.lines:
            ours, theirs = line.numbers(best.numbers), line.numbers(chosen.numbers)
            if ours != theirs:
                now, then = chances(ours, self.named), chances(theirs, self.named)
                gains[line] = {
                    hand: self.worth(line, hand) * (now.get(hand, 0.0) - then.get(hand, 0.0))
                    for hand in [*now, *then]
                }
        for line in sorted(gains, key=lambda line: -sum(gains[line].values())):
            for hand in sorted(gains[line], key=lambda hand: -gains[line][hand]):
                if gains[line][hand] > 0:
                    yield line, hand

    def _sentence(self, line: Line, hand: str, chosen: GridAfter, best: GridAfter, said: Words) -> str:
        """What the best number does for a hand or the chosen one spoils, if that is worth a word."""
        numbers, others = line.numbers(best.numbers), line.numbers(chosen.numbers)
        blanks = {"line": line_name(line, said), "hand": self.say_hand(said, hand), "cell": best.cell}
        missing = numbers.count(FREE)
        if not missing:
            worth = self.say_worth(said, self.worth(line, hand))
            return said.say("{line}: {cell} makes “{hand}”, {worth}.", **blanks, worth=worth)
        if hand not in chances(others, self.named):
            if missing > MOST_MISSING:
                return ""  # it was far off
            blanks["cell"] = chosen.cell
            return said.say("{line}: after {cell}, “{hand}” is no longer possible.", **blanks)
        if best.cell not in line.cells:
            return ""
        if hand in STRAIGHTS:
            return self._nearly(hand, numbers, blanks, said)
        return self._so_far(numbers, best, blanks, said)

    def _nearly(self, hand: str, numbers: Numbers, blanks: Mapping[str, object], said: Words) -> str:
        """How few numbers a straight still needs."""
        missing = numbers.count(FREE)
        if missing == 1:
            fits = [number for number in NUMBERS if self.named(_filled(numbers, number)) == hand]
            shown = ", ".join(map(str, fits))
            return said.say(
                "{line}: after {cell}, “{hand}” needs only one number more ({numbers}).", **blanks, numbers=shown
            )
        if missing > MOST_MISSING:
            return ""
        return said.say("{line}: after {cell}, “{hand}” needs {number} numbers more.", **blanks, number=missing)

    def _so_far(self, numbers: Numbers, best: GridAfter, blanks: Mapping[str, object], said: Words) -> str:
        """The equal numbers that already stand in a line, if the last one written is among them."""
        assert best.cell is not None  # noqa: S101 - it is on the line
        written = best.numbers[best.cell]
        so_far = hand_of(tuple(number for number in numbers if number != FREE))
        if so_far is None or numbers.count(written) == 1:
            return ""
        named = {**blanks, "hand": self.say_hand(said, so_far)}
        return said.say("{line}: {number} in {cell} already makes “{hand}”.", **named, number=written)

    def _crossing(self, chosen: GridAfter, best: GridAfter, said: Words) -> str:
        """What speaks for a cell by itself, whatever stands on the sheet."""
        if best.cell is None:
            return ""
        lines = len(self.grid.through[best.cell])
        if chosen.cell is not None:
            if lines <= len(self.grid.through[chosen.cell]):
                return ""
            blanks = {"cell": best.cell, "other": chosen.cell}
            return said.say("More lines go through {cell} than through {other}.", **blanks)
        if lines == min(map(len, self.grid.through)):
            return ""  # as through any other
        return said.say("A number in {cell} helps {number} lines at once.", number=lines, cell=best.cell)


def _filled(numbers: Numbers, number: int) -> Numbers:
    return tuple(number if each == FREE else each for each in numbers)
