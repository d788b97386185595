"""Bots think in processes of their own, so that nobody's page waits for them. Who takes too long is spoken for."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from kasta import metrics
from kasta.bots.base import SIMPLE, Sight, bots_of, find_bot
from kasta.core import Throw
from kasta.errors import KastaError
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.jobs.processes import cores
from kasta.jobs.workers import Thinker, ThinkerPool

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 3.0
MOST_PROCESSES = 4

Known = tuple[str, str, str]
"""A bot, and the game and the rules that it plays."""


class BotProcesses(ThinkerPool):
    """At most one for each core: the first is made when a bot that needs it sits down, more where bots wait."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(most or min(MOST_PROCESSES, cores()))
        self._known: dict[Known, None] = {}
        self._rng = random.Random()  # noqa: S311 - moods, not dice

    def warm(self, bot: str, game: AnyGame) -> None:
        """A bot has sat down: let its process get ready while people still look for a pen."""
        known = bot, game.name, game.rules
        if find_bot(bot, game) in SIMPLE.values():
            return
        if not self._thinkers:
            try:
                self._thinkers.append(self._new())
            except OSError as error:  # no files are left, say: it is tried again when the bot has to choose
                logger.info("no process for bots: %s", error)
                return
        if known not in self._known:
            self._known[known] = None
            for thinker in self._thinkers:
                thinker.ask(_warm, *known)

    async def choose(self, bot: str | None, sight: Sight, legal: Sequence[Any], client: str) -> str:
        """What a bot does; None stands in for a person. After three seconds, or if it fails, another answers.

        Clients take turns. Processes that are late are waited for once, not by each bot in turn.
        """
        game = sight.game
        spokesman = bots_of(game).spokesman
        bot = bot or bots_of(game).stand_in
        found = find_bot(bot, game) if bot else spokesman
        if found in (spokesman, *SIMPLE.values()):  # no reason to ask another process
            return str(found.choose(sight, legal, self._rng))
        self.warm(bot, game)
        if all(thinker.seconds > PATIENCE_SECONDS for thinker in self._thinkers):
            metrics.BOTS_SPOKEN_FOR.add()
            return str(spokesman.choose(sight, legal, self._rng))
        seen = sight.sheet, sight.others, sight.others_lack
        asked = (bot, game.name, game.rules), seen, list(legal), self._rng.random()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return str(await self.ask(client, _choose, *asked))
        except Exception as error:  # noqa: BLE001 - whatever ails a bot, its table goes on
            logger.info("another bot answers: %s", type(error).__name__)
            metrics.BOTS_SPOKEN_FOR.add()
            return str(spokesman.choose(sight, legal, self._rng))

    def _new(self) -> Thinker:
        thinker = super()._new()
        for known in self._known:  # it loads or compiles what bots need
            thinker.ask(_warm, *known)
        return thinker


def _warm(bot: str, name: str, rules: str) -> None:
    """Let a bot answer a first throw of ones: then all that it needs is loaded, or compiled."""
    game = find_game(name, rules)
    sheet = game.solo.start()
    if isinstance(throw := game.solo.next(sheet), Throw):
        sheet = game.solo.throw(sheet, (1,) * throw.dice)
    with suppress(KastaError):  # a bot that cannot answer is spoken for later, too
        find_bot(bot, game).choose(Sight(game, sheet), game.solo.legal(sheet), random.Random(0))  # noqa: S311


def _choose(
    known: Known,
    seen: tuple[Any, tuple[Any, ...], int | None],
    legal: list[Any],
    mood: float,
) -> str:
    bot, name, rules = known
    game = find_game(name, rules)
    sight = Sight(game, *seen)
    return str(find_bot(bot, game).choose(sight, legal, random.Random(mood)))  # noqa: S311
