"""The rules of the table beside the rules of the game: who may do what, and when. Pure: a wish becomes events.

A command says by which device it is wished. Whether a device is who it claims to be, and whether somebody is away,
are facts that the service knows and vouches for.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from msgspec import Struct

from kasta import dice
from kasta.core import Faces, Over, Seat, Throw, check_throw
from kasta.errors import Conflict, Illegal, Unreadable
from kasta.table import events as e
from kasta.table.names import clean_name, folded
from kasta.table.state import Place, Table

SERVICE = ""  # the service's own device: it throws and picks for bots and by the clock

SEATS_A_DEVICE = 24
EXTENSIONS_A_THROW = 10
STEPS_A_THROW = 60  # what a seat may do and take back on one throw


class Command(Struct, frozen=True):
    by: str


class Sit(Command, frozen=True):
    name: str
    bot: str | None = None
    entropy: str = ""


class Configure(Command, frozen=True):
    settings: e.Settings


class Rename(Command, frozen=True):
    seat: Seat
    name: str


class Leave(Command, frozen=True):
    seat: Seat


class Host(Command, frozen=True):
    """Hand the role of the host on, or, while the host is away, take it as the first seat."""

    device: str
    host_away: bool = False


class Move(Command, frozen=True):
    """Go on with a seat at another device."""

    seat: Seat
    device: str


class Replace(Command, frozen=True):
    """Let a bot play on for a seat, or, with None, its person again."""

    seat: Seat
    bot: str | None


class Roll(Command, frozen=True):
    turn: int
    faces: Faces = ()  # own dice: what they show; else the service fills them in
    roller_away: bool = False


class Correct(Command, frozen=True):
    turn: int
    faces: Faces


class Play(Command, frozen=True):
    turn: int
    seat: Seat
    step: int
    do: str
    stand_in: bool = False


class TakeBack(Command, frozen=True):
    turn: int
    seat: Seat
    step: int


class Extend(Command, frozen=True):
    """Ask for more time on this throw."""

    turn: int
    seat: Seat


class Close(Command, frozen=True):
    secret: str = ""  # the service fills it in


class Rematch(Command, frozen=True):
    table: str


def decide(table: Table, command: Command) -> e.AnyEvent:
    """What happens if this is wished now. Raises what is wrong with it, and then nothing happens."""
    if table.is_closed and not isinstance(command, Rematch):
        raise Illegal("table_closed")
    return _DECIDE[type(command)](table, command)


def _sit(table: Table, command: Sit) -> e.Seated:
    if table.turn or not table.settings.open:
        raise Illegal("seats_closed")
    if command.bot is not None:
        _only_host(table, command)
    if len(table.devices.get(command.by, ())) >= SEATS_A_DEVICE:
        raise Illegal("too_many_seats", most=SEATS_A_DEVICE)
    _check_entropy(command.entropy)
    name = _free_name(table, command.name)
    return e.Seated(table.seats, name, command.by, command.bot, command.entropy)


def _configure(table: Table, command: Configure) -> e.Configured:
    """Before the first throw everything can be set; later only who throws, the pace, and taking back."""
    _only_host(table, command)
    later = {"thrower", "pace", "take_back", "open"}
    old, new = table.settings, command.settings
    changed = {name for name in old.__struct_fields__ if getattr(old, name) != getattr(new, name)}
    if table.turn and changed - later:
        raise Illegal("set_before_start", settings=", ".join(sorted(changed - later)))
    if new.first is not None:
        _place(table, new.first)
    if new.pace is not None and new.pace < 1:
        raise Unreadable("pace_too_short")
    return e.Configured(new)


def _rename(table: Table, command: Rename) -> e.Renamed:
    place = _place(table, command.seat)
    if command.by not in {place.device, table.host}:
        raise Illegal("not_your_seat", seat=command.seat)
    return e.Renamed(command.seat, _free_name(table, command.name, command.seat))


def _leave(table: Table, command: Leave) -> e.Left:
    place = _place(table, command.seat)
    if command.by not in {place.device, table.host}:
        raise Illegal("not_your_seat", seat=command.seat)
    if table.play is not None and isinstance(table.next(), Over):
        raise Illegal("game_over")
    return e.Left(table.turn, command.seat, table.step(command.seat))


def _host(table: Table, command: Host) -> e.Hosted:
    takes_over = command.host_away and command.by == command.device == heir(table)
    if command.by != table.host and not takes_over:
        raise Illegal("host_only")
    return e.Hosted(command.device)


def _move(table: Table, command: Move) -> e.Moved:
    place = _place(table, command.seat)
    if command.by not in {place.device, table.host}:
        raise Illegal("not_your_seat", seat=command.seat)
    if len(table.devices.get(command.device, ())) >= SEATS_A_DEVICE:
        raise Illegal("too_many_seats", most=SEATS_A_DEVICE)
    return e.Moved(command.seat, command.device)


def _replace(table: Table, command: Replace) -> e.Replaced:
    place = _place(table, command.seat)
    is_back = command.bot is None and command.by == place.device
    if command.by != table.host and not is_back:
        raise Illegal("host_only")
    if command.bot == place.bot:
        raise Illegal("nothing_changes")
    return e.Replaced(command.seat, command.bot)


def _roll(table: Table, command: Roll) -> e.Rolled:
    if not table.places:
        raise Illegal("no_seats")
    expected = table.next()
    _check_turn(table, command.turn)
    check_throw(expected, command.faces)
    if isinstance(expected, Throw) and not _may_throw(table, expected.roller, command):
        raise Illegal("not_your_throw", seat=expected.roller)
    return e.Rolled(table.turn + 1, command.faces)


def _may_throw(table: Table, roller: Seat, command: Roll) -> bool:
    """The host makes the first throw, which begins the game; then whoever the table has set."""
    by, place = command.by, table.places[roller]
    if by == table.host and (table.turn == 0 or table.settings.thrower != "turn" or command.roller_away):
        return True
    if table.turn == 0 or table.settings.thrower == "host":
        return False
    if table.settings.thrower == "auto" or place.bot:
        return by in {SERVICE, table.host}
    return by == place.device or (command.roller_away and table.is_seated(by))


def _correct(table: Table, command: Correct) -> e.Corrected:
    if table.settings.dice != "own" or table.before is None or table.game.has_left(table.play, table.roller):
        raise Illegal("nothing_to_correct")
    if command.by not in {table.host, table.places[table.roller].device}:
        raise Illegal("not_your_throw", seat=table.roller)
    if isinstance(table.next(), Over):
        raise Illegal("game_over")
    _check_turn(table, command.turn)
    check_throw(table.game.next(table.before), command.faces)
    return e.Corrected(table.turn + 1, command.faces)


def _play(table: Table, command: Play) -> e.Acted:
    _check_actor(table, command.seat, command.by, stand_in=command.stand_in)
    _check_step(table, command)
    if table.play is None:
        raise Illegal("throw_first", dice=getattr(table.next(), "dice", 0))
    action = table.game.solo.read_action(command.do)
    table.game.act(table.play, command.seat, action)
    return e.Acted(table.turn, command.seat, command.step, str(action), command.stand_in)


def _take_back(table: Table, command: TakeBack) -> e.TakenBack:
    _check_actor(table, command.seat, command.by)
    if not table.settings.take_back and not table.stood_in(command.seat):
        raise Illegal("no_take_backs")
    _check_step(table, command)
    if table.play is None:
        raise Illegal("nothing_to_take_back", seat=command.seat)
    table.game.take_back(table.play, command.seat)
    if command.step >= STEPS_A_THROW:
        raise Illegal("too_many_steps", most=STEPS_A_THROW)
    return e.TakenBack(table.turn, command.seat, command.step)


def _extend(table: Table, command: Extend) -> e.Extended:
    _check_actor(table, command.seat, command.by)
    _check_turn(table, command.turn)
    if table.settings.pace is None:
        raise Illegal("no_hurry")
    if table.asked(command.seat) >= EXTENSIONS_A_THROW:
        raise Illegal("too_many_extensions", most=EXTENSIONS_A_THROW)
    return e.Extended(table.turn, command.seat)


def _close(table: Table, command: Close) -> e.Closed:
    if command.by not in {SERVICE, table.host}:
        raise Illegal("host_only")
    return e.Closed(command.secret)


def _rematch(table: Table, command: Rematch) -> e.Rematched:
    if command.by != table.host and not table.is_seated(command.by):
        raise Illegal("not_seated")
    if not isinstance(table.next(), Over) or table.play is None:
        raise Illegal("not_over")
    if table.next_table is not None:
        raise Conflict("rematch_exists", table=table.next_table)
    return e.Rematched(command.table)


def _only_host(table: Table, command: Command) -> None:
    if command.by != table.host:
        raise Illegal("host_only")


def _place(table: Table, seat: Seat) -> Place:
    """Who sits there, and has not left."""
    if seat not in table.places:
        raise Illegal("no_such_seat", seat=seat, last=table.seats - 1)
    if table.play is not None and table.game.has_left(table.play, seat):
        raise Illegal("seat_left", seat=seat)
    return table.places[seat]


def heir(table: Table) -> str | None:
    """Who may take over from a host who is away: the first who is somebody else, and still plays."""
    others = (
        place.device for _, place in sorted(table.places.items()) if not place.bot and place.device != table.host
    )
    return next(filter(table.is_seated, others), None)


def _free_name(table: Table, text: str, seat: Seat | None = None) -> str:
    """A clean name that nobody else here has, or one could be mistaken for."""
    name = clean_name(text)
    if table.names.get(folded(name), seat) == seat:
        return name
    offers = (f"{name} {number}" for number in count(2))
    offer = next(offer for offer in offers if folded(offer) not in table.names)
    raise Illegal("name_taken", name=name, offer=offer)


def _check_actor(table: Table, seat: Seat, by: str, *, stand_in: bool = False) -> None:
    """Nobody acts for another seat; the service does where a bot sits or stands in."""
    place = _place(table, seat)
    allowed = by == SERVICE if place.bot or stand_in else by == place.device
    if not allowed:
        raise Illegal("bot_plays_here" if place.bot else "not_your_seat", seat=seat)


def _check_entropy(text: str) -> None:
    try:
        length = len(text.encode())
    except UnicodeEncodeError:
        raise Unreadable("not_utf8") from None
    if length > dice.LONGEST_ENTROPY:
        raise Unreadable("entropy_too_long", most=dice.LONGEST_ENTROPY)


def _check_turn(table: Table, turn: int) -> None:
    if turn != table.turn:
        raise Conflict("stale", turn=table.turn, step=0)


def _check_step(table: Table, command: Play | TakeBack) -> None:
    step = table.step(command.seat)
    if (command.turn, command.step) != (table.turn, step):
        raise Conflict("stale", turn=table.turn, step=step)


_DECIDE: dict[type[Command], Callable[[Table, Any], e.AnyEvent]] = {
    Sit: _sit,
    Configure: _configure,
    Rename: _rename,
    Leave: _leave,
    Host: _host,
    Move: _move,
    Replace: _replace,
    Roll: _roll,
    Correct: _correct,
    Play: _play,
    TakeBack: _take_back,
    Extend: _extend,
    Close: _close,
    Rematch: _rematch,
}
