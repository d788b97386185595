"""Whoever plays a seat of a match, or at a table: a bot of ours, or an engine."""

from __future__ import annotations

from random import Random
from typing import Any

from kasta.bots.base import SIMPLE, Bot, bots_of, find_bot
from kasta.engine.position import Position
from kasta.engine.process import EngineProcess, Tell, untold
from kasta.errors import NotInstalled, Unavailable
from kasta.games.traits import AnyGame
from kasta.messages import Note

QUICK = "quick"
GIVEN_UP = 5  # faults in a row, after which an engine is not asked any more


class BotPlayer:
    """A bot of ours, or of whoever gives one."""

    def __init__(self, bot: str | Bot, game: AnyGame) -> None:
        named = isinstance(bot, str)
        self.name: str = bot if isinstance(bot, str) else type(bot).__name__
        self._bot: Bot = find_bot(bot, game) if named else bot  # type: ignore[arg-type, assignment]

    def choose(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions; lots are drawn by the seed alone."""
        return self._bot.choose(position.sight, position.legal, Random(seed))  # noqa: S311 - lots, no secrets

    def close(self) -> None:
        pass


class EnginePlayer:
    """An engine. When it fails, in whatever way, that is `Unavailable`."""

    def __init__(self, engine: EngineProcess) -> None:
        self._engine, self._closed = engine, False

    @property
    def name(self) -> str:
        return self._engine.name

    def choose(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions."""
        if self._closed:
            raise Unavailable("engine_ended")
        return self._engine.ask(position, seed).action

    def close(self) -> None:
        self._closed = True
        self._engine.end()


Player = BotPlayer | EnginePlayer


class StoodInFor:
    """An engine at a table, where others wait: when it fails, the quick player takes its turn.

    `tell` hears why. `has_failed` says that it failed too often in a row to be asked again.
    """

    def __init__(self, engine: EngineProcess, game: AnyGame, tell: Tell) -> None:
        self.faults, self._in_a_row = 0, 0
        self._engine, self._tell = engine, tell
        self._quick = quick_player(game)

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def has_failed(self) -> bool:
        return self._in_a_row >= GIVEN_UP

    def choose(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions, whatever the engine does."""
        try:
            found = self._engine.ask(position, seed).action
        except Unavailable as error:
            self.faults, self._in_a_row = self.faults + 1, self._in_a_row + 1
            self._tell(Note("{name}: {reason} The quick player takes its turn.", name=self.name, reason=error))
            return self._stand_in(position, seed)
        self._in_a_row = 0
        return found

    def _stand_in(self, position: Position, seed: int) -> Any:  # noqa: ANN401 - an action
        lots = Random(seed)  # noqa: S311
        try:
            return self._quick.choose(position.sight, position.legal, lots)
        except NotInstalled:
            return SIMPLE["greedy"].choose(position.sight, position.legal, lots)


def quick_player(game: AnyGame) -> Bot:
    """Who takes the turn of an engine that fails: the quick bot, or, where nothing needs time, the strongest."""
    bots = bots_of(game).by_name
    return bots.get(QUICK) or next(iter(bots.values()))


def find_player(text: str, game: AnyGame, seconds: float, tell: Tell = untold) -> Player:
    """The bot of that name, or else the engine that the text starts; `Unavailable` where it does not start."""
    if text in bots_of(game).by_name:
        return BotPlayer(text, game)
    engine = EngineProcess(text, seconds, tell=tell)
    engine.load(game)
    return EnginePlayer(engine)
