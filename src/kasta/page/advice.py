"""Where on a table's page an action is done: what the coach points at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from kasta.core import Faces, Seat
from kasta.games.traits import AnyGame
from kasta.page.sheet_model import NOWHERE


def places_of(game: AnyGame, seat: Seat, action: Any, dice: Faces, legal: Iterable[Any]) -> tuple[str, ...]:  # noqa: ANN401
    """The ids of the cell, the box, the dice or the button that an action is done with."""
    spot = game.traits.spot(action)
    if spot.cell is not None:
        return (f"t-{seat}-{spot.cell}", *((f"l-{seat}-{quote(spot.line)}",) if spot.line else ()))
    if spot.box is not None:
        return (f"r-{seat}-{spot.box}",)
    if spot.dice is not None:
        return tuple(f"k-{place + 1}" for place in places_in(dice, spot.dice)) or ("again",)
    buttons = [each for each in legal if game.traits.spot(each) == NOWHERE]
    return (f"do-{buttons.index(action) + 1}",)


def places_in(dice: Faces, some: Faces) -> list[int]:
    """Where some of the dice lie, counted from 0."""
    left, found = list(some), []
    for place, face in enumerate(dice):
        if face in left:
            left.remove(face)
            found.append(place)
    return found
