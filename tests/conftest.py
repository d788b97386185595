"""Settings of all tests. `--rewrite` writes golden files and docs/errors.md anew, to be read and committed."""

import os
import runpy
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = [
    f"support.fixtures.{name}" for name in ("chromium", "golden", "servers", "solutions", "stores", "webkit")
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def turn(item: pytest.Item) -> int:
        path = item.path.relative_to(Path(__file__).parent).as_posix()
        matching = (number for number, paths in enumerate(LONG) if any(fnmatch(path, each) for each in paths))
        return next(matching, len(LONG))

    items.sort(key=turn)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write golden files anew")
