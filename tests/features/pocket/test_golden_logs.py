"""Games that are kept on phones go on in later versions. A file here is never changed; new versions add their own.

`sha256sum *.jsonl > SHA256SUMS` after one was added. Each is what the browser's database had of a game.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from features.pocket.playing import PATIENCE
from kasta.features.pocket.coming_home import check_record
from kasta.features.pocket.runtime.answers import Pocket
from kasta.features.pocket.runtime.chance import Chance
from support.browsing import NewPhone, Server
from support.pinned import pinned

FOLDER = Path(__file__).parent / "golden"
ASKED = "texts => texts.map(text => self.kastaAnswer(text))"
LOGS = sorted(FOLDER.glob("*.jsonl"))


def no_chance(_below: int) -> int:
    raise AssertionError("what is kept needs no new dice")


def listed(path: Path) -> tuple[Pocket, dict[str, Any], list[dict[str, Any]]]:
    """A table that was taken up again, how questions name it, and the questions for that."""
    chance = Chance(no_chance)
    pocket, about = Pocket(chance.dice, chance), {"table": path.stem, "language": "en"}
    questions: list[dict[str, Any]] = [
        {"ask": "load", "bodies": path.read_text("utf-8").splitlines()[1:]},
        {"ask": "about"},
    ]
    return pocket, about, [{**each, **about} for each in questions]


def test_no_log_was_changed():
    assert LOGS
    assert pinned(LOGS) == (FOLDER / "SHA256SUMS").read_text()


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_game_of_an_older_version_can_be_taken_up_and_come_home(path: Path):
    pocket, about, questions = listed(path)
    assert pocket.ask(questions[0]) == {"events": {}}
    table = pocket.of(about).table
    totals = {str(seat): table.game.total(table.play, seat) for seat in table.places}
    assert totals == json.loads(path.read_text("utf-8").splitlines()[0])["totals"]
    kept = pocket.ask(questions[1])["about"]
    assert kept["over"]
    check_record(kept["record"])


def test_a_browser_reads_them_as_we_do(site: Server, new_phone: NewPhone):
    page = new_phone()
    with page.expect_worker() as asked:
        page.goto(f"{site.url}/pocket")
    page.wait_for_selector("#go-on ul", state="attached", timeout=PATIENCE)
    for path in LOGS:
        pocket, _, questions = listed(path)
        here = [pocket.ask(question) for question in questions]
        there = asked.value.evaluate(ASKED, [json.dumps(question) for question in questions])
        assert [json.loads(answer) for answer in there] == here
