"""What `pip install kasta` alone does not bring, and which extra does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kasta.errors import NotInstalled


@contextmanager
def extra(name: str, unless: str = "kasta") -> Iterator[None]:
    """Around imports of packages that come with an extra: where one is missing, say which extra.

    A module of Kasta that is missing, or of the package `unless`, is a fault, and stays one.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in {"kasta", unless}:
            raise
        raise NotInstalled("extra_missing", extra=name) from error
