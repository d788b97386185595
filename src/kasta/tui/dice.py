"""The dice on a screen: where some may be kept, a tap or its number keeps a die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.widgets import Static

from kasta.games.traits import AnyGame
from kasta.i18n import Words

FACES = "⚀⚁⚂⚃⚄⚅"


class DiceRow(Static):
    """Dice in a row; below each one a mark if it is kept."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.faces: tuple[int, ...] = ()
        self._kept: set[int] = set()
        self._verb = ""
        self._may_keep = False

    def show(self, game: AnyGame, sheet: Any, faces: Sequence[int], said: Words) -> None:  # noqa: ANN401
        """The dice of a sheet: those that have not changed stay kept."""
        drawn = game.traits.draw(game.solo, sheet, said)
        now = drawn.dice or tuple(faces)
        if now != self.faces:
            self._kept = {place for place in self._kept if self.faces[place : place + 1] == now[place : place + 1]}
        self.faces, self._verb = now, drawn.verb
        self._may_keep = any(game.traits.spot(action).dice is not None for action in game.solo.legal(sheet))
        if not self._may_keep:
            self._kept = set()
        self._draw()

    @property
    def action(self) -> str | None:
        """Throw the others again, in notation; None where that cannot be."""
        if not self._may_keep or len(self._kept) == len(self.faces):
            return None
        return " ".join([self._verb, *map(str, sorted(self.faces[place] for place in self._kept))])

    def turn_over(self, place: int) -> None:
        """Keep a die, or do not."""
        if self._may_keep and place < len(self.faces):
            self._kept ^= {place}
            self._draw()

    def on_click(self, event: Any) -> None:  # noqa: ANN401 - Textual's
        self.turn_over(event.x // 4)

    def _draw(self) -> None:
        above = "".join(f"{FACES[face - 1]} {face} " for face in self.faces)
        below = "".join(" ▲  " if place in self._kept else "    " for place in range(len(self.faces)))
        self.update(f"{above}\n{below}")
