"""What somebody may ask of a table, rightly or not: a few numbers become a command of each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from kasta.core import Faces, Seat
from kasta.structs import replace
from kasta.tables import commands as c
from machine.model import Model

T = TypeVar("T")

NAMES = (
    "Anna",
    "anna",
    "\u0410nna",
    "Tim",
    "Eva",
    "Lo",
    "L0",
    "Ida",
    "Bo",
    "Ole",
    "x" * 20,
    "x" * 21,
    " ",
)  # one in Cyrillic
SEATED = (None, None, None, None, "greedy", "anything", "unheard of")
BOTS = (None, "greedy", "anything", "unheard of")
SETTINGS: tuple[dict[str, object], ...] = (
    {"thrower": "host"},
    {"thrower": "auto"},
    {"thrower": "turn"},
    {"take_back": False},
    {"take_back": True},
    {"open": False},
    {"open": True},
    {"points": "end"},
    {"dice": "own"},
    {"coach": "live"},
    {"coach": "off"},
    {"pace": 600},
    {"pace": 0},
    {"pace": None},
    {"first": 1},
    {"first": 7},
    {"wall": True},
)

Numbers = Sequence[int]


def one(of: Sequence[T], number: int) -> T:
    return of[number % len(of)]


def a_seat(table: Model, number: int, likely: Sequence[Seat] = ()) -> Seat:
    """Mostly one of those for which it makes sense."""
    return one(likely, number // 4) if likely and number % 4 < 3 else number // 4 % (table.given + 1)


def some_faces(dice: int, number: int) -> Faces:
    """Now and then, one die too many, or one that shows a seven."""
    faces = tuple(1 + (number // 7**place) % 6 for place in range(dice))
    return (*faces, 1) if number % 11 == 10 else (7, *faces[1:]) if number % 13 == 12 else faces


def nearly(right: int, number: int) -> int:
    """What is right, but for now and then."""
    return max(0, right + {14: 1, 15: -1}.get(number % 16, 0))


def what_to_do(table: Model, seat: Seat, number: int) -> str:
    sitting = table.seats.get(seat)
    if sitting is None or not table.begun:
        return "a1"
    sheet = sitting.sheet if seat in table.due else sitting.sheets[0]
    legal = table.game.solo.legal(sheet)
    return (
        one(("a1", "b2", "-", "keep", "fill chance"), number)
        if number % 17 == 16 or not legal
        else str(one(legal, number))
    )


def _play(table: Model, by: str, n: Numbers) -> c.Play:
    seat = a_seat(table, n[0], [*table.due, *_undoable(table)])
    sitting = table.seats.get(seat)
    step = nearly(sitting.step, n[2]) if sitting else 0
    return c.Play(by, nearly(table.turn, n[3]), seat, step, what_to_do(table, seat, n[4]))


def _take_back(table: Model, by: str, n: Numbers) -> c.TakeBack:
    seat = a_seat(table, n[0], _undoable(table))
    sitting = table.seats.get(seat)
    return c.TakeBack(by, nearly(table.turn, n[3]), seat, nearly(sitting.step, n[2]) if sitting else 0)


def _undoable(table: Model) -> list[Seat]:
    return [seat for seat in table.there if table.undone(seat)]


def _away(table: Model) -> list[Seat]:
    return [seat for seat, sitting in table.seats.items() if sitting.bot or table.is_away(sitting.device)]


def _devices(table: Model) -> list[str]:
    return sorted({table.host, *(sitting.device for sitting in table.seats.values())})


WISHES: dict[type[c.Command], Callable[[Model, str, Numbers], c.Command]] = {
    c.Sit: lambda _, by, n: c.Sit(by, one(NAMES, n[0]), one(SEATED, n[1]), "e" * (n[2] % 67)),
    c.Wait: lambda _, by, n: c.Wait(by, one(NAMES, n[0])),
    c.Configure: lambda table, by, n: c.Configure(by, replace(table.settings, **one(SETTINGS, n[0]))),
    c.Rename: lambda table, by, n: c.Rename(by, a_seat(table, n[0], table.there), one(NAMES, n[1])),
    c.Leave: lambda table, by, n: c.Leave(by, a_seat(table, n[0], table.there)),
    c.Host: lambda table, by, n: c.Host(by, one([*_devices(table), by], n[0])),
    c.MoveSeat: lambda table, by, n: c.MoveSeat(
        by, a_seat(table, n[0], table.there), one([*_devices(table), by, by], n[1])
    ),
    c.Replace: lambda table, by, n: c.Replace(by, a_seat(table, n[0], _away(table)), one(BOTS, n[1])),
    c.Roll: lambda table, by, n: c.Roll(by, nearly(table.turn, n[3]), some_faces(table.dice or 2, n[0])),
    c.Correct: lambda table, by, n: c.Correct(
        by, nearly(table.turn, n[3]), some_faces(len(table.faces) or 2, n[0])
    ),
    c.Play: _play,
    c.TakeBack: _take_back,
    c.Extend: lambda table, by, n: c.Extend(by, nearly(table.turn, n[3]), a_seat(table, n[0], table.due)),
    c.AskHint: lambda table, by, n: c.AskHint(by, nearly(table.turn, n[3]), a_seat(table, n[0], table.due)),
    c.Close: lambda _, by, __: c.Close(by),
    c.ShowReview: lambda table, by, n: c.ShowReview(by, a_seat(table, n[0], [*table.seats]), n[1] % 2 == 0),
    c.Rematch: lambda _, by, __: c.Rematch(by, ""),
    c.Agree: lambda table, by, n: c.Agree(
        by, n[0] % 5, ((a_seat(table, n[1], table.there), one(("weak", "best", "odd"), n[2])),)
    ),
}
