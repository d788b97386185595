"""Who may react, and who may be nudged."""

from __future__ import annotations

from kasta.core import Seat, Throw
from kasta.errors import Illegal
from kasta.tables.rights import Refusal, there
from kasta.tables.state import Table

MOST_NUDGED = 3  # with more still to pick, nobody keeps the others waiting


def react(table: Table, by: str) -> Refusal:
    """Whoever plays here, where somebody else plays at another device, unless the host has switched it off."""
    if not people_of(table, by):
        return Illegal("not_seated")
    if not table.settings.reactions:
        return Illegal("reactions_off")
    with_others = any(place.device != by and place.bot is None for place in table.places.values())
    return None if with_others else Illegal("nobody_there")


def people_of(table: Table, device: str) -> list[Seat]:
    """The seats at which people play at a device. Who has left is gone."""
    held = table.devices.get(device, ())
    return [seat for seat in held if table.places[seat].bot is None and there(table, seat) is None]


def waited_for(table: Table, by: str) -> list[Seat]:
    """The people at other devices for whom a device waits, unless it has something to do itself."""
    expected = table.next()
    if not table.turn or table.is_closed or table.owing > MOST_NUDGED:
        return []
    if isinstance(expected, Throw):
        waited = [] if table.settings.thrower != "turn" else [expected.roller]
    else:
        waited = [seat for seat in table.places if table.is_due(seat)]
    if any(table.places[seat].device == by for seat in waited):
        return []
    return [seat for seat in waited if table.places[seat].bot is None]
