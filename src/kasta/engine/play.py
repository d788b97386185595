"""One game of bots, from the first throw to the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from kasta.bots.base import Bot, find_bot, look
from kasta.core import FACES, Pick, Seat, Throw
from kasta.engine.engine import Engine
from kasta.engine.position import Turns
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.record import Do, Header, Roll, Step, write_record


@dataclass(frozen=True)
class BotGame:
    """A game that was played to its end: its last table, and all that happened."""

    game: AnyGame
    header: Header
    steps: tuple[Step, ...]
    table: Any

    @property
    def totals(self) -> list[int]:
        """The points of every seat."""
        return [self.game.total(self.table, seat) for seat in range(len(self.header.seats))]

    @property
    def record(self) -> str:
        """The record of the game as text, which `replay` and `walk` read."""
        return "".join(f"{line}\n" for line in write_record(self.header, self.steps))


def _name(bot: Bot | Engine | str) -> str:
    if isinstance(bot, Engine):
        return bot.name
    return bot if isinstance(bot, str) else type(bot).__name__


def play(
    game: AnyGame | str, bots: Sequence[Bot | Engine | str], *, names: Sequence[str] = (), seed: int | None = None
) -> BotGame:
    """Play one game of these bots: your own objects, engines, or names such as `best`. The first one throws first.

    A seed gives the same game again; without one, every game is another. `names` are for the record.
    """
    found = find_game(game) if isinstance(game, str) else game
    players = [find_bot(bot, found) if isinstance(bot, str) else bot for bot in bots]
    seats = tuple(names) or tuple(map(_name, bots))
    if len(seats) != len(players):
        raise ValueError(f"{len(players)} bots, but {len(seats)} names")
    rng, steps = Random(seed), list[Step]()  # noqa: S311 - no secrets
    turns = Turns(found, found.start(len(players)), range(len(players)))
    while isinstance(expected := found.next(turns.table), Throw | Pick):
        step: Step
        if isinstance(expected, Throw):
            step = Roll(tuple(rng.choices(FACES, k=expected.dice)))
        else:
            seat = next(filter(expected.is_due, range(len(players))))
            step = Do(seat, str(_action(players[seat], turns, seat, rng)), by_bot=True)
        turns.take(step)
        steps.append(step)
    return BotGame(found, Header(found.name, found.rules, seats), tuple(steps), turns.table)


def _action(player: Bot | Engine, turns: Turns, seat: Seat, rng: Random) -> Any:  # noqa: ANN401
    if isinstance(player, Engine):
        return player.answer(turns.position(seat), rng.getrandbits(31))
    return player.choose(look(turns.game, turns.table, seat), turns.game.legal(turns.table, seat), rng)
