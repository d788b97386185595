"""Settings of all tests. `--rewrite` writes golden files and docs/errors.md anew, to be read and committed."""

import pytest
from hypothesis import settings

settings.register_profile("kasta", deadline=None, max_examples=60)
settings.load_profile("kasta")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write golden files anew")
