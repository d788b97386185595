"""What choices are worth, as a page says it: in words, with a reason and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    best = options[0]
    rows = (_row(game, option, best, said) for option in options)
    return tuple(
        replace(row, reason=reason(game, sheet, row.do, str(best.action) if row.less else row.do, said))
        if explained is None or number < explained
        else row
        for number, row in enumerate(rows)
    )


def _row(game: AnyGame, option: Option[Any], best: Option[Any], said: Words) -> ChoiceRow:
    action = game.solo.read_action(option.action) if isinstance(option.action, str) else option.action
    return ChoiceRow(
        do=str(action),
        phrase=game.traits.phrase(action, said),
        value=said.decimal(option.value),
        less=said.decimal(best.value - option.value) if best.value - option.value >= SMALL else "",
        error=said.decimal(option.error) if option.error >= SMALL else "",
    )
