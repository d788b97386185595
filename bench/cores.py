"""One core, two cores and a Dask cluster: `python bench/cores.py`, the table of docs/clusters.md.

Each run plays the same match to the end, and comes to the same. The machine's other users take their share of the
wall clock: so processor time is told as well, of all processes together.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from kasta.engine.match import play_match
from kasta.games import find_game

ROUNDS = 3  # of which the quickest counts


@contextmanager
def dask(*words: str) -> Iterator[None]:
    command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a scheduler whose workers are ready."""
    from distributed import Client

    with ExitStack() as ended, tempfile.TemporaryDirectory() as folder:
        about = Path(folder, "scheduler.json")
        ended.enter_context(dask("scheduler", "--port", "0", "--scheduler-file", str(about)))
        while not about.exists() or not about.read_text():
            time.sleep(0.05)
        address = str(json.loads(about.read_text())["address"])
        for _ in range(workers):
            ended.enter_context(
                dask("worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", folder)
            )
        with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers)
        yield address


def played(game: str, players: tuple[str, str], games: int, processes: int, address: str | None) -> str:
    """What a match came to."""
    *_, (score, _) = play_match(
        find_game(game), players, games=games, to_the_end=True, processes=processes, cluster=address
    )
    return repr(score.totals)


def processor_seconds() -> float:
    """Of this process and all that it started, whether they have ended or not."""
    running = [child.cpu_times() for child in psutil.Process().children(recursive=True)]
    return float(sum(os.times()[:4]) + sum(each.user + each.system for each in running))


def measured(what: str, play: Callable[[], str], base: float | None, games: int, rounds: int) -> tuple[float, str]:
    """The least wall-clock time, told beside the base."""
    times, result = list[tuple[float, float]](), ""
    for _ in range(rounds):
        began, worked = time.perf_counter(), processor_seconds()
        result = play()
        times.append((time.perf_counter() - began, processor_seconds() - worked))
    wall, worked = min(times)
    faster = f"{base / wall:.2f}" if base else "1"
    print(f"| {what} | {wall:.1f} s | {worked:.1f} s | {games / wall:.0f} | {faster} |", flush=True)
    return wall, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="knister")
    parser.add_argument("--players", nargs=2, default=["quick", "greedy"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wanted = parser.parse_args()

    def tell(what: str, processes: int, address: str | None, base: float | None = None) -> tuple[float, str]:
        def play() -> str:
            return played(wanted.game, tuple(wanted.players), wanted.games, processes, address)

        return measured(what, play, base, wanted.games, wanted.rounds)

    played(wanted.game, tuple(wanted.players), 1, 1, None)  # kernels are compiled once on a machine
    print(f"{wanted.game}, {' against '.join(wanted.players)}, {wanted.games} games; {os.cpu_count()} cores")
    print("| who | wall clock | processor time | games/s | times as fast |\n| --- | --- | --- | --- | --- |")
    base, alone = tell("1 process", 1, None)
    _, two = tell("2 processes", 2, None, base)
    with cluster(2) as address:
        _, three = tell("2 Dask workers", 1, address, base)
    if not alone == two == three:
        sys.exit("They do not come to the same.")


if __name__ == "__main__":
    main()
