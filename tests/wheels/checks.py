"""What must work with each extra. Run by the Python that the wheel is installed for, away from the source tree.

    python checks.py web [--timed]

Only the standard library and what the extra brings may be imported here.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError

HERE = Path(tempfile.mkdtemp())
RECORD = """\
{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Sarah"]}
{"roll": [3, 5]}
"""
SLOWEST_IMPORT_SECONDS = 0.1


def kasta(*words: str, given: str = "", fails: bool = False) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "kasta", *words], cwd=HERE, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == (1 if fails else 0), (words, done.stderr)
    return done.stderr if fails else done.stdout


def needs(extra: str, *words: str) -> None:
    said = kasta(*words, fails=True)
    assert said == f"This needs an extra: pip install 'kasta[{extra}]'. (unavailable: extra_missing)\n", (
        words,
        said,
    )


def without_extras() -> None:
    for missing in ("babel", "gymnasium", "kasta_values", "litestar", "msgspec", "numpy", "pyspiel"):
        assert find_spec(missing) is None, missing
    assert "knister" in kasta()
    assert "rules" in kasta("--help")
    assert kasta("--version").startswith("kasta ")
    assert kasta("rules", "knaster", "--lang", "sv").startswith("Knaster")
    assert json.loads(kasta("score", "yatzy", "--json", given="2 2 5 5 5"))["game"] == "yatzy"
    assert "not over" in kasta("replay", "game.jsonl")
    assert kasta("verify", "game.jsonl").startswith("unproven")
    for command in ("serve", "store check"):
        needs("web", *command.split())
    for command in (
        "advise knister game.jsonl",
        "review game.jsonl",
        "solve yatzy",
        "simulate yatzy",
        "train knister",
    ):
        needs("solve", *command.split())
    needs("cluster", "match", "greedy", "greedy", "--cluster", "tcp://127.0.0.1:1")
    names_all()
    for module, extra in (("gym", "rl"), ("batch", "rl"), ("knister_v0", "rl"), ("spiel", "openspiel")):
        said = refusal(f"kasta.env.{module}")
        assert f"kasta[{extra}]" in said, (module, said)


def names_all() -> None:
    """`from kasta import *` works, as in a notebook; what needs an extra says so when it is called."""
    code = "from kasta import *; simulate('yatzy')"
    done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, check=False)
    assert done.stderr.endswith("This needs an extra: pip install 'kasta[solve]'.\n"), done.stderr


def refusal(module: str) -> str:
    try:
        import_module(module)
    except ImportError as error:
        return str(error)
    return ""


def imports_little() -> None:
    """Whatever the machine is busy with: `imports_quickly` needs a quiet one."""
    code = "import sys; old = set(sys.modules); import kasta; print(*(set(sys.modules) - old))"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], cwd=HERE, text=True).split())
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names <= {"immutables", "kasta"}
    assert not loaded & {"asyncio", "email", "importlib.metadata", "logging"}, loaded


def imports_quickly() -> None:
    """The best of ten: what slows one down is somebody else's work."""
    code = "import time; begun = time.perf_counter(); import kasta; print(time.perf_counter() - begun)"
    best = min(float(subprocess.check_output([sys.executable, "-c", code], cwd=HERE)) for _ in range(10))
    print(f"import kasta: {best:.3f} s")
    assert best < SLOWEST_IMPORT_SECONDS, best


def web() -> None:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    store = f"sqlite:///{HERE}/kasta.sqlite"
    command = [sys.executable, "-u", "-m", "kasta", "serve", "--port", str(port), "--store", store]
    with subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline().startswith("Kasta is at")
            for language, word in (("en", "Throw the dice"), ("sv", "Kasta tärningarna")):
                assert word in page(port, language), language
        finally:
            server.terminate()
    assert "All is well" in kasta("store", "check", "--store", store)


def page(port: int, language: str) -> str:
    """The home page. The server says where it is a moment before it answers."""
    address = f"http://127.0.0.1:{port}/"
    request = urllib.request.Request(address, headers={"accept-language": language})
    for _ in range(100):
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310
                return str(answer.read().decode())
        except URLError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


def postgres() -> None:
    from kasta.db.postgres.log import PostgresLog

    assert PostgresLog.__name__ == "PostgresLog"


def knows_values() -> None:
    """Quicker than advice, which compiles for a while when it is first asked for."""
    from kasta import find_game, find_valuer

    assert find_valuer(find_game("knister"))


def solve() -> None:
    assert len(json.loads(kasta("advise", "knister", "game.jsonl", "--json"))["actions"]) == 25


def rl() -> None:
    import gymnasium

    import kasta.env.knister_v0

    env = gymnasium.make("kasta/Knister-v0")
    observation, _ = env.reset(seed=1)
    env.step(int(observation["action_mask"].argmax()))
    assert kasta.env.knister_v0.parallel_env().possible_agents


def openspiel() -> None:
    import pyspiel

    import kasta.env.spiel

    assert kasta.env.spiel
    assert pyspiel.load_game("kasta_knister").num_players() == 1


def cluster() -> None:
    said = kasta("match", "greedy", "greedy", "--cluster", "nowhere", fails=True)
    assert "cluster_silent" in said, said


CHECKS: dict[str, list[Callable[[], None]]] = {
    "": [without_extras, imports_little],
    "web": [web],
    "postgres": [web, postgres],
    "solve": [solve],
    "rl": [solve, rl],
    "openspiel": [openspiel],
    "cluster": [cluster],
    "all": [imports_little, web, postgres, knows_values, rl, openspiel, cluster],
}

if __name__ == "__main__":
    (HERE / "game.jsonl").write_text(RECORD, "utf-8")
    for check in CHECKS[sys.argv[1]]:
        check()
    if "--timed" in sys.argv:
        imports_quickly()
