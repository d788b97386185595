"""Our own bots as an engine: what `kasta engine` says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from kasta.bots.base import bots_of, find_bot
from kasta.core import Throw
from kasta.engine.position import Position
from kasta.engine.protocol import EngineAnswer, describe, read_question, write_answer
from kasta.errors import KastaError
from kasta.games import find_game
from kasta.games.traits import AnyGame, find_valuer
from kasta.values import beside

ONES = 1  # what all dice show in the position that loads a game


def speak(lines: Iterable[str], say: Callable[[str], None], bot: str | None = None) -> None:
    """Answer line by line, until there are no more; by default with each game's strongest bot."""
    asked: list[str] = []
    for raw in lines:
        line = raw.rstrip("\r\n")
        word = line.partition(" ")[0]
        if word == "quit":
            return
        asked = [line] if word == "game" else [*asked, line]
        if word in ANSWERS:
            try:
                answer = ANSWERS[word](asked, bot)
            except KastaError as error:
                answer = [describe(error)]
            for each in answer:
                say(each)
            asked = []


def _introduce(_asked: list[str], bot: str | None) -> list[str]:
    return [f"name kasta {bot or 'best'}", "values", "ok"]


def _load(asked: list[str], bot: str | None) -> list[str]:
    """Decide something, so that whatever that needs is loaded or compiled."""
    game = find_game(*asked[-1].split(" ")[1:3])
    sheet = game.solo.start()
    throw = game.solo.next(sheet)
    if isinstance(throw, Throw):
        _choose(Position(game, sheet, ((ONES,) * throw.dice,)), bot, 0)
    return ["ok"]


def _answer(asked: list[str], bot: str | None) -> list[str]:
    question = read_question(asked)
    position = question.position
    action = _choose(position, bot, question.seed)
    gives_values = question.wants_values and position.game.traits.valuer
    options = (
        beside(find_valuer(position.game), position.sight.others_lack).options(position.sheet)
        if gives_values
        else ()
    )
    return list(write_answer(EngineAnswer(action, options)))


def _choose(position: Position, bot: str | None, seed: int) -> object:
    player = find_bot(bot or _strongest(position.game), position.game)
    return player.choose(position.sight, position.legal, Random(seed))  # noqa: S311 - lots, no secrets


def _strongest(game: AnyGame) -> str:
    return next(iter(bots_of(game).by_name))


ANSWERS: dict[str, Callable[[list[str], str | None], list[str]]] = {
    "kasta": _introduce,
    "load": _load,
    "go": _answer,
}
