"""A job comes to the same whoever does it, and whatever dies meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from jobs.chores import begun, chores, do
from kasta.errors import NotInstalled, Unavailable, Unreadable
from kasta.jobs.job import VERSION
from kasta.jobs.run import run

RESULTS = [[number, number**2] for number in range(12)]
KILLED_MIDWAY = """
import sys
from pathlib import Path
from jobs.chores import chores
from kasta.jobs.run import run

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(list(run(chores(folder, kills="parent"), processes=2, resume=folder / "kept")))
"""


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_results_come_in_the_order_of_chunks_with_any_number_of_processes(tmp_path: Path, processes: int):
    seen: list[tuple[int, int]] = []
    results = run(chores(tmp_path), processes=processes, progress=lambda done, of: seen.append((done, of)))
    assert list(results) == RESULTS
    assert seen == [(done, 12) for done in range(13)]
    assert len(workers(tmp_path)) <= processes
    assert (os.getpid() in workers(tmp_path)) == (processes == 1)


def test_a_process_that_is_killed_loses_its_chunk_and_no_other(tmp_path: Path):
    assert list(run(chores(tmp_path, kills="once"), processes=2)) == RESULTS
    times = Counter(number for number, _ in begun(tmp_path))
    assert times == {number: 2 if number == 5 else 1 for number in range(12)}


def test_a_chunk_that_kills_whoever_does_it_ends_the_job(tmp_path: Path):
    with pytest.raises(Unavailable) as told:
        list(run(chores(tmp_path, kills="always"), processes=2))
    assert told.value.code == "work_lost"
    assert told.value.params["chunk"] == 5
    assert Counter(number for number, _ in begun(tmp_path))[5] == 3
    assert have_ended(workers(tmp_path))


def test_whoever_stops_asking_ends_the_processes(tmp_path: Path):
    results = run(chores(tmp_path, count=500), processes=2)
    assert next(results) == [0, 0]
    assert any(map(is_alive, workers(tmp_path)))
    results.close()
    assert have_ended(workers(tmp_path))


def test_a_run_that_was_killed_leaves_no_process_and_goes_on_where_it_stopped(tmp_path: Path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED_MIDWAY)
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, script, tmp_path],
        env={**os.environ, "PYTHONPATH": path},
        check=False,
        capture_output=True,
    )
    assert done.returncode < 0, done.stderr
    assert have_ended(workers(tmp_path))
    kept = (tmp_path / "kept").read_bytes()
    had = kept.count(b"\n") - 1
    assert 4 <= had < 12, "all before the deadly one but what the other process had under way"
    (tmp_path / "kept").write_bytes(kept + b'{"chunk":11,"resu')  # torn, as a kill may leave it
    before = len(begun(tmp_path))
    assert list(run(chores(tmp_path), processes=1, resume=tmp_path / "kept")) == RESULTS
    assert len(begun(tmp_path)) - before == 12 - had
    assert (tmp_path / "kept").read_bytes().startswith(kept)
    assert list(run(chores(tmp_path), processes=1, resume=tmp_path / "kept")) == RESULTS
    assert len(begun(tmp_path)) - before == 12 - had, "nothing was left to do"


def workers(folder: Path) -> set[int]:
    """The processes that began a chore."""
    return {process for _, process in begun(folder)}


def have_ended(processes: set[int], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(is_alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return bool(processes) and not any(map(is_alive, processes))


def is_alive(process: int) -> bool:
    """Whether it runs: one that has ended may wait for somebody to ask how."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_results_of_another_run_are_refused_and_left_alone(tmp_path: Path):
    kept = tmp_path / "kept"
    list(run(chores(tmp_path), processes=1, resume=kept))
    before = kept.read_bytes()
    with pytest.raises(Unreadable, match="seed is 1 there, and 2 here"):
        list(run(chores(tmp_path, seed=2), processes=1, resume=kept))
    assert kept.read_bytes() == before


@pytest.mark.parametrize("content", ["a line\n", "no end of line", '{"kasta": 1}\n', "[]\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, content: str):
    kept = tmp_path / "kept"
    kept.write_text(content)
    with pytest.raises(Unreadable) as told:
        list(run(chores(tmp_path), processes=1, resume=kept))
    assert told.value.code == "not_results"
    assert kept.read_text() == content


def test_a_head_that_was_torn_is_written_anew(tmp_path: Path):
    kept = tmp_path / "kept"
    kept.write_text('{"kasta":"resu')
    assert list(run(chores(tmp_path), processes=1, resume=kept)) == RESULTS
    assert len(kept.read_text().splitlines()) == 13


def test_no_process_is_too_few(tmp_path: Path):
    with pytest.raises(Unreadable):
        list(run(chores(tmp_path), processes=0))


@pytest.mark.parametrize("address", ["nowhere", "foo://127.0.0.1:1"])
def test_an_address_of_no_cluster_is_refused(tmp_path: Path, address: str):
    with pytest.raises(Unavailable) as told:
        list(run(chores(tmp_path), cluster=address))
    assert told.value.code == "cluster_silent"


def test_a_worker_of_another_version_does_nothing(tmp_path: Path):
    from kasta.jobs.cluster import do_chunk

    chunk = chores(tmp_path).chunks[1]
    assert do_chunk(VERSION, do, chunk) == [1, 1]
    with pytest.raises(Unavailable) as told:
        do_chunk("0.0.1", do, chunk)
    assert told.value.params == {"have": VERSION, "wanted": "0.0.1"}


def test_a_cluster_needs_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "kasta.jobs.cluster", raising=False)
    with pytest.raises(NotInstalled, match=r"kasta\[cluster\]"):
        list(run(chores(tmp_path), cluster="tcp://127.0.0.1:1"))
