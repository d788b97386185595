"""Several processes that serve one port, and the one that looks after them."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

from kasta.cli.common import report
from kasta.errors import KastaError

logger = logging.getLogger(__name__)

REPLACED_AFTER = 1.0  # seconds, so that what fails at once does not fail all the time
END_SECONDS = 4.5


def supervise(count: int, work: Callable[..., None], *args: Any) -> None:  # noqa: ANN401 - whatever work needs
    """Let so many processes work until this one is told to end; one that dies is replaced.

    Each is told its place, which its successor has, too.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    workers = list[BaseProcess]()
    try:
        workers = [_started(work, (place, *args)) for place in range(count)]
        while True:
            wait([worker.sentinel for worker in workers])
            time.sleep(REPLACED_AFTER)
            for place, worker in enumerate(workers):
                if not worker.is_alive():
                    logger.warning("A worker has ended (%s): another one takes its place.", worker.exitcode)
                    workers[place] = _started(work, (place, *args))
    except KeyboardInterrupt:
        pass
    finally:
        _end(workers)


def _started(work: Callable[..., None], args: tuple[Any, ...]) -> BaseProcess:
    worker = multiprocessing.get_context("spawn").Process(target=_work, args=(work, args))
    worker.start()
    return worker


def _end(workers: list[BaseProcess]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for worker in workers:
        worker.terminate()
    deadline = time.monotonic() + END_SECONDS
    for worker in workers:
        worker.join(max(0, deadline - time.monotonic()))
        if worker.is_alive():
            worker.kill()


def _work(work: Callable[..., None], args: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_the_others, daemon=True).start()
    with suppress(KeyboardInterrupt):
        try:
            work(*args)
        except KastaError as error:
            report(error, as_json=False)
            raise SystemExit(1) from None


def _end_with_the_others() -> None:
    """Whoever looks after this process is gone, however that came."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
