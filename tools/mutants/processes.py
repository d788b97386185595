"""Work in forked processes, some at a time, each with a time limit."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress

LOOK = 0.005  # seconds between two looks at the processes
PATIENCE, BUSY = 60, 10  # seconds in which others may have the processor; times as long as the work alone
LONGEST = 1000  # bytes of what a child returns: a pipe holds them until it has ended
MEMORY = 4 << 30  # bytes: a loop that never ends may fill a list

Done = Callable[[str | None], None]


class Processes:
    """Runs functions in children of this process. What they print is thrown away; what they return is short."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: dict[int, tuple[float, int, Done]] = {}

    def start(self, work: Callable[[], str], seconds: float, done: Done) -> None:
        """Run `work` as soon as a process is free. `done` gets what it returned, or None if it died or hung.

        It hangs when it has worked for so many seconds, or has waited for many more.
        """
        self.wait(self._most - 1)
        sys.stdout.flush()
        answer, said = os.pipe()
        child = os.fork()
        if child == 0:
            os._exit(_run(work, int(seconds), said))
        os.close(said)
        self._running[child] = time.monotonic() + PATIENCE + BUSY * seconds, answer, done

    def wait(self, left: int = 0) -> None:
        """Wait until no more than so many processes are left."""
        while len(self._running) > left:
            for child, (end, answer, done) in list(self._running.items()):
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended or time.monotonic() > end:
                    del self._running[child]
                    _kill_all_of(child, has_ended=bool(ended))
                    said = os.read(answer, LONGEST).decode() if ended and status == 0 else None
                    os.close(answer)
                    done(said)
            time.sleep(LOOK)


def _run(work: Callable[[], str], seconds: int, answer: int) -> int:
    with suppress(BaseException):
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 1))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.write(answer, work().encode()[:LONGEST])
        return 0
    return 1


def _kill_all_of(child: int, *, has_ended: bool) -> None:
    """End a process and whatever it has started."""
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not has_ended:
        os.waitpid(child, 0)
