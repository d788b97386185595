"""Checks the dice of a game record against the commitment made before the first throw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, Literal

from kasta import dice
from kasta.record import Proof, Roll, walk


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
    throws, wrong, header, secret, salt = 0, None, None, None, b""
    for moment in walk(source):
        if header is None:
            header = moment.header
            if header.dice is not None and header.dice.secret is not None:
                secret = _secret(header.dice)
                salt = dice.salt(header.dice.table, header.dice.entropy)
                wrong = moment.line if secret is None else None
        elif isinstance(moment.step, Roll):
            faces = moment.step.faces
            if secret is not None and wrong is None and dice.throw(secret, salt, throws, len(faces)) != faces:
                wrong = moment.line
            throws += 1
    if wrong is not None:
        return Verdict("wrong", throws, wrong)
    return Verdict("unproven" if secret is None else "proven", throws)


def _secret(proof: Proof) -> bytes | None:
    """The secret, if it is the one that was committed to."""
    try:
        secret = bytes.fromhex(proof.secret or "")
    except ValueError:
        return None
    return secret if dice.commitment(secret) == proof.commitment.lower() else None
