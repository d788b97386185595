"""Processes of this machine that do the chunks of a job."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from kasta.jobs.job import Job

SPAWN = multiprocessing.get_context("spawn")  # nothing of this process is taken over, on any system


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """So many of them. Each is a pool of its own: when it dies, it takes one chunk with it and no other's."""

    lost = (BrokenProcessPool,)
    tries = 3

    def __init__(self, job: Job[Any], count: int) -> None:
        self.room, self._job = count, job
        self._workers = [Worker(job.end) for _ in range(count)]

    def submit(self, number: int) -> Future[Any]:
        worker = next(worker for worker in self._workers if worker.is_free)
        return worker.submit(self._job.work, self._job.chunks[number])

    def close(self) -> None:
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.join()


class Worker:
    """A process that does one chunk at a time, and lives as long as this end of its lifeline is open."""

    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end
        self._chunk: Future[Any] | None = None
        self._start()

    def _start(self) -> None:
        theirs, self._lifeline = SPAWN.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(1, SPAWN, initializer=begin, initargs=(theirs, self._end))

    @property
    def is_free(self) -> bool:
        return self._chunk is None or self._chunk.done()

    def submit(self, work: Callable[[Any], Any], chunk: object) -> Future[Any]:
        try:
            self._chunk = self._pool.submit(work, chunk)
        except BrokenProcessPool:  # it died while it did the last one, or waited for the next
            self.stop()
            self._start()
            self._chunk = self._pool.submit(work, chunk)
        return self._chunk

    def stop(self) -> None:
        self._lifeline.close()

    def join(self) -> None:
        self._pool.shutdown()


def begin(lifeline: Connection, end: Callable[[], None] | None = None) -> None:
    """What is typed at the keyboard is for the process that started this one; when that lets go, all ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_live, args=(lifeline, end), daemon=True).start()


def _live(lifeline: Connection, end: Callable[[], None] | None) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    if end is not None:
        end()
    os._exit(0)
