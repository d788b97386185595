"""How far a run is, where no terminal shows a bar."""

from __future__ import annotations

from kasta.cli.output.progress import ProgressLines


def test_a_line_a_minute_says_how_much_is_done_and_how_long_the_rest_takes():
    now, told = [0.0], list[str]()
    progress = ProgressLines("playing", told.append, lambda: now[0])
    for done in range(40, 101, 10):  # 40 were done by an earlier run; ten take 45 seconds
        progress(done, 100)
        now[0] += 45
    assert told == ["playing: 60 %, 0:03:00", "playing: 80 %, 0:01:30", "playing: 100 %, 0:00:00"]
