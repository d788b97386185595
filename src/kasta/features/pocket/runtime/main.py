"""The program in the worker: questions come as JSON, and go back answered."""

from __future__ import annotations

import json

from browser import self as scope  # type: ignore[attr-defined]  # of Brython
from kasta.features.pocket.runtime.answers import Pocket
from kasta.features.pocket.runtime.chance import Chance
from kasta.features.pocket.runtime.hints import Rest, Values, values_name
from kasta.features.pocket.runtime.standard import TEXTS
from kasta.features.pocket.runtime.templates import render
from kasta.games.traits import AnyGame
from kasta.page.component import use_templates

use_templates(render)


class StoredValues(Values):
    """Those that this device has."""

    def has(self, game: AnyGame) -> bool:
        return bool(scope.kastaHasValues(values_name(game)))

    def rest(self, name: str) -> Rest:
        return lambda mask, holds, upper: float(scope.kastaRest(name, mask, holds, upper))


chance = Chance(lambda below: scope.kastaRandom(below))  # noqa: PLW0108 - tests have numbers of their own
pocket = Pocket(chance.dice, chance, StoredValues())


def learn(language: str, texts: str) -> None:
    TEXTS[language] = json.loads(texts)


def answer(question: str) -> str:
    return json.dumps(pocket.ask(json.loads(question)), ensure_ascii=False)


scope.kastaLearn, scope.kastaAnswer = learn, answer
