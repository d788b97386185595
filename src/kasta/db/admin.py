"""For the person who hosts: look after a store, whatever kind it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count

from msgspec.structs import replace

from kasta import dice
from kasta.core import Seat
from kasta.db.personal import PersonalData, forget_names
from kasta.errors import Conflict, Illegal, KastaError
from kasta.tables import events as e
from kasta.tables.log import Log, Seq, change
from kasta.tables.names import folded
from kasta.tables.state import evolve, replay

TRIES = 100


async def check(log: Log) -> AsyncIterator[tuple[str | None, str]]:
    """Everything that is wrong: with the store itself (None), or with a table's log, counters or secret."""
    for problem in await log.check():
        yield None, problem
    for name in await log.tables():
        try:
            before = await log.counters(name)
            table = replay([stored.event for stored in await log.read(name)])
            if before == await log.counters(name) != (table.picking, table.owing, table.guard):
                yield name, "the counters do not fit the log, so the table cannot go on"
            if dice.commitment(await log.secret(name)) != table.commitment:
                yield name, "the secret is not the one that was committed to"
        except KastaError as error:
            yield name, str(error)


async def forget(log: Log, personal: Sequence[PersonalData], name: str, only: Seat | None = None) -> int:
    """Put "Player 3" in place of every name at a table, or of one seat's names. The log stays as good as it was.

    Processes that have the table in memory hear of it by an event, which counts as old as the last one.
    """
    stored = await log.read(name)
    names = _neutral([each.event for each in stored], only)
    await _rename(log, name, names)
    changed: list[tuple[Seq, e.AnyEvent]] = []
    for each in await log.read(name):
        match each.event:
            case e.SeatedEvent(seat=seat, name=old) | e.Renamed(seat=seat, name=old) if old != names.get(
                seat, old
            ):
                changed.append((each.seq, replace(each.event, name=names[seat])))
            case e.Waited() if only is None:
                changed.append((each.seq, replace(each.event, name=f"Guest {each.seq}")))
    await log.rewrite(name, changed)
    await forget_names(log.db, personal, name, only)
    return len(changed)


def _neutral(events: Sequence[e.AnyEvent], only: Seat | None) -> dict[Seat, str]:
    """What seats are called from now on: as nobody else at the table."""
    owners: defaultdict[str, set[Seat]] = defaultdict(set)
    for event in events:
        if isinstance(event, e.SeatedEvent | e.Renamed):
            owners[folded(event.name)].add(event.seat)
    seats = sorted(set[Seat]().union(*owners.values()))
    if only is not None and only not in seats:
        raise Illegal("no_such_seat", seat=only, last=max(seats, default=0))
    return {seat: _free_name(seat, owners) for seat in seats if only in {None, seat}}


def _free_name(seat: Seat, owners: Mapping[str, set[Seat]]) -> str:
    first = f"Player {seat + 1}"
    offers = chain([first], (f"{first} ({number})" for number in count(2)))
    return next(offer for offer in offers if owners.get(folded(offer), {seat}) == {seat})


async def _rename(log: Log, name: str, names: Mapping[Seat, str]) -> None:
    for _ in range(TRIES):
        stored = await log.read(name)
        table = replay(each.event for each in stored)
        with suppress(Conflict):  # people may go on playing meanwhile
            for seat, neutral in names.items():
                if seat in table.places and table.places[seat].name != neutral:
                    renamed = e.Renamed(seat, neutral)
                    await log.append(change(table, renamed), at=stored[-1].at)
                    table = evolve(table, renamed)
            return
    raise Conflict("moved_on")
