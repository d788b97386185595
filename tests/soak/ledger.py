"""What clients were answered, and whether the store has kept it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kasta.tables.events import Acted, AnyEvent, Rolled, TakenBack

UNAVAILABLE = 503


class Promise(NamedTuple):
    """A pick that was acknowledged, at a table that goes without saying."""

    turn: int
    seat: int
    step: int
    do: str


@dataclass
class Ledger:
    """Written by all clients of a run."""

    answers: Counter[int] = field(default_factory=Counter)  # by status
    lost: int = 0  # answers that never came
    promises: defaultdict[str, list[Promise]] = field(default_factory=lambda: defaultdict(list))  # by table
    thrown: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))  # as streams told
    playing: set[str] = field(default_factory=set)
    games: int = 0  # played to their end
    wrong: list[str] = field(default_factory=list)

    @property
    def picks(self) -> int:
        return sum(map(len, self.promises.values()))

    def answered(self, status: int, what: str) -> None:
        self.answers[status] += 1
        if not (200 <= status < 500 or status == UNAVAILABLE):
            self.wrong.append(f"{what}: {status}")


def broken(promises: Sequence[Promise], events: Iterable[AnyEvent]) -> list[str]:
    """What a table's log has too much or too little of, if nobody takes anything back."""
    log = list(events)
    throws = Counter(event.turn for event in log if isinstance(event, Rolled))
    acts = [event for event in log if isinstance(event, Acted)]
    picks = Counter(Promise(event.turn, event.seat, event.step, event.do) for event in acts)
    turns = [event.turn for event in log if isinstance(event, Rolled | Acted)]
    return [
        *(f"lost: {promise}" for promise in promises if not picks[promise]),
        *(f"acknowledged twice: {promise}" for promise, times in Counter(promises).items() if times > 1),
        *(f"doubled: {key}" for key, times in Counter(event.key for event in acts).items() if times > 1),
        *(f"turn {turn}: {throws[turn]} throws" for turn in sorted({*turns}) if throws[turn] != 1),
        *(["turns are out of order"] if turns != sorted(turns) else []),
        *(f"taken back: {event}" for event in log if isinstance(event, TakenBack)),
    ]
