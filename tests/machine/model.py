"""What happens at a table, in the simplest words: seats, throws, sheets, and what has been written down since.

It is made from how play is described for people, and knows nothing of tables in Kasta but their events. What a
sheet takes and pays is for the rules of the game, which are tested elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kasta.core import Faces, Over, Seat, Throw
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.tables import events as e

AWAY, HOST_AWAY = 20.0, 60.0  # seconds without a stream

Before = tuple[dict[Seat, Any], Seat]
"""The sheets before a throw, and who threw."""


@dataclass
class Sitting:
    """A seat, and who has it. `sheets` are those since the last throw: as thrown, and after each thing done."""

    name: str
    device: str
    bot: str | None
    sheets: list[Any]
    is_program: bool = False
    has_left: bool = False
    step: int = 0
    extended: int = 0
    stood_in: bool = False
    coached: bool = False
    is_shown: bool = False

    @property
    def sheet(self) -> Any:  # noqa: ANN401 - of any game
        return self.sheets[-1]


@dataclass
class Model:
    game: AnyGame
    host: str
    settings: e.Settings
    seats: dict[Seat, Sitting] = field(default_factory=dict)
    given: int = 0  # seats ever
    turn: int = 0
    thrower: Seat | None = None  # whose throw is next; None before the first
    thrown_by: Seat = 0
    faces: Faces = ()
    before: Before | None = None
    ending: Seat | None = None  # who has just ended a turn, where people take turns
    is_last: bool = False
    is_closed: bool = False
    waiting: list[tuple[str, str]] = field(default_factory=list)
    next_table: str | None = None
    agreed: e.Agreed = e.NOTHING_AGREED
    silence: dict[str, float] = field(default_factory=dict)

    @classmethod
    def opened(cls, event: e.OpenedEvent) -> Model:
        return cls(find_game(event.game, event.rules), event.host, event.settings)

    # -- how it stands ------------------------------------------------------------

    @property
    def is_shared(self) -> bool:
        """Whether one throw serves all, and nobody sees what others pick until the next one."""
        return self.game.hides_picks

    @property
    def begun(self) -> bool:
        return self.thrower is not None

    @property
    def there(self) -> list[Seat]:
        return [seat for seat in sorted(self.seats) if not self.seats[seat].has_left]

    @property
    def roller(self) -> Seat | None:
        """Who throws next: to begin with, whom the host has named, or the first."""
        if self.thrower is not None:
            return self.thrower
        named = self.settings.first
        return named if named in self.seats else next(iter(sorted(self.seats)), None)

    @property
    def due(self) -> list[Seat]:
        """Who owes something on the last throw."""
        if not self.begun or self.is_closed:
            return []
        seats = self.there if self.is_shared else [seat for seat in self.there if seat == self.thrower]
        return [seat for seat in seats if self.game.solo.legal(self.seats[seat].sheet)]

    @property
    def is_over(self) -> bool:
        """By the rules."""
        if not self.begun or self.due_anyway:
            return False
        return not self.there or isinstance(self.game.solo.next(self.seats[self.thrower or 0].sheet), Over)

    @property
    def due_anyway(self) -> list[Seat]:
        closed, self.is_closed = self.is_closed, False
        found = self.due
        self.is_closed = closed
        return found

    @property
    def dice(self) -> int:
        """How many are thrown next; 0 if none."""
        if self.is_closed or not self.seats or self.due or self.is_over:
            return 0
        sheet = self.game.solo.start() if not self.begun else self.seats[self.roller or 0].sheet
        expected = self.game.solo.next(sheet)
        return expected.dice if isinstance(expected, Throw) else 0

    @property
    def goes_on(self) -> bool:
        """Whether a turn that has begun goes on with other dice."""
        if not (self.begun and self.dice):
            return False
        return not self.game.solo.rests(self.seats[self.roller or 0].sheet)

    def held(self, device: str) -> list[Seat]:
        return [seat for seat in sorted(self.seats) if self.seats[seat].device == device]

    def plays(self, device: str) -> bool:
        """Whether a person plays there."""
        return any(self.seats[seat].bot is None for seat in self.held(device) if not self.seats[seat].has_left)

    def is_away(self, device: str, seconds: float = AWAY) -> bool:
        return self.silence.get(device, 0.0) > seconds

    def undone(self, seat: Seat) -> int:
        """How many things the seat has done on this throw that can be taken back."""
        sitting = self.seats[seat]
        if self.is_over or self.is_closed or sitting.has_left or not self.begun:
            return 0
        return len(sitting.sheets) - 1 if self.is_shared or seat == self.ending else 0

    def seen(self, seat: Seat, device: str) -> Any:  # noqa: ANN401 - of any game
        """The sheet as a device may see it: of others as before the throw, until the next one or the end."""
        sitting = self.seats[seat]
        mine = sitting.device == device and sitting.bot is None
        is_open = self.is_shared and self.begun and not (self.is_over or self.is_closed)
        if not self.begun:
            return None
        return self.before[0][seat] if is_open and not mine and self.before else sitting.sheet

    # -- what happens -------------------------------------------------------------

    def hear(self, event: e.AnyEvent) -> None:
        _HEAR[type(event)](self, event)

    def on_seated(self, event: e.SeatedEvent) -> None:
        assert event.seat == self.given
        sheets = [self.game.solo.start()]
        self.seats[event.seat] = Sitting(
            event.name, event.device, event.bot, sheets, is_program=event.bot is not None
        )
        self.given += 1

    def on_rolled(self, event: e.Rolled) -> None:
        assert event.turn == self.turn + 1
        roller = self.roller
        assert roller is not None
        self.before = {seat: sitting.sheet for seat, sitting in self.seats.items()}, roller
        self._throw(event.faces)

    def on_corrected(self, event: e.Corrected) -> None:
        assert self.before
        assert event.turn == self.turn + 1
        sheets, self.thrower = self.before
        for seat, sheet in sheets.items():
            self.seats[seat].sheets = [sheet]
        self._throw(event.faces)

    def _throw(self, faces: Faces) -> None:
        roller, solo = self.roller, self.game.solo
        assert roller is not None
        assert self.before
        self.is_last = any(solo.ends(sheet) for sheet in self.before[0].values())
        for seat in self.there if self.is_shared else [roller]:
            sheet = self.seats[seat].sheet
            self.seats[seat].sheets = [
                solo.throw(sheet, faces, last=self.is_last) if self.is_shared else solo.throw(sheet, faces)
            ]
        for sitting in self.seats.values():
            sitting.step = sitting.extended = 0
            sitting.stood_in = False
        self.turn, self.faces, self.ending, self.thrown_by = self.turn + 1, faces, None, roller
        self.thrower = self._after(roller) if self.is_shared else roller

    def _after(self, seat: Seat) -> Seat:
        """The next one clockwise who is still there."""
        following = [other for other in self.there if other > seat] + [
            other for other in self.there if other <= seat
        ]
        return following[0] if following else seat

    def on_acted(self, event: e.Acted) -> None:
        sitting, solo = self.seats[event.seat], self.game.solo
        assert event.seat in self.due
        assert (event.turn, event.step) == (self.turn, sitting.step)
        sitting.sheets.append(solo.act(sitting.sheet, solo.read_action(event.do)))
        sitting.step += 1
        sitting.stood_in = sitting.stood_in or event.stand_in
        if not self.is_shared:
            if solo.rests(sitting.sheet):
                self.thrower, self.ending = self._after(event.seat), event.seat
                sitting.sheets = sitting.sheets[-2:]
            else:
                sitting.sheets = sitting.sheets[-1:]

    def on_taken_back(self, event: e.TakenBack) -> None:
        sitting = self.seats[event.seat]
        assert self.undone(event.seat)
        assert (event.turn, event.step) == (self.turn, sitting.step)
        sitting.sheets.pop()
        sitting.step += 1
        if not self.is_shared:
            self.thrower, self.ending = event.seat, None

    def on_left(self, event: e.Left) -> None:
        if not self.begun:
            del self.seats[event.seat]
            return
        sitting = self.seats[event.seat]
        sitting.has_left = True
        sitting.step += 1
        self.ending = None if self.ending == event.seat else self.ending
        if self.thrower == event.seat:
            self.thrower = self._after(event.seat)

    def on_moved(self, event: e.Moved) -> None:
        self.seats[event.seat].device = event.device

    def on_replaced(self, event: e.Replaced) -> None:
        self.seats[event.seat].bot = event.bot

    def on_renamed(self, event: e.Renamed) -> None:
        self.seats[event.seat].name = event.name

    def on_extended(self, event: e.Extended) -> None:
        self.seats[event.seat].extended += 1

    def on_hinted(self, event: e.Hinted) -> None:
        self.seats[event.seat].coached = True

    def on_shown(self, event: e.ReviewShown) -> None:
        self.seats[event.seat].is_shown = event.shown

    def on_waited(self, event: e.Waited) -> None:
        self.waiting.append((event.device, event.name))

    def set(self, **what: object) -> None:
        for name, value in what.items():
            setattr(self, name, value)


_HEAR: dict[type[e.Event], Callable[[Model, Any], None]] = {
    e.SeatedEvent: Model.on_seated,
    e.Rolled: Model.on_rolled,
    e.Corrected: Model.on_corrected,
    e.Acted: Model.on_acted,
    e.TakenBack: Model.on_taken_back,
    e.Left: Model.on_left,
    e.Moved: Model.on_moved,
    e.Replaced: Model.on_replaced,
    e.Renamed: Model.on_renamed,
    e.Extended: Model.on_extended,
    e.Hinted: Model.on_hinted,
    e.ReviewShown: Model.on_shown,
    e.Waited: Model.on_waited,
    e.Configured: lambda model, event: model.set(settings=event.settings),
    e.Hosted: lambda model, event: model.set(host=event.device),
    e.Closed: lambda model, _: model.set(is_closed=True),
    e.Rematched: lambda model, event: model.set(next_table=event.table),
    e.Agreed: lambda model, event: model.set(agreed=event),
}
