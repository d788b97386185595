"""Make the files of values that come with Kasta, from exact solutions: `python tools/make_estimates.py maxi`.

A game that is solved in seconds gets the values of its default rule set as they are. A larger one gets, for each
rule set, an estimate of low rank; where throws are saved, this takes gigabytes of memory.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kasta.games import GAMES
from kasta.games.block import BlockGame
from kasta.solve import value_file
from kasta.solve.jit import kernel
from kasta.solve.types import Floats, Ints, Table
from kasta.solve.value_file import SHIPPED
from kasta.solve.yatzy.arrays import YatzyArrays
from kasta.solve.yatzy.estimate import KIND, PRECISE, Factors
from kasta.solve.yatzy.kernels.value import SPARE, begin, choose, fill, gather, rethrow
from kasta.solve.yatzy.simd import LANES, rows
from kasta.solve.yatzy.solution import name, solution
from kasta.solve.yatzy.solution_file import Computed, save as save_solution
from kasta.solve.yatzy.solver import processors, solve_squares, solve_values
from kasta.solve.yatzy.state_space import StateSpace

RANK, RANK_WITH_SAVING, RANK_OF_VARIANCES = 60, 55, 6
STEPS = 8  # matrices that make those for all numbers of saved throws
FADING = 0.96  # of what one more saved throw is worth, the next one is worth: where there cannot be so many
SAMPLE = 20_000
SPARE_COLUMNS, PASSES = 20, 3  # of the randomised singular value decomposition


def low_rank(matrices: Table, rank: int) -> Factors:
    """The best common columns for matrices [matrix, column, row], nearly, and the rows that go with them.

    Errors in columns with few boxes filled or few free count more: there are few such columns, but all games begin
    and end there.
    """
    columns, height = matrices.shape[1:]
    filled = np.bitwise_count(np.arange(columns))
    weights = (np.bincount(filled).max() / np.bincount(filled)[filled]) ** 0.25
    rng = np.random.default_rng(1)
    basis = rng.standard_normal((columns, min(rank + SPARE_COLUMNS, columns)))
    for _ in range(PASSES):
        basis = np.linalg.qr(basis)[0]
        weighted = weights[:, None] * basis
        found = [matrix.T @ weighted.astype(matrix.dtype) for matrix in matrices]
        basis = sum(
            weights[:, None] * (matrix @ part) for matrix, part in zip(matrices, found, strict=True)
        ).astype(np.float64)
    basis = np.linalg.qr(basis)[0]
    stacked = np.concatenate([matrix.T @ (weights[:, None] * basis).astype(matrix.dtype) for matrix in matrices])
    left, sizes, right = np.linalg.svd(stacked.astype(np.float64), full_matrices=False)
    rank = min(rank, len(sizes))
    scale = np.sqrt(sizes[:rank])  # the same for rows and columns: two bytes are enough for both
    tall = (left[:, :rank] * scale).reshape(len(matrices), height, rank)
    wide = basis @ right[:rank].T * scale / weights[:, None]
    return Factors(tall.astype(np.float32), wide.astype(np.float32))


def in_matrix(space: StateSpace, values: Table) -> Table:
    """Values by number of a state as a matrix [lower boxes, upper boxes and total]."""
    height = len(space.arrays.states.reach)
    first = space.arrays.numbering.first[:-1].reshape(-1, len(space.arrays.states.first_reach) - 1)
    if not (np.diff(first, axis=0) == height).all():
        raise ValueError("the upper boxes must come first")
    return values.reshape(-1, height)


@kernel
def solve_saving_masks(t: YatzyArrays, masks: Ints, most: int, values: Table, after: Floats, work: Floats) -> None:
    """Solve all states of these masks with up to `most` saved throws; those with a box more must be solved.

    What a state is worth depends on how many throws are saved: `values` has a row for each number. A row that it
    does not have stands for the last one: throws beyond it are lost. A turn with s saved throws is one with s
    throws more, so one pass over the throws that may be left finds the values for all s.
    """
    n, uppers, last_row = t.numbering, np.empty(LANES, np.int64), len(values) - 1
    for mask in masks:
        first, last = t.states.first_reach[t.states.part[mask]], t.states.first_reach[t.states.part[mask] + 1]
        for held in range(2 if t.boxes.holding and mask & t.boxes.yatzy_box else 1):
            for start in range(first, last, LANES):
                for lane in range(LANES):
                    uppers[lane] = t.states.reach[min(start + lane, last - 1)]
                here = n.first[n.ways * mask + held] + start - first
                for left in range(most + t.dice.throws):
                    if left:
                        rethrow(t.dice, work)
                    gather(t.boxes, n, mask, held, uppers, values[min(left, last_row)], after)
                    fill(t.boxes, t.dice.keeps, t.dice.sets, mask, held, after, work)
                    if left:
                        choose(t.dice, work)
                    saved = left - t.dice.throws + 1
                    if saved >= 0:
                        mean = begin(t.dice, work)
                        for lane in range(min(LANES, last - start)):
                            values[saved, here + lane] = work[mean, lane]


def solve_saving(space: StateSpace, saved: int) -> NDArray[np.float32]:
    """The values for each number of saved throws; where there cannot be so many, what would go on smoothly."""
    t, turns, first_step = space.arrays, space.arrays.boxes.size, 0.0
    values = np.zeros((saved + 1, space.size), np.float32)
    values[:, space.full] = space.bonus(space.full)
    with ThreadPoolExecutor(processors()) as pool:
        for filled in range(turns - 1, -1, -1):
            most, masks = min(saved, (t.dice.throws - 1) * filled), space.masks(filled)

            def solve(piece: NDArray[np.int64], most: int = most) -> None:
                room = rows(len(t.boxes.gain) + 1), rows(t.dice.sets + SPARE)
                solve_saving_masks(t, piece, most, values, *room)

            list(pool.map(solve, np.array_split(masks, -(-len(masks) // 1024))))
            states = space.states(filled)
            first_step = float((values[1, states] - values[0, states]).mean()) if most and saved else first_step
            for more in range(most + 1, saved + 1):
                last_step = values[more - 1, states] - values[more - 2, states] if more > 1 else first_step
                values[more, states] = values[more - 1, states] + FADING * last_step
    return values


def by_saved(values: Table) -> tuple[Floats, Table]:
    """The few steps that values take as saved throws grow: [saved, matrix], and the matrices that go with them."""
    some = np.sort(np.random.default_rng(1).choice(values.shape[1], min(SAMPLE, values.shape[1]), replace=False))
    steps = np.linalg.svd(values[:, some].astype(np.float64), full_matrices=False)[0][:, :STEPS]
    return steps, np.tensordot(steps.T.astype(values.dtype), values, 1)


def make_values(game: BlockGame) -> None:
    """Write the values of a game, and the best player's standard deviation."""
    space = StateSpace(game)
    values = solve_values(space).array
    squares = solve_squares(space, values).array
    computed = Computed(values, sd=float(np.sqrt(squares[0] - values[0] ** 2)))
    path = SHIPPED / f"{name(game)}.values"
    save_solution(path, space.fingerprint, computed)
    sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes, {values[0]}, {computed.sd}\n")


def make_estimate(game: BlockGame, saved: int) -> None:
    """Write the estimate of a game."""
    space, plain = StateSpace(game), solution(game if not game.saves else without_saving(game))
    exact: Any = solve_saving(space, saved) if game.saves else plain.values[None]
    steps, parts = by_saved(exact) if game.saves else (np.ones((1, 1)), exact)
    values = low_rank(
        np.stack([in_matrix(space, part) for part in parts]), RANK_WITH_SAVING if game.saves else RANK
    )
    variances = low_rank(
        in_matrix(space, plain.squares - plain.values**2)[None].astype(np.float32), RANK_OF_VARIANCES
    )
    path = SHIPPED / f"{name(game)}.estimate"
    about = {"value": float(exact[0, 0]), "error": error(space, steps, values, exact)}
    save_estimate(path, space.fingerprint, steps, values, variances, about)
    sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes, {about}\n")


def save_estimate(
    path: Path, fingerprint: str, steps: Floats, values: Factors, variances: Factors, about: dict[str, Any]
) -> None:
    """Write the file at once or not at all; `steps` [saved throws, matrix] make values of `values`."""
    parts: list[Table] = [steps, values.rows, values.columns, variances.rows, variances.columns]
    content = b"".join(
        part[..., :PRECISE].astype("<f4").tobytes() + part[..., PRECISE:].astype("<f2").tobytes() for part in parts
    )
    value_file.write(path, KIND, fingerprint, content, {"shapes": [part.shape for part in parts], **about})


def without_saving(game: BlockGame) -> BlockGame:
    """The same rules, but throws that are not used are lost."""
    return replace(game, saves=False)


def error(space: StateSpace, steps: Floats, values: Factors, exact: Table) -> float:
    """The root of the mean square of errors, in a sample of what can be."""
    rng, t = np.random.default_rng(2), space.arrays
    states, saved = rng.integers(0, space.size, SAMPLE), rng.integers(0, len(exact), SAMPLE)
    columns, rows_of = np.divmod(states, values.rows.shape[1])
    masks = np.searchsorted(t.numbering.first, states, side="right") - 1
    can_be = saved <= (t.dice.throws - 1) * np.bitwise_count(masks).astype(np.int64)
    tall = np.einsum("ij,ijk->ik", steps[saved], values.rows[:, rows_of].transpose(1, 0, 2))
    off = np.einsum("ij,ij->i", tall, values.columns[columns]) - exact[saved, states]
    return float(np.sqrt(np.mean(off[can_be] ** 2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules", help="only this rule set")
    parser.add_argument("--saved", type=int, default=38, help="saved throws to solve for")
    wanted = parser.parse_args()
    for rules, game in GAMES[wanted.game].rule_sets.items():
        if wanted.rules not in {None, rules}:
            continue
        if game.saves or StateSpace(game).large:
            make_estimate(game, wanted.saved)
        elif rules == next(iter(GAMES[wanted.game].rule_sets)):
            make_values(game)


if __name__ == "__main__":
    main()
