"""The games and their rule sets by name; the first rule set is the default."""

from __future__ import annotations

from kasta.errors import Unreadable
from kasta.games.composers import AnyGame, InTurn, Shared
from kasta.games.knaster import Knaster
from kasta.games.knister import Knister
from kasta.games.yatzy import RULE_SETS, Yatzy

GAMES: dict[str, dict[str, AnyGame]] = {
    "knister": {"sheet": Shared(Knister())},
    "knaster": {"sheet": Shared(Knaster())},
    "yatzy": {name: InTurn(Yatzy(rules)) for name, rules in RULE_SETS.items()},
}


def find_game(name: str, rules: str = "sheet") -> AnyGame:
    """The game of that name with those rules."""
    if name not in GAMES:
        raise Unreadable("unknown_game", text=name, known=", ".join(GAMES))
    if rules not in GAMES[name]:
        raise Unreadable("unknown_rules", text=rules, game=name, known=", ".join(GAMES[name]))
    return GAMES[name][rules]
