"""Words of the games that templates look up by name, so that whoever collects messages can find them."""

from __future__ import annotations

from kasta.games.knaster import CIRCLES, VERDICTS
from kasta.games.knister import POINTS
from kasta.games.yatzy import BOXES

_ROLLING = ("Roll", "Your turn to roll", "{name} rolls", "throws")
_WORDS = {
    "knister": [*POINTS, "good", "very_good", "outstanding", *_ROLLING],
    "knaster": ["pair", *CIRCLES, *VERDICTS],
    "yatzy": [*BOXES, *_ROLLING],
}
TERMS = [(game, word.replace("_", " ")) for game, words in _WORDS.items() for word in words]
