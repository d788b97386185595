"""What Kasta counts and measures of itself, for Prometheus. docs/monitoring.md says what to do with it.

Numbers are this process's own, and change in its event loop only: no lock is needed.
"""

from __future__ import annotations

import os
import sys
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

Labels = tuple[str, ...]
Sample = tuple[str, dict[str, str], float]  # what is added to the metric's name, its labels, its value

METRICS: dict[str, Metric] = {}


class Metric:
    kind: str

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self.name, self.about, self.labels = name, about, labels
        METRICS[name] = self

    def samples(self) -> Iterator[Sample]:
        raise NotImplementedError

    def _named(self, values: Labels) -> dict[str, str]:
        return dict(zip(self.labels, values, strict=True))


class Counter(Metric):
    kind = "counter"

    def __init__(self, name: str, about: str, *labels: str) -> None:
        super().__init__(name, about, *labels)
        self._counts: defaultdict[Labels, int] = defaultdict(int)
        if not labels:
            self._counts[()] = 0

    def add(self, *labels: str) -> None:
        self._counts[labels] += 1

    def samples(self) -> Iterator[Sample]:
        for labels, count in self._counts.items():
            yield "", self._named(labels), count


class Gauge(Metric):
    """Asked for when somebody looks; None: not known here."""

    kind = "gauge"

    def __init__(self, name: str, about: str, ask: Callable[[], float | None] = lambda: None) -> None:
        super().__init__(name, about)
        self.ask = ask

    def samples(self) -> Iterator[Sample]:
        value = self.ask()
        if value is not None:
            yield "", {}, value


class Histogram(Metric):
    kind = "histogram"

    def __init__(self, name: str, about: str, *labels: str) -> None:
        super().__init__(name, about, *labels)
        self._series: dict[Labels, list[float]] = {}  # how many up to each bound, beyond the last, and their sum

    def observe(self, seconds: float, *labels: str) -> None:
        series = self._series.get(labels)
        if series is None:
            series = self._series[labels] = [0.0] * (len(BOUNDS) + 2)
        series[bisect_left(BOUNDS, seconds)] += 1
        series[-1] += seconds

    def samples(self) -> Iterator[Sample]:
        for labels, (*counts, total) in self._series.items():
            named, so_far = self._named(labels), 0.0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                so_far += count
                yield "_bucket", {**named, "le": bound}, so_far
            yield "_sum", named, total
            yield "_count", named, so_far


MOVES = Counter("kasta_moves_total", "Picks, by people or by bots.", "game", "by")
THROWS = Counter("kasta_throws_total", "Throws.", "game")
TABLES_OPENED = Counter("kasta_tables_opened_total", "Tables that were opened.", "game")
ANSWERS = Counter("kasta_answers_total", "Answers to requests.", "route", "status")
PUSHES = Counter("kasta_pushes_total", "Notices for push services, by result.", "result")
REFUSALS = Counter("kasta_refusals_total", "Requests that were refused, by the error's code.", "code")
BOTS_SPOKEN_FOR = Counter("kasta_bots_spoken_for_total", "Bots that failed or took too long.")
ANSWER_SECONDS = Histogram("kasta_answer_seconds", "From a request to the beginning of its answer.", "route")
APPEND_SECONDS = Histogram("kasta_append_seconds", "From a decision until it is durable.")
BOT_SECONDS = Histogram("kasta_bot_seconds", "From a bot's turn to its choice.", "bot")
LOOP_DELAY_SECONDS = Histogram("kasta_loop_delay_seconds", "How late the event loop is.")
TABLES = Gauge("kasta_tables", "Tables in memory.")
STREAMS = Gauge("kasta_streams", "Open event streams.")
WRITES_WAITING = Gauge("kasta_writes_waiting", "Events and other work that wait for the store's writer.")
STORE_FREE_BYTES = Gauge("kasta_store_free_bytes", "Free on the disk of an SQLite store.")
BOTS_WAITING = Gauge("kasta_bots_waiting", "Bots that have not chosen yet.")


def _memory() -> float | None:
    if sys.platform != "linux":
        return None
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _files() -> float | None:
    return len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else None


def _most_files() -> float | None:
    if sys.platform == "win32":
        return None
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


_started = time.time()
# As every exporter for Prometheus calls them.
Gauge("process_start_time_seconds", "When the process began.", lambda: _started)
Gauge("process_cpu_seconds_total", "Processor time.", time.process_time).kind = "counter"
Gauge("process_resident_memory_bytes", "Memory.", _memory)
Gauge("process_open_fds", "Open files.", _files)
Gauge("process_max_fds", "How many files may be open.", _most_files)
