"""Settings of all tests. `--rewrite` writes golden files and docs/errors.md anew, to be read and committed."""

import runpy
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kasta", deadline=None, max_examples=40)
settings.load_profile("kasta")

# A translation that was just written is the one that is tested.
runpy.run_path(str(Path(__file__).parents[1] / "hatch_build.py"))["compile_catalogues"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write golden files anew")
