"""A sheet on which an answer is given: by a tap on a cell or box, by choosing dice, or by a button."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kasta.core import Faces
from kasta.games.drawing import Drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.sheet_model import drawing_of


@dataclass(frozen=True, slots=True)
class QuizBoard:
    """coach/board.html: a sheet, with what a tap on a cell or box answers.

    Dice that are chosen are answered after `verb`; buttons have notation and label.
    """

    drawn: Drawing
    taps: Mapping[str, str]
    dice: Faces
    shows_sum: bool  # of the dice
    hint: str
    verb: str
    buttons: tuple[tuple[str, str], ...]


def board(game: AnyGame, sheet: Any, roll: Faces, said: Words) -> QuizBoard:  # noqa: ANN401 - of any game
    """A sheet that waits for an answer, with every answer in its place."""
    drawn, traits, legal = drawing_of(game, sheet, said), game.traits, game.solo.legal(sheet)
    keeps = [action for action in legal if traits.spot(action).dice is not None]
    taps, buttons = _sorted_out(game, legal)
    return QuizBoard(
        drawn,
        taps,
        drawn.dice or roll,
        traits.shows == "sum",
        traits.hint(game.solo, sheet, said),
        drawn.verb if keeps else "",
        tuple((str(action), traits.phrase(action, said)) for action in buttons),
    )


def _sorted_out(game: AnyGame, legal: Sequence[Any]) -> tuple[dict[str, str], list[Any]]:
    """What taps do by cell or box, and what needs a button: it has no place, or shares it with others."""
    placed = defaultdict[str | None, list[Any]](list)
    for action in legal:
        spot = game.traits.spot(action)
        if spot.dice is None:
            placed[spot.cell or spot.box].append(action)
    homeless = placed.pop(None, [])
    taps = {place: str(actions[0]) for place, actions in placed.items() if place and len(actions) == 1}
    several = [action for actions in placed.values() if len(actions) > 1 for action in actions]
    return taps, several + homeless
