"""Who may do what at a table, as play is described for people: the other half of the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kasta.core import Seat
from kasta.errors import KastaError
from kasta.tables import commands as c, events as e
from machine.model import HOST_AWAY, Model

SEATS_A_DEVICE, EXTENSIONS, STEPS, WAITING = 24, 10, 60, 100  # as they are documented
MOST_SECONDS = 99_999
WHILE_PLAYING = {"thrower", "pace", "take_back", "open", "wall"}
BOTS = {"greedy", "anything"}
LEVELS = {"weak", "middling", "strong", "best"}
LOOK_ALIKES = str.maketrans("аеорсху015", "aeopcxyols")  # noqa: RUF001 - Cyrillic letters, and digits


def alike(name: str) -> str:
    """Equal for names that people would mistake for each other."""
    return "".join(name.split()).casefold().translate(LOOK_ALIKES)


def may(table: Model, command: c.Command) -> bool:
    return _MAY[type(command)](table, command)


def _is_free(table: Model, name: str, seat: Seat | None = None) -> bool:
    others = [sitting.name for number, sitting in table.seats.items() if number != seat and not sitting.has_left]
    taken = {alike(other) for other in (*others, *(name for _, name in table.waiting))}
    return 1 <= len(" ".join(name.split())) <= 20 and alike(name) not in taken


def _is_there(table: Model, seat: Seat) -> bool:
    return seat in table.seats and not table.seats[seat].has_left


def _owns(table: Model, by: str, seat: Seat) -> bool:
    return _is_there(table, seat) and by in {table.host, table.seats[seat].device}


def _has_room(table: Model, device: str) -> bool:
    return len(table.held(device)) < SEATS_A_DEVICE


def _own_turn(table: Model, by: str, seat: Seat) -> bool:
    """Nobody does anything for the seat of another, or where a bot plays."""
    return _is_there(table, seat) and table.seats[seat].bot is None and table.seats[seat].device == by


def sit(table: Model, command: c.Sit) -> bool:
    are_open = not (table.is_closed or table.begun) and table.settings.open
    is_bots = command.bot is not None
    if is_bots and (command.by != table.host or command.bot not in BOTS):
        return False
    return (
        are_open and _has_room(table, command.by) and _is_free(table, command.name) and len(command.entropy) <= 64
    )


def wait(table: Model, command: c.Wait) -> bool:
    is_late = table.begun and table.settings.open and table.next_table is None
    known = any(not table.seats[seat].has_left for seat in table.held(command.by)) or command.by in dict(
        table.waiting
    )
    return is_late and not known and len(table.waiting) < WAITING and _is_free(table, command.name)


def configure(table: Model, command: c.Configure) -> bool:
    old, new = table.settings, command.settings
    changed = {name for name in old.__struct_fields__ if getattr(old, name) != getattr(new, name)}
    if table.is_closed or command.by != table.host:
        return False
    if table.begun:
        is_alone = len({sitting.device for sitting in table.seats.values()}) == 1
        allowed = WHILE_PLAYING | ({"coach"} if is_alone else set())
        if changed - allowed:
            return False
    if new.first is not None and not _is_there(table, new.first):
        return False
    return new.pace is None or 1 <= new.pace <= MOST_SECONDS


def rename(table: Model, command: c.Rename) -> bool:
    return (
        not table.is_closed
        and _owns(table, command.by, command.seat)
        and _is_free(table, command.name, command.seat)
    )


def leave(table: Model, command: c.Leave) -> bool:
    return not table.is_closed and _owns(table, command.by, command.seat) and not table.is_over


def host(table: Model, command: c.Host) -> bool:
    """Handed on to somebody who plays; the first seat takes it over from who is away."""
    if table.is_closed:
        return False
    if command.by == table.host:
        return command.device != command.by and table.plays(command.device)
    people = [table.seats[seat].device for seat in table.there if table.seats[seat].bot is None]
    heir = next((device for device in people if device != table.host), None)
    return command.device == command.by == heir and table.is_away(table.host, HOST_AWAY)


def move_seat(table: Model, command: c.MoveSeat) -> bool:
    if table.is_closed or not _owns(table, command.by, command.seat) or not _has_room(table, command.device):
        return False
    sitting = table.seats[command.seat]
    return not sitting.is_program and (command.by == sitting.device or table.is_away(sitting.device))


def replace(table: Model, command: c.Replace) -> bool:
    """The host gives the seat of somebody who is away to a bot; person and host give it back."""
    if table.is_closed or not _owns(table, command.by, command.seat):
        return False
    sitting = table.seats[command.seat]
    if command.bot == sitting.bot:
        return False
    if command.bot is None:
        return not sitting.is_program
    if command.by != table.host or command.bot not in BOTS:
        return False
    return sitting.bot is not None or command.by == sitting.device or table.is_away(sitting.device)


def roll(table: Model, command: c.Roll) -> bool:
    if table.is_closed or command.turn != table.turn or not table.dice:
        return False
    is_own = table.settings.dice == "own"
    if is_own and not _are_faces(command.faces, table.dice):
        return False
    return command.by in throwers(table)


def throwers(table: Model) -> set[str]:
    """The devices that may throw now: the host begins, then as the table has set."""
    roller, is_own = table.roller, table.settings.dice == "own"
    if roller is None or not table.dice:
        return set()
    if not table.begun or table.settings.thrower == "host":
        return {table.host}
    sitting = table.seats[roller]
    if table.settings.thrower == "auto" or sitting.bot is not None:
        return {table.host} if is_own else set()
    helpers = {table.host} | {table.seats[seat].device for seat in table.there}
    return {sitting.device} | (helpers if table.is_away(sitting.device) else set())


def _are_faces(faces: tuple[int, ...], dice: int) -> bool:
    return len(faces) == dice and all(1 <= face <= 6 for face in faces)


def correct(table: Model, command: c.Correct) -> bool:
    """Own dice, until the next throw, by who threw or the host."""
    if table.is_closed or table.settings.dice != "own" or not table.begun or table.is_over:
        return False
    thrower = table.seats[table.thrown_by]
    is_allowed = command.by in {table.host, thrower.device} and not thrower.has_left
    return is_allowed and command.turn == table.turn and _are_faces(command.faces, len(table.faces))


def play(table: Model, command: c.Play) -> bool:
    seat = command.seat
    if table.is_closed or not table.begun or not _own_turn(table, command.by, seat):
        return False
    sitting = table.seats[seat]
    if (command.turn, command.step) != (table.turn, sitting.step):
        return False
    if seat in table.due:
        return _is_legal(table, sitting.sheet, command.do)
    times = table.undone(seat)
    is_undoable = times > 0 and (table.settings.take_back or sitting.stood_in)
    return is_undoable and sitting.step + times <= STEPS and _is_legal(table, sitting.sheets[0], command.do)


def _is_legal(table: Model, sheet: Any, do: str) -> bool:  # noqa: ANN401 - of any game
    try:
        return table.game.solo.read_action(do) in table.game.solo.legal(sheet)
    except KastaError:
        return False


def take_back(table: Model, command: c.TakeBack) -> bool:
    seat = command.seat
    if table.is_closed or not table.begun or not _own_turn(table, command.by, seat):
        return False
    sitting = table.seats[seat]
    is_now = (command.turn, command.step) == (table.turn, sitting.step)
    return is_now and undoable(table, seat)


def undoable(table: Model, seat: Seat) -> bool:
    sitting = table.seats[seat]
    return (table.settings.take_back or sitting.stood_in) and sitting.step < STEPS and table.undone(seat) > 0


def extend(table: Model, command: c.Extend) -> bool:
    if table.is_closed or command.turn != table.turn or not _own_turn(table, command.by, command.seat):
        return False
    is_hurried = table.settings.pace is not None and command.seat in table.due
    return is_hurried and table.seats[command.seat].extended < EXTENSIONS


def ask_hint(table: Model, command: c.AskHint) -> bool:
    if table.is_closed or command.turn != table.turn or not _own_turn(table, command.by, command.seat):
        return False
    is_asked = table.settings.coach == "live" and command.seat in table.due
    return is_asked and not table.seats[command.seat].coached


def close(table: Model, command: c.Close) -> bool:
    return not table.is_closed and command.by == table.host


def show_review(table: Model, command: c.ShowReview) -> bool:
    if table.settings.coach == "off" or not (table.begun and (table.is_closed or table.is_over)):
        return False
    sitting = table.seats.get(command.seat)
    is_own = sitting is not None and sitting.device == command.by and not sitting.is_program
    return is_own and sitting is not None and sitting.is_shown != command.shown


def rematch(table: Model, command: c.Rematch) -> bool:
    """Once: who asks again, whoever it is, is led to the same one."""
    if table.next_table is not None:
        return True
    is_known = command.by == table.host or any(not table.seats[seat].has_left for seat in table.held(command.by))
    return is_known and table.begun and (table.is_closed or table.is_over)


def agree(table: Model, command: c.Agree) -> bool:
    are_known = all(_is_there(table, seat) and level in LEVELS for seat, level in command.levels)
    return command.by == table.host and are_known


def stand_in(table: Model, by: str, seat: Seat) -> bool:
    """The host lets a bot pick once for somebody who is away."""
    if table.is_closed or by != table.host or not _is_there(table, seat):
        return False
    sitting = table.seats[seat]
    return sitting.bot is None and table.is_away(sitting.device)


# -- what the table does by itself -------------------------------------------------


def throws_itself(table: Model) -> bool:
    """Real dice are thrown by people. Others go on in a turn, and fall for bots, or where the table says so."""
    if table.is_closed or not (table.begun and table.dice) or table.settings.dice == "own":
        return False
    is_bots = table.seats[table.roller or 0].bot is not None
    return table.goes_on or table.settings.thrower == "auto" or (table.settings.thrower == "turn" and is_bots)


def is_owed(table: Model) -> bool:
    """Whether the table itself has something to do now."""
    if table.is_closed or not table.begun:
        return False
    return table.is_over or throws_itself(table) or any(table.seats[seat].bot is not None for seat in table.due)


def may_itself(table: Model, event: e.AnyEvent, *, after: Seat | None) -> bool:
    """Whether the table may do it by itself, after something that a seat has done."""
    match event:
        case e.Rolled():
            return throws_itself(table)
        case e.Closed():
            return table.is_over and not table.is_closed
        case e.Acted(seat=seat) if seat in table.due:
            sitting = table.seats[seat]
            forced = table.game.traits.follow_up(table.game.solo, sitting.sheet)
            return sitting.bot is not None or (seat == after and forced is not None and str(forced) == event.do)
    return False


_MAY: dict[type[c.Command], Callable[[Model, Any], bool]] = {
    c.Sit: sit,
    c.Wait: wait,
    c.Configure: configure,
    c.Rename: rename,
    c.Leave: leave,
    c.Host: host,
    c.MoveSeat: move_seat,
    c.Replace: replace,
    c.Roll: roll,
    c.Correct: correct,
    c.Play: play,
    c.TakeBack: take_back,
    c.Extend: extend,
    c.AskHint: ask_hint,
    c.Close: close,
    c.ShowReview: show_review,
    c.Rematch: rematch,
    c.Agree: agree,
}
