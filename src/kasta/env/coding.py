"""Sheets and actions as numbers: what a learner sees, and what it can do.

A sheet is a row of small counts, from which the sheet can be read back. An action is its number in a list of all
that are ever legal, which no rules can be asked for: so every game says it itself. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Generic

from kasta.extras import extra

with extra("rl"):
    import numpy as np
    from numpy.typing import NDArray

from kasta.core import A, S, Solo
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import load

Row = NDArray[np.int32]
Mask = NDArray[np.int8]


def nothing(_sheet: object) -> Sequence[int]:
    return ()


@dataclass(frozen=True)
class Coding(Generic[S, A]):
    """How one game's sheets and actions become numbers, and numbers sheets and actions."""

    solo: Solo[S, A]
    actions: tuple[A, ...]
    names: tuple[str, ...]  # of the columns of a row
    sizes: tuple[int, ...]  # how many values each column has
    to_row: Callable[[S], Sequence[int]]
    to_sheet: Callable[[Sequence[int]], S]
    thrown: Callable[[S], Sequence[int]] = nothing  # what waits for an action, for people who watch; 0 for nothing
    game: str = ""  # as `find_coding` found it
    rules: str = ""

    def __reduce__(self) -> tuple[Callable[..., AnyCoding], tuple[str, str]]:
        """By name: the functions of a coding may be such as no pickle can hold."""
        return find_coding, (self.game, self.rules)

    @cached_property
    def number(self) -> dict[A, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def row(self, sheet: S) -> Row:
        return np.array(self.to_row(sheet), np.int32)

    def sheet(self, row: NDArray[Any]) -> S:
        return self.to_sheet(row.tolist())

    def mask(self, legal: Iterable[A]) -> Mask:
        mask = np.zeros(len(self.actions), np.int8)
        mask[[self.number[action] for action in legal]] = 1
        return mask


AnyCoding = Coding[Any, Any]


@cache
def find_coding(game: str, rules: str | None = None) -> AnyCoding:
    """How the game of that name becomes numbers."""
    found = find_game(game, rules)
    if found.traits.coding is None:
        raise Unreadable("no_coding", game=game)
    coding: AnyCoding = load(found.traits.coding, needs="rl")(found.solo)
    return replace(coding, game=found.name, rules=found.rules)


def code_fields(
    solo: Solo[S, A], actions: Iterable[A], fields: Mapping[str, int], thrown: str | None = None
) -> Coding[S, A]:
    """The coding of a game whose sheets are plain: each field holds a count, or as many counts in every sheet.

    `fields` says how many values each one has, counted from 0; where a sheet begins with None, 0 is None. `thrown`
    is the field that holds what was thrown. A game of six boxes and a die, whose actions are the numbers of its
    boxes, needs no more than this:

        def coding(solo):
            return code_fields(solo, range(1, 7), {"boxes": 7, "die": 7}, thrown="die")
    """
    first: Any = solo.start()
    begun = {name: getattr(first, name) for name in fields}

    def counts(sheet: Any, *names: str) -> Sequence[int]:  # noqa: ANN401 - each game has its own sheets
        return [int(value or 0) for name in names for value in _several(getattr(sheet, name))]

    def to_sheet(row: Sequence[int]) -> S:
        numbers = iter(row)
        sheet: S = type(first)(**{name: _read(value, numbers) for name, value in begun.items()})
        return sheet

    return Coding(
        solo=solo,
        actions=tuple(actions),
        names=tuple(column for name, value in begun.items() for column in _columns(name, value)),
        sizes=tuple(fields[name] for name, value in begun.items() for _ in _several(value)),
        to_row=lambda sheet: counts(sheet, *fields),
        to_sheet=to_sheet,
        thrown=(lambda sheet: counts(sheet, thrown)) if thrown else nothing,
    )


def _columns(name: str, value: object) -> list[str]:
    return [f"{name} {i}" for i in range(len(value))] if isinstance(value, tuple) else [name]


def _several(value: object) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _read(begun: Any, numbers: Iterator[int]) -> Any:  # noqa: ANN401 - a field of any type
    """As many numbers as the field takes, in its own type."""
    if isinstance(begun, tuple):
        return tuple(_read(value, numbers) for value in begun)
    number = next(numbers)
    return (number or None) if begun is None else type(begun)(number)
