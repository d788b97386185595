"""The same match on a cluster, also when a worker is killed midway."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.dask_workers import two_workers
from kasta import find_game
from kasta.engine.match import MatchScore, play_match


def played(players: tuple[str, str], games: int, processes: int) -> MatchScore:
    match = play_match(find_game("knister"), players, games=games, seed=5, to_the_end=True, processes=processes)
    return [score for score, _ in match][-1]


def played_while_one_dies(players: tuple[str, str], games: int, folder: Path) -> MatchScore:
    """After a third of the games one of two workers is killed."""
    with two_workers(folder) as (address, workers):
        match = play_match(find_game("knister"), players, games=games, seed=5, to_the_end=True, cluster=address)
        for score, _ in match:
            if score.games == games // 3:
                workers[0].kill()
                workers[0].wait()
    return score


def test_a_cluster_comes_to_the_same_when_a_worker_is_killed_midway(tmp_path: Path):
    players = ("anything", "anything")
    assert played_while_one_dies(players, 120, tmp_path).totals == played(players, 120, 1).totals


@pytest.mark.prove
def test_a_long_match_is_the_same_with_one_process_two_and_a_cluster_that_loses_a_worker(tmp_path: Path):
    players = ("quick", "greedy")
    one = played(players, 10_000, 1)
    assert one.games == 10_000
    assert one.stronger == 0
    assert played(players, 10_000, 2).totals == one.totals
    assert played_while_one_dies(players, 10_000, tmp_path).totals == one.totals
