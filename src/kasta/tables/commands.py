"""What devices ask of a table, and what comes of it: `decide` is pure, a command becomes an event.

A command names the device that it comes from. Whether a device is who it claims to be, and who is away, are facts
that the service knows. Who may do what stands in `rights`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from kasta import dice
from kasta.bots.base import LEVELS
from kasta.core import Faces, Seat, check_throw
from kasta.errors import Conflict, Illegal, Unreadable
from kasta.structs import Struct, replace
from kasta.tables import events as e, review_rights, rights
from kasta.tables.names import clean_name, folded
from kasta.tables.rights import Silence, all_present, check
from kasta.tables.setting_rights import check_pace, configurable, is_asked_for_wall
from kasta.tables.state import Table

MOST_GAMES = 99  # of an evening
MOST_CHANGES = 50_000  # of a table, beside play: nobody makes a log that takes long to read


class Command(Struct, frozen=True):
    by: str


class Sit(Command, frozen=True):
    name: str
    bot: str | None = None
    entropy: str = ""
    program: bool = False  # it says that it is one


class Wait(Command, frozen=True):
    """Be seated at the next game."""

    name: str


class Configure(Command, frozen=True):
    settings: e.Settings


class Rename(Command, frozen=True):
    seat: Seat
    name: str
    wall: bool = False  # whoever plays there wants the wall to show it


class Leave(Command, frozen=True):
    seat: Seat


class Host(Command, frozen=True):
    """Hand the role of the host on, or, while the host is away, take it as the first seat."""

    device: str


class MoveSeat(Command, frozen=True):
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


class AskHint(Command, frozen=True):
    """Be told by the coach what it would do."""

    turn: int
    seat: Seat


class Close(Command, frozen=True):
    secret: str = ""  # the service fills it in


class ShowReview(Command, frozen=True):
    """Show a seat's review to the table, or no longer."""

    seat: Seat
    shown: bool


class Rematch(Command, frozen=True):
    table: str


class Agree(Command, frozen=True):
    """Say what the games of an evening are played for."""

    best_of: int | None
    levels: tuple[tuple[Seat, str], ...] = ()


def decide(table: Table, command: Command, silence: Silence = all_present) -> e.AnyEvent:
    """The event that a command makes now. Raises what is wrong with it, and then nothing happens."""
    if not isinstance(command, Rematch | Wait | ShowReview | Agree):
        check(rights.still_open(table))
    if table.changes >= MOST_CHANGES and isinstance(command, _CHANGING):
        raise Illegal("too_many_changes")
    if (asks := _ASK_WHO_IS_AWAY.get(type(command))) is not None:
        return asks(table, command, silence)
    return _DECIDE[type(command)](table, command)


def asks_who_is_away(command: Command) -> bool:
    """Whether it may be right only while somebody is away."""
    return type(command) in _ASK_WHO_IS_AWAY


def expand(table: Table, command: Command) -> list[Command]:
    """A command as single steps: acting again on a throw takes back first what was done on it.

    Nothing is taken back for something that cannot be done.
    """
    if not isinstance(command, Play) or table.is_due(command.seat):
        return [command]
    by, seat = command.by, command.seat
    if (command.turn, command.step) != (table.turn, table.step(seat)):
        return [command]
    refusal = rights.take_back(table, by, seat)
    if refusal is not None and refusal.code != "too_many_steps":
        return [command]
    if refusal is not None or (before := rights.undone(table, seat)) is None:
        raise Illegal("too_many_steps", most=rights.STEPS_A_THROW)
    play, times = before
    table.game.act(play, seat, table.game.solo.read_action(command.do))
    back: list[Command] = [TakeBack(by, command.turn, seat, command.step + each) for each in range(times)]
    return [*back, replace(command, step=command.step + times)]


def _sit(table: Table, command: Sit) -> e.SeatedEvent:
    if command.bot is not None:
        check(rights.host(table, command.by))
    check(rights.sit(table, command.by))
    _check_entropy(command.entropy)
    name = _free_name(table, command.name)
    return e.SeatedEvent(
        table.seats,
        name,
        command.by,
        command.bot,
        command.entropy,
        wall=table.settings.wall,
        program=command.program and command.bot is None,
    )


def _wait(table: Table, command: Wait) -> e.Waited:
    check(rights.wait(table, command.by))
    return e.Waited(_free_name(table, command.name), command.by, wall=table.settings.wall)


def _configure(table: Table, command: Configure) -> e.Configured:
    check(rights.host(table, command.by))
    old, new = table.settings, command.settings
    changed = {name for name in old.__struct_fields__ if getattr(old, name) != getattr(new, name)}
    if too_late := changed - configurable(table):
        raise Illegal("set_before_start", settings=", ".join(sorted(too_late)))
    if new.first is not None:
        check(rights.there(table, new.first))
    check_pace(new)
    return e.Configured(new)


def _rename(table: Table, command: Rename) -> e.Renamed:
    check(rights.dispose(table, command.by, command.seat))
    wall = command.wall and is_asked_for_wall(table, command.by, command.seat)
    return e.Renamed(command.seat, _free_name(table, command.name, command.seat), wall)


def _leave(table: Table, command: Leave) -> e.Left:
    check(rights.leave(table, command.by, command.seat))
    return e.Left(table.turn, command.seat, table.step(command.seat))


def _host(table: Table, command: Host, silence: Silence) -> e.Hosted:
    if command.by == command.device != table.host:
        check(rights.take_over(table, command.by, silence))
    else:
        check(rights.make_host(table, command.by, command.device))
    return e.Hosted(command.device)


def _move(table: Table, command: MoveSeat, silence: Silence) -> e.Moved:
    check(rights.move(table, command.by, command.seat, silence))
    check(rights.full(table, command.device))
    return e.Moved(command.seat, command.device)


def _replace(table: Table, command: Replace, silence: Silence) -> e.Replaced:
    check(rights.give(table, command.by, command.seat, command.bot, silence))
    return e.Replaced(command.seat, command.bot)


def _roll(table: Table, command: Roll, silence: Silence) -> e.Rolled:
    if not table.places:
        raise Illegal("no_seats")
    _check_turn(table, command.turn)
    check_throw(table.next(), command.faces)
    check(rights.throw(table, command.by, silence))
    return e.Rolled(table.turn + 1, command.faces)


def _correct(table: Table, command: Correct) -> e.Corrected:
    check(rights.correct(table, command.by))
    _check_turn(table, command.turn)
    check_throw(table.game.next(table.before), command.faces)
    return e.Corrected(table.turn + 1, command.faces)


def _play(table: Table, command: Play) -> e.Acted:
    check(rights.act(table, command.by, command.seat, for_absent=command.stand_in))
    _check_step(table, command)
    if table.play is None:
        raise Illegal("throw_first", dice=getattr(table.next(), "dice", 0))
    action = table.game.solo.read_action(command.do)
    table.after("act", command.seat, action)
    return e.Acted(table.turn, command.seat, command.step, str(action), command.stand_in)


def _take_back(table: Table, command: TakeBack) -> e.TakenBack:
    check(rights.act(table, command.by, command.seat))
    _check_step(table, command)
    check(rights.take_back(table, command.by, command.seat))
    return e.TakenBack(table.turn, command.seat, command.step)


def _extend(table: Table, command: Extend) -> e.Extended:
    check(rights.act(table, command.by, command.seat))
    _check_turn(table, command.turn)
    check(rights.extend(table, command.by, command.seat))
    return e.Extended(table.turn, command.seat)


def _close(table: Table, command: Close) -> e.Closed:
    check(rights.close(table, command.by))
    return e.Closed(command.secret)


def _rematch(table: Table, command: Rematch) -> e.Rematched:
    check(rights.rematch(table, command.by))
    if table.next_table is not None:
        raise Conflict("rematch_exists", table=table.next_table)
    return e.Rematched(command.table)


def _hint(table: Table, command: AskHint) -> e.Hinted:
    _check_turn(table, command.turn)
    check(rights.hint(table, command.by, command.seat))
    if command.seat in table.coached:
        raise Illegal("nothing_changes")
    return e.Hinted(command.turn, command.seat)


def _show_review(table: Table, command: ShowReview) -> e.ReviewShown:
    check(review_rights.show(table, command.by, command.seat))
    if (command.seat in table.shown) == command.shown:
        raise Illegal("nothing_changes")
    return e.ReviewShown(command.seat, command.shown)


def _agree(table: Table, command: Agree) -> e.Agreed:
    check(rights.host(table, command.by))
    for seat, level in command.levels:
        check(rights.there(table, seat))
        if level not in LEVELS:
            raise Unreadable("unknown_bot", text=level, known=", ".join(LEVELS))
    best_of = None if command.best_of is None else min(max(command.best_of, 1), MOST_GAMES)
    return e.Agreed(best_of, command.levels)


def _free_name(table: Table, text: str, seat: Seat | None = None) -> str:
    """A clean name that nobody else here has, or one could be mistaken for."""
    name = clean_name(text)
    taken = {folded(waiting) for _, waiting in table.waiting}
    if table.names.get(folded(name), seat) == seat and folded(name) not in taken:
        return name
    offers = (f"{name} {number}" for number in count(2))
    offer = next(offer for offer in offers if folded(offer) not in table.names and folded(offer) not in taken)
    raise Illegal("name_taken", name=name, offer=offer)


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
    Wait: _wait,
    Configure: _configure,
    Rename: _rename,
    Leave: _leave,
    Correct: _correct,
    Play: _play,
    TakeBack: _take_back,
    Extend: _extend,
    AskHint: _hint,
    Close: _close,
    Rematch: _rematch,
    ShowReview: _show_review,
    Agree: _agree,
}
_ASK_WHO_IS_AWAY: dict[type[Command], Callable[[Table, Any, Silence], e.AnyEvent]] = {
    Host: _host,
    MoveSeat: _move,
    Replace: _replace,
    Roll: _roll,
}
_CHANGING = (
    Sit,
    Wait,
    Configure,
    Rename,
    Host,
    MoveSeat,
    Replace,
    Correct,
    ShowReview,
    Agree,
)  # play, leaving and ending always can be
