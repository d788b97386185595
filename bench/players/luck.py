"""Luck, errors and drift of players at every level, and the classes that reviews put them into.

    python bench/players/luck.py knister --games 200 --seed 1
    python bench/players/luck.py knaster --games 50 --seed 1 --bots casual,quick
    python bench/players/luck.py knaster --games 50 --seed 1 --bots child --beside anything,quick,best

`--beside` seats others at the table, whose games are not reviewed. Luck must be 0 whoever plays, within its
standard error; drift is how far the reviews' value is off. Error rates are shares of the spread: the bounds of
classes (`kasta.coach.marks`) are chosen between those of the levels.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from kasta.bots.base import Bot, Sight, bots_of, find_bot, look
from kasta.coach.marks import class_of, error_rate
from kasta.coach.review import Reviewer, SeatReview, seats_of_bots
from kasta.core import FACES, Over, Pick, Throw
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_reviewer
from kasta.jobs.job import Job
from kasta.jobs.run import run
from kasta.record import Do, Header, Moment, Roll
from kasta.values import AnyValuer


class AlwaysFirst:
    """Takes the first of the legal actions."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        return legal[0]


@dataclass(frozen=True)
class Reviewed:
    """One game."""

    total: int
    luck: float
    lost: float
    early: float
    drift: float
    rate: float  # as a share of the spread
    name: str | None  # of the class
    seconds: float


def moments(game: AnyGame, bots: Sequence[Bot], rng: Random) -> Iterator[Moment]:
    """A game of so many seats, from position to position."""
    header, table = (
        Header(game.name, game.rules, tuple(f"seat {n}" for n in range(len(bots)))),
        game.start(len(bots)),
    )
    yield Moment(header, game, 1, None, table)
    line = 1
    while not isinstance(expected := game.next(table), Over):
        line += 1
        if isinstance(expected, Throw):
            faces = tuple(rng.choices(FACES, k=expected.dice))
            table = game.throw(table, faces)
            yield Moment(header, game, line, Roll(faces), table)
        elif isinstance(expected, Pick):
            seat = next(filter(expected.is_due, range(len(bots))))
            action = bots[seat].choose(look(game, table, seat), game.legal(table, seat), rng)
            table = game.act(table, seat, action)
            yield Moment(header, game, line, Do(seat, str(action)), table)


def first_seat(steps: Sequence[Moment], valuer: AnyValuer) -> SeatReview:
    """The review of the first seat alone."""
    reviewer = Reviewer(steps[0], valuer, (0,), seats_of_bots(moment.step for moment in steps))
    for moment in steps[1:]:
        reviewer.take(moment)
    return reviewer.reviews[0]


class Asked(NamedTuple):
    """Which game is played and reviewed."""

    game: str
    rules: str
    bot: str
    seed: str
    beside: tuple[str, ...] = ()


def played(asked: Asked) -> tuple[Any, ...]:
    """A game of a bot, reviewed."""
    game = find_game(asked.game, asked.rules)
    players = [AlwaysFirst() if bot == "first" else find_bot(bot, game) for bot in (asked.bot, *asked.beside)]
    valuer, steps = find_reviewer(game), list(moments(game, players, Random(asked.seed)))
    began = time.process_time()
    one = first_seat(steps, valuer)
    seconds = time.process_time() - began
    rate = error_rate(one.moves, valuer.spread)
    found = class_of(rate, valuer.spread, bots_of(game).classes)
    shown = Reviewed(
        one.total, one.luck, one.lost, one.early, one.drift, (rate or 0.0) / valuer.spread, found, seconds
    )
    return astuple(shown)


def plus_minus(values: Sequence[float]) -> str:
    return f"{np.mean(values):7.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:4.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", help="by commas; every bot, and `first`, which takes the first legal action")
    parser.add_argument("--beside", help="who else sits at the table, by commas")
    parser.add_argument("--processes", type=int, help="by default, one for each core")
    wanted = parser.parse_args()
    game = find_game(wanted.game, wanted.rules)
    beside = tuple(wanted.beside.split(",")) if wanted.beside else ()
    bots = wanted.bots.split(",") if wanted.bots else [*bots_of(game).by_name, "first"]
    print(f"{game.name} {game.rules}: expected {find_reviewer(game).value(game.solo.start()):.2f}")
    for bot in bots:
        each = [
            Asked(game.name, game.rules, bot, f"{wanted.seed} {number}", beside) for number in range(wanted.games)
        ]
        games = [Reviewed(*one) for one in run(Job("luck", {}, played, each), processes=wanted.processes)]
        told = {
            field: plus_minus([getattr(one, field) for one in games])
            for field in ("total", "luck", "lost", "early", "drift")
        }
        rates = np.percentile([one.rate for one in games], (10, 50, 90))
        classes = ", ".join(f"{name} {count}" for name, count in Counter(one.name for one in games).most_common())
        print(f"{bot:10}", *(f"{field} {text} " for field, text in told.items()), end="")
        print(f" error rate, 10/50/90 %: {' / '.join(f'{rate:.4f}' for rate in rates)}  {classes}", end="")
        print(f"  {np.mean([one.seconds for one in games]):.2f} s", flush=True)


if __name__ == "__main__":
    main()
