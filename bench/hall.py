"""A hall: thousands of phones (`phones.py`) at one table. Prints the table of docs/halls.md.

Where there are two cores, the server has one and the phones have the other.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvloop
from phones import Hall, Size


def at(times: Sequence[float], share: float) -> float:
    """A quantile."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(frozen=True)
class Server:
    """`kasta serve` in a process of its own."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def seconds(self) -> float:
        """Of processor time."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Of memory, at most so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1e3  # type: ignore[index]


@contextmanager
def serving(store: str, cores: set[int]) -> Iterator[Server]:
    """A server on these cores."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "kasta", "serve", "--port", str(port), "--store", store]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        os.sched_setaffinity(process.pid, cores)
        while True:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait(30)


async def measure(server: Server, size: Size) -> str:
    """One line of the table."""
    hall = Hall(server.port, size)
    joined = await hall.open()
    await asyncio.sleep(2)
    begun = server.seconds
    ended = await hall.play()
    used = server.seconds - begun
    hall.close()
    if hall.errors:
        raise RuntimeError(f"{len(hall.errors)} errors: {hall.errors[:3]}")
    rounds = hall.rounds.values()
    last = [max(each.heard) - each.thrown_at for each in rounds]
    picks = [took for each in rounds for took in each.picks]
    return (
        f"| {size.game} | {size.phones:,} | {joined:.1f} s | {len(rounds)} "
        f"| {at(last, 0.5):.2f} s | {max(last):.2f} s "
        f"| {1e3 * at(picks, 0.5):.0f} ms | {1e3 * at(picks, 0.99):.0f} ms | {1e3 * max(picks):.0f} ms "
        f"| {1e3 * used / len(picks):.2f} ms | {ended:.1f} s | {server.megabytes:.0f} MB |"
    )


HEADING = (
    "| game | phones | all joined | rounds | throw on the last phone, median | at most "
    "| pick, median | 99 % | at most | processor a pick | results | memory |\n" + "| --- " * 12 + "|"
)
HALLS = [Size("knister", 1_000), Size("knister", 3_000), Size("knister", 10_000), Size("knaster", 3_000)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="knister")
    parser.add_argument("--phones", type=int, help="one hall of this size, instead of all that the docs show")
    parser.add_argument("--rounds", type=int, default=1_000, help="stop then, if the game is not over")
    parser.add_argument("--think", type=float, nargs=2, default=(3.0, 20.0), help="seconds, at least and at most")
    parser.add_argument("--quick", action="store_true", help="one short run, to see that it works")
    options = parser.parse_args()
    halls = HALLS
    if options.quick:
        halls = [Size("knister", 40, (0.0, 0.2), 3)]
    elif options.phones:
        halls = [Size(options.game, options.phones, tuple(options.think), options.rounds)]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    own, theirs = split_cores()
    os.sched_setaffinity(0, own)
    print(HEADING)
    for size in halls:
        with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/kasta.db", theirs) as server:
            print(uvloop.run(measure(server, size)), flush=True)


def split_cores() -> tuple[set[int], set[int]]:
    """Cores for the phones, and one for the server."""
    cores = sorted(os.sched_getaffinity(0))
    return set(cores[1:2] or cores), set(cores[:1])


if __name__ == "__main__":
    main()
