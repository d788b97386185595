"""Processes of this machine that do the chunks of a job."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection
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

    lost = (BrokenProcessPool,)  # what a chunk comes to whose worker has died
    tries = 3  # how often it may

    def __init__(self, job: Job[Any], count: int) -> None:
        self.room, self._job = count, job
        self._workers = [Worker(job.end) for _ in range(count)]

    def submit(self, number: int) -> Future[Any]:
        worker = next(worker for worker in self._workers if worker.is_free)
        return worker.submit(self._job.work, self._job.chunks[number])

    def close(self) -> None:
        end_all(self._workers)


class OneProcess:
    """A process that does one thing at a time, and lives as long as this end of its lifeline is open."""

    def _start(self, end: Callable[[], None] | None = None, give_way: int = 0) -> None:
        theirs, self._lifeline = SPAWN.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(1, SPAWN, initializer=_begin, initargs=(theirs, end, give_way))

    def stop(self) -> None:
        """Let it end, whatever it does: nobody waits for that any more."""
        self._lifeline.close()

    def join(self) -> None:
        """Return once it has ended. Before that its semaphores must not go: it may still be starting."""
        self._pool.shutdown(cancel_futures=True)


def end_all(processes: Collection[OneProcess]) -> None:
    for process in processes:
        process.stop()
    for process in processes:
        process.join()


class Worker(OneProcess):
    def __init__(self, end: Callable[[], None]) -> None:
        self._end = end
        self._chunk: Future[Any] | None = None
        self._start(end)

    @property
    def is_free(self) -> bool:
        return self._chunk is None or self._chunk.done()

    def submit(self, work: Callable[[Any], Any], chunk: object) -> Future[Any]:
        try:
            self._chunk = self._pool.submit(work, chunk)
        except BrokenProcessPool:  # it died while it did the last one, or waited for the next
            self.stop()
            self._start(self._end)
            self._chunk = self._pool.submit(work, chunk)
        return self._chunk


def _begin(lifeline: Connection, end: Callable[[], None] | None, give_way: int) -> None:
    """What is typed at the keyboard is for the process that started this one; when that lets go, all ends."""
    if give_way and hasattr(os, "nice"):
        os.nice(give_way)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_live, args=(lifeline, end), daemon=True).start()


def _live(lifeline: Connection, end: Callable[[], None] | None) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    if end is not None:
        end()
    os._exit(0)
