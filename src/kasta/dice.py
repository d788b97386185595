"""Dice that can be checked afterwards: fixed by a secret before the game, and mixed with every seat's entropy.

The scheme is a contract, described byte by byte in docs/dice.md. If you know the secret, you can foresee the dice.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count, islice
from typing import NamedTuple

from kasta.core import Faces

SECRET_BYTES = 32
LONGEST_ENTROPY = 64  # bytes of UTF-8
FAIR = 252  # the largest multiple of six that a byte can exceed
ROUND = 256  # throws of a series are numbered by rounds: more throws than that no round has
BEYOND = 2**32  # more throws than that no table has
DAY = "day/"  # how the id of a day's dice begins
CHALLENGE = "challenge/"  # and that of a challenge's


class KnownThrows(NamedTuple):
    """The throws of a game that is over, for others to play: those of one player at a table, round by round.

    `numbers` are those that these throws had there. Further throws have numbers that no table reaches.
    """

    table: str
    entropy: tuple[str, ...]
    numbers: tuple[tuple[int, ...], ...]

    @property
    def salt(self) -> bytes:
        return salt(self.table, self.entropy)

    def number(self, number: int) -> int:
        """Of a throw that is numbered by rounds, the number by which it is worked out."""
        turn, within = divmod(number, ROUND)
        known = self.numbers[turn] if turn < len(self.numbers) else ()
        return known[within] if within < len(known) else BEYOND + number


def new_secret() -> bytes:
    """32 random bytes, for one table."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret in hexadecimal, which is published before the first throw."""
    return hashlib.sha256(secret).hexdigest()


def salt(table: str, entropy: Sequence[str]) -> bytes:
    """The SHA-256 over the table's id and the entropy of each seat, in seat order ("" where it gave none)."""
    digest = hashlib.sha256(table.encode())
    for seat, given in enumerate(entropy):
        data = given.encode()
        digest.update(seat.to_bytes(4, "big") + len(data).to_bytes(1, "big") + data)
    return digest.digest()


def throw(secret: bytes, salt: bytes, number: int, dice: int) -> Faces:
    """The faces of a throw of so many dice; `number` counts the throws of the table from 0."""
    fair = (byte for byte in _stream(secret, salt, number) if byte < FAIR)
    return tuple(byte % 6 + 1 for byte in islice(fair, dice))


def day_of(time: float) -> str:
    """The day of a moment, such as `2026-11-16`. Days are those of UTC."""
    return datetime.fromtimestamp(time, UTC).date().isoformat()


def series_id(series: str, game: str) -> str:
    """What stands for the table's id in throws that many play: `day/DATE/GAME` or `challenge/ID/GAME`.

    Nobody adds entropy.
    """
    return f"{series}/{game}"


def day_id(day: str, game: str) -> str:
    """The id of a day's dice."""
    return series_id(f"{DAY}{day}", game)


def is_series(dice_id: str) -> bool:
    """Whether an id is that of throws that many play. The id of a table has no slash."""
    return dice_id.startswith((DAY, CHALLENGE))


def series_number(last: int | None, *, goes_on: bool) -> int:
    """The number of a player's next throw of a series, after the last one.

    It goes on with the round that has begun, or begins the next. So what one round needs moves no other's dice.
    """
    if last is None:
        return 0
    return last + 1 if goes_on else (last // ROUND + 1) * ROUND


def _stream(secret: bytes, salt: bytes, number: int) -> Iterator[int]:
    for block in count():
        message = salt + number.to_bytes(8, "big") + block.to_bytes(4, "big")
        yield from hmac.digest(secret, message, "sha256")
