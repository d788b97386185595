"""Why a choice is worth less than the best one, or what speaks for the best one: a sentence in any language.

What is said is computed from the rules, so it holds whatever the values are: which hands a line can still become,
what dice pay, how likely the next throw makes a box. Where nothing certain can be said, nothing is.
"""

from __future__ import annotations

from typing import Any

from kasta.games.traits import AnyGame, load
from kasta.i18n import Words


def reason(game: AnyGame, sheet: Any, chosen: Any, best: Any, said: Words) -> str:  # noqa: ANN401 - of any game
    """What `chosen` spoils, or what `best` brings instead; "" where the game has no reason to give.

    Actions may be given in notation. Where both are the same, it is what speaks for it.
    """
    if game.traits.reasons is None:
        return ""
    found: str = load(game.traits.reasons)(game, sheet, _action(game, chosen), _action(game, best), said)
    return found


def _action(game: AnyGame, action: Any) -> Any:  # noqa: ANN401 - of any game
    return game.solo.read_action(action) if isinstance(action, str) else action
