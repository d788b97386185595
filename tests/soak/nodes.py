"""Servers that are killed, run out of disk and are told a wrong time."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol, Self

from support import forked

FAKETIME = shutil.which("faketime")
HANG_SECONDS = 120


class Clock:
    """What time a machine says it is. Its steady clock goes on, as on a real one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.set(0)

    def set(self, ahead: int) -> None:
        """So many seconds wrong; processes see it within a second."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{ahead:+d}\n")
        new.replace(self._file)  # at no moment is there half a line

    @property
    def environment(self) -> dict[str, str]:
        if FAKETIME is None:
            return {}
        library = subprocess.check_output([FAKETIME, "-f", "+0", "printenv", "LD_PRELOAD"], text=True).strip()
        return {
            "LD_PRELOAD": library,
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


class Process(Protocol):
    """One that was begun here."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float) -> int: ...

    def send_signal(self, number: int) -> None: ...

    def kill(self) -> None: ...


class Forked:
    """A process that was forked, as `subprocess` would have it."""

    def __init__(self, process: BaseProcess) -> None:
        self._process, self.pid = process, process.pid or 0

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutError
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()


class Node:
    """`kasta serve` at a port of its own, on a store that others may share."""

    _process: Process
    is_awake = True

    def __init__(self, store: str, errors: Path, clock: Clock | None = None) -> None:
        self._store, self.errors = store, errors
        self._environment = (
            os.environ | (clock.environment if clock else {}) | {"KASTA_TABLES_AN_ADDRESS": "1000000"}
        )
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._process.send_signal(signal.SIGTERM)
            self._end()
        finally:
            self._process.kill()

    def start(self) -> None:
        """It begins again while the store does not answer, as whoever hosts it would have it do."""
        command = "serve", "--port", str(self.port), "--store", self._store
        self._process = self._begin(*command)
        deadline = time.monotonic() + HANG_SECONDS
        while not self._listens():
            if time.monotonic() > deadline:
                raise RuntimeError(f"a server does not start: {self.errors.read_text()[-2000:]}")
            if self._process.poll() is not None:
                self._process = self._begin(*command)
            time.sleep(0.05)

    def _begin(self, *command: str) -> Process:
        with self.errors.open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "kasta", *command],
                env=self._environment,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def suspend(self) -> None:
        """It stands still, as on a machine that sleeps, and keeps what it has in memory."""
        self.is_awake = False
        os.kill(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)
        self.is_awake = True

    def _listens(self) -> bool:
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self._process.kill()
        self._end()

    def _end(self) -> None:
        self._process.wait(HANG_SECONDS)
        for left in Path("/dev/shm").glob(f"*faketime_s*_{self._process.pid}"):  # noqa: S108 - not ours to choose
            with suppress(OSError):
                left.unlink()

    def fill_disk(self) -> None:
        """A limit on the size of files stands for the full disk, as in tests/support/stores/full_disk.py."""
        self._limit(0)

    def make_room(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    @property
    def megabytes(self) -> float:
        """Of memory, now."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1e3  # type: ignore[index]


class ForkedNode(Node):
    """One that has loaded Kasta already: it begins in a tenth of the time."""

    def _begin(self, *command: str) -> Process:
        return Forked(forked.begin(*command, errors=self.errors, environment=self._environment))
