"""Types shared by all games: what comes next, and what one player's sheet can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from kasta.errors import Illegal

Seat = int
"""The number of a seat, counted clockwise from 0."""

Faces = tuple[int, ...]
"""The faces of dice, each from 1 to 6."""

FACES = range(1, 7)
"""The faces of one die."""


@dataclass(frozen=True, slots=True)
class Throw:
    """`dice` dice are to be thrown next, by the seat `roller`."""

    dice: int
    roller: Seat = 0


def _anybody(_seat: Seat) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Pick:
    """`count` of so many `seats` still have to act on the throw; `is_due(seat)` tells whether one of them does."""

    count: int = 1
    is_due: Callable[[Seat], bool] = _anybody
    seats: int = 1

    @property
    def due(self) -> list[Seat]:
        """The seats that still have to act."""
        return [seat for seat in range(self.seats) if self.is_due(seat)]


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over: nothing more can happen."""


Next = Throw | Pick | Over
"""The next step of a table or a sheet."""

S = TypeVar("S")
A = TypeVar("A")


class Solo(Protocol[S, A]):
    """The rules of a game for one player's sheet. Sheets `S` are frozen; `A` are the actions.

    Dice are given to `throw`; no sheet knows the future. `act` accepts exactly what `legal` lists and refuses
    everything else with a reason. `str(action)` is an action's notation, `read_action` the way back.
    """

    def start(self) -> S:
        """The empty sheet."""

    def next(self, sheet: S) -> Next:
        """The next step of the sheet: a `Throw`, a `Pick`, or nothing more (`Over`)."""

    def legal(self, sheet: S) -> Sequence[A]:
        """Every action that `act` accepts now; empty while a throw is awaited and when the game is over."""

    def throw(self, sheet: S, faces: Faces, *, last: bool = False) -> S:
        """The sheet with the dice thrown; `last` says that this throw is the last one for everybody."""

    def act(self, sheet: S, action: A) -> S:
        """The sheet after an action; `Illegal` is raised for what is not in `legal`."""

    def rests(self, sheet: S) -> bool:
        """Whether this sheet is done with its turn: no action is due, and no further throw of this turn."""

    def ends(self, sheet: S) -> bool:
        """Whether this sheet makes the next throw the last one for everybody."""

    def total(self, sheet: S) -> int:
        """The points that the sheet holds so far."""

    def score(self, sheet: S) -> dict[str, Any]:
        """The parts of the sheet with their points, and the sums, as `kasta score --json` prints them."""

    def read_action(self, text: str) -> A:
        """The action that a notation such as `c3` means; `Unreadable` is raised for what means none."""

    def read_sheet(self, text: str) -> S:
        """The sheet that a text draws; `Unreadable` names the line that has no meaning."""

    def write_sheet(self, sheet: S) -> str:
        """The sheet as text, which `read_sheet` reads back; the last line ends with a newline."""


def check_throw(expected: Next, faces: Sequence[int]) -> None:
    """Raise `Illegal` for a throw that is not due now, or with faces that no such dice can show."""
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
    """Raise `Illegal` for an action where there is no throw to act on."""
    match expected:
        case Over():
            raise Illegal("game_over")
        case Throw(dice):
            raise Illegal("throw_first", dice=dice)


def listed(things: Sequence[object]) -> str:
    """Actions separated by commas, for the end of an error's sentence."""
    return ", ".join(map(str, things)) or "-"


def places(totals: Sequence[int]) -> list[int]:
    """The place of each total, in the same order: the highest is first, and equal totals share one (1, 1, 3)."""
    first: dict[int, int] = {}
    for place, total in enumerate(sorted(totals, reverse=True), 1):
        first.setdefault(total, place)
    return [first[total] for total in totals]
