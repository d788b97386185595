"""What the games of results are called."""

from __future__ import annotations

from kasta.games import GAMES
from kasta.i18n import Words
from kasta.results.model import Ruled


def is_known(ruled: Ruled) -> bool:
    """A game of another package may no longer be installed."""
    return ruled[0] in GAMES and ruled[1] in GAMES[ruled[0]].rule_sets


def title_of(ruled: Ruled, words: Words) -> str:
    """What a game is called, with its rule set unless that is the usual one."""
    traits = GAMES[ruled[0]]
    title, rules = traits.heading(words), traits.rule_set_title(words, ruled[1])
    return title if ruled[1] == next(iter(traits.rule_sets)) else f"{title}, {rules}"
