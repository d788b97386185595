"""A review of a game: for every seat, the loss of each decision and the luck of each throw.

At the end, total = expected + luck - lost + early + drift, exactly. Luck is the value of a throw minus that of the
mean throw, lost is the value of the best choice minus that of the choice made, both by the same value. So luck is
0 on average for every player, however rough the value is. Early is the effect of the others: a full sheet ends the
game, and they may come nearer to that sooner or later than expected. Drift is the remainder: the shift of the
estimate from one throw to the next. If values are exact, it is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from kasta.core import FACES, Faces, Over, Seat, Throw
from kasta.games.composers import Fullest
from kasta.games.traits import AnyGame, find_reviewer
from kasta.record import Do, Header, Leave, Moment, Roll, Step
from kasta.values import AnyValuer, Option, Progress, beside, error_apart, quietly

GHOST = -1  # the seat of the best player, who plays along on the same throws


@dataclass(frozen=True, slots=True)
class SeatGame:
    """What a seat's review needs of a table's record: its steps with their lines, and the seat among those left.

    A ghost has no steps of its own: the best player acts for it, on the throws that fell.
    """

    header: Header
    steps: list[tuple[int, Step]]
    seat: Seat
    is_ghost: bool = False
    fullest: tuple[Fullest, ...] = ()  # of the whole table, throw by throw, where it matters


@dataclass(frozen=True, slots=True)
class Move:
    """A decision: its line in the record, the round and throw it answers, what was done, and what was best.

    `lost` is its loss, with its standard error `error`; `luck` is that of the throw, given with the first decision
    on it. `options` is everything that could have been done, best first. A `stand_in` is a bot that acted for
    somebody absent.
    """

    line: int
    round: int
    roll: Faces
    do: str
    best: str
    lost: float
    error: float
    luck: float
    options: list[Option[Any]]
    sheet: Any  # as it was when the decision was made
    stand_in: bool = False


@dataclass
class SeatReview:
    """One seat's game; before its end, `worth` is the expected total now, and the sums are those so far."""

    name: str
    expected: float
    worth: float
    total: int = 0
    luck: float = 0.0
    lost: float = 0.0
    early: float = 0.0  # what the others' pace took, or brought
    moves: list[Move] = field(default_factory=list)
    course: list[float] = field(default_factory=list)  # the expected total after each round

    @property
    def drift(self) -> float:
        """The remainder of the total: how far the estimate shifted."""
        return self.worth - self.expected - self.luck + self.lost - self.early


def review(
    moments: Iterable[Moment], *, valuer: AnyValuer | None = None, progress: Progress = quietly
) -> list[SeatReview]:
    """Review the positions of a game, as `walk` yields them.

    `valuer` takes the place of the game's own, and `progress` is called while values are computed.
    """
    for reviews in review_growing(moments, valuer=valuer, progress=progress):  # noqa: B007 - only the last counts
        pass
    return reviews


def review_growing(
    moments: Iterable[Moment], *, valuer: AnyValuer | None = None, progress: Progress = quietly
) -> Iterator[list[SeatReview]]:
    """The same, while it grows: after every step of the game, the same list, further on."""
    first, *rest = moments
    bots = seats_of_bots(moment.step for moment in rest)
    reviewer = Reviewer(first, valuer or find_reviewer(first.game, progress), bots=bots)
    yield reviewer.reviews
    for moment in rest:
        reviewer.take(moment)
        yield reviewer.reviews


def seats_of_bots(steps: Iterable[Step | None]) -> set[Seat]:
    """The seats for which bots made every decision: where somebody else made one, a bot only stood in."""
    done = [step for step in steps if isinstance(step, Do)]
    return {step.seat for step in done} - {step.seat for step in done if not step.by_bot}


OthersLack = Callable[[Moment, Seat], int | None]
"""How many numbers the fullest of the other sheets lacked at a moment, for a seat."""


def others_lack(moment: Moment, seat: Seat) -> int | None:
    """The same, where the table has all sheets."""
    return moment.game.others_lack(moment.table, seat)


class Reviewer:
    """Takes one position after the other, and looks at some seats, or at all."""

    def __init__(
        self,
        first: Moment,
        valuer: AnyValuer,
        seats: Collection[Seat] | None = None,
        bots: Collection[Seat] = (),
        others_lack: OthersLack = others_lack,
    ) -> None:
        self.before, self.bots, self._others_lack = first, bots, others_lack
        self.seats = range(len(first.header.seats)) if seats is None else seats
        self._alone, count = valuer, len(first.header.seats)
        self.valuers = [beside(valuer, others_lack(first, seat)) for seat in range(count)]  # since the last throw
        start = [each.value(first.game.solo.start()) for each in self.valuers]
        self.reviews = [SeatReview(*each) for each in zip(first.header.seats, start, start, strict=True)]
        self._luck = [0.0] * len(self.reviews)  # of the throw that a seat has not answered yet
        self._pressed = [0.0] * len(self.reviews)  # what the others' nearing the end was worth after a decision
        self._round = [0] * len(self.reviews)
        self._roll: Faces = ()

    def take(self, moment: Moment) -> None:
        """Go on to the next position."""
        match moment.step:
            case Roll(faces):
                self._roll = faces
                for seat in self.seats:
                    self._thrown(seat, moment)
            case Do(seat, text, by_bot) if seat in self.seats:
                self._decided(seat, moment, text, stand_in=by_bot and seat not in self.bots)
            case Do() | Leave() | None:
                pass  # a seat that left has neither luck nor decisions any more
        self.before = moment
        over = isinstance(moment.game.next(moment.table), Over)
        for seat in self.seats:
            one = self.reviews[seat]
            one.total = moment.game.total(moment.table, seat)
            if over and not moment.game.has_left(moment.table, seat):
                one.worth = float(one.total)
                one.course[-1:] = [one.worth]

    def _thrown(self, seat: Seat, moment: Moment) -> None:
        game, before, after = moment.game, self.before, moment.game.sheet(moment.table, seat)
        old = game.sheet(before.table, seat)
        if after == old or game.has_left(moment.table, seat):
            return
        one, valuer = self.reviews[seat], beside(self._alone, self._others_lack(moment, seat))
        value, mean = valuer.value(after), mean_of_throws(game, before.table, seat, valuer)
        is_pressed = valuer is not self._alone or game.is_ending(before.table)
        pressed = mean - self._alone.mean(old) if is_pressed else 0.0
        one.early += pressed - self._pressed[seat] if self._round[seat] else 0.0
        self.valuers[seat] = valuer
        self._luck[seat] = value - mean
        one.luck += self._luck[seat]
        one.worth = value
        if game.solo.rests(old):
            self._round[seat] += 1
            one.course.append(value)
        one.course[-1] = value

    def _decided(self, seat: Seat, moment: Moment, text: str, *, stand_in: bool) -> None:
        sheet = moment.game.sheet(self.before.table, seat)
        valuer = self.valuers[seat]
        options, action = valuer.options(sheet), moment.game.solo.read_action(text)
        chosen, best = next(option for option in options if option.action == action), options[0]
        one, lost = self.reviews[seat], best.value - chosen.value
        error = error_apart(valuer, best, chosen) if lost else 0.0
        luck, self._luck[seat] = self._luck[seat], 0.0
        if valuer is not self._alone:
            alone = next(option for option in self._alone.options(sheet) if option.action == action)
            self._pressed[seat] = chosen.value - alone.value
        one.lost += lost
        one.worth = one.course[-1] = chosen.value
        one.moves.append(
            Move(
                moment.line,
                self._round[seat],
                self._roll,
                str(action),
                str(best.action),
                lost,
                error,
                luck,
                options,
                sheet,
                stand_in,
            )
        )


def mean_of_throws(game: AnyGame, table: Any, seat: Seat, valuer: AnyValuer) -> float:  # noqa: ANN401 - of any game
    """What a throw was worth to a seat on average before it fell."""
    if not game.is_ending(table):
        return valuer.mean(game.sheet(table, seat))
    expected = game.next(table)  # somebody's full sheet makes it the last throw, which no single sheet knows
    assert isinstance(expected, Throw)  # noqa: S101 - a throw is what came
    throws = [game.sheet(game.throw(table, faces), seat) for faces in product(FACES, repeat=expected.dice)]
    return sum(times * valuer.value(sheet) for sheet, times in Counter(throws).items()) / len(throws)
