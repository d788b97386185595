"""A bot alone at the table, very often: how high it scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

import numpy as np

from kasta.bots import Bot
from kasta.core import FACES, Over, Pick, Seat, Throw
from kasta.players import Best, find_player, look
from kasta.registry import find_game
from kasta.seating import AnyGame
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


def simulate(
    game: str, rules: str, bot: str, *, games: int, seed: int, progress: Progress = quietly
) -> tuple[Summary, Sequence[int]]:
    """Play games of one seat; the same seed gives the same games."""
    found = find_game(game, rules)
    player = find_player(bot)
    totals = player.totals(found, games, seed, progress) if isinstance(player, Best) else None
    if totals is None:
        totals = play_all(found, player, games, seed, progress)
    return summarise(game, bot, seed, totals), totals


def play_all(game: AnyGame, bot: Bot, games: int, seed: int, progress: Progress = quietly) -> list[int]:
    """One game after the other."""
    rng = Random(seed)  # noqa: S311 - a seed is for playing again, not for secrets
    totals = []
    for number in range(games):
        totals.append(play_once(game, [bot], rng)[0])
        progress(number + 1, games)
    return totals


def play_once(game: AnyGame, bots: Sequence[Bot], rng: Random) -> list[int]:
    """The totals of one game of these bots."""
    table = game.start(len(bots))
    while True:
        match game.next(table):
            case Throw(dice):
                table = game.throw(table, tuple(rng.choices(FACES, k=dice)))
            case Pick(_, is_due):
                seat = next(filter(is_due, map(Seat, range(len(bots)))))
                action = bots[seat].choose(look(game, table, seat), game.legal(table, seat), rng)
                table = game.act(table, seat, action)
            case Over():
                return [game.total(table, Seat(seat)) for seat in range(len(bots))]


def summarise(game: str, bot: str, seed: int, totals: Sequence[int]) -> Summary:
    """Mean and spread; a percentile is the least total that so many percent of games do not exceed."""
    found = np.asarray(totals)
    sd = float(found.std(ddof=1)) if len(found) > 1 else 0.0
    ranks = np.percentile(found, PERCENTS, method="inverted_cdf")
    percentiles = {str(percent): int(total) for percent, total in zip(PERCENTS, ranks, strict=True)}
    return Summary(game, bot, len(found), seed, float(found.mean()), sd / sqrt(len(found)), sd, percentiles)
