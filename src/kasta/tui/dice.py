"""The dice on a screen: where some may be kept, a tap or its number keeps a die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text
from textual.widgets import Static

from kasta.games.drawing import Drawing

WIDE, NARROW = 5, 3  # of a die, in letters


class DiceRow(Static):
    """Dice in a row; a kept one has a mark on its lower edge, and another colour."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.faces: tuple[int, ...] = ()
        self._kept: set[int] = set()
        self._verb = ""
        self._turn = 0
        self._may_keep = False

    def show(self, drawn: Drawing, faces: Sequence[int], turn: int, *, may_keep: bool) -> None:
        """The dice of a sheet: those that have not changed stay kept, and all stay until the next throw."""
        now = drawn.dice or (self.faces if turn == self._turn else tuple(faces))
        if now != self.faces:
            self._kept = {place for place in self._kept if self.faces[place : place + 1] == now[place : place + 1]}
        self.faces, self._verb, self._turn, self._may_keep = now, drawn.verb, turn, may_keep
        if not may_keep:
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
        self.turn_over(event.x // self._wide)

    def on_resize(self) -> None:
        self._draw()

    @property
    def _wide(self) -> int:
        return WIDE if WIDE * len(self.faces) <= (self.size.width or 80) else NARROW

    def _draw(self) -> None:
        rows, inside = [Text(), Text(), Text()], self._wide - 2
        for place, face in enumerate(self.faces):
            is_kept = place in self._kept
            left, line, right, low_left, low_right = "╔═╗╚╝" if is_kept else "┌─┐└┘"
            side, foot = ("║", "▲") if is_kept else ("│", line)
            above, middle, below = line * inside, f"{face:^{inside}}", f"{foot:{line}^{inside}}"
            die = (left + above + right, side + middle + side, low_left + below + low_right)
            for row, part in zip(rows, die, strict=True):
                row.append(part, "bold green" if is_kept else "bold")
        self.update(Text("\n").join(rows))
