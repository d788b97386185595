"""How far a long run is: a bar, or a line now and then where no terminal shows one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import typer

from kasta.values import Progress

EVERY = 60.0  # seconds
OVER = 600  # seconds, by which a bar estimates how long the rest takes


class ProgressLines:
    """Says at most once a minute how much is done, and how long the rest may take.

    What was done when it began, by an earlier run, tells nothing about that.
    """

    def __init__(
        self, what: str, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._tell, self._clock = what, tell, clock
        self._began = self._told = clock()
        self._before: int | None = None

    def __call__(self, done: int, of: int) -> None:
        if self._before is None:
            self._before = done
        now = self._clock()
        if now - self._told < EVERY or done == self._before:
            return
        self._told = now
        left = (now - self._began) / (done - self._before) * (of - done)
        self._tell(f"{self._what}: {100 * done // of} %, {timedelta(seconds=round(left))}")


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A bar on a terminal's standard error, with the time left; elsewhere a line now and then."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield ProgressLines(what, partial(typer.echo, err=True))
        return
    with Bar(console=console, transient=True, speed_estimate_period=OVER) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
