"""What everybody plays alike: a series, its game, and the secret of its dice."""

from __future__ import annotations

from typing import NamedTuple

from kasta import dice
from kasta.core import Faces
from kasta.games import find_game
from kasta.games.traits import AnyGame


class SeriesDice(NamedTuple):
    """The dice of a game in a series (`day/2026-11-16`, `challenge/ID`); without `rules`, by its first."""

    series: str
    game: str
    secret: bytes
    rules: str | None = None
    is_told: bool = False  # whether everybody knows the secret
    known: dice.KnownThrows | None = None  # where they were thrown before

    @property
    def id(self) -> str:
        """By which throws are worked out."""
        return dice.series_id(self.series, self.game)

    def throw(self, number: int, count: int) -> Faces:
        """A throw, by its number in the series."""
        if self.known is not None:
            return dice.throw(self.secret, self.known.salt, self.known.number(number), count)
        return dice.throw(self.secret, dice.salt(self.id, ()), number, count)

    def found(self) -> AnyGame:
        return find_game(self.game, self.rules)
