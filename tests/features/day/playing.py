"""Days that are played, and time that goes on until they are over."""

from __future__ import annotations

import random

from kasta.core import Over, Pick
from kasta.feature import Site
from kasta.features.day.play import play_day
from kasta.tables.commands import Play, Roll
from kasta.tables.service import Service
from kasta.tables.state import Table
from support.sites import days_of
from support.stores.clock import Calendar

HOUR = 3_600.0


async def begin(site: Site, device: str, game: str, day: str, name: str) -> Table:
    """Begin, or go on with, a try of a day."""
    return await play_day(site.service, days_of(site), device, game, day, name)


async def play(service: Service, table: Table, throws: int = 1_000) -> list[tuple[int, ...]]:
    """Play on anyhow: what fell."""
    fell, rng = list[tuple[int, ...]](), random.Random(1)
    by = table.host
    while len(fell) < throws and not isinstance(expected := table.next(), Over):
        turn = table.turn
        if isinstance(expected, Pick):
            do = str(rng.choice(table.game.legal(table.play, 0)))
            table = await service.do(table.id, Play(by, table.turn, 0, table.step(0), do))
        else:
            table = await service.do(table.id, Roll(by, table.turn))
        if table.turn > turn:
            fell.append(table.faces)
    return fell


async def until_over(site: Site, calendar: Calendar) -> str:
    """Look at the clock every hour until the first look that finds today over. Which day it was."""
    today = await days_of(site).today()
    await site.retention.sweep()
    while await days_of(site).today() == today:
        await calendar.go_on(HOUR)
        await site.retention.sweep()
    return today
