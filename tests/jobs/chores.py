"""Chunks of work for tests: small, but some of them are deadly."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from kasta.jobs.job import Job


class Chore(NamedTuple):
    """Whoever does it notes that in a file of the folder. It may kill its process once, always, or its parent."""

    number: int
    folder: str
    kills: str = ""


def do(chore: Chore) -> list[int]:
    folder = Path(chore.folder)
    with (folder / "begun").open("a") as begun:
        begun.write(f"{chore.number} {os.getpid()}\n")
    died = folder / "died"
    if chore.kills == "always" or (chore.kills == "once" and not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if chore.kills == "parent" and not died.exists():
        died.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)  # ends with its parent
    return [chore.number, chore.number**2]


def chores(folder: Path, count: int = 12, deadly: int = 5, kills: str = "", seed: int = 1) -> Job[Chore]:
    each = [Chore(number, str(folder), kills if number == deadly else "") for number in range(count)]
    return Job("chores", {"seed": seed, "count": count}, do, each)


def begun(folder: Path) -> list[tuple[int, int]]:
    """Which chore was begun by which process, in their order."""
    lines = (folder / "begun").read_text().splitlines()
    return [(int(number), int(process)) for number, process in map(str.split, lines)]
