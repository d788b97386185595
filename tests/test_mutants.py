"""`make mutants` knows which small faults there are, and tells those that no test notices."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from mutants.known import EQUIVALENT, equivalents
from mutants.mutations import Mutation, codes_of, marked, mutate, mutations, number_of, put

ROOT = Path(__file__).parents[1]
SAMPLE = dedent(
    """
    MOST = 3
    LEAST, SECONDS = 1, 2 * MOST
    DOORS = 2
    PAID = {"pair": 1}

    class Room:
        doors: int = DOORS

        def takes(self, guests: int, *, least: int = 1) -> bool:
            "Whether they may come in."
            if guests > MOST and not self.is_open:
                raise ValueError
            guests = guests * 2 + guests * 2
            self.is_full = 0 < guests < MOST
            return all(guest >= least for guest in range(guests) if guest)
    """
)
MAKER = """
def times(by):
    return lambda number: number * by

twice = times(2)
"""


def test_every_fault_is_named_by_what_it_changes():
    assert [each.text for each in mutations(SAMPLE)] == [
        "MOST: 3 -> 4",
        "LEAST: 1 -> 2",
        "SECONDS: 2 -> 3",
        "PAID: 1 -> 2",
        "Room.takes: guests > MOST and (not self.is_open) -> not (guests > MOST and (not self.is_open))",
        "Room.takes: guests > MOST and (not self.is_open) -> not self.is_open",
        "Room.takes: guests > MOST and (not self.is_open) -> guests > MOST",
        "Room.takes: guests > MOST -> guests >= MOST",
        "Room.takes: not self.is_open -> self.is_open",
        "Room.takes: raise ValueError -> pass",
        "Room.takes: guests * 2 + guests * 2 -> guests * 2 - guests * 2",
        "Room.takes: guests * 2 -> guests // 2",
        "Room.takes: 2 -> 3",
        "Room.takes: guests * 2 -> guests // 2 #2",
        "Room.takes: 2 -> 3 #2",
        "Room.takes: 0 < guests < MOST -> 0 <= guests < MOST",
        "Room.takes: 0 < guests < MOST -> 0 < guests <= MOST",
        "Room.takes: 0 -> 1",
        "Room.takes: return all((guest >= least for guest in range(guests) if guest)) -> return None",
        (
            "Room.takes: all((guest >= least for guest in range(guests) if guest)) -> "
            "any((guest >= least for guest in range(guests) if guest))"
        ),
        "Room.takes: guest >= least -> guest > least",
        "Room.takes: for guest in range(guests) if guest -> for guest in range(guests) if not guest",
    ]


@pytest.mark.parametrize("fault", mutations(SAMPLE), ids=lambda each: each.text)
def test_a_fault_changes_one_place_and_can_be_put_into_its_function(fault: Mutation):
    before, changed = ast.parse(SAMPLE), mutate(SAMPLE, fault.number)
    assert ast.unparse(changed) != ast.unparse(before)
    if fault.is_number:
        assert number_of(changed, fault.owner) != number_of(before, fault.owner)
    else:
        assert fault.owner in {name for name, _ in codes_of(changed, "", fault.owner)}


def test_a_fault_reaches_what_was_made_while_the_module_was_imported():
    made: dict[str, Any] = {}
    exec(compile(ast.parse(MAKER), "", "exec"), made)  # noqa: S102 - our own lines
    assert made["twice"](3) == 6
    fault = next(each for each in mutations(MAKER) if each.text == "times: number * by -> number // by")
    put(codes_of(mutate(MAKER, fault.number), "", fault.owner), [made["twice"]])
    assert made["twice"](3) == 1
    called: list[str] = []
    made["note"] = called.append
    put(codes_of(marked(MAKER, "note", "a.py"), ""), [made["twice"]])
    assert made["twice"](3) == 6
    assert called == ["a.py:times"]


def test_equivalent_faults_are_read_with_their_reasons_left_out():
    assert equivalents(["# why", "a.py | f: 1 -> 2 | 3", ""]) == {("a.py", "f: 1 -> 2 | 3")}


def test_every_fault_that_is_called_equivalent_can_be_made():
    named = equivalents(EQUIVALENT.read_text("utf-8").splitlines())
    made = {(file, each.text) for file, _ in named for each in mutations((ROOT / file).read_text("utf-8"))}
    assert named <= made, named - made


def test_faults_in_the_dice_are_noticed_and_results_are_kept(tmp_path: Path):
    def run() -> list[str]:
        command = [sys.executable, "-m", "mutants", "src/kasta/dice.py", "--tests", "test_dice.py", "--jobs", "1"]
        environment = {**os.environ, "PYTHONPATH": "tools:tests"}
        ended = subprocess.run(
            [*command, "--kept", tmp_path], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return [line for line in ended.stdout.splitlines() if line.startswith("src/")]

    unnoticed, counted = said = run()
    assert unnoticed.endswith(": unnoticed: LONGEST_ENTROPY: 64 -> 65"), "a limit is tested where it holds"
    noticed, tried = map(int, re.findall(r"\d+", counted))
    assert noticed == tried - 1 > 30
    kept = {file: file.read_text() for file in tmp_path.iterdir()}
    rows = [json.loads(line) for line in (tmp_path / "src-kasta-dice.py.jsonl").read_text().splitlines()]
    by = {row["by"].partition("::")[0] for row in rows if row["result"] == "noticed"}
    assert {"tests/test_dice.py"} <= by <= {"tests/test_dice.py", "it hangs"}, (
        "on a busy machine, one may take too long"
    )
    assert run() == said
    assert {file: file.read_text() for file in tmp_path.iterdir()} == kept
