"""What a page knows of a person's games before the one that it shows."""

from __future__ import annotations

from kasta.structs import Struct


class Past(Struct, frozen=True):
    """Games by the same rules: the last `totals`, the oldest first, and the `best` with its day; all before `day`.

    `badges` are the codes of those that this game has earned, and none before it. `is_first` if there was no game.
    """

    totals: tuple[int, ...] = ()
    best: int | None = None
    best_day: str = ""
    day: str = ""
    badges: tuple[str, ...] = ()
    is_first: bool = False


UNKNOWN_PAST = Past()
