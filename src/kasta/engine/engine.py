"""A program of somebody's, driven from Python."""

from __future__ import annotations

from typing import Any, Self

from kasta.coach.advice import seat_to_act
from kasta.core import Seat
from kasta.engine.position import Position, turns_after
from kasta.engine.process import EngineProcess
from kasta.errors import Unreadable
from kasta.record import Source, walk
from kasta.values import Option


class Engine:
    """A program that speaks the protocol of engines: it is started by its command, and asked about positions.

    A position is the end of a record: a path, an open file, or its text. `seat` is needed only where several seats
    still have to act. If the program fails, `Unavailable` is raised; the next question starts it again.

    An engine can play, too: `kasta.play` takes it as a player, and `kasta.match` its command.
    """

    def __init__(self, command: str, *, seconds: float = 10.0) -> None:
        self.command, self._process = command, EngineProcess(command, seconds)

    @property
    def name(self) -> str:
        """The name that the program gives itself."""
        self._process.start()
        return self._process.name

    def play(self, record: Source, seat: Seat | None = None) -> Any:  # noqa: ANN401 - an action of any game
        """The action that it chooses at the end of a record."""
        return self.answer(self._position(record, seat))

    def analyse(self, record: Source, seat: Seat | None = None) -> list[Option[Any]]:
        """Its value of every legal action; `Unreadable` if it does not give values."""
        answer = self._process.ask(self._position(record, seat), wants_values=True)
        if not answer.options:
            raise Unreadable("engine_no_values", text=str(answer.action))
        return list(answer.options)

    def answer(self, position: Position, seed: int = 0) -> Any:  # noqa: ANN401
        """What it does in a position; `seed` is for engines that draw lots."""
        return self._process.ask(position, seed).action

    def quit(self) -> None:
        """End the program. Another question starts it again."""
        self._process.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.quit()

    @staticmethod
    def _position(record: Source, seat: Seat | None) -> Position:
        moments = list(walk(record))
        return turns_after(moments, seat_to_act(moments[-1], seat)).position(seat_to_act(moments[-1], seat))
