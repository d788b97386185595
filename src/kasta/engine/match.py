"""Two players, many games, the same dice for both: who is stronger, and by how much.

Every game has a seed of its own, so any number of processes plays the same games; the test that ends a match looks
at them in their order. A game in which an engine fails is lost for it, and ends there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple, Self

from kasta.bots.base import Bot
from kasta.core import Over, Pick, Seat, Throw
from kasta.dice import SECRET_BYTES, throw
from kasta.engine.player import GIVEN_UP, BotPlayer, Player, find_player
from kasta.engine.position import Turns
from kasta.errors import Unavailable, Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.jobs.job import Job
from kasta.jobs.run import run
from kasta.record import Do, Header, Roll, Step, write_record
from kasta.solve.splitmix import chunk_seed
from kasta.values import Progress, quietly

CHUNK = 10  # games that one process plays without asking
FEWEST = 50  # games before anything is decided: spreads must be known
WRONG = 0.05  # the chance that two equal players are ever called different
KNOWS_BEST = 100  # games at which the test is sharpest
THROWS_A_TURN = 256  # as docs/dice.md counts them
SALT = b"match"


class MatchChunk(NamedTuple):
    """What one process plays: games `first` to before `first + games`."""

    game: str
    rules: str
    players: tuple[str | Bot, str | Bot]
    first: int
    games: int
    seed: int
    seconds: float
    records: bool


class MatchGame(NamedTuple):
    """One game: the totals of both players, and its record if that was asked for.

    Where an engine failed, `fault` has the number of its player, the code of the error and its params: the game
    ended there, and is lost for it.
    """

    totals: tuple[int, int]
    names: tuple[str, str]
    fault: tuple[Any, ...] = ()
    record: tuple[str, ...] = ()

    @property
    def reason(self) -> Unavailable | None:
        """Why the engine that failed did so."""
        return Unavailable(self.fault[1], **self.fault[2]) if self.fault else None

    @classmethod
    def read(cls, fields: Sequence[Any]) -> Self:
        """The same, from JSON."""
        return cls(*map(tuple, fields))


@dataclass
class MatchScore:
    """How a match stands. `totals` are those of games that both played to their end."""

    names: tuple[str, str] = ("", "")
    totals: list[tuple[int, int]] = field(default_factory=list)
    faults: list[int] = field(default_factory=lambda: [0, 0])  # games that each lost because it failed
    _failed: int | None = None
    _in_a_row: int = 0

    def take(self, played: MatchGame) -> None:
        self.names = played.names
        if played.fault:
            self._in_a_row = self._in_a_row + 1 if self._failed == played.fault[0] else 1
            self._failed = played.fault[0]
            self.faults[self._failed] += 1
        else:
            self.totals.append(played.totals)
            self._failed = None

    @property
    def games(self) -> int:
        return len(self.totals) + sum(self.faults)

    @property
    def broken(self) -> int | None:
        """Which player has just lost so many games in a row by faults that there is no match."""
        return self._failed if self._failed is not None and self._in_a_row >= GIVEN_UP else None

    def mean(self, player: int) -> tuple[float, float]:
        """A player's mean total, and its standard error."""
        return mean_and_error([both[player] for both in self.totals])

    @property
    def difference(self) -> tuple[float, float]:
        """By how much the first player's mean is higher, and its standard error; without games with faults."""
        return mean_and_error([ours - theirs for ours, theirs in self.totals])

    @property
    def wins(self) -> tuple[int, int]:
        first, second = sum(a > b for a, b in self.totals), sum(a < b for a, b in self.totals)
        return first + self.faults[1], second + self.faults[0]

    @property
    def stronger(self) -> int | None:
        """Which player is stronger by points, once that is decided; never one that has lost games by faults."""
        by, error = self.difference
        found = 0 if by > 0 else 1
        return found if is_decided(by, error, len(self.totals)) and not self.faults[found] else None


def mean_and_error(values: Sequence[int]) -> tuple[float, float]:
    """The mean, and its standard error; of less than two values, none is known."""
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    if len(values) == 1:
        return mean, 0.0
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def is_decided(difference: float, error: float, games: int) -> bool:
    """Whether a mean difference is too large for equal players, however often one looks.

    Robbins' mixture of normal likelihoods (1970): looked at after every game for ever, it is wrong with a chance
    of `WRONG` at most, as far as the mean of `FEWEST` games is normal.
    """
    if games < FEWEST or not difference:
        return False
    reach = games + KNOWS_BEST
    bound = error * sqrt(reach / games * (2 * log(1 / WRONG) + log(reach / KNOWS_BEST)))
    return abs(difference) > bound


def play_match(
    game: AnyGame,
    players: tuple[str | Bot, str | Bot],
    *,
    games: int = 1000,
    seed: int = 0,
    seconds: float = 10.0,
    to_the_end: bool = False,
    records: bool = False,
    processes: int | None = None,
    cluster: str | None = None,
    resume: Path | None = None,
    progress: Progress = quietly,
) -> Iterator[tuple[MatchScore, MatchGame]]:
    """Play until it is decided who is stronger, or to the end: how it stands after each game, in their order.

    A player is a bot or its name, or the command of an engine. One that fails in five games in a row ends the
    match. `run` says who plays, and what can be gone on from.
    """
    if games < 1:
        raise Unreadable("no_games")
    chunks = [
        MatchChunk(game.name, game.rules, players, first, min(CHUNK, games - first), seed, seconds, records)
        for first in range(0, games, CHUNK)
    ]
    about = {
        "game": game.name,
        "rules": game.rules,
        "players": list(map(_named, players)),
        "games": games,
        "seed": seed,
    }
    about |= {"seconds": seconds, "records": records}
    job, score = Job("match", about, play_chunk, chunks, _close_players), MatchScore()
    with closing(run(job, processes=processes, cluster=cluster, resume=resume, progress=progress)) as results:
        for result in results:
            for played in map(MatchGame.read, result):
                score.take(played)
                yield score, played
                if score.broken is not None and not to_the_end:
                    return
            if score.stronger is not None and not to_the_end:
                return


def match(
    game: AnyGame | str,
    players: Sequence[str | Bot],
    *,
    games: int = 1000,
    seed: int = 0,
    seconds: float = 10.0,
    to_the_end: bool = False,
    processes: int | None = 1,
    progress: Progress = quietly,
) -> MatchScore:
    """Let two players meet until it is decided who is stronger, or for so many games: how it stands at the end.

    A player is a bot object, the name of a bot, or the command of an engine. Both have the same dice, and begin in
    every second game. A bot object must pickle where several processes play; by default this one alone does.
    """
    first, second = players
    found, score = find_game(game) if isinstance(game, str) else game, MatchScore()
    for score, _ in play_match(  # noqa: B007 - only the last counts
        found,
        (first, second),
        games=games,
        seed=seed,
        seconds=seconds,
        to_the_end=to_the_end,
        processes=processes,
        progress=progress,
    ):
        pass
    return score


def play_chunk(chunk: MatchChunk) -> list[MatchGame]:
    """Some games of a match, one after the other. The players stay for the next ones."""
    game = find_game(chunk.game, chunk.rules)
    both = [_player(player, number, chunk, game) for number, player in enumerate(chunk.players)]
    return [
        play_one(game, (both[0], both[1]), number, chunk_seed(chunk.seed, number), records=chunk.records)
        for number in range(chunk.first, chunk.first + chunk.games)
    ]


_players: dict[tuple[object, ...], Player] = {}


def _named(player: str | Bot) -> str:
    return player if isinstance(player, str) else type(player).__name__


def _player(player: str | Bot, number: int, chunk: MatchChunk, game: AnyGame) -> Player:
    if not isinstance(player, str):
        return BotPlayer(player, game)
    key = player, number, chunk.game, chunk.rules, chunk.seconds
    if key not in _players:
        _players[key] = find_player(player, game, chunk.seconds)
    return _players[key]


def _close_players() -> None:
    while _players:
        _players.popitem()[1].close()


def play_one(
    game: AnyGame, players: tuple[Player, Player], number: int, seed: int, *, records: bool = False
) -> MatchGame:
    """One game. In every second one the other player begins; where an engine fails, it ends there."""
    order = (0, 1) if number % 2 == 0 else (1, 0)  # who sits in seats 0 and 1
    turns = Turns(game, game.start(2), range(2))
    moves, steps, fault = count(), list[Step](), tuple[Any, ...]()
    while not isinstance(expected := game.next(turns.table), Over):
        if isinstance(expected, Throw):
            step: Step = Roll(_dice(turns, expected, seed))
        else:
            seat = _due(expected)
            try:
                action = players[order[seat]].choose(turns.position(seat), chunk_seed(seed, next(moves)))
            except Unavailable as error:
                fault = order[seat], error.code, error.params
                break
            step = Do(seat, str(action), by_bot=True)
        turns.take(step)
        steps.append(step)
    totals = [game.total(turns.table, order.index(player)) for player in range(2)]
    names = players[0].name, players[1].name
    lines = (
        list(write_record(Header(game.name, game.rules, tuple(names[i] for i in order)), steps)) if records else ()
    )
    return MatchGame((totals[0], totals[1]), names, fault, tuple(lines))


def _due(expected: Pick) -> Seat:
    return next(filter(expected.is_due, range(2)))


def _dice(turns: Turns, expected: Throw, seed: int) -> tuple[int, ...]:
    """The same for both: fixed by the turn and the throw in it, and of fewer dice the first ones."""
    turn, number = turns.next_throw(expected.roller)
    return throw(seed.to_bytes(SECRET_BYTES, "big"), SALT, THROWS_A_TURN * turn + number, expected.dice)
