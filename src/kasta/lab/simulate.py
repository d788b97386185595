"""A bot alone at the table, very often: how high it scores.

Games are played in chunks of a fixed size, each with a seed of its own: so any number of processes gives the same
games, and the first games of a seed are the same, whatever their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from kasta.extras import extra

with extra("solve"):
    import numpy as np

from kasta.bots.base import Bot, PlaysAlone, bots_of, find_bot, look
from kasta.core import FACES, Over, Pick, Throw
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_luck
from kasta.jobs.job import Job
from kasta.jobs.run import run
from kasta.solve.splitmix import chunk_seed
from kasta.values import Progress, quietly

PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
TOGETHER = 100_000  # games in a chunk, where a kernel plays them: the more it has, the faster it may be
ONE_BY_ONE = 10  # games in a chunk, where a bot is asked for every choice


@dataclass(frozen=True)
class Summary:
    """The result of so many games."""

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


class Chunk(NamedTuple):
    """What to play."""

    game: str
    rules: str | None
    bot: str | Bot
    games: int
    seed: int


class Played(NamedTuple):
    """What it came to; luck only where games are estimated."""

    totals: Sequence[int]
    luck: Sequence[float] = ()


def simulate(
    game: str,
    rules: str | None = None,
    bot: str | Bot | None = None,
    *,
    games: int = 1000,
    seed: int = 0,
    processes: int | None = 1,
    cluster: str | None = None,
    resume: Path | None = None,
    progress: Progress = quietly,
) -> tuple[Summary, Sequence[int]]:
    """Play games of one seat; the same seed gives the same games, in however many processes.

    By default the first rule set is played, by the strongest bot, in this process alone. A bot is a name, or your
    own object, which must pickle where several processes play. `kasta.jobs.run.run` says
    what `processes`, `cluster` and `resume` do; None is for as many processes as cores.
    """
    if games < 1:
        raise Unreadable("no_games")
    found = find_game(game, rules)
    bot = bot or next(iter(bots_of(found).by_name))
    named = bot if isinstance(bot, str) else type(bot).__name__
    about = {"game": game, "rules": found.rules, "bot": named, "games": games, "seed": seed}
    job = Job("simulate", about, play_chunk, list(_chunks(game, rules, bot, games, seed)))
    totals: list[int] = []
    luck: list[float] = []
    for played in run(job, processes=processes, cluster=cluster, resume=resume, progress=progress):
        totals.extend(played[0])
        luck.extend(played[1])
    summary = summarise(game, named, seed, totals)
    if len(luck) > 1:
        less = np.subtract(totals, luck)
        summary = replace(
            summary, mean_less_luck=float(less.mean()), se_less_luck=float(less.std(ddof=1)) / sqrt(len(less))
        )
    return summary, totals


def _chunks(game: str, rules: str | None, bot: str | Bot, games: int, seed: int) -> Iterator[Chunk]:
    found = find_game(game, rules)
    size = ONE_BY_ONE if _together(found, _object(bot, found), 0, seed) is None else TOGETHER
    for number, first in enumerate(range(0, games, size)):
        yield Chunk(game, rules, bot, min(size, games - first), chunk_seed(seed, number))


def _object(bot: str | Bot, game: AnyGame) -> Bot:
    return find_bot(bot, game) if isinstance(bot, str) else bot


def play_chunk(chunk: Chunk) -> Played:
    """Some of the games."""
    game = find_game(chunk.game, chunk.rules)
    bot = _object(chunk.bot, game)
    totals = _together(game, bot, chunk.games, chunk.seed)
    if totals is not None:
        return Played(list(map(int, totals)))
    return play_all(game, bot, chunk.games, chunk.seed, find_luck(game))


def _together(game: AnyGame, bot: Bot, games: int, seed: int) -> Sequence[int] | None:
    """The totals of games that a kernel plays, if this bot has one for this game."""
    return bot.totals(game, games, seed, quietly) if isinstance(bot, PlaysAlone) else None


def play_all(
    game: AnyGame,
    bot: Bot,
    games: int,
    seed: int,
    luck_of: Callable[[Any, Any], float] | None = None,
) -> Played:
    """One game after the other."""
    rng = Random(seed)  # noqa: S311 - a seed is for playing again, not for secrets
    totals, luck = list[int](), list[float]()
    for _ in range(games):
        throws: list[float] = []

        def watch(before: Any, after: Any, throws: list[float] = throws) -> None:  # noqa: ANN401 - sheets
            if luck_of:
                throws.append(luck_of(before, after))

        totals.append(play_once(game, [bot], rng, watch)[0])
        if luck_of:
            luck.append(sum(throws))
    return Played(totals, luck)


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
