"""What settings allow: which of them may change now, and what the coach may say."""

from __future__ import annotations

from kasta.core import Seat
from kasta.errors import Illegal, Unreadable
from kasta.tables.events import Settings
from kasta.tables.state import Table

# What may be changed while people play.
ANY_TIME = frozenset({"thrower", "pace", "take_back", "open", "wall", "reactions"})
MOST_SECONDS = 99_999  # to act on a throw: a clock need not count further
MOST_HELPED = 30  # seats: in a hall nobody would be answered in time
ALONE = ANY_TIME | {"coach"}  # where nobody else could be put at a disadvantage


def configurable(table: Table) -> frozenset[str]:
    """The settings that the host may change now: all before the first throw."""
    if table.series is not None:
        return frozenset({"thrower"})  # the rest is the same for all
    if not table.turn:
        return frozenset(Settings.__struct_fields__)
    return ALONE if len(table.devices) == 1 else ANY_TIME


def hints(table: Table, seat: Seat) -> Illegal | None:
    """The coach speaks while people play only where the table says so."""
    if table.settings.coach != "live" or len(table.places) > MOST_HELPED:
        return Illegal("no_hints")
    if table.game.traits.valuer is None:
        return Illegal("no_values")
    return None if table.is_due(seat) else Illegal("nothing_to_decide", seat=seat)


def is_asked_for_wall(table: Table, device: str, seat: Seat) -> bool:
    """Whether somebody who sat down before names were on the wall may still agree to it: nobody else may."""
    place = table.places[seat]
    is_named = place.on_wall or device == table.host
    return table.settings.wall and place.bot is None and place.device == device and not is_named


def check_pace(settings: Settings) -> None:
    """Refuse a time to act that no clock could keep."""
    pace = 1 if settings.pace is None else settings.pace
    if pace < 1:
        raise Unreadable("pace_too_short")
    if pace > MOST_SECONDS:
        raise Unreadable("pace_too_long", most=MOST_SECONDS)
