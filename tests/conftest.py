"""Settings of all tests. `--rewrite` writes golden files and docs/errors.md anew, to be read and committed.

`--shuffle SEED` runs files, and the tests of each file, in another order: nothing leans on its neighbour.
"""

import gc
import os
import random
import runpy
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = [
    f"support.fixtures.{name}"
    for name in ("chromium", "golden", "left_behind", "servers", "solutions", "stores", "webkit")
]

settings.register_profile("kasta", deadline=None, max_examples=40)
settings.load_profile("kasta")

# A test that hangs fails. `make prove` and `make torture` give theirs more time.
os.environ.setdefault("PYTEST_TIMEOUT", "300")

# Commands speak the language of the terminal: tests read English unless they say otherwise.
os.environ["LANG"] = "C.UTF-8"
for variable in [name for name in os.environ if name.startswith("LC_")]:
    del os.environ[variable]

# A translation that was just written is the one that is tested.
runpy.run_path(str(Path(__file__).parents[1] / "hatch_build.py"))["compile_catalogues"]()


# What takes long begins first, so that no process is left alone with it at the end. Kernels are compiled by then.
LONG = (
    ("browser/*", "features/*/test_browser.py"),
    ("soak/*",),
    ("db/*", "results/*", "tables/test_nodes.py", "features/*/test_store.py", "features/*/test_results.py"),
    ("solve/*", "bots/*", "coach/*", "lab/*", "cli/test_worth.py", "tables/test_bot_*", "tables/test_coaching.py"),
    ("env/*",),
    ("bench/*",),
    ("edge/*", "live/*", "page/*", "features/*", "client/*"),
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    def turn(item: pytest.Item) -> int:
        path = item.path.relative_to(Path(__file__).parent).as_posix()
        matching = (number for number, paths in enumerate(LONG) if any(fnmatch(path, each) for each in paths))
        return next(matching, len(LONG))

    if (seed := config.getoption("--shuffle")) is not None:
        items[:] = _shuffled(items, seed)
    items.sort(key=turn)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was collected stays to the end: no search for garbage has to go through a million objects of it."""
    gc.freeze()


def _shuffled(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """All processes must come to the same order, so it depends on nothing but the seed."""
    rng = random.Random(seed)
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    files = list(by_file.values())
    rng.shuffle(files)
    for tests in files:
        rng.shuffle(tests)
    return [item for tests in files for item in tests]


def pytest_report_header(config: pytest.Config) -> list[str]:
    seed = config.getoption("--shuffle")
    return [] if seed is None else [f"in random order: --shuffle {seed}"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run tests in the order that this number makes")
    parser.addoption("--rewrite", action="store_true", help="write golden files anew")
