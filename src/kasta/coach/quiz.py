"""Learn from your mistakes: the decisions that gave something away, asked again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kasta.coach.marks import BAD_MARKS, DOUBTFUL, least_marked, mark
from kasta.coach.review import Move
from kasta.core import Faces
from kasta.games.traits import AnyGame
from kasta.values import Option


@dataclass(frozen=True, slots=True)
class Question:
    """A decision as it was; `options` are all answers in notation, best first.

    An answer counts as right if it gives away less than `tolerance`: in a review, with the error of what was
    done, it would get no mark.
    """

    line: int
    round: int
    roll: Faces
    sheet: Any  # with the dice on it
    did: str
    options: tuple[Option[str], ...]
    tolerance: float

    @property
    def best(self) -> str:
        return self.options[0].action

    def option(self, do: str) -> Option[str]:
        """What an answer is worth."""
        return next(option for option in self.options if option.action == do)

    def lost(self, do: str) -> float:
        """What an answer gives away."""
        return self.options[0].value - self.option(do).value

    def is_right(self, do: str) -> bool:
        return self.lost(do) < self.tolerance


def questions(moves: Iterable[Move], spread: float) -> list[Question]:
    """The decisions that are marked as giving something away, in the order of the game."""
    return [
        question(move, least_marked(DOUBTFUL, spread, move.error))
        for move in moves
        if mark(move, spread) in BAD_MARKS
    ]


def question(move: Move, tolerance: float) -> Question:
    options = tuple(Option(str(action), value, error) for action, value, error in move.options)
    return Question(move.line, move.round, move.roll, move.sheet, move.do, options, tolerance)


def read_answer(game: AnyGame, asked: Question, text: str) -> str:
    """An answer in notation as its options have it; `Unreadable` or `Illegal` for what is none."""
    action = game.solo.read_action(" ".join(text.split()))
    game.solo.act(asked.sheet, action)
    return str(action)
