"""Tables of several sheets: one throw for all (`Shared`), or one player after the other (`InTurn`).

No step costs more at a table of thousands: a throw is stored once, and each sheet takes it up when it is next
looked at; sheets are in a persistent map; the seats still to act are a count and a test.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple

from kasta.core import A, Faces, Next, Over, Pick, S, Seat, Solo, Throw, check_pick, check_throw
from kasta.errors import Illegal
from kasta.games.traits import AnyTraits, Traits
from kasta.persistent import Map


class _Unnamed(Traits[Any, Any, Any]):
    """Traits of games without a name: small ones, for proofs."""

    name = ""
    rule_sets: Mapping[str, Any] = {}


UNNAMED = _Unnamed()


@dataclass(frozen=True, slots=True)
class _AnyTable(Generic[S]):
    seats: int
    roller: Seat
    gone: Map[Seat, None] = Map()

    def check_exists(self, seat: Seat) -> None:
        if not 0 <= seat < self.seats:
            raise Illegal("no_such_seat", seat=seat, last=self.seats - 1)

    def check_seat(self, seat: Seat) -> None:
        self.check_exists(seat)
        if seat in self.gone:
            raise Illegal("seat_left", seat=seat)

    def after(self, seat: Seat) -> Seat:
        """The next seat clockwise that has not left; the same one if all others have."""
        following = (seat + 1) % self.seats
        while following in self.gone and following != seat:
            following = (following + 1) % self.seats
        return following


def _check_seats(seats: int, first: Seat) -> None:
    if int(seats) != seats:
        raise TypeError(f"a number of seats is an int, not {seats!r}")
    if seats < 1:
        raise Illegal("no_seats")
    if not 0 <= first < seats:
        raise Illegal("no_such_seat", seat=first, last=seats - 1)


@dataclass(frozen=True)
class _Composed(ABC, Generic[S, A]):
    """A game made of the rules of one sheet. `Game` describes its methods."""

    solo: Solo[S, A]
    traits: AnyTraits = field(default=UNNAMED, compare=False, repr=False)
    rules: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.traits.name

    @abstractmethod
    def sheet(self, table: Any, seat: Seat) -> S:  # noqa: ANN401 - each composer has its own tables
        """A seat's sheet, with the last throw on it."""

    def total(self, table: Any, seat: Seat) -> int:  # noqa: ANN401
        return self.solo.total(self.sheet(table, seat))

    def _read(self, action: A | str) -> A:
        """An action that may be given in notation."""
        return self.solo.read_action(action) if isinstance(action, str) else action

    def has_left(self, table: _AnyTable[S], seat: Seat) -> bool:
        return seat in table.gone


class Fullest(NamedTuple):
    """How near the end sheets were when a throw fell: what the fullest lacks, how many lack that, and the next."""

    lacks: int | None = None
    sheets: int = 0
    next_lacks: int | None = None

    def beside(self, own: int | None) -> int | None:
        """What the fullest lacks beside one's own sheet, which lacks so much; None where there is no other."""
        return self.next_lacks if own == self.lacks and self.sheets == 1 else self.lacks


@dataclass(frozen=True, slots=True)
class SharedTable(_AnyTable[S]):
    """The last throw, and how many seats still have to act on it (`owing`).

    A seat's entry in `sheets` is the number of the throw it took up last, and its sheets since then: one with the
    throw, and one after each action on it. A seat without an entry has not begun. Where a full sheet ends the
    game, `lacking` counts sheets by how many numbers they lack, and `fullest` has an entry for each throw.
    """

    thrown: int = 0
    faces: Faces = ()
    owing: int = 0
    full: int = 0  # how many sheets make the next throw the last
    last: bool = False
    sheets: Map[Seat, tuple[int, tuple[S, ...]]] = Map()
    lacking: tuple[int, ...] = ()
    fullest: tuple[Fullest, ...] = ()


@dataclass(frozen=True, slots=True)
class _Owes:
    """Whether a seat has not acted on a throw for all. It can be compared and pickled."""

    game: Any
    table: Any

    def __call__(self, seat: Seat) -> bool:
        return bool(self.game.is_due(self.table, seat))


@dataclass(frozen=True, slots=True)
class _Is:
    """Whether it is this seat's turn."""

    whose: Seat

    def __call__(self, seat: Seat) -> bool:
        return seat == self.whose


@dataclass(frozen=True)
class Shared(_Composed[S, A]):
    """A game in which one throw serves every sheet; the turn to throw goes clockwise. Seats act in any order."""

    hides_picks: ClassVar[bool] = True

    def start(self, seats: int, first: Seat = 0) -> SharedTable[S]:
        _check_seats(seats, first)
        lacks = self._lacks(self.solo.start())
        return SharedTable(seats, first, lacking=() if lacks is None else (*(0,) * lacks, seats))

    def _lacks(self, sheet: S) -> int | None:
        """How many numbers a sheet lacks until it ends the game for all, where the rules have such an end."""
        found: int | None = self._ask_lacks(sheet) if self._ask_lacks else None
        return found

    @cached_property
    def _ask_lacks(self) -> Any:  # noqa: ANN401 - the method of the rules, or None
        return getattr(self.solo, "lacks", None)

    def next(self, table: SharedTable[S]) -> Next:
        """The next step: a `Throw`, a `Pick` by the seats that still have to act, or `Over`."""
        if table.owing:
            return Pick(table.owing, _Owes(self, table), table.seats)
        if len(table.gone) == table.seats:
            return Over()
        alone = self.solo.next(self.sheet(table, table.roller))
        return Throw(alone.dice, table.roller) if isinstance(alone, Throw) else alone

    def is_due(self, table: SharedTable[S], seat: Seat) -> bool:
        """Whether a seat still has to act on the throw."""
        if not 0 <= seat < table.seats or seat in table.gone:
            return False
        return not self.solo.rests(self.sheet(table, seat))

    def sheet(self, table: SharedTable[S], seat: Seat) -> S:
        table.check_exists(seat)
        return self._since_throw(table, seat)[-1]

    def _since_throw(self, table: SharedTable[S], seat: Seat) -> tuple[S, ...]:
        """The seat's sheets on the last throw, oldest first, taking the throw up if the seat has not yet."""
        taken, sheets = table.sheets.get(seat) or (0, (self.solo.start(),))
        if taken == table.thrown or seat in table.gone:
            return sheets
        return (self.solo.throw(sheets[-1], table.faces, last=table.last),)

    def legal(self, table: SharedTable[S], seat: Seat) -> Sequence[A]:
        """The legal actions of a seat now; empty if it has acted, or a throw is next."""
        table.check_seat(seat)
        return self.solo.legal(self.sheet(table, seat))

    def throw(self, table: SharedTable[S], faces: Sequence[int]) -> SharedTable[S]:
        """The table after a throw, for every seat."""
        check_throw(self.next(table), faces)
        return replace(
            table,
            thrown=table.thrown + 1,
            faces=tuple(map(int, faces)),
            owing=table.seats - len(table.gone),
            last=table.full > 0,
            roller=table.after(table.roller),
            fullest=(*table.fullest, _fullest(table.lacking)) if table.lacking else (),
        )

    def act(self, table: SharedTable[S], seat: Seat, action: A | str) -> SharedTable[S]:
        """The table after an action of a seat, which may be given in notation, such as `c3`."""
        action = self._read(action)
        table.check_seat(seat)
        check_pick(self.next(table))
        sheets = self._since_throw(table, seat)
        if self.solo.rests(sheets[-1]):
            raise Illegal("already_acted", seat=seat, count=table.owing)
        return self._with(table, seat, (*sheets, self.solo.act(sheets[-1], action)))

    def take_back(self, table: SharedTable[S], seat: Seat) -> SharedTable[S]:
        """Undo the seat's last action on this throw, until the next throw or the end of the game."""
        table.check_seat(seat)
        if isinstance(self.next(table), Over):
            raise Illegal("game_over")
        sheets = self._since_throw(table, seat)
        if len(sheets) == 1:
            raise Illegal("nothing_to_take_back", seat=seat)
        return self._with(table, seat, sheets[:-1])

    def leave(self, table: SharedTable[S], seat: Seat) -> SharedTable[S]:
        """Empty a seat: it does not act or throw any more. A full sheet still ends the game."""
        table.check_seat(seat)
        owed = self.is_due(table, seat)
        left = replace(
            table,
            gone=table.gone.set(seat, None),
            owing=table.owing - owed,
            sheets=table.sheets.set(seat, (table.thrown, self._since_throw(table, seat))),
            lacking=_moved(table.lacking, self._lacks(self.sheet(table, seat)) or None, None),
        )
        return replace(left, roller=left.after(seat)) if seat == table.roller else left

    def is_ending(self, table: SharedTable[S]) -> bool:
        """Whether somebody's sheet makes the next throw the last."""
        return table.full > 0

    def others_lack(self, table: SharedTable[S], seat: Seat) -> int | None:
        """How many numbers the fullest of the other sheets lacked when the last throw fell.

        None for a seat alone, and in games that do not end by a full sheet.
        """
        fullest = table.fullest[-1] if table.fullest else _fullest(table.lacking)
        return fullest.beside(self._lacks(self._since_throw(table, seat)[0]))

    def others(self, table: SharedTable[S], seat: Seat) -> list[S]:
        """The sheets of the other seats clockwise, as they were when the last throw fell."""
        seats = [(seat + i) % table.seats for i in range(1, table.seats)]
        return [self._since_throw(table, other)[0] for other in seats if other not in table.gone]

    def _with(self, table: SharedTable[S], seat: Seat, sheets: tuple[S, ...]) -> SharedTable[S]:
        """The table with other sheets of one seat, and the counts that depend on them."""
        old, new = self.sheet(table, seat), sheets[-1]
        return replace(
            table,
            owing=table.owing + self.solo.rests(old) - self.solo.rests(new),
            full=table.full + self.solo.ends(new) - self.solo.ends(old),
            sheets=table.sheets.set(seat, (table.thrown, sheets)),
            lacking=_moved(table.lacking, self._lacks(old), self._lacks(new)),
        )


def _fullest(lacking: tuple[int, ...]) -> Fullest:
    levels = [lacks for lacks, sheets in enumerate(lacking) if sheets]
    return Fullest(levels[0], lacking[levels[0]], (*levels[1:2], None)[0]) if levels else Fullest()


def _moved(lacking: tuple[int, ...], old: int | None, new: int | None) -> tuple[int, ...]:
    """The same counts, with a sheet that lacks another number now, or is gone."""
    if old == new:
        return lacking
    counts = list(lacking)
    for lacks, change in ((old, -1), (new, 1)):
        if lacks is not None:
            counts[lacks] += change
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class TurnTable(_AnyTable[S]):
    """The sheets and, as long as the last action can be taken back, the sheet `before` it."""

    sheets: Map[Seat, S] = Map()
    before: tuple[Seat, S] | None = None


@dataclass(frozen=True)
class InTurn(_Composed[S, A]):
    """A game in which each player has a whole turn, then the next player clockwise."""

    hides_picks: ClassVar[bool] = False

    def start(self, seats: int, first: Seat = 0) -> TurnTable[S]:
        _check_seats(seats, first)
        return TurnTable(seats, first)

    def next(self, table: TurnTable[S]) -> Next:
        """The next step: a `Throw`, a `Pick` by the seat whose turn it is, or `Over`."""
        if len(table.gone) == table.seats:
            return Over()
        match self.solo.next(self.sheet(table, table.roller)):
            case Throw(dice):
                return Throw(dice, table.roller)
            case Pick():
                return Pick(1, _Is(table.roller), table.seats)
            case Over():
                return Over()

    def sheet(self, table: TurnTable[S], seat: Seat) -> S:
        table.check_exists(seat)
        sheet = table.sheets.get(seat)
        return self.solo.start() if sheet is None else sheet

    def legal(self, table: TurnTable[S], seat: Seat) -> Sequence[A]:
        """The legal actions of a seat now; empty if it is not its turn, or a throw is next."""
        table.check_seat(seat)
        return self.solo.legal(self.sheet(table, seat)) if seat == table.roller else ()

    def throw(self, table: TurnTable[S], faces: Sequence[int]) -> TurnTable[S]:
        """The table after a throw of the seat whose turn it is."""
        check_throw(self.next(table), faces)
        sheet = self.solo.throw(self.sheet(table, table.roller), tuple(map(int, faces)))
        return replace(table, sheets=table.sheets.set(table.roller, sheet), before=None)

    def act(self, table: TurnTable[S], seat: Seat, action: A | str) -> TurnTable[S]:
        """The table after an action of the seat whose turn it is; notation such as `keep 6 6` will do."""
        action = self._read(action)
        table.check_seat(seat)
        check_pick(self.next(table))
        if seat != table.roller:
            raise Illegal("not_your_turn", seat=table.roller)
        old = self.sheet(table, seat)
        new = self.solo.act(old, action)
        acted = replace(table, sheets=table.sheets.set(seat, new))
        if not self.solo.rests(new):
            return acted
        return replace(acted, roller=table.after(seat), before=(seat, old))

    def take_back(self, table: TurnTable[S], seat: Seat) -> TurnTable[S]:
        """Undo the action that ended the seat's turn, until the next throw or the end of the game."""
        table.check_seat(seat)
        if isinstance(self.next(table), Over):
            raise Illegal("game_over")
        if table.before is None or table.before[0] != seat:
            raise Illegal("nothing_to_take_back", seat=seat)
        return replace(table, sheets=table.sheets.set(*table.before), roller=seat, before=None)

    def leave(self, table: TurnTable[S], seat: Seat) -> TurnTable[S]:
        """Empty a seat: its turns are skipped."""
        table.check_seat(seat)
        before = None if table.before and table.before[0] == seat else table.before
        left = replace(table, gone=table.gone.set(seat, None), before=before)
        return replace(left, roller=left.after(seat)) if seat == table.roller else left

    def is_ending(self, table: TurnTable[S]) -> bool:
        """No sheet ends the others' turns."""
        return False

    def others_lack(self, table: TurnTable[S], seat: Seat) -> int | None:
        """No sheet ends the others' turns."""
        return None

    def others(self, table: TurnTable[S], seat: Seat) -> list[S]:
        """The sheets of the other seats, clockwise."""
        seats = [(seat + i) % table.seats for i in range(1, table.seats)]
        return [self.sheet(table, other) for other in seats if other not in table.gone]
