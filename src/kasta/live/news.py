"""What pages and programs are told of a table, as messages of their streams."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kasta.core import Over
from kasta.i18n import Words
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED


def message(kind: str, data: dict[str, Any]) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def is_crowd(table: Table) -> bool:
    """Whether its players are counted instead of listed."""
    return len(table.places) > MOST_LISTED


def crowd_digest(turn: int) -> str:
    """Pages of a crowd that have seen the same throw have the same: the rest is their own."""
    return f"turn-{turn}"


def moment(table: Table) -> dict[str, Any]:
    """What every page must know at once: whether dice fell, whether it is over, where the next game is."""
    over = isinstance(table.next(), Over) and table.turn > 0
    return {"turn": table.turn, "over": over, "moved": table.next_table}


def throw_told(table: Table) -> bytes:
    """What a program of a hall must know: a contract (docs/json-api.md)."""
    over = isinstance(table.next(), Over) and table.turn > 0
    told = {"turn": table.turn, "faces": table.faces, "owing": table.owing, "over": over}
    return f"data: {json.dumps(told)}\n\n".encode()


def count_told(table: Table, said: Words) -> dict[str, Any]:
    text = said.count("{number} still to pick", "{number} still to pick", table.owing)
    return {"turn": table.turn, "owing": table.owing, "seats": len(table.places), "text": text}


def with_one_seat(table: Table, devices: Iterable[str]) -> str:
    """The first that holds one seat, so that its page need not say whose turn it is; else the first of all."""
    first = ""
    for device in devices:
        first = first or device
        if len(table.devices[device]) == 1:
            return device
    return first
