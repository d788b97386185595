"""Doing a job: here, in processes or on a cluster, and from where it was interrupted."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kasta.errors import Unavailable, Unreadable
from kasta.jobs.job import Job
from kasta.jobs.kept import keep_results
from kasta.jobs.processes import Processes, cores
from kasta.values import Progress, quietly

if TYPE_CHECKING:
    from kasta.jobs.cluster import Cluster

Results = Generator[tuple[int, Any], None, None]
"""Numbers of chunks with what they came to, in whatever order."""


def run(
    job: Job[Any],
    *,
    processes: int | None = None,
    cluster: str | None = None,
    resume: Path | None = None,
    progress: Progress = quietly,
) -> Generator[Any, None, None]:
    """What each chunk comes to, in their order, as soon as it is known; whoever stops asking ends the job.

    By default there are as many processes as cores. With a cluster's address, its workers do it instead. With
    `resume`, each result is kept in that file, and those that it has are not computed again.
    """
    if processes is not None and processes < 1:
        raise Unreadable("wrong_type", key="processes", wanted="a number from 1")
    count = len(job.chunks)
    with keep_results(resume, job.name, job.about) as (found, keep):
        missing = [number for number in range(count) if number not in found]
        ready = count - len(missing)
        progress(ready, count)
        with closing(_results(job, missing, processes, cluster)) as results:
            for number in range(count):
                while number not in found:
                    done, result = next(results)
                    keep(done, result)
                    found[done] = result
                    ready += 1
                    progress(ready, count)
                yield found.pop(number)


def _results(job: Job[Any], numbers: Sequence[int], processes: int | None, cluster: str | None) -> Results:
    if cluster is not None and numbers:
        from kasta.jobs.cluster import Cluster

        return by_crew(partial(Cluster, job, cluster), numbers)
    many = min(processes or cores(), len(numbers))
    return alone(job, numbers) if many <= 1 else by_crew(partial(Processes, job, many), numbers)


def alone(job: Job[Any], numbers: Iterable[int]) -> Results:
    """Nobody but this process does it."""
    try:
        for number in numbers:
            yield number, job.work(job.chunks[number])
    finally:
        job.end()


def by_crew(gather: Callable[[], Processes | Cluster], numbers: Iterable[int]) -> Results:
    """A crew does it. A chunk whose worker died is done again, but not for ever: it may be what kills them."""
    crew, waiting, deaths = gather(), deque(numbers), Counter[int]()
    under_way: dict[Future[Any], int] = {}
    try:
        while waiting or under_way:
            while waiting and len(under_way) < crew.room:
                number = waiting.popleft()
                under_way[crew.submit(number)] = number
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                number = under_way.pop(future)
                try:
                    result = future.result()
                except crew.lost as error:
                    deaths[number] += 1
                    if deaths[number] >= crew.tries:
                        raise Unavailable("work_lost", chunk=number, reason=str(error)) from None
                    waiting.appendleft(number)
                else:
                    yield number, result
    finally:
        crew.close()
