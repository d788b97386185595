"""Yatzy's bots: it is solved, so they differ only in how often they err, and in what they play for."""

from collections.abc import Sequence
from random import Random

from kasta.bots.base import SIMPLE, Bots, Greedy, Sight
from kasta.bots.by_value import Best, ByValue, ToWin
from kasta.games.block import Action, Fill, Keep


class Collector:
    """Keeps most of a kind while it may throw again, the highest first; then takes what pays most."""

    def choose(self, view: Sight, legal: Sequence[Action], rng: Random) -> Action:
        same = [action for action in legal if isinstance(action, Keep) and len(set(action.dice)) == 1]
        if not same:
            paid: Action = Greedy().choose(view, legal, rng)
            return paid
        return max(same, key=lambda action: (len(action.dice), action.dice))


class Spokesman(Collector):
    """As a collector, but dice that are all the same are written, not thrown again."""

    def choose(self, view: Sight, legal: Sequence[Action], rng: Random) -> Action:
        is_whole = len(set(view.sheet.dice)) == 1
        fills = [action for action in legal if isinstance(action, Fill)]
        return super().choose(view, fills if is_whole and fills else legal, rng)


BOTS = Bots(
    {
        "best": Best(),
        "strong": ByValue(0.5),
        "middling": ByValue(1.0),
        "weak": ByValue(2.0),
        "winner": ToWin(),
        **SIMPLE,
    },
    {level: level for level in ("best", "strong", "middling", "weak")},
    glances={1: Collector()},
    stand_in="best",
    spokesman=Spokesman(),
)
