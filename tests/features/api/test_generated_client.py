"""A client that openapi-python-client makes of our description plays whole games: `make test-generated`.

The generator has an environment of its own, since it wants older packages than ours.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from support.visitors import Server, faultless

pytestmark = pytest.mark.prove

GENERATOR = Path(os.environ.get("KASTA_TEST_GENERATOR", Path(sys.prefix) / "generator")) / "bin"
SETTINGS = {"content_type_overrides": {"application/jsonl": "application/octet-stream"}, "post_hooks": []}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not GENERATOR.exists() and not os.environ.get("CI"):
        pytest.skip("make test-generated makes the generator's environment")
    with faultless(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def generated(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package `generated_client`."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "settings.json").write_text(json.dumps(SETTINGS), "utf-8")
    command: list[str | Path] = [GENERATOR / "openapi-python-client", "generate", "--meta", "none"]
    command += ["--url", f"{server.url}/api/openapi.json", "--output-path", folder / "generated_client"]
    command += ["--config", folder / "settings.json", "--fail-on-warning"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("game", ["knister", "yatzy"])
def test_a_generated_client_plays_a_whole_game(server: Server, generated: Path, game: str):
    command: list[str | Path] = [
        GENERATOR / "python",
        Path(__file__).with_name("generated_player.py"),
        server.url,
        game,
    ]
    done = subprocess.run(command, env={"PYTHONPATH": str(generated)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    state = httpx.get(f"{server.url}/api/tables/{told['table']}").json()
    assert (state["next"], state["seats"][0]["total"]) == ("over", told["total"])
    assert told["refused"] == "table_closed"


def test_every_answer_has_a_type(generated: Path):
    answers = list((generated / "generated_client/api/default").glob("*.py"))
    assert len(answers) > 30
    untyped = {path.stem for path in answers if re.search(r"Response\[Any|-> Any", path.read_text("utf-8"))}
    assert untyped == {"play"}  # whose answer may be empty: this generator knows no other type for that
