"""Results as rows, the same in every database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kasta.results.model import Hands, Result

COLUMNS = (
    "name, seat, device, kind, game, rules, ended, total, place, seats, bots, is_helped, hands, record, shown, "
    "luck, lost"
)


def row_of(result: Result) -> tuple[Any, ...]:
    """A result as a row of `COLUMNS`."""
    row = msgspec.structs.asdict(result)
    return tuple((row | {"hands": msgspec.json.encode(result.hands).decode()}).values())


def result_of(row: Sequence[Any]) -> Result:
    """The result of a row of `COLUMNS`."""
    fields = dict(zip(Result.__struct_fields__, row, strict=True))
    hands = msgspec.json.decode(fields["hands"], type=Hands)
    return Result(**fields | {"hands": hands, "is_helped": bool(fields["is_helped"])})
