"""How much of the server one visitor may have. Far more than play needs: each is met only by a flood."""

from __future__ import annotations

import sys
from typing import NamedTuple


class Rate(NamedTuple):
    """So many at once, and when those are used up so many a second."""

    at_once: int
    a_second: float


class Limits(NamedTuple):
    """A device is a browser or program; a stranger is somebody without a seat at the table that is asked for.

    A hall shares one address, so only strangers are counted by it.
    """

    commands_a_device: Rate = Rate(300, 30)
    commands_a_table: Rate = Rate(20_000, 2_000)  # a hall that picks all at once
    changes_a_table: Rate = Rate(300, 5)  # what is neither play nor sitting down
    reads_a_device: Rate = Rate(600, 60)
    dear_reads_a_device: Rate = Rate(30, 1)  # records and proofs
    dear_reads_a_table: Rate = Rate(1_000, 50)
    requests_an_address: Rate = Rate(20_000, 1_000)  # of strangers: a hall that comes in all at once
    streams_a_device: int = 64  # at all tables
    connections_a_device: int = 64
    connections_an_address: int = 2_000  # of strangers
    files_kept_back: int = 128  # that connections never take: for the store, bots and what else is opened
    streams_of_connections: float = 0.9  # the rest is for what streams make people ask
    pipelined: int = 8  # requests that wait behind another one on their connection
    request_seconds: float = 20.0  # until a request is there, from the connection or its first byte on
    taking_seconds: float = 20.0  # how long an answer or stream may wait for somebody who takes nothing


def most_connections(limits: Limits) -> int:
    """As many as there can be open files, but for some that others need."""
    if sys.platform == "win32":
        return 10_000
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = sys.maxsize if soft == resource.RLIM_INFINITY else soft
    return max(most - limits.files_kept_back, most // 2)
