"""What clients asked and were answered, and whether the store has kept it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kasta.tables.events import Acted, AnyEvent, Rolled, TakenBack

UNAVAILABLE = 503

State = dict[str, Any]


class Promise(NamedTuple):
    """A pick, or the taking back of one, that was acknowledged, at a table that goes without saying."""

    turn: int
    seat: int
    step: int
    do: str | None  # None: what was done is taken back


class Told(NamedTuple):
    """What an answer says of a table; of a seat its number, whether it is the client's own, sheet and total."""

    seq: int
    turn: int
    faces: tuple[int, ...]
    is_over: bool
    secret: str | None
    seats: tuple[tuple[int, bool, str | None, int | None], ...]


class Revealed(NamedTuple):
    """A stream told what another seat did; whether the next throw was asked for by then, and every pick."""

    turn: int
    seat: int
    is_next_asked: bool
    are_all_asked: bool


@dataclass
class History:
    """What clients asked of a table, and what they were told of it."""

    asked: set[Promise] = field(default_factory=set)
    thrown: set[int] = field(default_factory=set)  # the turns on which somebody asked for the next throw
    people: set[int] = field(default_factory=set)  # their seats
    newest: int = 0  # the place in the log that was told last
    told: set[Told] = field(default_factory=set)
    revealed: set[Revealed] = field(default_factory=set)

    def are_all_asked(self, turn: int) -> bool:
        return self.people <= {each.seat for each in self.asked if each.turn == turn}


@dataclass
class Ledger:
    """Written by all clients of a run."""

    answers: Counter[int] = field(default_factory=Counter)  # by status
    lost: int = 0  # answers that never came
    promises: defaultdict[str, list[Promise]] = field(default_factory=lambda: defaultdict(list))  # by table
    thrown: defaultdict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))  # as streams told
    histories: defaultdict[str, History] = field(default_factory=lambda: defaultdict(History))
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

    def hear(self, state: State, known: int) -> None:
        """What an answer told of a table, of which so much was known to somebody when it was asked for."""
        history = self.histories[state["table"]]
        if state["seq"] < known:
            self.wrong.append(f"stale: {state['table']} was told as of {state['seq']}, and had come to {known}")
        history.newest = max(history.newest, state["seq"])
        seats = tuple((each["seat"], each["mine"], each["sheet"], each["total"]) for each in state["seats"])
        history.people |= {each["seat"] for each in state["seats"] if each["bot"] is None}
        about = state["seq"], state["turn"], tuple(state["faces"]), state["next"] == "over", state["secret"]
        history.told.add(Told(*about, seats))

    def reveal(self, table: str, event: Acted) -> None:
        """A stream told what another seat did."""
        history = self.histories[table]
        asked = event.turn in history.thrown, history.are_all_asked(event.turn)
        history.revealed.add(Revealed(event.turn, event.seat, *asked))


def broken(promises: Sequence[Promise], events: Iterable[AnyEvent], asked: Iterable[Promise] = ()) -> list[str]:
    """What a table's log has too much or too little of, if nobody takes anything back but who asked for it."""
    log = list(events)
    throws = Counter(event.turn for event in log if isinstance(event, Rolled))
    acts = [event for event in log if isinstance(event, Acted | TakenBack)]
    done = Counter(Promise(event.turn, event.seat, event.step, getattr(event, "do", None)) for event in acts)
    turns = [event.turn for event in log if isinstance(event, Rolled | Acted)]
    return [
        *(f"lost: {promise}" for promise in promises if not done[promise]),
        *(
            f"doubled: {promise} was acknowledged twice"
            for promise, times in Counter(promises).items()
            if times > 1
        ),
        *(f"doubled: {key}" for key, times in Counter(event.key for event in acts).items() if times > 1),
        *(
            f"{'doubled' if throws[turn] else 'lost'}: turn {turn} has {throws[turn]} throws"
            for turn in sorted({*turns})
            if throws[turn] != 1
        ),
        *(["out of order: turns"] if turns != sorted(turns) else []),
        *(["out of order: a throw is missing"] if [*throws] != [*range(1, len(throws) + 1)] else []),
        *(f"taken back by nobody: {each}" for each in done.keys() - {*asked} if each.do is None),
    ]
