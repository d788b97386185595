"""What choices are worth, as a page says it: in words, with a reason and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kasta.coach.reasons.reason import reason
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.values import Option

SMALL = 0.05  # points that are not worth a figure


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice: in words and in notation; `less` is how much less than the best one it is worth, if anything."""

    do: str
    phrase: str
    value: str
    less: str
    error: str
    reason: str = ""


def choice_rows(
    game: AnyGame,
    sheet: Any,  # noqa: ANN401 - of any game
    options: Sequence[Option[Any]],
    said: Words,
    explained: int | None = None,
) -> tuple[ChoiceRow, ...]:
    """Choices as rows, the best first; all with a reason, or so many."""
    told = len(options) if explained is None else explained
    return tuple(
        _row(game, option, options[0], said, sheet if i < told else None) for i, option in enumerate(options)
    )


def _row(game: AnyGame, option: Option[Any], best: Option[Any], said: Words, sheet: Any) -> ChoiceRow:  # noqa: ANN401
    action = game.solo.read_action(option.action) if isinstance(option.action, str) else option.action
    less, do = best.value - option.value, str(action)
    return ChoiceRow(
        do,
        phrase=game.traits.phrase(action, said),
        value=said.decimal(option.value),
        less=said.decimal(less) if less >= SMALL else "",
        error=said.decimal(option.error) if option.error >= SMALL else "",
        reason="" if sheet is None else reason(game, sheet, do, do, said),
    )
