"""Every address that the server answers at, those of features, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from kasta.app import OURS
from kasta.edge import health
from kasta.live import routes


class Address(NamedTuple):
    """A method and a path. `is_stream`: its answer does not end."""

    method: str
    path: str
    is_api: bool
    is_stream: bool


def every_address(filled: Mapping[str, str]) -> Iterator[Address]:
    """With values in place of the names in paths; what has none gets an x."""
    handlers = [("", page) for each in OURS for page in each.pages]
    handlers += [("/api", call) for each in OURS for call in each.api]
    handlers += [("", page) for page in (*routes.HANDLERS, *health.HANDLERS)]
    for before, handler in handlers:
        for path, method in product(sorted(handler.paths), sorted(handler.http_methods)):
            address = re.sub(r"\{(\w+)(:\w+)?\}", lambda found: filled.get(found[1], "x"), before + path)
            yield Address(str(method), address, bool(before), path.endswith("/stream"))
