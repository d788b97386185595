"""Finished games, kept apart from the tables' logs: they outlive them, and hold no names unless asked to.

A game is written once for each seat that a person played to the end, when it ends or later. What is deleted does
not come back: a table gives its results once.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from kasta.core import Seat
from kasta.dice import DAY

TABLE = "table"  # the kind of a game at a table of one's own
POCKET = "pocket"  # of one without a server: nobody knows its dice, so it is compared with nothing
PIECE = 200  # results that are read together where there may be many

Hands = dict[str, tuple[int, int]]
"""How often each hand or box was made, and what it paid at best, by its code."""


Ruled = tuple[str, str]
"""A game and its rule set."""


def series_kind(series: str, *, counted: bool = True) -> str:
    """The kind of the results of a day or a challenge: those that are compared, and those for fun."""
    return series if counted else f"fun/{series.removeprefix(DAY)}"


class Board(NamedTuple):
    """Results that are compared: of one kind (`table`, `day/2026-11-17`, `challenge/ID`), game and rule set."""

    kind: str
    game: str
    rules: str


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one seat made of a game. `record` is its own sheet as a packed game record, without names.

    Whoever was helped, by a bot or a coach, is on no board. `shown` is a name that the player wants to be shown.
    """

    table: str
    seat: Seat
    device: str
    kind: str = TABLE
    game: str
    rules: str
    ended: float
    total: int
    place: int
    seats: int  # of those who stayed to the end
    bots: int = 0  # of them
    is_helped: bool = False
    hands: Hands
    record: bytes
    shown: str | None = None
    luck: float | None = None  # of its throws, once it was reviewed
    lost: float | None = None  # what decisions gave away, likewise

    @property
    def board(self) -> Board:
        return Board(self.kind, self.game, self.rules)

    def lines(self) -> str:
        """The record as it is read and written elsewhere."""
        return zlib.decompress(self.record).decode()


def packed(lines: Sequence[str]) -> bytes:
    """A record as results hold it."""
    return zlib.compress("".join(f"{line}\n" for line in lines).encode(), 9)


def hands_of(score: Mapping[str, object]) -> Hands:
    """The hands or boxes of a finished sheet that were made, by its score (`Solo.score`)."""
    made: defaultdict[str, list[int]] = defaultdict(list)
    for part in chain.from_iterable(parts for parts in score.values() if isinstance(parts, list)):
        name, points = part.get("hand", part.get("box")), part.get("points") or 0
        if name is not None and (points or "hand" in part):
            made[name].append(points)
    return {name: (len(points), max(points)) for name, points in made.items()}


class Standing(NamedTuple):
    """The place of a total among so many, and the share of them in percent that it beats; a tie is half a win."""

    place: int
    of: int
    percentile: float


def standing(distribution: Mapping[int, int], total: int) -> Standing:
    """Where a total stands in a distribution, whether it is one of those counted or not."""
    of = sum(distribution.values())
    above = sum(number for each, number in distribution.items() if each > total)
    equal = distribution.get(total, 0)
    return Standing(1 + above, of, 100 * (of - above - equal / 2) / of if of else 0.0)
