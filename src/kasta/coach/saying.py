"""A review in sentences, for terminals: the same on the command line and at the end of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kasta.coach.names import class_name, mark_name
from kasta.coach.review import SeatReview
from kasta.games.traits import AnyGame
from kasta.i18n import DEFAULT, Words

if TYPE_CHECKING:
    from kasta.coach.reviewed import SeatTold

SHOWN = 0.005  # points
_DICE = re.compile("[\N{DIE FACE-1}-\N{DIE FACE-6}]+")


def figure(value: float, digits: int, said: Words, *, sign: bool = False) -> str:
    """A number as the language writes it."""
    text = f"{value:{'+' if sign else ''},.{digits}f}"
    if said.language == DEFAULT:
        return text
    thousands = "." if said.language == "de" else "\N{NO-BREAK SPACE}"
    return text.translate({ord(","): thousands, ord("."): ","})


def plus_minus(error: float, digits: int, said: Words) -> str:
    return f" ± {figure(error, digits, said)}" if error else ""


def sums_said(one: SeatReview | SeatTold, said: Words) -> str:
    """What was expected, what the dice brought, and what was given away."""
    parts = [
        said.say("{points} expected", points=figure(one.expected, 2, said)),
        said.say("{points} luck", points=figure(one.luck, 2, said, sign=True)),
        said.say("{points} given away", points=figure(-one.lost, 2, said, sign=True)),
    ]
    if abs(one.early) >= SHOWN:
        parts.append(said.say("{points} by the others' pace", points=figure(one.early, 2, said, sign=True)))
    if abs(one.drift) >= SHOWN:
        parts.append(said.say("{points} drift", points=figure(one.drift, 2, said, sign=True)))
    return " ".join(parts)


def rate_said(rate: float | None, code: str | None, said: Words) -> Iterator[str]:
    """What an open decision gave away, and who plays like that; nothing where there was none."""
    if rate is not None:
        blanks = {"points": figure(rate, 2, said), "name": class_name(code or "", said)}
        yield said.say("{points} points given away in an open decision: {name}", **blanks)


def action_said(game: AnyGame, do: str, said: Words) -> str:
    """An action as people say it in a terminal; in English, that is its notation."""
    if said.language == DEFAULT:
        return do
    return _DICE.sub(_digits, game.traits.phrase(game.solo.read_action(do), said))


def _digits(dice: re.Match[str]) -> str:
    """Drawn dice are too small for a terminal, and no screen reader says them well."""
    return " ".join(str(ord(sign) - ord("\N{DIE FACE-1}") + 1) for sign in dice[0])


def choice_said(do: str, best: str, lost: float, error: float, mark: str | None, said: Words) -> str:
    """What was done, what was better, and by how much."""
    marked = f", {mark_name(mark, said)}" if mark else ""
    if not lost:
        return f"{do}: {said.say('best')}{marked}"
    instead = said.say("{do} instead of {best}", do=do, best=best)
    return f"{instead}: {figure(-lost, 2, said, sign=True)}{plus_minus(error, 2, said)}{marked}"
