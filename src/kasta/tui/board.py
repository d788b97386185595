"""A sheet as a table of cells that can be chosen with the mouse, or with arrow keys and Enter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from textual.widgets import DataTable

from kasta.core import Seat
from kasta.games.drawing import Block, DrawnGrid, Plain, Spot
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.wire.tables import SeatState, TableState

Place = tuple[int, int]
WIDE, HIGH = 5, 2  # of a grid's cells, in letters and lines


class SheetTable(DataTable[str]):
    """The sheet that is looked at; blocks stand side by side, as on paper."""

    def __init__(self, said: Words) -> None:
        super().__init__(cursor_type="cell", zebra_stripes=False, show_row_labels=True)
        self._said = said
        self.spots: dict[Place, list[str]] = {}
        self._shape: tuple[object, ...] = ()

    def actions_at(self, row: int, column: int) -> list[str]:
        """What choosing a cell could mean, in notation."""
        return self.spots.get((row, column), [])

    def show(self, game: AnyGame, state: TableState, seat: SeatState, sheets: Mapping[Seat, Any]) -> None:
        """Draw it anew, and leave the cursor where it is."""
        spots = {text: game.traits.spot(game.solo.read_action(text)) for text in seat.legal}
        self.spots = {}
        drawn = game.traits.draw(game.solo, sheets[seat.seat], self._said)
        match drawn:
            case DrawnGrid():
                columns = ["", *(line.name for line in drawn.columns), ""]
                rows = self._grid(drawn, spots)
            case Block():
                listed = sorted(state.seats, key=lambda each: each.seat != seat.seat)
                blocks = [game.traits.draw(game.solo, sheets[each.seat], self._said) for each in listed]
                columns = ["", *(each.name for each in listed)]
                rows = self._block(drawn, cast("list[Block]", blocks), spots)
            case Plain():
                columns, rows = [game.traits.heading(self._said)], self._plain(drawn, seat)
        self._fill(columns, rows, is_grid=isinstance(drawn, DrawnGrid))

    def _fill(self, columns: list[str], rows: list[list[str]], *, is_grid: bool) -> None:
        """Where the table has the same shape as before, only what differs is written."""
        shape = (tuple(columns), len(rows))
        if shape != self._shape:
            self._shape = shape
            self._build(columns, rows, is_grid=is_grid)
            return
        for y, row in enumerate(rows):
            for x, text in enumerate(row):
                if self.get_cell_at((y, x)) != text:  # type: ignore[arg-type]
                    self.update_cell_at((y, x), text, update_width=not is_grid)  # type: ignore[arg-type]

    def _build(self, columns: list[str], rows: list[list[str]], *, is_grid: bool) -> None:
        self.clear(columns=True)
        for number, name in enumerate(columns):
            self.add_column(name, width=WIDE if is_grid and number else None)
        for row in rows:
            self.add_row(*row, height=HIGH if is_grid else 1)
        self.move_cursor(row=0, column=1)

    def _plain(self, drawn: Plain, seat: SeatState) -> list[list[str]]:
        lines = drawn.text.splitlines()
        self.spots = {(len(lines) + i, 0): [action] for i, action in enumerate(seat.legal)}
        return [[line] for line in (*lines, *seat.legal)]

    def _grid(self, drawn: DrawnGrid, spots: Mapping[str, Spot]) -> list[list[str]]:
        self._place_in_cells(drawn, spots)
        rows = [
            [line.name, *(self._cell(cell.text, is_circled=cell.is_circled) for cell in cells), line.text]
            for line, cells in zip(drawn.rows, drawn.cells, strict=True)
        ]
        below = ["", *(line.text for line in drawn.columns), f"{drawn.falling.text}\\"]
        empty = [""] * len(drawn.columns)
        homeless = [text for text, spot in spots.items() if spot == Spot()]
        self.spots |= {(len(rows) + 2 + i, 1): [text] for i, text in enumerate(homeless)}
        return [*rows, below, ["", *empty, f"{drawn.rising.text}/"], *(["", text, *empty] for text in homeless)]

    def _place_in_cells(self, drawn: DrawnGrid, spots: Mapping[str, Spot]) -> None:
        places = {cell.name: (y, x) for y, cells in enumerate(drawn.cells) for x, cell in enumerate(cells, 1)}
        for text, spot in spots.items():
            if spot.cell is not None:
                self.spots.setdefault(places[spot.cell], []).append(text)

    @staticmethod
    def _cell(text: str, *, is_circled: bool) -> str:
        return f"({text})" if is_circled else text or "·"

    def _block(self, drawn: Block, columns: list[Block], spots: Mapping[str, Spot]) -> list[list[str]]:
        boxes = {spot.box: text for text, spot in spots.items() if spot.box}
        rows: list[list[str]] = []
        for number, section in enumerate(drawn.sections):
            for box in section.boxes:
                mine, *others = [each.boxes[box.name].text for each in columns]
                if box.name in boxes:
                    self.spots[len(rows), 1] = self.spots[len(rows), 0] = [boxes[box.name]]
                    mine = f"→ {box.pays}"
                rows.append([box.label, mine, *others])
            for place, (label, _) in enumerate(section.sums):
                rows.append([label, *(each.sections[number].sums[place][1] for each in columns)])
        return rows
