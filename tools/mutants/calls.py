"""Which tests call which functions, and how long each test takes."""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FunctionType

import pytest

from mutants.known import digest
from mutants.mutations import codes_of, marked, put
from mutants.processes import Processes

SECONDS = 900  # for the tests of one file
NOTE = "_kasta_is_called"  # a name that all modules know while it is noted
Functions = dict[str, list[FunctionType]]  # by their files
Tests = dict[str, tuple[float, list[str]]]  # by their ids: seconds of work, and functions as file:owner


def followed(items: list[pytest.Item]) -> Iterable[tuple[pytest.Item, pytest.Item | None]]:
    """Tests, each with the next one: it keeps the fixtures that both need."""
    return zip(items, [*items[1:], None], strict=True)


def run(item: pytest.Item, after: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)


def _worked() -> float:
    """Seconds of work of this process and those that it started: the same on a busy machine and an idle one."""
    return sum(os.times()[:4])


class _Called:
    """Notes which functions are called, in every thread. Each says so itself: to trace all calls takes long."""

    def __init__(self, root: Path, functions: Functions) -> None:
        self._seen: set[str] = set()
        setattr(builtins, NOTE, self._seen.add)
        for file, own in functions.items():
            put(codes_of(marked(Path(file).read_text(), NOTE, str(Path(file).relative_to(root))), file), own)

    def during(self, run: Callable[[], None]) -> list[str]:
        self._seen.clear()
        run()
        return sorted(self._seen)


class Calls:
    """Finds out what tests call, by running those of files that have changed since it was last asked."""

    def __init__(self, root: Path, kept: Path, functions: Functions) -> None:
        self._root = root
        self._kept = kept / "calls.json"
        self._functions = functions
        self._files: dict[str, tuple[str, Tests]] = {}

    def find(self, items: list[pytest.Item], processes: Processes) -> None:
        self._files = json.loads(self._kept.read_text()) if self._kept.exists() else {}
        by_file: dict[Path, list[pytest.Item]] = {}
        for item in items:
            by_file.setdefault(item.path, []).append(item)
        for path, own in by_file.items():
            name, now = str(path.relative_to(self._root)), digest(path)
            if self._files.get(name, ("",))[0] != now:
                self._files.pop(name, None)
                target = self._kept.with_name(name.replace("/", "-") + ".json")
                work = partial(self._note, own, target)
                processes.start(work, SECONDS, partial(self._noted, name, now, target))
        processes.wait()
        self._keep()

    def tests_of(self, file: str, *owners: str) -> list[tuple[float, str]]:
        """Tests that call one of these functions, quickest first. If there are none: those of the whole file."""
        names = {f"{file}:{owner}" for owner in owners}
        found = sorted(
            (seconds, test)
            for _, tests in self._files.values()
            for test, (seconds, called) in tests.items()
            if (not names.isdisjoint(called) if names else any(each.startswith(f"{file}:") for each in called))
        )
        return found if found or not owners else self.tests_of(file)

    def _note(self, items: list[pytest.Item], target: Path) -> str:
        """Run tests, and write down what each of them calls."""
        called, found = _Called(self._root, self._functions), {}
        for item, after in followed(items):
            start = _worked()
            seen = called.during(partial(run, item, after))
            found[item.nodeid] = round(_worked() - start, 3), seen
            if item.session.testsfailed:
                return item.nodeid
        target.write_text(json.dumps(found))
        return ""

    def _noted(self, name: str, now: str, target: Path, failed: str | None) -> None:
        if failed == "":
            self._files[name] = now, json.loads(target.read_text())
            target.unlink()
            self._keep()
        else:
            sys.stdout.write(f"{name}: left out, fails without any fault: {failed or 'it hangs'}\n")

    def _keep(self) -> None:
        self._kept.write_text(json.dumps(self._files))
