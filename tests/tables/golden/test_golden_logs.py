"""Logs of every version so far replay for ever. A file here is never changed; new versions add their own.

`sha256sum *.jsonl > SHA256SUMS` after one was added.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from kasta.core import Over
from kasta.errors import Unavailable
from kasta.games import OURS
from kasta.record import write_record
from kasta.tables.events import CHANGING_HANDS, VERSION, AnyEvent, Closed, Moved, Replaced, decode, encode
from kasta.tables.records import record
from kasta.tables.state import replay
from kasta.verify import check_dice
from support.pinned import pinned

LOGS = sorted(Path(__file__).parent.glob("*.jsonl"))


def test_no_log_was_changed():
    assert pinned(LOGS) == (Path(__file__).parent / "SHA256SUMS").read_text()


def events(path: Path) -> list[AnyEvent]:
    """All lines but the first, which says what must come out."""
    return [decode(line.encode()) for line in path.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_of_an_older_version_replays_to_the_same_totals(path: Path):
    expected = json.loads(path.read_text("utf-8").splitlines()[0])
    table = replay(events(path))
    assert {str(seat): table.game.total(table.play, seat) for seat in table.places} == expected["totals"]
    assert table.next() == Over()
    text = "\n".join(write_record(*record(events(path))))
    assert check_dice(io.BytesIO(text.encode())).dice == expected["dice"]


def test_there_is_a_log_of_every_game_and_of_every_kind_of_event():
    found = {type(event).__name__ for path in LOGS for event in events(path)}
    kinds = {kind.__name__ for kind in AnyEvent.__args__}
    assert found == kinds
    assert {path.stem.split("-")[1] for path in LOGS} == set(OURS)


@pytest.mark.parametrize("kind", [Closed, Moved, Replaced])
def test_what_changes_hands_is_read_as_it_was_written_in_every_version(kind: type[AnyEvent]):
    """Picks count on it since version 2 only: what they expect of a store's row must not change."""
    found = {event.v: path for path in LOGS for event in events(path) if isinstance(event, kind)}
    assert found.keys() == set(range(VERSION, CHANGING_HANDS + 1))
    for version, path in found.items():
        table = replay(events(path))
        changing = [event for event in events(path) if isinstance(event, Closed | Moved | Replaced)]
        assert table.picking - table.turn == (len(changing) if version == CHANGING_HANDS else 0)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_events_are_written_as_they_were_read(path: Path):
    for event in events(path):
        assert decode(encode(event)) == event


@pytest.mark.parametrize(
    "body",
    [
        b'{"kind":"exploded","v":1}',
        b'{"kind":"closed","secret":"","v":3}',
        b'{"kind":"extended","turn":1,"seat":0,"v":2}',
        b'{"kind":"acted"}',
        b"\xff",
        b"",
    ],
)
def test_what_this_version_does_not_know_is_refused(body: bytes):
    with pytest.raises(Unavailable):
        decode(body)
