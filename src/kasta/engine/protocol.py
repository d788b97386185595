"""The lines between Kasta and an engine, written and read for both sides (docs/engines.md)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kasta.core import Faces
from kasta.engine.position import Position
from kasta.errors import KastaError, Unavailable, Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.values import Option

VERSION = 1
MOST_OTHERS = 20  # sheets of others that are told: a question must fit into a pipe
MOST_VALUES = 10_000
LONGEST_LINE = 1_000
MILLISECONDS = 10_000  # to answer, where nobody says


@dataclass(frozen=True, slots=True)
class Introduction:
    """What an engine says of itself."""

    name: str | None = None
    gives_values: bool = False


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """What an engine does, and what it thinks that the actions are worth, best first, if it said so."""

    action: Any
    options: Sequence[Option[Any]] = ()


@dataclass(frozen=True, slots=True)
class EngineQuestion:
    """A position as an engine is asked about it: who draws lots draws the same ones for the same `seed`."""

    position: Position
    seed: int = 0
    milliseconds: int = MILLISECONDS
    wants_values: bool = False


def write_question(question: EngineQuestion) -> Iterator[str]:
    """The lines that ask an engine, from `game` to `go`."""
    position = question.position
    game, solo = position.game, position.game.solo
    yield f"game {game.name} {game.rules}"
    yield from (f"sheet {line}" for line in solo.write_sheet(position.before).splitlines())
    for number, other in enumerate(position.others[:MOST_OTHERS], 1):
        yield f"other {number}"
        yield from (f"other {number} {line}" for line in solo.write_sheet(other).splitlines())
    if position.last:
        yield "last"
    for step in position.since:
        yield f"do {step}" if isinstance(step, str) else f"roll {' '.join(map(str, step))}"
    yield f"seed {question.seed}"
    yield from (f"legal {action}" for action in position.legal)
    yield f"go {question.milliseconds}{' values' if question.wants_values else ''}"


def read_question(lines: Iterable[str]) -> EngineQuestion:
    """The question that lines ask; the last one is `go`. Words that are not known are passed over."""
    words = [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]
    told = dict(words)
    if "game" not in told:
        raise Unreadable("missing_key", key="game")
    game = find_game(*told["game"].split(" ", 1))
    before = game.solo.read_sheet("\n".join(rest for word, rest in words if word == "sheet"))
    position = Position(game, before, tuple(_since(words)), "last" in told, _others(game, words))
    milliseconds, *wishes = told.get("go", "").split() or [str(MILLISECONDS)]
    return EngineQuestion(
        _checked(position), _number(told.get("seed", "0")), _number(milliseconds), "values" in wishes
    )


def _since(words: Iterable[tuple[str, str]]) -> Iterator[Faces | str]:
    for word, rest in words:
        if word == "roll":
            yield tuple(map(_number, rest.split()))
        elif word == "do":
            yield rest


def _others(game: AnyGame, words: Iterable[tuple[str, str]]) -> tuple[Any, ...]:
    rows: dict[str, list[str]] = {}
    for number, _, row in (rest.partition(" ") for word, rest in words if word == "other"):
        rows.setdefault(number, []).extend([row] if row else [])
    return tuple(game.solo.read_sheet("\n".join(each)) for each in rows.values())


def _checked(position: Position) -> Position:
    """The same position; `Unreadable` where nothing can be done in it."""
    if not position.legal:
        raise Unreadable("nothing_to_decide", seat=0)
    return position


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_LINE):
        raise Unreadable("wrong_type", key=text[:40], wanted="a number")
    return int(text)


def write_answer(answer: EngineAnswer) -> Iterator[str]:
    """What each action is worth, as far as it is known, and the one that is done."""
    yield from (f"value {option.value!r} {option.error!r} {option.action}" for option in answer.options)
    yield f"do {answer.action}"


def read_introduction(lines: Iterable[str]) -> Introduction:
    """What an engine says of itself before `ok`."""
    name, gives_values = None, False
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "name":
            name = rest.strip()[:40] or None
        gives_values |= word == "values"
    return Introduction(name, gives_values)


def read_answer(lines: Sequence[str], position: Position) -> EngineAnswer:
    """The action that an engine takes; `Unavailable` where it means nothing, or is against the rules."""
    legal = {str(action): action for action in position.legal}
    options = [_read_value(line, legal) for line in lines if line.startswith("value ")]
    text = lines[-1].removeprefix("do ")
    if text not in legal:
        raise Unavailable("engine_illegal", text=text[:40])
    return EngineAnswer(legal[text], sorted(options, key=lambda option: -option.value))


def _read_value(line: str, legal: dict[str, Any]) -> Option[Any]:
    try:
        _, value, error, text = line.split(" ", 3)
        found = Option(legal[text], float(value), float(error))
    except (ValueError, KeyError):
        raise Unavailable("engine_garbled", text=line[:40]) from None
    if not (math.isfinite(found.value) and math.isfinite(found.error)):
        raise Unavailable("engine_garbled", text=line[:40])
    return found


def describe(error: KastaError) -> str:
    """An error as an engine tells it, in one line."""
    return f"error {' '.join(str(error).split())}"
