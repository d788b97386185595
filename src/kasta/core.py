"""Types shared by all games: what comes next, and what one player's sheet can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kasta.errors import Illegal

Seat = int
"""The number of a seat, counted clockwise from 0."""

Faces = tuple[int, ...]

FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Throw:
    """So many dice are to be thrown, by this seat."""

    dice: int
    roller: Seat = 0


@dataclass(frozen=True, slots=True)
class Pick:
    """So many seats have still to act on the throw; `is_due` tells whether one of them is among these."""

    count: int = 1
    is_due: Callable[[Seat], bool] = lambda _seat: True


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more can happen."""


Next = Throw | Pick | Over

S = TypeVar("S")
A = TypeVar("A")


class Solo(Protocol[S, A]):
    """The rules of a game for one player's sheet: a machine whose states `S` are frozen, whose actions are `A`.

    Dice are facts given to `throw`; no state knows the future. `act` takes exactly what `legal` lists and refuses
    everything else with a reason. `str(action)` is its notation, `read_action` the way back.
    """

    def start(self) -> S: ...
    def next(self, sheet: S) -> Next: ...
    def legal(self, sheet: S) -> Sequence[A]: ...
    def throw(self, sheet: S, faces: Faces, *, last: bool = False) -> S: ...
    def act(self, sheet: S, action: A) -> S: ...

    def rests(self, sheet: S) -> bool:
        """Whether this sheet is done with its turn: it owes nothing, and has no throw coming."""

    def ends(self, sheet: S) -> bool:
        """Whether this sheet makes the next throw the last one for everybody."""

    def total(self, sheet: S) -> int: ...

    def score(self, sheet: S) -> dict[str, object]:
        """What stands on the sheet and what it pays, part by part, as `kasta score --json` prints it."""

    def read_action(self, text: str) -> A: ...
    def read_sheet(self, text: str) -> S: ...
    def write_sheet(self, sheet: S) -> str: ...


def check_throw(expected: Next, faces: Sequence[int]) -> None:
    """Refuse a throw that does not come now, or that no such dice can show."""
    match expected:
        case Over():
            raise Illegal("game_over")
        case Pick(count):
            raise Illegal("picks_owed", count=count)
        case Throw(dice) if len(faces) != dice:
            raise Illegal("wrong_number_of_dice", dice=dice, thrown=len(faces))
    for face in faces:
        if face not in FACES:
            raise Illegal("no_such_face", face=face)


def check_pick(expected: Next) -> None:
    """Refuse an action where there is no throw to act on."""
    match expected:
        case Over():
            raise Illegal("game_over")
        case Throw(dice):
            raise Illegal("throw_first", dice=dice)


def listed(things: Sequence[object]) -> str:
    """What would have been legal, as the end of a sentence."""
    return ", ".join(map(str, things)) or "-"


def places(totals: Sequence[int]) -> list[int]:
    """The highest total is first; equal totals share a place: 1, 1, 3."""
    first: dict[int, int] = {}
    for place, total in enumerate(sorted(totals, reverse=True), 1):
        first.setdefault(total, place)
    return [first[total] for total in totals]
