"""What `pip install kasta` alone does not bring, and which extra does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kasta.errors import NotInstalled


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around imports of packages that come with an extra: where one is missing, say which extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "kasta":
            raise
        raise NotInstalled("extra_missing", extra=name) from error
