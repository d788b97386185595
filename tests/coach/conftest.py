"""Solutions are made in a folder of the tests, not in the user's."""

import pytest


@pytest.fixture(autouse=True)
def _own_folder(own_solutions: object) -> None:
    """For all tests of this folder."""
