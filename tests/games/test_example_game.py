"""The docs' example game works everywhere, although nothing in our source knows it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kasta.games import OURS
from support.others import EXAMPLE, install_example, run

ROOT = Path(__file__).parents[2]
RECORD = """\
{"kasta": 1, "game": "trappa", "rules": "six", "seats": ["Sarah", "Tim"]}
{"roll": [2]}
{"seat": 0, "do": "1"}
{"seat": 1, "do": "6"}
{"roll": [3]}
{"seat": 1, "do": "5"}
{"seat": 0, "do": "2"}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("packages"))


def test_the_page_shows_the_package_as_it_is():
    page = (ROOT / "docs/adding-a-game.md").read_text("utf-8")
    fences = re.findall(r"^(`{3,4})(?:python|toml|markdown)\n(.*?)^\1$", page, re.MULTILINE | re.DOTALL)
    shown = [text for _, text in fences]
    files = [path for path in EXAMPLE.rglob("*") if path.suffix in {".py", ".toml", ".md"}]
    assert len(files) == 4
    for path in files:
        text = path.read_text("utf-8")
        parts = [block for block in shown if block in text]
        rest = text
        for block in parts:
            rest = rest.replace(block, "", 1)
        assert not rest.strip(), f"{path.name}: the page does not show\n{rest}"


def test_nothing_in_our_source_knows_it():
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in {".py", ".html", ".js", ".css", ".po"}:
            assert "trappa" not in path.read_text("utf-8").lower(), path


def test_commands_play_it(installed: Path, tmp_path: Path):
    assert run(installed, "kasta", "rules", "trappa").startswith("Trappa\n══")
    assert "1 3 4 . 6 ." in run(installed, "kasta", "rules", "trappa")
    assert "Total                       2" in run(installed, "kasta", "score", "trappa", given="1 2 . 4 5 .")
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD)
    replayed = json.loads(run(installed, "kasta", "replay", str(record), "--json"))
    assert [seat["total"] for seat in replayed["seats"]] == [1, 0]
    simulated = json.loads(
        run(installed, "kasta", "simulate", "trappa", "--bot", "greedy", "--games", "20", "--json")
    )
    assert 1 < simulated["mean"] <= 5


def test_a_game_without_values_says_that_it_has_no_coach(installed: Path, tmp_path: Path):
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD)
    asked = f"import kasta; kasta.review(kasta.walk(open(r'{record}', 'rb')))"
    with pytest.raises(AssertionError, match="This game has no coach yet"):
        run(installed, "python", "-c", asked)


def test_the_contract_suites_hold_for_it(installed: Path):
    suites = [str(ROOT / "tests/games/test_contract.py"), str(ROOT / "tests/tables/test_export.py")]
    told = run(installed, "pytest", "-q", "-p", "no:cacheprovider", "-k", "trappa", *suites)
    assert int(re.findall(r"(\d+) passed", told)[0]) > 20


TRAINING = """
import gymnasium, kasta.env
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test
from kasta.env.zoo import parallel_env

check_env(gymnasium.make("kasta/Trappa-v0").unwrapped)
vector = gymnasium.make_vec("kasta/Trappa-v0", num_envs=3)
observation, info = vector.reset(seed=1)
assert observation["observation"].shape == (3, 7), observation
parallel_api_test(parallel_env("trappa", agents=3), num_cycles=100)
print("trained")
"""


def test_players_can_be_trained_on_it(installed: Path):
    assert "trained" in run(installed, "python", "-W", "ignore", "-c", TRAINING)


def test_a_package_that_cannot_be_loaded_keeps_nobody_from_playing(tmp_path: Path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kasta.games]\nbroken = no_such_module:TRAITS\n")
    ask = "from kasta import GAMES; print('broken' in GAMES, *(game.name for game in GAMES.working()))"
    told = run(tmp_path, "python", "-W", "ignore", "-c", ask)
    assert told.split() == ["True", *OURS]
