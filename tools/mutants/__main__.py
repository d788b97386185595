"""`make mutants`: which small faults in the code do the tests not notice?

python -m mutants                     parts that have changed in or since the last commit
python -m mutants --all               all parts
python -m mutants src/kasta/dice.py   this file
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutants.known import Outcome
from mutants.runner import Runner

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "mutants"
LEAST = 0.85  # of all faults that are not equivalent have to be noticed
# Rules, rights, commands, log, dice, proofs, limits, reviews, and all else that counts.
PARTS = {
    ".": ["core", "dice", "verify", "record"],
    "games": ["composers", "block", "grid", "scores", "*/rules"],
    "tables": [
        "*rights",
        "commands",
        "state",
        "view",
        "log",
        "dice_box",
        "evening",
        "names",
        "opening",
        "records",
    ],
    "tables/": ["seating", "service"],
    "db": ["sqlite/writer", "sqlite/log", "postgres/append", "postgres/log", "retention", "backup"],
    "edge": ["limits", "admission", "gate"],
    "coach": ["review", "marks"],
    "results": ["collect", "model", "own", "reviews", "store"],
    "engine": ["match"],
    "features": ["day/store", "my_games/statistics"],
    "cli": ["records"],
}
TESTS = ["test_dice.py", "test_record.py", "games", "tables", "coach", "results", "db", "live", "edge", "page"]
TESTS += ["features", "client", "engine/test_match.py", "cli/test_cli.py"]


def part_files() -> list[Path]:
    source = ROOT / "src" / "kasta"
    return [
        file
        for folder, parts in PARTS.items()
        for part in parts
        for file in sorted(source.glob(f"{folder}/{part}.py"))
    ]


def changed_files() -> list[Path]:
    said = subprocess.run(
        ["git", "diff", "--name-only", "HEAD~1"],  # noqa: S607 - found as people find it
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    names = set(said.stdout.split())
    return [path for path in part_files() if str(path.relative_to(ROOT)) in names]


def report(outcomes: list[Outcome]) -> bool:
    """Say how many faults were noticed, by file and in all, and whether that is enough."""
    counted = [each for each in outcomes if each.result != "equivalent"]
    for file in sorted({each.file for each in counted}):
        own = [each.is_noticed for each in counted if each.file == file]
        sys.stdout.write(f"{file}: {sum(own)} of {len(own)}\n")
    noticed = sum(each.is_noticed for each in counted)
    share = noticed / len(counted) if counted else 1.0
    equivalent = len(outcomes) - len(counted)
    sys.stdout.write(f"{noticed} of {len(counted)} noticed, {share:.1%}; {equivalent} are equivalent\n")
    return share >= LEAST


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--all", action="store_true", help="try all parts")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="where tests are looked for, in tests/")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where results are kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    parts = part_files()
    files = parts if args.all else [file.resolve() for file in args.files] or changed_files()
    if not files:
        sys.stdout.write("None of the parts has changed.\n")
        return 0
    args.kept.mkdir(parents=True, exist_ok=True)
    runner = Runner(ROOT, args.kept, files, sorted({*parts, *files}), args.jobs)
    options = ["-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", "--rootdir", str(ROOT)]
    ended = pytest.main([*options, *(str(ROOT / "tests" / each) for each in args.tests)], plugins=[runner])
    is_run = ended in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    return 0 if report(runner.outcomes) and is_run else 1


if __name__ == "__main__":
    sys.exit(main())
