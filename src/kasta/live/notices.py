"""Notices: what a device may be told while nobody looks at its pages, such as that it is somebody's turn.

Features tell and withdraw them here, and need not know how they are sent, or whether at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kasta.i18n import Words
from kasta.messages import Note

Saying = Callable[[Words], str]
"""Something in the language of whoever reads it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a lock screen shows: no names, no throws.

    Of one `topic` a device shows only the last notice, and is told of it once as long as `once` stays the same.
    """

    kind: str
    device: str
    topic: str
    once: str
    title: Saying
    text: Saying
    address: str  # the path that it leads to


class Notices:
    """Kinds of notices by name, each with what people call it, and whoever sends them."""

    def __init__(self) -> None:
        self.kinds: dict[str, Note] = {}
        self.send: Callable[[Notice], None] = lambda _notice: None
        self.withdraw: Callable[[str, str], None] = lambda _device, _topic: None
