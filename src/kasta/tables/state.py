"""A table as its events make it: `evolve` is pure, and replaying a log folds `evolve`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from kasta import dice
from kasta.core import Faces, Next, Over, Pick, Seat, Throw
from kasta.errors import KastaError, Unavailable
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.persistent import Map
from kasta.tables import events as e
from kasta.tables.names import folded

if TYPE_CHECKING:
    from dataclasses import replace as _with  # the types of which are checked


@dataclass(frozen=True, slots=True)
class Place:
    """Who sits in a seat, and at which device; `bot` plays for them if it is not None.

    A seat is a number for ever; its place is who has it now. A program was seated as a bot: no person comes back.
    """

    name: str
    device: str
    bot: str | None
    entropy: str
    wins: int
    points: int
    is_program: bool = False
    on_wall: bool = False  # they have agreed that the wall shows their name
    is_engine: bool = False  # a program of somebody's plays here through the API, and says so


@dataclass(frozen=True)
class Table(e.InSeries):
    """Everything that is known at a table, but not the secret of its dice.

    Seats keep their number for ever. `play` is the game's own table, None before the first throw; `before` is how
    it was before the last throw. `guard` counts what does not belong to play (sitting down, settings ...) and
    what was taken back, `turn` the throws, and `steps` what each seat has done since: together they say what a
    command may rely on. `seq` counts all events: it is the place of the last one in the log.
    """

    id: str
    game: AnyGame
    settings: e.Settings
    host: str
    commitment: str
    previous: str | None
    day: str | None = None  # whose throws are played
    challenge: str | None = None  # likewise
    counted: bool = False
    seq: int = 1
    places: Map[Seat, Place] = Map()
    names: Map[str, Seat] = Map()
    devices: Map[str, tuple[Seat, ...]] = Map()  # the seats that each holds
    bots: Map[Seat, str] = Map()
    waiting: tuple[tuple[str, str], ...] = ()  # devices and names of who came too late: the next game seats them
    late_on_wall: frozenset[str] = frozenset()  # those of them who know that the wall shows their name
    seats: int = 0  # ever given out; those who left before the first throw are no longer in `places`
    play: Any = None
    before: Any = None
    faces: Faces = ()
    tray: Faces = ()  # dice in their places; 0 where one is about to be thrown again
    tray_before: Faces = ()  # how it was before the last throw, which filled the places that were 0
    fell: Map[int, int] = Map()  # how often each sum of dice was thrown
    roller: Seat = 0  # of the last throw
    guard: int = 0
    changes: int = 0  # events that are not play: the log must end somewhere
    turn: int = 0
    hands: int = 0  # how often it has changed who may act, as far as picks must expect that it has not
    series_number: int | None = None  # of the last throw among those that others play, too
    thrown_on: int = 0  # the turn of the last throw, which corrections do not change
    steps: Map[Seat, tuple[int, int]] = Map()
    stand_ins: Map[Seat, int] = Map()  # the turn on which a bot acted for an absent person
    extensions: Map[Seat, tuple[int, int]] = Map()  # how often each asked for more time, and on which turn
    more_time: int = 0  # how often all of them did on this turn
    secret: str | None = None  # told at the end
    next_table: str | None = None
    coached: frozenset[Seat] = frozenset()  # whom the coach told what it would do
    shown: frozenset[Seat] = frozenset()  # whose reviews all at the table may see
    agreed: e.Agreed = e.NOTHING_AGREED  # for the evening
    _next: Next | None = field(default=None, init=False, repr=False, compare=False)  # once somebody has asked
    _after: tuple[Any, Any] = field(default=(None, None), init=False, repr=False, compare=False)

    @property
    def is_closed(self) -> bool:
        return self.secret is not None

    @property
    def picking(self) -> int:
        """What a pick relies on: its throw, and that nobody else has its seat by now."""
        return self.turn + self.hands

    def started(self) -> Any:  # noqa: ANN401 - each game has its own tables
        """The game's table, begun with those who sit here now if it has not been."""
        if self.play is not None:
            return self.play
        play = self.game.start(self.seats, self.first())
        if len(self.places) < self.seats:  # some were given up again
            for seat in range(self.seats):
                if seat not in self.places:
                    play = self.game.leave(play, seat)
        return play

    def first(self) -> Seat:
        """Who throws first: whom the settings name, if still there, or the first seat."""
        wanted = self.settings.first
        if wanted is not None and wanted in self.places:
            return wanted
        return next((seat for seat in range(self.seats) if seat in self.places), 0)

    @property
    def next_number(self) -> int:
        """Which throw of the dice fixed beforehand comes next: of all, or of the series for its player here."""
        if self.series is None:
            return self.turn
        play = self.started()
        goes_on = not self.game.solo.rests(self.game.sheet(play, self.first()))
        return dice.series_number(self.series_number, goes_on=goes_on)

    def next(self) -> Next:
        if self._next is None:
            object.__setattr__(self, "_next", self._expected())
        return self._next or Over()

    def _expected(self) -> Next:
        if self.is_closed or not self.places:
            return Over()
        if self.play is None:  # who has gone again does not matter: they are not first
            return self.game.next(self.game.start(self.seats, self.first()))
        return self.game.next(self.play)

    @property
    def owing(self) -> int:
        """How many seats have still to act on the last throw."""
        expected = self.game.next(self.play) if self.is_closed and self.play is not None else self.next()
        return expected.count if isinstance(expected, Pick) else 0

    def is_due(self, seat: Seat) -> bool:
        """Whether the seat has still to act on the last throw."""
        expected = self.next()
        return isinstance(expected, Pick) and expected.is_due(seat)

    def after(self, step: Literal["act", "take_back"], *about: Any) -> Any:  # noqa: ANN401 - of any game
        """The game's table after a legal step, worked out once: for who decides, and for what comes of it."""
        if self._after[0] != (step, about):
            object.__setattr__(self, "_after", ((step, about), getattr(self.game, step)(self.play, *about)))
        return self._after[1]

    def is_seated(self, device: str) -> bool:
        """Whether somebody at the device plays here, and has not left."""
        held = self.devices.get(device, ())
        return any(self.play is None or not self.game.has_left(self.play, seat) for seat in held)

    def step(self, seat: Seat) -> int:
        """How much the seat has done on this throw, take-backs included: the number of its next step."""
        turn, step = self.steps.get(seat, (0, 0))
        return step if turn == self.turn else 0

    def asked(self, seat: Seat) -> int:
        """How often the seat has asked for more time on this throw."""
        turn, times = self.extensions.get(seat, (0, 0))
        return times if turn == self.turn else 0

    def stood_in(self, seat: Seat) -> bool:
        """Whether a bot acted for the seat's absent person on this throw."""
        return self.stand_ins.get(seat) == self.turn > 0


if not TYPE_CHECKING:

    def _with(table: Table, **changes: object) -> Table:
        """As `replace` does, which takes ten times as long: replaying a log does little else."""
        copied = object.__new__(Table)
        copied.__dict__.update(table.__dict__, _next=None, _after=(None, None), **changes)
        return copied


def replay(log: Iterable[e.AnyEvent]) -> Table:
    """The table that a log makes; the log begins with its opening."""
    table: Table | None = None
    for event in log:
        table = evolve(table, event)
    if table is None:
        raise Unavailable("damaged", reason="a log without an opening")
    return table


def evolve(table: Table | None, event: e.AnyEvent) -> Table:
    """The table after one more event. Who decided on it has checked it: a log that does not fit is damaged."""
    try:
        if isinstance(event, e.OpenedEvent):
            return _opened(table, event)
        if table is None:
            raise Unavailable("damaged", reason="a log without an opening")
        if table.play is None and isinstance(event, e.Acted | e.TakenBack | e.Corrected):
            raise Unavailable("damaged", reason=f"{type(event).__name__} before the first throw")
        kind = type(event)
        return _with(
            _EVOLVE[kind](table, event),
            seq=table.seq + 1,
            guard=table.guard + (kind not in _UNGUARDED),
            changes=table.changes + (kind in _CHANGES),
            hands=table.hands + (event.v >= e.CHANGING_HANDS),
        )
    except Unavailable:
        raise
    except (KastaError, LookupError) as error:
        raise Unavailable("damaged", reason=f"{type(event).__name__}: {error}") from error


def _opened(table: Table | None, event: e.OpenedEvent) -> Table:
    if table is not None:
        raise Unavailable("damaged", reason="opened twice")
    try:
        game = find_game(event.game, event.rules)
    except KastaError:
        raise Unavailable("game_missing", game=event.game, rules=event.rules) from None
    about = event.host, event.commitment, event.previous, event.day, event.challenge
    return Table(event.table, game, event.settings, *about, counted=event.counted)


def _seated(table: Table, event: e.SeatedEvent) -> Table:
    who = event.name, event.device, event.bot, event.entropy, event.wins, event.points
    place = Place(*who, is_program=bool(event.bot), on_wall=event.wall, is_engine=event.program)
    return _with(
        table,
        seats=max(table.seats, event.seat + 1),
        places=table.places.set(event.seat, place),
        names=table.names.set(folded(event.name), event.seat),
        devices=_with_seat(table.devices, event.device, event.seat),
        bots=table.bots.set(event.seat, event.bot) if event.bot else table.bots,
    )


Devices = Map[str, tuple[Seat, ...]]


def _with_seat(devices: Devices, device: str, seat: Seat) -> Devices:
    return devices.set(device, (*devices.get(device, ()), seat))


def _without_seat(devices: Devices, device: str, seat: Seat) -> Devices:
    rest = tuple(other for other in devices[device] if other != seat)
    return devices.set(device, rest) if rest else devices.delete(device)


def _renamed(table: Table, event: e.Renamed) -> Table:
    place = table.places[event.seat]
    names = table.names.delete(folded(place.name)).set(folded(event.name), event.seat)
    on_wall = place.on_wall or event.wall
    places = table.places.set(event.seat, replace(place, name=event.name, on_wall=on_wall))
    return _with(table, names=names, places=places)


def _moved(table: Table, event: e.Moved) -> Table:
    place = table.places[event.seat]
    devices = _with_seat(_without_seat(table.devices, place.device, event.seat), event.device, event.seat)
    places = table.places.set(event.seat, replace(place, device=event.device))
    return _with(table, places=places, devices=devices)


def _replaced(table: Table, event: e.Replaced) -> Table:
    places = table.places.set(event.seat, replace(table.places[event.seat], bot=event.bot))
    bots = table.bots.set(event.seat, event.bot) if event.bot else table.bots.delete(event.seat)
    return _with(table, places=places, bots=bots)


def _waited(table: Table, event: e.Waited) -> Table:
    late_on_wall = table.late_on_wall | {event.device} if event.wall else table.late_on_wall
    waiting = (*table.waiting, (event.device, event.name))
    return _with(table, waiting=waiting, late_on_wall=late_on_wall)


def _rolled(table: Table, event: e.Rolled) -> Table:
    return _with(_thrown(table, event, table.started(), table.tray), thrown_on=event.turn)


def _corrected(table: Table, event: e.Corrected) -> Table:
    wrong = sum(table.faces)
    fell = table.fell.set(wrong, table.fell[wrong] - 1)
    return _thrown(_with(table, fell=fell), event, table.before, table.tray_before)


def _thrown(table: Table, event: e.Rolled, before: Any, tray: Faces) -> Table:  # noqa: ANN401 - of any game
    expected = table.game.next(before)
    if tray.count(0) != len(event.faces):  # all dice, by whoever's turn it is now
        tray = (0,) * len(event.faces)
    landed = iter(event.faces)
    return _with(
        table,
        play=table.game.throw(before, event.faces),
        before=before,
        faces=event.faces,
        tray=tuple(face or next(landed) for face in tray),
        tray_before=tray,
        fell=table.fell.set(sum(event.faces), table.fell.get(sum(event.faces), 0) + 1),
        roller=expected.roller if isinstance(expected, Throw) else table.roller,
        turn=event.turn,
        series_number=None if table.series is None else table.next_number,
        more_time=0,
    )


def _acted(table: Table, event: e.Acted) -> Table:
    action = table.game.solo.read_action(event.do)
    kept = table.game.traits.spot(action).dice
    return _with(
        table,
        tray=table.tray if kept is None else _keep(table, kept),
        play=table.after("act", event.seat, action),
        steps=table.steps.set(event.seat, (event.turn, event.step + 1)),
        stand_ins=table.stand_ins.set(event.seat, event.turn) if event.stand_in else table.stand_ins,
    )


def _keep(table: Table, kept: Faces) -> Faces:
    """The tray without the dice that are thrown again; of equal dice those stay that lay still before."""
    wanted = Counter(kept)
    tray = [0] * len(table.tray)
    for place in sorted(range(len(tray)), key=lambda place: not table.tray_before[place]):
        face = table.tray[place]
        if wanted[face]:
            wanted[face] -= 1
            tray[place] = face
    return tuple(tray)


def _taken_back(table: Table, event: e.TakenBack) -> Table:
    return _with(
        table,
        play=table.after("take_back", event.seat),
        steps=table.steps.set(event.seat, (event.turn, event.step + 1)),
    )


def _extended(table: Table, event: e.Extended) -> Table:
    extensions = table.extensions.set(event.seat, (event.turn, table.asked(event.seat) + 1))
    return _with(table, extensions=extensions, more_time=table.more_time + 1)


def _hinted(table: Table, event: e.Hinted) -> Table:
    return _with(table, coached=table.coached | {event.seat})


def _left(table: Table, event: e.Left) -> Table:
    """Before the first throw the seat is given up; later its sheet stays, without a place among the others."""
    seat = event.seat
    place = table.places[seat]
    gone = _with(
        table,
        names=table.names.delete(folded(place.name)),
        devices=_without_seat(table.devices, place.device, seat) if table.play is None else table.devices,
        bots=table.bots.delete(seat) if seat in table.bots else table.bots,
        steps=table.steps.set(seat, (event.turn, event.step + 1)),
    )
    if table.play is None:
        return _with(gone, places=table.places.delete(seat))
    before = table.game.leave(table.before, seat) if table.before is not None else None
    return _with(gone, play=table.game.leave(table.play, seat), before=before)


def _review_shown(table: Table, event: e.ReviewShown) -> Table:
    shown = table.shown | {event.seat} if event.shown else table.shown - {event.seat}
    return _with(table, shown=shown)


_EVOLVE: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.SeatedEvent: _seated,
    e.Configured: lambda table, event: _with(table, settings=event.settings),
    e.Renamed: _renamed,
    e.Hosted: lambda table, event: _with(table, host=event.device),
    e.Moved: _moved,
    e.Replaced: _replaced,
    e.Waited: _waited,
    e.Rolled: _rolled,
    e.Corrected: _corrected,
    e.Acted: _acted,
    e.TakenBack: _taken_back,
    e.Extended: _extended,
    e.Hinted: _hinted,
    e.Left: _left,
    e.Closed: lambda table, event: _with(table, secret=event.secret),
    e.Rematched: lambda table, event: _with(table, next_table=event.table),
    e.ReviewShown: _review_shown,
    e.Agreed: lambda table, event: _with(table, agreed=event),
}
# What is taken back counts: a throw that was decided before must not fall on what is done instead.
_UNGUARDED = {e.Rolled, e.Corrected, e.Acted}
_PLAY = {e.Rolled, e.Acted, e.TakenBack, e.Extended, e.Hinted, e.Closed, e.Rematched}
_CHANGES = _EVOLVE.keys() - _PLAY
