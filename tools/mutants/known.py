"""What has been found out about faults, kept on the disk, and faults that change nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from mutants.mutations import Mutation

EQUIVALENT = Path(__file__).with_name("equivalent.txt")
TOOL = sorted(Path(__file__).parent.glob("*.py"))


@dataclass(frozen=True)
class Outcome:
    file: str
    line: int
    text: str
    result: str  # noticed, unnoticed, uncalled (no test calls the file), equivalent
    by: str = ""  # the test that noticed

    @property
    def is_noticed(self) -> bool:
        return self.result == "noticed"


def digest(*files: Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


class Known:
    """Outcomes of one file. They hold while it, this tool and, of unnoticed faults, the tests are the same."""

    def __init__(self, kept: Path, path: Path, file: str, tests: str) -> None:
        self.file = file
        self._source, self._tests = digest(path, *TOOL), tests
        self._kept = kept / (file.replace("/", "-") + ".jsonl")
        self._outcomes: dict[str, Outcome] = {}
        for line in self._kept.read_text().splitlines() if self._kept.exists() else []:
            row = json.loads(line)
            source, tested = row.pop("source"), row.pop("tests")
            outcome = Outcome(**row)
            if source == self._source and (outcome.is_noticed or tested == tests):
                self._outcomes[outcome.text] = outcome

    def find(self, fault: Mutation) -> Outcome | None:
        return self._outcomes.get(fault.text)

    def keep(self, outcome: Outcome) -> None:
        with self._kept.open("a") as file:
            file.write(json.dumps({**asdict(outcome), "source": self._source, "tests": self._tests}) + "\n")


def equivalents(lines: Iterable[str]) -> set[tuple[str, str]]:
    """Files and faults that nobody could notice. Each line with one follows a comment that says why."""
    rows = (line.strip().split(" | ", 1) for line in lines if line.strip() and not line.startswith("#"))
    return {(file, text) for file, text in rows}
