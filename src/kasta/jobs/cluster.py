"""A Dask cluster that does the chunks of a job: workers on many machines, which a scheduler hands them to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from typing import Any

from kasta.errors import Unavailable
from kasta.extras import extra
from kasta.jobs.job import VERSION, Job

with extra("cluster"):
    from distributed import Client, KilledWorker
    from distributed.comm.addressing import resolve_address

CONNECT_SECONDS = 15
AHEAD = 2  # chunks for each worker, so that none waits for the next

_one_at_a_time = threading.Lock()


class Cluster:
    """The workers of a scheduler at an address such as tcp://10.0.0.5:8786, however many come and go."""

    lost = (KilledWorker, CancelledError, ModuleNotFoundError)  # also where Kasta is not installed
    tries = 1  # the scheduler has given it to several workers by then

    def __init__(self, job: Job[Any], address: str) -> None:
        self._job, self._address = job, address
        with self._asking():
            resolve_address(address)  # a client that is given nonsense takes long to end
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        self._pool = self._client.get_executor(pure=False)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Around whatever needs the scheduler."""
        try:
            yield
        except (OSError, ValueError) as error:
            raise Unavailable("cluster_silent", address=self._address, reason=str(error)) from None

    @property
    def room(self) -> int:
        with self._asking():
            return AHEAD * max(1, len(self._client.nthreads()))

    def submit(self, number: int) -> Future[Any]:
        with self._asking():
            asked: Future[Any] = self._pool.submit(do_chunk, VERSION, self._job.work, self._job.chunks[number])
            return asked

    def close(self) -> None:
        with suppress(OSError):  # it may be gone
            self._pool.shutdown(wait=False)
            self._client.run(self._job.end)
        self._client.close()


def do_chunk(version: str, work: Callable[[Any], Any], chunk: object) -> Any:  # noqa: ANN401 - what JSON can write
    """Done by a worker: by the same version, or not at all, and one at a time, also where it has several threads.

    Players and kernels are those of a process, and not made to be used by two at once.
    """
    if version != VERSION:
        raise Unavailable("other_version", have=VERSION, wanted=version)
    with _one_at_a_time:
        return work(chunk)
