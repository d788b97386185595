"""What a device may do at a table now, worked out once: `decide` enforces it, pages and the API show it.

Each right is a function that gives the reason against it, or None, at a table that is not closed. Who is away is a
fact that only the service knows: it comes in as `Silence`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kasta.core import Over, Seat, Throw
from kasta.errors import Illegal, KastaError
from kasta.structs import Struct
from kasta.tables.setting_rights import configurable, hints
from kasta.tables.state import Table

SERVICE = ""  # the service's own device: it throws and acts for bots, by the clock, and where nobody has a choice

SEATS_A_DEVICE, EXTENSIONS_A_THROW, STEPS_A_THROW = 24, 10, 60  # a step is to do something, or to take it back
AWAY_SECONDS, HOST_AWAY_SECONDS = 20.0, 60.0
MOST_SEATS, MOST_WAITING = 10_000, 100  # at a table; who came too late

Silence = Callable[[str], float]
"""For how many seconds a device has had no stream."""

Refusal = Illegal | None


def all_present(_device: str) -> float:
    """The silence at a table where nobody is away."""
    return 0.0


class Rights(Struct, frozen=True):
    """What a device may do at a table now. `throw` is for app dice, `type_dice` how many own dice it types."""

    throw: bool = False
    type_dice: int = 0
    correct: bool = False
    sit: bool = False
    seat_bot: bool = False
    wait: bool = False  # for the next game, which is to seat them
    configure: frozenset[str] = frozenset()  # the settings that may be changed
    lock: bool = False
    invite: bool = False  # give the table a code
    remove_recent: bool = False
    take_over: bool = False  # the role of the host, who is away
    close: bool = False
    rematch: bool = False


class SeatRights(Struct, frozen=True):
    """What a device may do with a seat now. `move_pick` is acting instead of what was done on this throw."""

    act: bool = False
    move_pick: bool = False
    take_back: bool = False
    extend: bool = False
    hint: bool = False  # be told by the coach what it would do
    rename: bool = False
    leave: bool = False
    start: bool = False  # be made the one who throws first
    move: bool = False  # go on at another device
    claim: bool = False  # ask the host for it
    accept: bool = False  # let somebody who claims it have it
    give_to_bot: bool = False
    change_bot: bool = False  # for one of another level
    give_back: bool = False  # to the person for whom a bot plays
    stand_in: bool = False  # let a bot act once
    make_host: bool = False


def rights(table: Table, by: str, silence: Silence = all_present) -> Rights:
    """All that a device may do at a table, beside what it may do with each seat."""
    if table.is_closed:
        return Rights(rematch=rematch(table, by) is None, wait=wait(table, by) is None)
    expected = table.next()
    dice = expected.dice if isinstance(expected, Throw) and throw(table, by, silence) is None else 0
    own, is_hosting = table.settings.dice == "own", host(table, by) is None
    settings = configurable(table) if is_hosting else frozenset[str]()
    return Rights(
        throw=dice > 0 and not own,
        type_dice=dice if own else 0,
        correct=correct(table, by) is None,
        sit=sit(table, by) is None,
        seat_bot=is_hosting and sit(table, by) is None,
        wait=wait(table, by) is None,
        configure=settings,
        lock="open" in settings,
        invite=invite(table, by) is None,
        remove_recent=is_hosting,
        take_over=take_over(table, by, silence) is None,
        close=close(table, by) is None,
        rematch=rematch(table, by) is None,
    )


def seat_rights(table: Table, by: str, seat: Seat, silence: Silence = all_present) -> SeatRights:
    """All that a device may do with a seat that somebody has."""
    if table.is_closed or there(table, seat) is not None:
        return SeatRights()
    place, due = table.places[seat], table.is_due(seat)
    with_bot, undo = place.bot is not None, take_back(table, by, seat) is None
    return SeatRights(
        act=due and act(table, by, seat) is None,
        move_pick=undo and not due and undone(table, seat) is not None,
        take_back=undo,
        extend=extend(table, by, seat) is None,
        hint=hint(table, by, seat) is None,
        rename=dispose(table, by, seat) is None,
        leave=leave(table, by, seat) is None,
        start=host(table, by) is None and "first" in configurable(table),
        move=move(table, by, seat) is None,
        claim=claim(table, by, seat, silence) is None,
        accept=move(table, by, seat, silence) is None,
        give_to_bot=not with_bot and give(table, by, seat, "bot", silence) is None,
        change_bot=with_bot and host(table, by) is None,
        give_back=with_bot and give(table, by, seat, None, silence) is None,
        stand_in=due and stand_in(table, by, seat, silence) is None,
        make_host=not with_bot and make_host(table, by, place.device) is None,
    )


def still_open(table: Table) -> Refusal:
    """Nothing but a rematch comes after a table's end."""
    return Illegal("table_closed") if table.is_closed else None


# -- the table -------------------------------------------------------------------------------------------------


def are_seats_open(table: Table) -> bool:
    """Whether anybody may still sit down."""
    is_full = len(table.places) >= MOST_SEATS or (table.series and table.seats)
    return not (table.turn or table.is_closed or is_full) and table.settings.open


def alone(table: Table) -> Refusal:
    """The throws of a day or a challenge everybody plays alone, and no bot helps."""
    if table.challenge is not None:
        return Illegal("challenge_alone")
    return None if table.day is None else Illegal("day_alone")


def is_open(table: Table) -> bool:
    """Whether somebody new may come in: to sit down, or to wait for the next game."""
    is_gone = table.next_table is not None or (table.is_closed and not table.turn)
    return table.settings.open and table.series is None and not is_gone


def sit(table: Table, by: str) -> Refusal:
    return full(table, by) if are_seats_open(table) else Illegal("seats_closed")


def wait(table: Table, by: str) -> Refusal:
    """Whoever came too late puts a name down for the next game, unless the doors are locked."""
    if not table.turn or not is_open(table) or len(table.waiting) >= MOST_WAITING:
        return Illegal("seats_closed")
    return Illegal("nothing_changes") if table.is_seated(by) or by in dict(table.waiting) else None


def full(table: Table, device: str) -> Refusal:
    """A device holds many seats, but not any number."""
    held = len(table.devices.get(device, ()))
    return Illegal("too_many_seats", most=SEATS_A_DEVICE) if held >= SEATS_A_DEVICE else None


def host(table: Table, by: str) -> Refusal:
    return None if by == table.host else Illegal("host_only")


def invite(table: Table, by: str) -> Refusal:
    """The host gives the table a code while seats are open."""
    return host(table, by) or (None if are_seats_open(table) else Illegal("seats_closed"))


def make_host(table: Table, by: str, device: str) -> Refusal:
    """The role goes from the host to somebody else who plays here."""
    if by != table.host:
        return Illegal("host_only")
    if device == by:
        return Illegal("nothing_changes")
    return None if _plays(table, device) else Illegal("not_seated")


def take_over(table: Table, by: str, silence: Silence) -> Refusal:
    """The first of the others who still plays takes over from a host who is away."""
    devices = (place.device for seat in range(table.seats) if (place := table.places.get(seat)))
    heir = next((device for device in devices if device != table.host and _plays(table, device)), None)
    return None if by == heir and silence(table.host) > HOST_AWAY_SECONDS else Illegal("host_only")


def close(table: Table, by: str) -> Refusal:
    return None if by == SERVICE else host(table, by)


def rematch(table: Table, by: str) -> Refusal:
    if by != table.host and not table.is_seated(by):
        return Illegal("not_seated")
    return alone(table) if table.play is not None and isinstance(table.next(), Over) else Illegal("not_over")


# -- dice ------------------------------------------------------------------------------------------------------


def throw(table: Table, by: str, silence: Silence) -> Refusal:
    """The host makes the first throw, which begins the game; then whoever the table has set."""
    expected = table.next()
    if not isinstance(expected, Throw):
        return None  # what comes instead is for the rules of the game to say
    roller = expected.roller
    if throws_itself(table) if by == SERVICE else by == _thrower(table, roller):
        return None
    if table.turn == 0:
        return Illegal("host_begins")
    if table.settings.thrower == "host":
        return Illegal("host_only")
    return None if _may_help(table, by, roller, silence) else Illegal("not_your_throw", seat=roller)


def throws_itself(table: Table) -> bool:
    """Whether the service throws now: where it is set to, for bots, and on with a turn that has begun."""
    expected, thrower = table.next(), table.settings.thrower
    if table.turn == 0 or table.settings.dice == "own" or not isinstance(expected, Throw):
        return False
    return goes_on(table) or thrower == "auto" or (thrower == "turn" and expected.roller in table.bots)


def goes_on(table: Table) -> bool:
    """Whether a turn that has begun calls for another throw of app dice: who acts has just said which."""
    expected = table.next()
    if table.play is None or table.settings.dice == "own" or not isinstance(expected, Throw):
        return False
    return not table.game.solo.rests(table.game.sheet(table.play, expected.roller))


def _thrower(table: Table, roller: Seat) -> str | None:
    """The device that throws; None where nobody but the table itself does."""
    place, thrower = table.places[roller], table.settings.thrower
    if table.turn == 0 or thrower == "host":
        return table.host
    if thrower == "turn" and not place.bot:
        return place.device
    return table.host if table.settings.dice == "own" else None  # somebody has to throw real dice


def _may_help(table: Table, by: str, roller: Seat, silence: Silence) -> bool:
    """Whether somebody else throws for a roller who is away."""
    place = table.places[roller]
    if table.settings.thrower != "turn" or place.bot:
        return False
    return silence(place.device) > AWAY_SECONDS and (by == table.host or table.is_seated(by))


def correct(table: Table, by: str) -> Refusal:
    """Own dice are corrected until the next throw, by the host or by whoever typed them and still plays."""
    if table.settings.dice != "own" or table.before is None or table.game.has_left(table.play, table.roller):
        return Illegal("nothing_to_correct")
    if by not in {table.host, table.places[table.roller].device}:
        return Illegal("not_your_throw", seat=table.roller)
    return Illegal("game_over") if isinstance(table.next(), Over) else None


# -- seats -----------------------------------------------------------------------------------------------------


def there(table: Table, seat: Seat) -> Refusal:
    """Somebody sits there, and has not left."""
    if seat not in table.places:
        return Illegal("no_such_seat", seat=seat, last=table.seats - 1)
    if table.play is not None and table.game.has_left(table.play, seat):
        return Illegal("seat_left", seat=seat)
    return None


def dispose(table: Table, by: str, seat: Seat) -> Refusal:
    """Who sits there may rename the seat and give it up, and so may the host."""
    if (refusal := there(table, seat)) is not None:
        return refusal
    return None if by in {table.places[seat].device, table.host} else Illegal("not_your_seat", seat=seat)


def away(table: Table, seat: Seat, silence: Silence) -> Refusal:
    """What is done to a seat without its person is done while they are away."""
    return None if silence(table.places[seat].device) > AWAY_SECONDS else Illegal("not_away", seat=seat)


def move(table: Table, by: str, seat: Seat, silence: Silence = all_present) -> Refusal:
    """A person's seat goes on at another device: as they say, or, while they are away, as the host does."""
    if (refusal := dispose(table, by, seat)) is not None:
        return refusal
    place = table.places[seat]
    if place.is_program:
        return Illegal("bot_plays_here", seat=seat)
    return None if by == place.device else away(table, seat, silence)


def leave(table: Table, by: str, seat: Seat) -> Refusal:
    if (refusal := dispose(table, by, seat)) is not None:
        return refusal
    return Illegal("game_over") if table.play is not None and isinstance(table.next(), Over) else None


def claim(table: Table, by: str, seat: Seat, silence: Silence) -> Refusal:
    """Once a game has begun, a guest asks for the seat of somebody who is away, or for one of the host's."""
    if (refusal := there(table, seat)) is not None:
        return refusal
    place, held = table.places[seat], (table.places[each] for each in table.devices.get(by, ()))
    if place.bot:
        return Illegal("bot_plays_here", seat=seat)
    if not table.turn or any(other.bot is None for other in held):
        return Illegal("not_your_seat", seat=seat)
    return None if place.device == table.host else away(table, seat, silence)


def give(table: Table, by: str, seat: Seat, bot: str | None, silence: Silence) -> Refusal:
    """The host gives the seat of somebody who is away to a bot, or back; so does its person, who has come back."""
    if (refusal := there(table, seat) or (alone(table) if bot else None)) is not None:
        return refusal
    place = table.places[seat]
    if by != table.host and (bot is not None or by != place.device):
        return Illegal("host_only")
    if bot is None and place.is_program:
        return Illegal("bot_plays_here", seat=seat)
    if bot == place.bot:
        return Illegal("nothing_changes")
    return away(table, seat, silence) if place.bot is None and by != place.device else None


def stand_in(table: Table, by: str, seat: Seat, silence: Silence) -> Refusal:
    """The host lets a bot act once for a person who is away."""
    if (refusal := host(table, by) or there(table, seat) or alone(table)) is not None:
        return refusal
    return Illegal("bot_plays_here", seat=seat) if table.places[seat].bot else away(table, seat, silence)


def act(table: Table, by: str, seat: Seat, *, for_absent: bool = False) -> Refusal:
    """Nobody acts for another seat; the service does where a bot sits or stands in."""
    if (refusal := there(table, seat)) is not None:
        return refusal
    bot = table.places[seat].bot
    allowed = by == SERVICE if bot or for_absent else by == table.places[seat].device
    return None if allowed else Illegal("bot_plays_here" if bot else "not_your_seat", seat=seat)


def take_back(table: Table, by: str, seat: Seat) -> Refusal:
    if (refusal := act(table, by, seat)) is not None:
        return refusal
    if not table.settings.take_back and not table.stood_in(seat):
        return Illegal("no_take_backs")
    if table.step(seat) >= STEPS_A_THROW:
        return Illegal("too_many_steps", most=STEPS_A_THROW)
    if table.play is None:
        return Illegal("nothing_to_take_back", seat=seat)
    try:
        table.after("take_back", seat)
    except Illegal as refusal:
        return refusal
    return None


def extend(table: Table, by: str, seat: Seat) -> Refusal:
    """Who has still to act may ask for more time where there is a limit."""
    if (refusal := act(table, by, seat)) is not None:
        return refusal
    if table.settings.pace is None:
        return Illegal("no_hurry")
    if not table.is_due(seat):
        return Illegal("already_acted", seat=seat, count=table.owing)
    too_often = Illegal("too_many_extensions", most=EXTENSIONS_A_THROW)
    return too_often if table.asked(seat) >= EXTENSIONS_A_THROW else None


def hint(table: Table, by: str, seat: Seat) -> Refusal:
    """Only whoever decides is told what the coach would do, and only while the decision is open."""
    return act(table, by, seat) or hints(table, seat)


def undone(table: Table, seat: Seat) -> tuple[Any, int] | None:
    """The game as it was before the seat acted on this throw, and how many steps lie between; None if too many."""
    play, times, steps = table.play, 0, table.step(seat)
    with suppress(KastaError):
        while times < steps:
            play = table.game.take_back(play, seat) if times else table.after("take_back", seat)
            times += 1
    return (play, times) if times and steps + times <= STEPS_A_THROW else None


def _plays(table: Table, device: str) -> bool:
    """Whether a person plays at the device, and has not left."""
    held = ((seat, table.places[seat]) for seat in table.devices.get(device, ()))
    return any(place.bot is None and there(table, seat) is None for seat, place in held)


def check(refusal: Refusal) -> None:
    """Raise what speaks against it."""
    if refusal is not None:
        raise refusal
