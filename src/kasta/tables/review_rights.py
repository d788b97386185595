"""Who may see a review: a game that is over, one's own seats, and those of others who show theirs."""

from __future__ import annotations

from kasta.core import Over, Seat
from kasta.errors import Illegal
from kasta.tables.rights import Refusal
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED


def over(table: Table) -> Refusal:
    """Nothing is reviewed while anything could still be done, or hidden, or where the table has no coach."""
    if table.settings.coach == "off":
        return Illegal("no_coach")
    return None if table.play is not None and isinstance(table.next(), Over) else Illegal("not_over")


def is_hall(table: Table) -> bool:
    """Whether so many play that everybody sees only their own review."""
    return len(table.places) > MOST_LISTED


def own(table: Table, by: str) -> list[Seat]:
    """The seats of people at a device."""
    return [seat for seat in sorted(table.devices.get(by, ())) if not table.places[seat].is_program]


def shown(table: Table, by: str) -> list[Seat]:
    """The seats of others that a device may see, if it plays or hosts here: who shows theirs, and programs."""
    if is_hall(table) or not (by == table.host or by in table.devices):
        return []
    mine = own(table, by)
    return [
        seat
        for seat, place in sorted(table.places.items())
        if seat not in mine and (seat in table.shown or place.is_program)
    ]


def see(table: Table, by: str, seat: Seat) -> Refusal:
    """Look at a seat's review."""
    if (refusal := over(table)) is not None:
        return refusal
    if seat not in table.places:
        return Illegal("no_such_seat", seat=seat, last=table.seats - 1)
    may = seat in own(table, by) or seat in shown(table, by)
    return None if may else Illegal("review_not_shown", seat=seat, name=table.places[seat].name)


def show(table: Table, by: str, seat: Seat) -> Refusal:
    """Show a review of one's own to all who play or host here, or no longer."""
    if (refusal := over(table)) is not None:
        return refusal
    if is_hall(table):
        return Illegal("hall_reviews")
    return None if seat in own(table, by) else Illegal("not_your_seat", seat=seat)
