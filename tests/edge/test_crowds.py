"""Of a crowd, no page grows with its seats: whoever asks for one often would stall everybody else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import httpx

from kasta.db.sqlite.memory import MemoryLog
from kasta.tables.commands import Close, Command, Roll, Sit
from support.addresses import every_address
from support.sites import new_site
from support.visitors import device_of

SMALL, LARGE = 40, 120
MORE = 400  # bytes: longer numbers, other names
WHOLE = r"(/api/tables|/t)/[^/]+/record"  # the game as a file, which is told a piece at a time, and seldom


async def lengths(table: str, clients: Sequence[httpx.AsyncClient]) -> dict[tuple[str, int], int]:
    """Of every answer about a table, by its address and by who asks."""
    filled = {"table": table, "game": "knister", "seat": "0", "name": "0.svg", "action": "end"}
    found = {}
    for address in every_address(filled):
        if address.method != "GET" or address.is_stream or re.fullmatch(WHOLE, address.path):
            continue
        if table in address.path:
            for place, client in enumerate(clients):
                answer = await client.get(address.path)
                assert answer.status_code < 500
                found[address.path.replace(table, "T"), place] = len(answer.content)
    return found


async def test_no_answer_about_a_crowd_is_longer_because_more_play(visit: Callable[..., Any], app_log: MemoryLog):
    host, player, stranger = await visit(), await visit(), await visit()
    me, other = await device_of(host), await device_of(player)
    site = new_site(app_log)
    tables = [(await site.service.open(me, "knister")).id for _ in range(2)]
    for table, seats in zip(tables, (SMALL, LARGE), strict=True):
        for number in range(seats):
            device = {0: me, 20: other}.get(number, f"d{number}")
            await site.service.do(table, Sit(device, f"Somebody {number:03}"))

    steps: tuple[Command | None, ...] = None, Roll(me, 0), Close(me)
    for step in steps:
        if step is not None:
            for table in tables:
                await site.service.do(table, step)
        small, large = [await lengths(table, (host, player, stranger)) for table in tables]
        assert len(small) > 30
        assert {key: (size, large[key]) for key, size in small.items() if large[key] > size + MORE} == {}
    await site.close()
