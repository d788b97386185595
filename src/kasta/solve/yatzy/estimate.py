"""Games too large to solve where people wait: their solution in a small file, to within hundredths of a point.

The values of all states make a matrix: a row for each choice of upper boxes with their total (and number of saved
throws), a column for each choice of lower boxes. It is so regular that the product of a tall and a wide matrix of
low rank comes close to it, and these are what the file has. As the number of saved throws grows, values change so
smoothly that a few matrices make those for all numbers. `tools/make_estimates.py` makes it of exact values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kasta.games.block import BlockGame
from kasta.games.traits import AnyGame
from kasta.solve import value_file
from kasta.solve.types import Floats, Ints
from kasta.solve.value_file import SHIPPED
from kasta.solve.yatzy.solution import Solution, block, found_solution, name, solution
from kasta.solve.yatzy.state_space import StateSpace
from kasta.solve.yatzy.turn import TurnValuer
from kasta.values import Progress, quietly

KIND = "kasta_estimate"
PRECISE = 8  # components, the largest ones, in four bytes; the others need only two
Factor = NDArray[np.float32]


@dataclass(frozen=True)
class Factors:
    """A matrix of low rank, or several with the same columns."""

    rows: Factor  # [matrix, row, component]
    columns: Factor  # [column, component]

    def at(self, states: Ints, rows: Factor) -> Floats:
        """What stands in the places of these states, in the matrix with such rows."""
        column, row = np.divmod(states, len(rows))
        found: Floats = np.einsum("ij,ij->i", rows[row], self.columns[column]).astype(np.float64)
        return found


@dataclass(frozen=True)
class Estimate(TurnValuer):
    """The expected rest of the total for every state, nearly: a `Valuer`."""

    steps: Factor  # [saved throws, matrix]: how many of each matrix; more saved throws count as the last
    values: Factors
    variances: Factors
    about: dict[str, Any]  # what the file says: `error` and `mean`
    _rows: dict[int, Factor] = field(default_factory=dict, init=False, repr=False)

    @property
    def error(self) -> float:
        """How far values are from the exact ones, as a standard deviation."""
        return float(self.about["error"])

    @property
    def spread(self) -> float:
        return float(np.sqrt(self.variance(np.zeros(1, np.int64))[0]))

    def rest(self, states: Ints, saved: int = 0) -> Floats:
        """The expected rest of the total in these states."""
        saved = min(saved, len(self.steps) - 1)
        if saved not in self._rows:
            self._rows[saved] = np.tensordot(self.steps[saved], self.values.rows, 1)
        found = self.values.at(states, self._rows[saved])
        over = states >= self.space.full[0]
        found[over] = self.space.bonus(states[over])
        return found

    def variance(self, states: Ints) -> Floats:
        """The variance of the rest in these states, as if no throws were saved."""
        return np.maximum(self.variances.at(states, self.variances.rows[0]), 0.0)

    def totals(self, games: int, seed: int, progress: Progress = quietly) -> Ints:
        """The totals of so many games of who plays by these values; the same seed gives the same games."""
        from kasta.solve.yatzy.sample import play_on

        return play_on(self, [self.space.game.start()] * games, seed, progress)


def load(path: Path, space: StateSpace) -> Estimate:
    """Read a file; one for other rules is refused, and one that is damaged."""
    header, content = value_file.read(path, KIND, space.fingerprint)
    steps, tall, wide, *variances = _parts(content, header["shapes"])
    return Estimate(space, steps, Factors(tall, wide), Factors(*variances), header)


def _parts(content: bytes, shapes: Iterable[list[int]]) -> Iterator[Factor]:
    at = 0
    for shape in shapes:
        part = np.empty(shape, np.float32)
        for kind, some in (("<f4", part[..., :PRECISE]), ("<f2", part[..., PRECISE:])):
            some[...] = np.frombuffer(content, kind, some.size, at).reshape(some.shape)
            at += some.size * np.dtype(kind).itemsize
        yield part


_estimates: dict[BlockGame, Estimate] = {}


def found_estimate(game: BlockGame) -> Estimate | None:
    """The estimate of a game that comes with Kasta, if there is one."""
    path = SHIPPED / f"{name(game)}.estimate"
    if game not in _estimates and path.exists():
        _estimates[game] = load(path, StateSpace(game))
    return _estimates.get(game)


def valuer_of(game: AnyGame, progress: Progress = quietly) -> Solution | Estimate:
    """The best there is at once; only a game without any file is solved now, which is a small one then."""
    rules = block(game)
    return found_solution(rules) or found_estimate(rules) or solution(rules, progress)
