"""Plays until the disk is full, and then on when there is room again: `full_disk.py PATH ACKS`.

A limit on the size of files stands for the full disk: any user can set it, and writing fails in the same way.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from pathlib import Path

from kasta.db import open_log
from kasta.errors import Unavailable
from kasta.tables.service import Service
from support.stores.load import Acks, listen
from support.stores.played import play_on, play_some


def limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def leave_room(file: Path, size: int) -> None:
    limit(file.stat().st_size + size)


async def fill(service: Service, names: list[str]) -> str:
    """Play until the store refuses, and say how."""
    try:
        while True:
            for name in names:
                await play_on(service, name)
    except Unavailable as error:
        return str(error)


async def main(path: str, acks: str) -> None:
    async with await open_log(f"sqlite:///{path}") as log:
        listen(log, Acks(acks))
        names = await play_some(log, 10)
        service = Service(log)
        leave_room(Path(f"{path}-wal"), 100_000)
        said = [await fill(service, names) for _ in range(3)]  # it stays full, and says so every time
        limit(resource.RLIM_INFINITY)
        for name in names:
            await play_on(service, name)
        await service.close()
    print(json.dumps(said))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
