"""A client of a Kasta server for asyncio: what the JSON API can do, with types (docs/json-api.md)."""

from kasta.client.api import Client
from kasta.client.connection import Refused
from kasta.wire.tables import Opened, Seated, SeatState, TableState

__all__ = ["Client", "Opened", "Refused", "SeatState", "Seated", "TableState"]
