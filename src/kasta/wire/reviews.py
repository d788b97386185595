"""What the JSON API tells of a review: the shape of docs/notation.md, the same as `kasta review --json` prints."""

from __future__ import annotations

import msgspec

from kasta.coach.reviewed import SeatTold
from kasta.wire.tables import OneSeat


class NewShown(OneSeat, frozen=True):
    shown: bool


class Review(msgspec.Struct, frozen=True):
    seats: list[SeatTold]
