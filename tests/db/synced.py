"""Looks over SQLite's shoulder: `synced.py PATH LEVEL` appends events and prints how many were answered too early.

SQLite does all its writing and syncing through a table of functions. Two of them are replaced here, so that it is
known at every instant which bytes are on the disk for sure. This needs no tool and no rights, only Python.
"""

from __future__ import annotations

import _sqlite3
import asyncio
import ctypes
import sys
from collections import defaultdict
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, cast
from typing import Any

from kasta.db import open_log
from kasta.db.sqlite import file as sqlite_file
from kasta.tables import events as e
from kasta.tables.log import Log, change, seal
from kasta.tables.service import Service
from kasta.tables.state import Table

Open = CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p, c_int, c_void_p)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class Methods(Structure):
    """What SQLite can do with an open file: sqlite3_io_methods."""

    _fields_ = (
        ("version", c_int),
        ("close_and_read", c_void_p * 2),
        ("write", Write),
        ("truncate", c_void_p),
        ("sync", Sync),
        ("others", c_void_p * 13),
    )


class File(Structure):
    _fields_ = (("methods", POINTER(Methods)),)


class System(Structure):
    """How SQLite opens files: the beginning of sqlite3_vfs."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
    )


class Disk:
    """What has been written, and what of it has been synced."""

    def __init__(self) -> None:
        self.synced = bytearray()
        self._written: defaultdict[int, list[bytes]] = defaultdict(list)
        self._kept: list[Any] = []  # what C still points to

    def watch(self) -> None:
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = POINTER(System)
        system = library.sqlite3_vfs_find(None).contents
        plain = Open(cast(system.open, c_void_p).value or 0)

        def opened(vfs: int, name: bytes, file: int, flags: int, out: int) -> int:
            result: int = plain(vfs, name, file, flags, out)
            if result == 0:
                self._watch_file(cast(file, POINTER(File)).contents)
            return result

        system.open = self._keep(Open(opened))

    def _watch_file(self, file: File) -> None:
        plain = Methods.from_buffer_copy(file.methods.contents)
        watched = Methods.from_buffer_copy(file.methods.contents)

        def write(handle: int, data: int, size: int, offset: int) -> int:
            self._written[handle].append(ctypes.string_at(data, size))
            return plain.write(handle, data, size, offset)  # type: ignore[no-any-return]

        def sync(handle: int, flags: int) -> int:
            result: int = plain.sync(handle, flags)
            if result == 0:
                self.synced += b"".join(self._written.pop(handle, []))
            return result

        watched.write, watched.sync = self._keep(Write(write)), self._keep(Sync(sync))
        file.methods = ctypes.pointer(self._keep(watched))

    def _keep(self, thing: Any) -> Any:  # noqa: ANN401 - functions and tables of functions
        self._kept.append(thing)
        return thing


async def answered_early(log: Log, tables: list[Table], is_synced: Callable[[bytes], bool]) -> int:
    """Append to all tables at once, so that commits are shared. How many were answered before they were synced."""

    async def append(table: Table) -> bool:
        event = e.SeatedEvent(0, "Ada", f"device of {table.id}")
        await log.append(change(table, event))
        return not is_synced(seal(event)[0])

    return sum(await asyncio.gather(*map(append, tables)))


async def main(path: str, level: str) -> None:
    if level != "default":
        sqlite_file.SETTINGS = *sqlite_file.SETTINGS, f"synchronous={level}"
    disk = Disk()
    disk.watch()
    async with await open_log(f"sqlite:///{path}") as log:
        service = Service(log)
        tables = [await service.open("ada", "knister") for _ in range(100)]
        print(await answered_early(log, tables, lambda body: body in disk.synced))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
