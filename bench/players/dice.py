"""Are ten million provable dice fair? Chi-square over faces, and over pairs of neighbouring faces."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable

from kasta import dice

THROW = 1_000


def chi_square(counts: Iterable[int], cells: int) -> tuple[float, float]:
    """The statistic, and how far from its mean in standard deviations (Wilson-Hilferty)."""
    counts = list(counts)
    expected = sum(counts) / cells
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    freedom = cells - 1
    spread = 2 / (9 * freedom)
    return statistic, ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


def main(total: int) -> None:
    secret = dice.new_secret()
    salt = dice.salt("bench", ["a", "b"])
    faces: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(total // THROW):
        thrown = dice.throw(secret, salt, number, THROW)
        faces.update(thrown)
        pairs.update(zip(thrown[::2], thrown[1::2], strict=True))
    for name, counter, cells in (("faces", faces, 6), ("pairs", pairs, 36)):
        statistic, deviations = chi_square(counter.values(), cells)
        count = sum(counter.values())
        print(f"{name}: {count:,} counted, chi-square {statistic:.2f}, {deviations:+.2f} sd from fair")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
