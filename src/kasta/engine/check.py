"""Tries an engine: does it say what docs/engines.md asks for, in time, and only what is legal?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from kasta.core import FACES, Over, Pick, Throw
from kasta.engine.position import Position, Turns
from kasta.engine.process import HELLO_SECONDS, EngineProcess
from kasta.errors import KastaError, Unavailable
from kasta.games.traits import AnyGame
from kasta.messages import Note
from kasta.record import Do, Roll

SEATS = 2
AGAIN = 3  # positions that are asked about twice


@dataclass(frozen=True, slots=True)
class Check:
    """Something to be tried: whether it went well, and if not, why; `good` is None where it was not tried."""

    what: Note
    good: bool | None
    why: Note | KastaError | str = ""


def check_engine(engine: EngineProcess, game: AnyGame, positions: int, seed: int = 0) -> Iterator[Check]:
    """Ask an engine about positions of a game, from the first throw to the last, and tell what it did.

    After the first thing that went wrong nothing more is tried.
    """
    started = _tried(Note("starts, and gets ready"), lambda: engine.load(game))
    yield started
    asked = _positions(game, positions, seed)
    answers: dict[int, object] = {}

    def ask_all() -> None:
        for number, position in enumerate(asked):
            try:
                answers[number] = engine.ask(position, seed=number).action
            except Unavailable as error:
                about = {"number": number + 1, "count": len(asked), "reason": error}
                raise _Failed(Note("position {number} of {count}: {reason}", **about)) from None

    more = [
        (Note("answers {count} positions, legally and in time", count=len(asked)), ask_all),
        (Note("gives the same answer to the same question"), lambda: _ask_again(engine, asked, answers)),
        (Note("values every action"), lambda: _ask_for_values(engine, asked)),
        (Note("ends when told so"), lambda: _end(engine)),
    ]
    if not engine.introduction.gives_values:
        del more[2]
    good = bool(started.good)
    for what, work in more:
        check = _tried(what, work) if good else Check(what, None)
        good = good and bool(check.good)
        yield check


class _Failed(Exception):  # noqa: N818 - what was tried
    pass


def _tried(what: Note, work: Callable[[], None]) -> Check:
    try:
        work()
    except _Failed as failed:
        return Check(what, good=False, why=failed.args[0])
    except KastaError as error:
        return Check(what, good=False, why=error)
    return Check(what, good=True)


def _ask_again(engine: EngineProcess, asked: list[Position], answers: dict[int, object]) -> None:
    """In another order, so that nothing that was remembered helps."""
    for number in sorted(answers, reverse=True)[:AGAIN]:
        found = engine.ask(asked[number], seed=number).action
        if found != answers[number]:
            both = {"first": answers[number], "second": found}
            raise _Failed(Note("position {number}: first {first}, then {second}", number=number + 1, **both))


def _ask_for_values(engine: EngineProcess, asked: list[Position]) -> None:
    for number, position in enumerate(asked[:AGAIN], 1):
        valued = {option.action for option in engine.ask(position, wants_values=True).options}
        if missing := [str(action) for action in position.legal if action not in valued]:
            raise _Failed(Note("position {number}: no value for {text}", number=number, text=missing[0]))


def _end(engine: EngineProcess) -> None:
    if not engine.end(HELLO_SECONDS):
        raise _Failed(Note("it had to be killed"))


def _positions(game: AnyGame, most: int, seed: int) -> list[Position]:
    """Spread over whole random games: so many positions, or all of one game if it has fewer."""
    found: list[Position] = []
    rng = Random(seed)  # noqa: S311 - lots, no secrets
    while len(found) < most * 4:
        found += _random_game(game, rng)
    return [found[number] for number in sorted(rng.sample(range(len(found)), most))]


def _random_game(game: AnyGame, rng: Random) -> Iterator[Position]:
    turns = Turns(game, game.start(SEATS), range(SEATS))
    while not isinstance(expected := game.next(turns.table), Over):
        match expected:
            case Throw(dice):
                turns.take(Roll(tuple(rng.choices(FACES, k=dice))))
            case Pick(_, is_due):
                seat = next(filter(is_due, range(SEATS)))
                position = turns.position(seat)
                yield position
                turns.take(Do(seat, str(rng.choice(position.legal))))
