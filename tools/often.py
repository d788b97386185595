"""Run all tests many times, each time in another order, and tell which of them ever failed.

    python tools/often.py [--runs 30] [-- tests/games -n 1 ...]

What each run came to is a line of build/often.log, and all that it said is in build/often. Runs that the log has
(of the same commit, Python and tests) are not repeated: so it goes on where it was stopped. What follows
`--` is for pytest.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

BUILD = Path(__file__).parents[1] / "build"
LOG = BUILD / "often.log"
EVERYTHING = ["-n", "4", "--dist", "loadfile", "--no-loadscope-reorder"]  # as make unit does
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


def run(seed: int, tests: list[str]) -> dict[str, Any]:
    """One run, whatever becomes of it."""
    begun = time.monotonic()
    (BUILD / "often").mkdir(parents=True, exist_ok=True)
    said = BUILD / "often" / f"{seed}.txt"
    with said.open("w", encoding="utf-8") as file:
        command = [sys.executable, "-m", "pytest", "--shuffle", str(seed), *tests]
        code = subprocess.run(command, stdout=file, stderr=file, cwd=BUILD.parent, check=False).returncode
    lines = said.read_text("utf-8")
    failed = sorted(set(FAILED.findall(lines)))
    if code and not failed:
        failed = [f"the run itself (exit {code})"]
    last = lines.rstrip().rpartition("\n")[2].strip("= ")
    return {"code": code, "failed": failed, "seconds": round(time.monotonic() - begun), "said": last}


def done(about: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """What the log has of the same commit and tests."""
    lines = LOG.read_text("utf-8").splitlines() if LOG.exists() else []
    runs = [json.loads(line) for line in lines]
    return {each["seed"]: each for each in runs if about.items() <= each.items()}


def commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.check_output(command, cwd=BUILD.parent, text=True).strip()


def table(runs: dict[int, dict[str, Any]]) -> str:
    """Which tests failed, and in which orders."""
    seeds: dict[str, list[int]] = defaultdict(list)
    for seed, each in sorted(runs.items()):
        for name in each["failed"]:
            seeds[name].append(seed)
    lines = [f"{len(runs)} runs, {sum(not each['code'] for each in runs.values())} without a failure."]
    if seeds:
        lines += ["", "| failed | times | --shuffle |", "| --- | --- | --- |"]
        often = sorted(seeds.items(), key=lambda item: -len(item[1]))
        lines += [f"| {name} | {len(by)} | {', '.join(map(str, by))} |" for name, by in often]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("tests", nargs="*", help="for pytest, after --")
    told = parser.parse_args()
    tests = told.tests or EVERYTHING
    about = {"commit": commit(), "python": sys.version.split()[0], "tests": tests}
    for seed in range(1, told.runs + 1):
        if seed in done(about):
            continue
        found = run(seed, tests)
        with LOG.open("a", encoding="utf-8") as log:
            log.write(json.dumps({**about, "seed": seed, **found}) + "\n")
        print(f"{seed}: {found['said']} {' '.join(found['failed'])}", flush=True)
    runs = {seed: each for seed, each in done(about).items() if seed <= told.runs}
    print(table(runs))
    return int(any(each["code"] for each in runs.values()))


if __name__ == "__main__":
    sys.exit(main())
