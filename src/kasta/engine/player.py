"""Whoever plays a seat of a match, or at a table: a bot of ours, or an engine with the quick player behind it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from kasta.bots.base import SIMPLE, Bot, bots_of, find_bot
from kasta.engine.position import Position
from kasta.engine.process import EngineProcess
from kasta.errors import NotInstalled, Unavailable
from kasta.games.traits import AnyGame
from kasta.messages import Note

QUICK = "quick"
GIVEN_UP = 5  # faults in a row, after which an engine is not asked any more

REPLACED = "{name}: {reason} The quick player takes its turn."
NOT_ASKED_ANY_MORE = f"{REPLACED} It is not asked any more."

Tell = Callable[[str], None]


class BotPlayer:
    """One of our bots. It loses no turn: `faults` would count them."""

    faults = 0

    def __init__(self, name: str, game: AnyGame) -> None:
        self.name, self._bot = name, find_bot(name, game)

    def choose(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions; lots are drawn by the seed alone."""
        return self._bot.choose(position.sight, position.legal, Random(seed))  # noqa: S311 - lots, no secrets

    def close(self) -> None:
        pass


class EnginePlayer:
    """An engine. When it fails, in whatever way, the quick player takes its turn, and `tell` is told why."""

    def __init__(self, engine: EngineProcess, game: AnyGame, tell: Tell) -> None:
        self.faults, self._in_a_row = 0, 0
        self._engine, self._tell = engine, tell
        self._quick = quick_player(game)

    @property
    def name(self) -> str:
        return self._engine.name

    def choose(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        if self._in_a_row < GIVEN_UP:
            try:
                found = self._engine.ask(position, seed).action
            except Unavailable as error:
                self._in_a_row += 1
                told = REPLACED if self._in_a_row < GIVEN_UP else NOT_ASKED_ANY_MORE
                self._tell(Note(told, name=self.name, reason=error))
            else:
                self._in_a_row = 0
                return found
        self.faults += 1
        return self._stand_in(position, seed)

    def _stand_in(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        lots = Random(seed)  # noqa: S311
        try:
            return self._quick.choose(position.sight, position.legal, lots)
        except NotInstalled:
            return SIMPLE["greedy"].choose(position.sight, position.legal, lots)

    def close(self) -> None:
        self._engine.end()


Player = BotPlayer | EnginePlayer


def quick_player(game: AnyGame) -> Bot:
    """Who takes the turn of an engine that fails: the quick bot, or, where nothing needs time, the strongest."""
    bots = bots_of(game).by_name
    return bots.get(QUICK) or next(iter(bots.values()))


def find_player(text: str, game: AnyGame, seconds: float, tell: Tell) -> Player:
    """The bot of that name, or else the engine that the text starts; `Unavailable` where it does not start."""
    if text in bots_of(game).by_name:
        return BotPlayer(text, game)
    engine = EngineProcess(text, seconds)
    engine.load(game)
    return EnginePlayer(engine, game, tell)
