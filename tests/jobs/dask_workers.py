"""A Dask cluster of two workers on this machine, each of which may be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

HERE = ["--host", "127.0.0.1", "--no-dashboard"]


@contextmanager
def two_workers(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address, and the workers' processes. They are ready when they are: whoever has work waits for them."""
    about = folder / "scheduler.json"
    with ExitStack() as ended:
        ended.enter_context(dask(folder, "scheduler", "--port", "0", "--scheduler-file", str(about)))
        address = str(_when_written(about)["address"])
        one_thread = ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
        yield address, [ended.enter_context(dask(folder, "worker", address, *one_thread)) for _ in range(2)]


@contextmanager
def dask(folder: Path, what: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    command = [sys.executable, "-m", "dask", what, *words, *HERE]
    with (
        (folder / "log").open("ab") as log,
        subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stdout=log, stderr=log) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def _when_written(file: Path) -> dict[str, Any]:
    while True:
        try:
            found: dict[str, Any] = json.loads(file.read_text())
        except (OSError, ValueError):
            time.sleep(0.05)
        else:
            return found
