"""What the nodes that serve one store must know of each other: a node is a process, here or on another machine.

Nothing of it outlives them for long. Nodes have clocks of their own, so a store compares only times that it has
set itself; what it answers is in this process's time, `time.monotonic()`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kasta.core import Seat

BEAT_SECONDS = 2.0  # how often a node says that it lives
DEAD_SECONDS = 6.0  # without a sign of life, others act in its place
KEPT_SECONDS = 600.0  # how long it is known who was present
LONGEST_COUNT = 3_600.0  # for how long something is counted at most: what ends later was set by another clock

Here = tuple[str, str]
"""A table and a device that follows it."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A device came to a table at another node, and was surely there until then."""

    came: float
    until: float


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody says that a seat is theirs, and shows the same two digits as the host sees."""

    seat: Seat
    device: str
    digits: int
    until: float


@dataclass(frozen=True, slots=True)
class Around:
    """What is known about a table beside its log and beside who is present at the node that asks."""

    stays: Mapping[str, Stay] = field(default_factory=dict)  # the last one of each device
    claims: Sequence[Claim] = ()


class ClusterState(ABC):
    """Presence, claims, limits and who acts at a table, for all nodes of a store."""

    @abstractmethod
    async def beat(self, node: str, changes: Mapping[Here, bool]) -> None:
        """The node lives. Since it last said so, devices have come to tables (True) or gone from them."""

    @abstractmethod
    async def around(self, node: str, tables: Collection[str]) -> dict[str, Around]:
        """What a node cannot know by itself. Tables without any of it are left out."""

    @abstractmethod
    async def take(self, table: str, node: str) -> bool:
        """Whether the node is now the one that acts at a table; it is until it gives that back, or dies."""

    @abstractmethod
    async def give_back(self, tables: Collection[str], node: str) -> None: ...

    @abstractmethod
    async def claim(self, table: str, claim: Claim) -> bool:
        """Put a claim in place of the device's last one; False if another shows these digits for the seat."""

    @abstractmethod
    async def drop_claims(self, table: str, seat: Seat) -> None: ...

    @abstractmethod
    async def hit(self, key: str, most: int, seconds: float) -> int:
        """Count one more, of so many in a time that begins with the first: how many seconds to wait, 0 if none."""

    @abstractmethod
    async def wait(self, key: str, most: int) -> int:
        """How many seconds to wait before the next would be counted."""

    @abstractmethod
    async def sweep(self) -> None:
        """Forget what is over."""
