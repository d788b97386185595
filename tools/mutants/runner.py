"""A plugin of pytest that runs the collected tests against faults, instead of running them once."""

from __future__ import annotations

import functools
import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from mutants.calls import Calls, Functions, followed, run
from mutants.known import EQUIVALENT, Known, Outcome, digest, equivalents
from mutants.mutations import Mutation, codes_of, mutate, mutations, number_of, put
from mutants.processes import Processes
from support.stores.pg_server import Server

# Tests of other processes, and tests that take long or damage what they stand on.
ELSEWHERE = {
    f"test_{name}.py"
    for name in ("browser", "crash", "damage", "failover", "luck", "migrate", "old_stores", "wrong_clock")
}
SECONDS = 15.0  # of work of tests for one fault; if none of these fails, it counts as unnoticed
SLOWER = 5  # times as much work as without the fault: it hangs, and is noticed
LEAST_SECONDS = 10.0  # of work: whatever is so quick may take


class Runner:
    """Tries all faults of some files. `outcomes` has what came of it."""

    def __init__(self, root: Path, kept: Path, files: list[Path], parts: list[Path], jobs: int) -> None:
        self.outcomes: list[Outcome] = []
        self._root, self._kept, self._files = root, kept, files
        self._parts, self._processes = parts, Processes(jobs)
        self._items: dict[str, pytest.Item] = {}
        self._functions: Functions = {}
        self._calls = Calls(root, kept, self._functions)
        self._caches: list[Any] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("not all tests could be collected")
        items = [item for item in session.items if item.path.name not in ELSEWHERE]
        tests = digest(*sorted({item.path for item in items} | {*self._root.glob("tests/support/**/*.py")}))
        self._items = {item.nodeid: item for item in items}
        with (
            _postgres()
            if any("postgres_server" in getattr(item, "fixturenames", ()) for item in items)
            else nullcontext()
        ):
            self._look_around()
            self._calls.find(items, self._processes)
            gc.freeze()
            for path in self._files:
                self._try_all(path, Known(self._kept, path, str(path.relative_to(self._root)), tests))
            self._processes.wait()
        return True

    def _look_around(self) -> None:
        """Find the functions into which faults can be put, and caches that would hide them."""
        for path in self._parts:
            importlib.import_module(_module_name(path))  # no test may have needed it yet
        parts = {str(path) for path in self._parts}
        gc.unfreeze()  # else what was there when tests had been collected is not told of
        gc.collect()
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename in parts:
                self._functions.setdefault(each.__code__.co_filename, []).append(each)
            elif isinstance(each, functools._lru_cache_wrapper):  # noqa: SLF001 - what lru_cache makes
                self._caches.append(each)

    def _try_all(self, path: Path, known: Known) -> None:
        source = path.read_text()
        equivalent = equivalents(EQUIVALENT.read_text().splitlines())
        for fault in mutations(source):
            outcome = partial(Outcome, known.file, fault.line, fault.text)
            if (known.file, fault.text) in equivalent:
                self.outcomes.append(outcome("equivalent"))
            elif before := known.find(fault):
                self._tell(before)
            elif tests := self._tests_of(known.file, fault):
                put_it = self._prepared(path, source, fault)
                work = partial(self._try, put_it, [self._items[test] for _, test in tests])
                seconds = LEAST_SECONDS + SLOWER * sum(seconds for seconds, _ in tests)
                self._processes.start(work, seconds, partial(self._tried, known, outcome))
            else:
                self._done(known, outcome("uncalled"))

    def _tests_of(self, file: str, fault: Mutation) -> list[tuple[float, str]]:
        """As many as take some seconds together, and at least one."""
        found = [each for each in self._calls.tests_of(file, *fault.functions) if each[1] in self._items]
        spent = 0.0
        for number, (seconds, _) in enumerate(found):
            spent += seconds
            if number and spent > SECONDS:
                return found[:number]
        return found

    def _prepared(self, path: Path, source: str, fault: Mutation) -> Callable[[], None]:
        """What puts a fault into a process. What can fail here must not look like a test that fails."""
        changed = mutate(source, fault.number)
        if fault.is_number:
            return partial(_renumber, path, fault.owner, number_of(changed, fault.owner))
        return partial(put, codes_of(changed, str(path), fault.owner), self._functions[str(path)])

    def _try(self, put_it: Callable[[], None], items: list[pytest.Item]) -> str:
        """Put a fault into this process, and run tests until one fails: this one."""
        put_it()
        for cache in self._caches:
            cache.cache_clear()
        for item, after in followed(items):
            run(item, after)
            if item.session.testsfailed:
                return item.nodeid
        return ""

    def _tried(self, known: Known, outcome: partial[Outcome], failed: str | None) -> None:
        self._done(known, outcome("noticed", failed or "it hangs") if failed != "" else outcome("unnoticed"))

    def _done(self, known: Known, outcome: Outcome) -> None:
        known.keep(outcome)
        self._tell(outcome)

    def _tell(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if not outcome.is_noticed:
            sys.stdout.write(f"{outcome.file}:{outcome.line}: {outcome.result}: {outcome.text}\n")


def _needs_postgres(item: pytest.Item) -> bool:
    return "postgres_server" in getattr(item, "fixturenames", ())


@contextmanager
def _postgres() -> Iterator[None]:
    """One database server for all processes."""
    server = Server()
    os.environ["KASTA_TEST_POSTGRES"] = server.url
    try:
        yield
    finally:
        server.remove()


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[len(parts) - 1 - parts[::-1].index("kasta") :])


def _renumber(path: Path, name: str, new: object) -> None:
    """Change a number, or a table of them, in its module and in those that have imported it."""
    module = next(each for each in sys.modules.values() if getattr(each, "__file__", None) == str(path))
    old = getattr(module, name)
    for each in [each for at, each in sys.modules.items() if at.startswith("kasta")]:
        if getattr(each, name, None) is old:
            setattr(each, name, new)
