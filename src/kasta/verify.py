"""Checks the dice of a game record against the commitment made before the first throw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import BinaryIO, Literal

from kasta import dice
from kasta.core import Faces, Seat, Throw
from kasta.record import Header, Moment, Proof, Roll, walk


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the dice are proven, and how many throws there were.

    `first_wrong_line` is that of the first throw that differs, or of the header if the secret is wrong.
    """

    dice: Literal["proven", "wrong", "unproven"]
    throws: int
    first_wrong_line: int | None = None


def check_dice(source: BinaryIO) -> Verdict:
    """Replay a record, from a file opened in binary mode, and compare every throw with the one fixed before."""
    moments = walk(source)
    first = next(moments)
    proof, throws = first.header.dice, _throws(chain((first,), moments))
    if proof is None or proof.secret is None:
        return Verdict("unproven", _count(throws))
    is_possible = _is_of(first.header, proof) and _may_be_known(first, proof)
    secret = _secret(proof) if is_possible else None
    if secret is None:
        return Verdict("wrong", _count(throws), first.line)
    checker = _Checker(secret, proof)
    wrong = [0 if checker.is_right(before, faces) else after.line for before, after, faces in throws]
    line = next(filter(None, wrong), None)
    return Verdict("proven" if line is None else "wrong", len(wrong), line)


def series_numbers(source: BinaryIO) -> list[int]:
    """The numbers that the throws of a record of a day or a challenge have in docs/dice.md."""
    count, found = _SeriesCount(), list[int]()
    for before, *_ in _throws(walk(source)):
        number, proof = count.next(before), before.header.dice
        found.append(proof.known.number(number) if proof and proof.known else number)
    return found


def _count(throws: Iterable[object]) -> int:
    return sum(1 for _ in throws)


def _throws(moments: Iterable[Moment]) -> Iterator[tuple[Moment, Moment, Faces]]:
    """The moments before and after each throw, and what it shows."""
    for before, moment in pairwise(moments):
        if isinstance(moment.step, Roll):
            yield before, moment, moment.step.faces


class _Checker:
    """Knows every throw of a record, from the secret and what was known before the first."""

    def __init__(self, secret: bytes, proof: Proof) -> None:
        self._secret, self._known = secret, proof.known
        self._salt = self._known.salt if self._known else dice.salt(proof.table, proof.entropy)
        self._count = _SeriesCount() if dice.is_series(proof.table) else None
        self._throws = 0

    def is_right(self, before: Moment, faces: Faces) -> bool:
        """Whether the next throw had to show these faces."""
        number = self._throws if self._count is None else self._count.next(before)
        self._throws += 1
        if self._known is not None:
            number = self._known.number(number)
        return dice.throw(self._secret, self._salt, number, len(faces)) == faces


class _SeriesCount:
    """Counts the throws of a series: for each player anew, or for all where one throw serves every sheet."""

    def __init__(self) -> None:
        self._last: dict[Seat, int] = {}

    def next(self, before: Moment) -> int:
        """The number of the throw that follows on a position."""
        game, expected = before.game, before.game.next(before.table)
        roller = expected.roller if isinstance(expected, Throw) else 0
        goes_on = not game.solo.rests(game.sheet(before.table, roller))
        player = 0 if game.hides_picks else roller
        self._last[player] = dice.series_number(self._last.get(player), goes_on=goes_on)
        return self._last[player]


def _is_of(header: Header, proof: Proof) -> bool:
    """Whether the dice of a day or a challenge are those of the game that was played."""
    return not dice.is_series(proof.table) or proof.table.endswith(f"/{header.game}")


def _may_be_known(first: Moment, proof: Proof) -> bool:
    """Whether throws of one player at a table can have had the numbers that a challenge names.

    Whoever could name any numbers would have chosen the dice.
    """
    known = proof.known
    if known is None:
        return True
    if not proof.table.startswith(dice.CHALLENGE):
        return False
    if first.game.hides_picks:  # each throw was everybody's
        return known.numbers == tuple((number,) for number in range(len(known.numbers)))
    by_others, last = 0, -1
    most_of_others = (len(known.entropy) - 1) * getattr(first.game.solo, "throws", dice.ROUND)
    for turns, numbers in enumerate(known.numbers, 1):
        begin = numbers[0] if numbers else last
        by_others += begin - last - 1
        if not 0 <= by_others <= most_of_others * turns or begin <= last:
            return False
        if numbers != tuple(range(begin, begin + len(numbers))):  # nobody throws in between
            return False
        last = numbers[-1]
    return True


def _secret(proof: Proof) -> bytes | None:
    """The secret, if it is the one that was committed to."""
    try:
        secret = bytes.fromhex(proof.secret or "")
    except ValueError:
        return None
    return secret if dice.commitment(secret) == proof.commitment.lower() else None
