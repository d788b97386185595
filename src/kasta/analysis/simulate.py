"""A bot alone at the table, very often: how high it scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from typing import Any

from kasta.extras import extra

with extra("solve"):
    import numpy as np

from kasta.bots.base import Bot, PlaysAlone, find_bot, look
from kasta.core import FACES, Over, Pick, Throw
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_luck
from kasta.values import Progress, quietly

PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)


@dataclass(frozen=True)
class Summary:
    """What so many games came to."""

    game: str
    bot: str
    games: int
    seed: int
    mean: float
    se: float
    sd: float
    percentiles: dict[str, int]
    mean_less_luck: float | None = None  # where games are estimated: the same mean, with a smaller error
    se_less_luck: float | None = None


def simulate(
    game: str, rules: str, bot: str, *, games: int, seed: int, progress: Progress = quietly
) -> tuple[Summary, Sequence[int]]:
    """Play games of one seat; the same seed gives the same games."""
    found = find_game(game, rules)
    player = find_bot(bot, found)
    totals = player.totals(found, games, seed, progress) if isinstance(player, PlaysAlone) else None
    if totals is not None:
        return summarise(game, bot, seed, totals), totals
    luck: list[float] = []
    totals = play_all(found, player, games, seed, progress, luck=luck)
    summary = summarise(game, bot, seed, totals)
    if luck:
        less = np.subtract(totals, luck)
        summary = replace(
            summary, mean_less_luck=float(less.mean()), se_less_luck=float(less.std(ddof=1)) / sqrt(len(less))
        )
    return summary, totals


def play_all(
    game: AnyGame,
    bot: Bot,
    games: int,
    seed: int,
    progress: Progress = quietly,
    *,
    luck: list[float] | None = None,
) -> list[int]:
    """One game after the other; where games are estimated, `luck` gets the luck of each."""
    rng = Random(seed)  # noqa: S311 - a seed is for playing again, not for secrets
    luck_of = find_luck(game) if luck is not None and games > 1 else None
    totals = []
    for number in range(games):
        throws: list[float] = []

        def watch(before: Any, after: Any, throws: list[float] = throws) -> None:  # noqa: ANN401 - sheets
            if luck_of:
                throws.append(luck_of(before, after))

        totals.append(play_once(game, [bot], rng, watch)[0])
        if luck is not None and luck_of:
            luck.append(sum(throws))
        progress(number + 1, games)
    return totals


def play_once(
    game: AnyGame, bots: Sequence[Bot], rng: Random, watch: Callable[[Any, Any], None] | None = None
) -> list[int]:
    """The totals of one game of these bots; `watch` is shown the first one's sheet before and after each throw."""
    table = game.start(len(bots))
    while True:
        match game.next(table):
            case Throw(dice):
                before = table
                table = game.throw(table, tuple(rng.choices(FACES, k=dice)))
                if watch:
                    watch(game.sheet(before, 0), game.sheet(table, 0))
            case Pick(_, is_due):
                seat = next(filter(is_due, range(len(bots))))
                action = bots[seat].choose(look(game, table, seat), game.legal(table, seat), rng)
                table = game.act(table, seat, action)
            case Over():
                return [game.total(table, seat) for seat in range(len(bots))]


def summarise(game: str, bot: str, seed: int, totals: Sequence[int]) -> Summary:
    """Mean and spread; a percentile is the least total that so many percent of games do not exceed."""
    found = np.asarray(totals)
    sd = float(found.std(ddof=1)) if len(found) > 1 else 0.0
    ranks = np.percentile(found, PERCENTS, method="inverted_cdf")
    percentiles = {str(percent): int(total) for percent, total in zip(PERCENTS, ranks, strict=True)}
    return Summary(game, bot, len(found), seed, float(found.mean()), sd / sqrt(len(found)), sd, percentiles)
