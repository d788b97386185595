"""Whoever waits for a seat when the service ends is told so, and is seated by nobody afterwards."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from kasta.db import open_log
from kasta.errors import Unavailable
from kasta.tables.commands import Sit
from kasta.tables.service import Service


async def test_nobody_is_seated_after_the_service_has_closed(tmp_path: Path):
    """Another program holds the file for a moment: the first are being written, the others wait behind them."""
    path = tmp_path / "kasta.sqlite"
    log = await open_log(f"sqlite:///{path}")
    service = Service(log)
    table = (await service.open("anna", "knister")).id
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    sitting = [asyncio.create_task(service.do(table, Sit(f"first {seat}", f"P{seat}"))) for seat in range(3)]
    await asyncio.sleep(0.1)
    sitting += [asyncio.create_task(service.do(table, Sit(f"late {seat}", f"Q{seat}"))) for seat in range(3)]
    await asyncio.sleep(0.1)
    await service.close()
    done, _ = await asyncio.wait(sitting, timeout=2)
    other.execute("COMMIT")
    other.close()
    await asyncio.gather(*sitting, return_exceptions=True)
    assert len(done) == len(sitting)
    assert {type(task.exception()) for task in sitting} == {Unavailable}
    await log.close()
    async with await open_log(f"sqlite:///{path}") as again:
        names = {place.name for place in (await Service(again).table(table)).places.values()}
    assert names <= {"P0", "P1", "P2"}
