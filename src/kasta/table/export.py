"""A table's log as a game record: what finally counted, without what was taken back or corrected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kasta.core import Over, Seat
from kasta.record import Do, Header, Leave, Proof, Roll, Step
from kasta.table import events as e
from kasta.table.state import Table, evolve


def record(log: Iterable[e.AnyEvent], *, open_picks: bool = True) -> tuple[Header, list[Step]]:
    """Header and steps of the game in a log. The secret of the dice is in it only if the log tells it.

    Without `open_picks` it holds what everybody may see: nothing that was done in a round that is still open.
    """
    table: Table | None = None
    seats: dict[Seat, Seat] = {}  # the table's numbers -> the record's, which count from whoever starts
    done: list[Step] = []
    since: list[Step] = []  # the last throw and what was done on it, which may still be taken back
    for event in log:
        if isinstance(event, e.Rolled) and table is not None and table.play is None:
            seats = {seat: number for number, seat in enumerate(clockwise(table))}
        if seats and table is not None:
            if isinstance(event, e.Rolled) and not isinstance(event, e.Corrected):
                done += since
                since = []
            since = _after(since, event, seats, table)
        table = evolve(table, event)
    if table is None:
        raise ValueError("a log begins with its opening")
    if not open_picks and table.game.hides_picks and not isinstance(table.next(), Over):
        since = [step for step in since if not isinstance(step, Do)]
    return _header(table, list(seats) or list(clockwise(table))), done + since


def clockwise(table: Table) -> Iterator[Seat]:
    """Who sits at the table, from whoever throws first."""
    present, first = sorted(table.places), table.first()
    yield from (seat for seat in present if seat >= first)
    yield from (seat for seat in present if seat < first)


def proof(table: Table, order: Iterable[Seat]) -> Proof:
    """What a table tells about its dice."""
    entropy = tuple(table.places[seat].entropy for seat in order)
    return Proof(table.id, table.commitment, entropy, table.secret)


def _header(table: Table, order: list[Seat]) -> Header:
    names = tuple(table.places[seat].name for seat in order)
    fixed = proof(table, order) if table.settings.dice == "app" else None
    return Header(table.game.name, table.game.rules, names, fixed)


def _after(since: list[Step], event: e.AnyEvent, seats: dict[Seat, Seat], table: Table) -> list[Step]:
    """What counts since the last throw, after one more event."""
    match event:
        case e.Corrected(faces=faces):
            return [Roll(faces), *(step for step in since if isinstance(step, Leave))]
        case e.Rolled(faces=faces):
            return [Roll(faces)]
        case e.Acted(seat=seat, do=do, stand_in=stand_in):
            return [*since, Do(seats[seat], do, stand_in or seat in table.bots)]
        case e.TakenBack(seat=seat):
            last = max(i for i, step in enumerate(since) if isinstance(step, Do) and step.seat == seats[seat])
            return since[:last] + since[last + 1 :]
        case e.Left(seat=seat):
            return [*since, Leave(seats[seat])]
    return since
