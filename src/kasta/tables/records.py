"""A table's log as a game record: made from events, and kept for those who ask for it again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from kasta import dice
from kasta.coach.review import SeatGame
from kasta.core import Over, Seat
from kasta.dice import KnownThrows, is_series
from kasta.record import Do, Header, Leave, Proof, Roll, Step, write_record
from kasta.tables import events as e
from kasta.tables.log import Log, Seq
from kasta.tables.state import Table, evolve


def record(log: Iterable[e.AnyEvent], *, open_picks: bool = True) -> tuple[Header, list[Step]]:
    """Header and steps of the game in a log. The secret of the dice is in it only if the log tells it.

    Without `open_picks` it holds what everybody may see: nothing that was done in a round that is still open.
    """
    recorder = Recorder()
    for event in log:
        recorder.take(event)
    return recorder.record(open_picks=open_picks)


class Recorder:
    """Makes a record of a log, event by event."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._seats: dict[Seat, Seat] = {}  # the table's numbers -> the record's, which count from whoever starts
        self._done: list[Step] = []
        self._since: list[Step] = []  # the last throw and what was done on it, which may still be taken back

    def take(self, event: e.AnyEvent) -> None:
        table = self._table
        if table is not None:
            if isinstance(event, e.Rolled) and table.play is None:
                self._seats = {seat: number for number, seat in enumerate(clockwise(table))}
            if self._seats:
                self._note(event, table)
        self._table = evolve(table, event)

    @property
    def table(self) -> Table:
        """The table that the events so far make."""
        if self._table is None:
            raise ValueError("a log begins with its opening")
        return self._table

    @property
    def seats(self) -> Mapping[Seat, Seat]:
        """The record's number of each seat of the table, once there was a throw."""
        return self._seats

    def record(self, *, open_picks: bool) -> tuple[Header, list[Step]]:
        """Header and steps so far."""
        table, since = self.table, self._since
        if not open_picks and table.game.hides_picks and not isinstance(table.next(), Over):
            since = [step for step in since if not isinstance(step, Do)]
        return _header(table, list(self._seats) or list(clockwise(table))), self._done + since

    def _note(self, event: e.AnyEvent, table: Table) -> None:
        seats, since = self._seats, self._since
        match event:
            case e.Corrected(faces=faces):
                since[:] = [Roll(faces), *(step for step in since if isinstance(step, Leave))]
            case e.Rolled(faces=faces):
                self._done += since
                since[:] = [Roll(faces)]
            case e.Acted(seat=seat, do=do, stand_in=stand_in):
                since.append(Do(seats[seat], do, stand_in or seat in table.bots))
            case e.TakenBack(seat=seat):
                mine = (i for i, step in enumerate(since) if isinstance(step, Do) and step.seat == seats[seat])
                del since[max(mine)]
            case e.Left(seat=seat):
                since.append(Leave(seats[seat]))


def clockwise(table: Table) -> Iterator[Seat]:
    """Who sits at the table, from whoever throws first."""
    present, first = sorted(table.places), table.first()
    yield from (seat for seat in present if seat >= first)
    yield from (seat for seat in present if seat < first)


def proof(table: Table, order: Iterable[Seat]) -> Proof:
    """What a table tells about its dice."""
    if table.series is not None:  # its secret is not the table's to tell
        return Proof(dice.series_id(table.series, table.game.name), table.commitment, ())
    entropy = tuple(table.places[seat].entropy for seat in order)
    return Proof(table.id, table.commitment, entropy, table.secret)


def _header(table: Table, order: list[Seat]) -> Header:
    names = tuple(table.places[seat].name for seat in order)
    fixed = proof(table, order) if table.settings.dice == "app" else None
    coached = tuple(number for number, seat in enumerate(order) if seat in table.coached)
    return Header(table.game.name, table.game.rules, names, fixed, coached)


@dataclass(frozen=True, slots=True)
class SortedRecord:
    """A table's record, sorted by seats: so one of thousands is found at once. Lines count as in the record."""

    header: Header
    steps: list[tuple[int, Step]]
    rolls: list[tuple[int, Step]]
    of_seat: Mapping[Seat, list[tuple[int, Step]]]


def sort_out(header: Header, steps: Sequence[Step]) -> SortedRecord:
    """A record sorted by seats."""
    lines, rolls, of_seat = list(enumerate(steps, 2)), list[tuple[int, Step]](), defaultdict[Seat, Any](list)
    for line, step in lines:
        (rolls if isinstance(step, Roll) else of_seat[step.seat]).append((line, step))
    return SortedRecord(header, lines, rolls, of_seat)


def seat_game(table: Table, played: SortedRecord, seat: Seat | None) -> SeatGame:
    """A seat's game, or, for None, a ghost's.

    Where one throw serves all, others matter only if their full sheet made a throw the last: so a seat
    of thousands is reviewed as soon as one of two.
    """
    order = list(clockwise(table))
    own = None if seat is None else order.index(seat)
    if not table.game.hides_picks:
        return SeatGame(played.header, played.steps, own or 0)
    numbers = [own, _who_ends(table, order, own)]  # in the record, by their places here
    steps = list(played.rolls)
    for place, number in enumerate(numbers):
        steps += (
            [(line, _at(place, step)) for line, step in played.of_seat.get(number, ())]
            if number is not None
            else []
        )
    steps.sort(key=itemgetter(0))
    left = next((i for i, (_, step) in enumerate(steps) if step == Leave(0)), None)
    header = Header(played.header.game, played.header.rules, ("",) * (1 if numbers[1] is None else 2))
    fullest = getattr(table.play, "fullest", ())
    return SeatGame(header, steps[:left], 0, seat is None, fullest)


def _who_ends(table: Table, order: list[Seat], own: int | None) -> int | None:
    """Whose full sheet made the last throw the last, if another's did."""
    game = table.game
    if table.before is None or not game.is_ending(table.before):
        return None
    full = [place for place, seat in enumerate(order) if game.solo.ends(game.sheet(table.before, seat))]
    return None if own in full or not full else full[0]


def _at(place: Seat, step: Step) -> Step:
    return step if isinstance(step, Roll) else replace(step, seat=place)


MOST_KEPT = 4
MOST_BYTES = 8_000_000  # of what is written of all that are kept: their steps take some five times that
LINES = 500  # that are written without a pause


Published = Callable[[str, str], Awaitable[str | None]]
"""The secret of dice that are not a table's own, by their id and commitment, as soon as everybody may know it."""

Known = Callable[[str], Awaitable[KnownThrows | None]]
"""Where dice that are not a table's own were thrown before, by their id."""


async def nobody(*_asked: str) -> None:
    """Knows of no dice but a table's own."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A table's record as everybody may see it, up to a place in its log, and as it is written."""

    seq: Seq
    header: Header
    steps: list[Step]
    text: bytes

    @property
    def waits_for_secret(self) -> bool:
        """Whether it is of a series whose secret it does not hold yet: no event will tell it."""
        proof = self.header.dice
        return proof is not None and is_series(proof.table) and proof.secret is None


class Records:
    """One is made at a time, and those that were asked for last are kept."""

    def __init__(self, log: Log, published: Published, known: Known) -> None:
        self._log, self._published, self._known = log, published, known
        self._making = asyncio.Lock()
        self._kept: OrderedDict[str, TableRecord] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    async def get(self, table: str, seq: Seq) -> TableRecord:
        """A table's record, at least up to this place in its log."""
        async with self._making:
            kept = self._kept.get(table)
            if kept is None or kept.seq < seq or kept.waits_for_secret:
                kept = await self._make(table)
            self._kept[table] = kept
            self._kept.move_to_end(table)
            while len(self._kept) > MOST_KEPT or (len(self._kept) > 1 and self._bytes() > MOST_BYTES):
                self._kept.popitem(last=False)
            return kept

    def _bytes(self) -> int:
        return sum(len(each.text) for each in self._kept.values())

    async def _make(self, table: str) -> TableRecord:
        recorder, seq = Recorder(), Seq(0)
        async for stored in self._log.events(table):
            recorder.take(stored.event)
            seq = stored.seq
        header, steps = recorder.record(open_picks=False)
        header = await self._with_secret(header)
        written = bytearray()
        for number, line in enumerate(write_record(header, steps)):
            written += line.encode() + b"\n"
            if number % LINES == 0:
                await asyncio.sleep(0)
        return TableRecord(seq, header, steps, bytes(written))

    async def _with_secret(self, header: Header) -> Header:
        """A record of a series tells the secret as soon as everybody may know it."""
        if header.dice is None or not is_series(header.dice.table):
            return header
        secret = await self._published(header.dice.table, header.dice.commitment)
        known = await self._known(header.dice.table) if secret else None
        return replace(header, dice=replace(header.dice, secret=secret, known=known))
