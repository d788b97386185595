"""What a circle is made of, as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

ALL_TIME = 0  # the season that has all games


class CircleHead(NamedTuple):
    """A circle. `secret` is in the link by which people come in, `season` the number of the one that is played."""

    id: str
    name: str
    secret: str
    season: int
    made: float


class CircleMember(NamedTuple):
    """Somebody in a circle; `gone` is when they left: what they played is kept until they take it out."""

    id: str
    name: str
    mark: int
    joined: float
    is_host: int
    gone: float | None = None


class CircleSeason(NamedTuple):
    number: int
    began: float


class CircleGame(NamedTuple):
    """What a member made of a game: `is_won` against the other members, `is_helped` by a bot or a coach."""

    name: str  # of the table
    seat: int
    member: str
    season: int
    game: str
    rules: str
    ended: float
    total: int
    is_won: int
    is_helped: int


class CircleScore(NamedTuple):
    """All that a member made of a game in a season: `run` of the last games were won, `longest` in a row ever."""

    games: int = 0
    wins: int = 0
    points: int = 0
    best: int | None = None  # without help
    best_at: float | None = None
    run: int = 0
    longest: int = 0

    def after(self, game: CircleGame) -> CircleScore:
        """With one more game."""
        run = self.run + 1 if game.is_won else 0
        is_best = not game.is_helped and (self.best is None or game.total > self.best)
        return CircleScore(
            self.games + 1,
            self.wins + game.is_won,
            self.points + game.total,
            game.total if is_best else self.best,
            game.ended if is_best else self.best_at,
            run,
            max(run, self.longest),
        )


class PairTally(NamedTuple):
    """How often two members played the same game, and who had more points."""

    games: int
    wins: int
    losses: int


@dataclass(frozen=True, slots=True)
class Membership:
    """A device in a circle: who it is there, and who else is."""

    circle: CircleHead
    me: CircleMember
    members: dict[str, CircleMember]  # by id, the longest first; those who left are among them
    seen: float  # when the device was noted to be used
    now: float

    @property
    def present(self) -> list[CircleMember]:
        return [each for each in self.members.values() if each.gone is None]
