"""Whether a table's clients were told the truth in time: nothing that is not in its log, and nothing early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kasta.core import Over, Throw
from kasta.tables.events import Acted, AnyEvent, Rolled
from kasta.tables.state import Table, evolve
from soak.ledger import History, Told


@dataclass
class Story:
    """A table after each event of its log, and how its sheets stood: by the rules, whatever views make of it."""

    log: Sequence[AnyEvent]
    _sheets: dict[tuple[int, int], tuple[str | None, int | None]] = field(default_factory=dict)

    @cached_property
    def tables(self) -> list[Table]:
        found = [evolve(None, self.log[0])]
        for event in self.log[1:]:
            found.append(evolve(found[-1], event))
        return found

    @cached_property
    def last_turn(self) -> int:
        return self.tables[-1].turn

    @cached_property
    def thrown_by_itself(self) -> set[int]:
        """The throws that nobody asked for: for bots, and where the table throws."""
        found = set[int]()
        for before, event in zip(self.tables, self.log[1:], strict=False):
            expected = before.next()
            if isinstance(event, Rolled) and isinstance(expected, Throw):
                is_bots = expected.roller in before.bots
                found |= {event.turn} if is_bots or before.settings.thrower == "auto" else set()
        return found

    @cached_property
    def is_finished(self) -> bool:
        """By the rules, so that its last picks could be told."""
        return is_over(self.tables[-1])

    def sheet(self, table: Table, seat: int, *, as_thrown: bool) -> tuple[str | None, int | None]:
        """A seat's sheet and total now, or as they were before the last throw."""
        play = table.before if as_thrown else table.play
        if play is None:
            return None, None
        if (id(play), seat) not in self._sheets:  # all tables are kept, and with them what this names
            sheet = table.game.sheet(play, seat)
            self._sheets[id(play), seat] = table.game.solo.write_sheet(sheet), table.game.solo.total(sheet)
        return self._sheets[id(play), seat]


def is_over(table: Table) -> bool:
    return table.play is not None and isinstance(table.game.next(table.play), Over)


def untrue(history: History, log: Sequence[AnyEvent]) -> list[str]:
    """What clients were told that the log does not say, or did not say yet."""
    story = Story(log)
    return [
        *(f"{wrong} ({told.seq}, turn {told.turn})" for told in history.told for wrong in _untrue(told, story)),
        *_revealed(history, story),
    ]


def _untrue(told: Told, story: Story) -> Iterator[str]:
    if told.seq > len(story.log):
        yield "lost: an answer told of an event that is not there"
        return
    table = story.tables[told.seq - 1]
    if (told.turn, told.faces) != (table.turn, table.faces):
        yield f"early: {told.faces} was told, and {table.faces} lay there on turn {table.turn}"
    if told.secret != (table.secret or None):
        yield "early: the secret of the dice"
    may_know = table.is_closed or is_over(table)
    if told.is_over != may_know and table.places:
        yield f"early: the end was told as {told.is_over}"
    hides = table.game.hides_picks and not may_know
    for seat, is_mine, sheet, total in told.seats:
        written, points = story.sheet(table, seat, as_thrown=hides and not is_mine)
        if sheet != written:
            yield f"early: the sheet of seat {seat}"
        hidden = table.settings.points == "end" and not may_know
        if total != (None if hidden else points):
            yield f"early: the total of seat {seat}"


def _revealed(history: History, story: Story) -> Iterator[str]:
    """A throw that ends a round is asked for by a client, where the table does not throw by itself."""
    table = story.tables[-1]
    if not table.game.hides_picks or table.settings.pace:
        return
    stood_in = {event.turn for event in story.log if isinstance(event, Acted) and event.stand_in}
    for each in history.revealed:
        is_last = each.turn == story.last_turn and story.is_finished
        is_by_itself = is_last or each.turn + 1 in story.thrown_by_itself
        if not (each.are_all_asked if is_by_itself else each.is_next_asked) and each.turn not in stood_in:
            yield f"early: a stream told what seat {each.seat} did on turn {each.turn}"
