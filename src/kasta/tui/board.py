"""A sheet as a table of cells that can be chosen with the mouse, or with arrow keys and Enter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich.text import Text
from textual.widgets import DataTable

from kasta.core import Seat
from kasta.games.drawing import Block, DrawnGrid, Plain, Section, Spot
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.wire.tables import SeatState, TableState

Place = tuple[int, int]
Row = list[Text]
WIDE = 5  # a cell of a grid, in letters
OPEN, NOTHING, FILLED, DIM = "bold green", "yellow", "bold", "dim"


class SheetTable(DataTable[Text]):
    """The sheet that is looked at; upper and lower boxes stand side by side where the screen is low."""

    def __init__(self, said: Words) -> None:
        super().__init__(cursor_type="cell", zebra_stripes=False, show_row_labels=True)
        self._said = said
        self.spots: dict[Place, list[str]] = {}
        self.worthless: set[str] = set()  # what brings 0 points now
        self._shape: tuple[object, ...] = ()

    def actions_at(self, row: int, column: int) -> list[str]:
        """What choosing a cell could mean, in notation."""
        return self.spots.get((row, column), [])

    def show(
        self, game: AnyGame, state: TableState, seat: SeatState, sheets: Mapping[Seat, Any], height: int
    ) -> None:
        """Draw it anew in so many lines, and leave the cursor where it is."""
        spots = {text: game.traits.spot(game.solo.read_action(text)) for text in seat.legal}
        self.spots, self.worthless = {}, set()
        drawn = game.traits.draw(game.solo, sheets[seat.seat], self._said)
        match drawn:
            case DrawnGrid():
                columns, rows = self._grid(drawn, spots)
            case Block():
                others = [each for each in state.seats if each.seat != seat.seat]
                seats = {
                    each.seat: game.traits.draw(game.solo, sheets[each.seat], self._said)
                    for each in (seat, *others)
                }
                columns, rows = self._block(state, drawn, seats, spots, height)
            case Plain():
                columns, rows = [game.traits.heading(self._said)], self._plain(drawn, seat)
        self._fill(columns, rows, is_grid=isinstance(drawn, DrawnGrid))

    def _fill(self, columns: list[str], rows: list[Row], *, is_grid: bool) -> None:
        """Where the table has the same shape as before, only what differs is written."""
        shape = (tuple(columns), len(rows))
        if shape != self._shape:
            self._shape = shape
            self._build(columns, rows, is_grid=is_grid)
            return
        for y, row in enumerate(rows):
            for x, text in enumerate(row):
                old = self.get_cell_at((y, x))  # type: ignore[arg-type]
                if (old, old.style) != (text, text.style):
                    self.update_cell_at((y, x), text, update_width=not is_grid)  # type: ignore[arg-type]

    def _build(self, columns: list[str], rows: list[Row], *, is_grid: bool) -> None:
        self.clear(columns=True)
        self.cell_padding = 0 if is_grid else 1
        for number, name in enumerate(columns):
            self.add_column(name, width=WIDE if is_grid and 0 < number < len(columns) - 1 else None)
        for row in rows:
            self.add_row(*row, height=max(text.plain.count("\n") + 1 for text in row))
        self.move_cursor(row=0, column=1)

    def _plain(self, drawn: Plain, seat: SeatState) -> list[Row]:
        lines = drawn.text.splitlines()
        self.spots = {(len(lines) + i, 0): [action] for i, action in enumerate(seat.legal)}
        return [[Text(line)] for line in (*lines, *seat.legal)]

    # ---- a grid, with lines drawn between its cells

    def _grid(self, drawn: DrawnGrid, spots: Mapping[str, Spot]) -> tuple[list[str], list[Row]]:
        self._place_in_cells(drawn, spots)
        last, below = len(drawn.columns) - 1, len(drawn.rows) - 1
        names = [f"──{line.name}─{'┐' if x == last else '┬'}" for x, line in enumerate(drawn.columns)]
        rows = []
        for y, (line, cells) in enumerate(zip(drawn.rows, drawn.cells, strict=True)):
            row = [Text(f"{line.name} │\n  {'└' if y == below else '├'}")]
            for x, cell in enumerate(cells, 1):
                corner = ("┘" if y == below else "┤") if x == last + 1 else ("┴" if y == below else "┼")
                text = f"({cell.text})" if cell.is_circled else cell.text
                is_open = (y, x) in self.spots
                inside = (f"{text or ('·' if is_open else ''):^4}", OPEN if is_open else FILLED)
                row.append(Text.assemble(inside, (f"│\n────{corner}", DIM)))
            rows.append([*row, Text(f" {line.text}", "bold")])
        ends = [Text(f"{line.text:^4} ", "bold") for line in drawn.columns]
        rows.append([Text(""), *ends, Text(f"\\ {drawn.falling.text}".rstrip(), "bold")])
        rows.append([Text(""), *([Text("")] * len(ends)), Text(f"/ {drawn.rising.text}".rstrip(), "bold")])
        homeless = [text for text, spot in spots.items() if spot == Spot()]
        self.spots |= {(len(rows) + i, 1): [text] for i, text in enumerate(homeless)}
        rows += [[Text(""), Text(text, OPEN), *([Text("")] * len(ends))] for text in homeless]
        return ["  ┌", *names, "   "], rows

    def _place_in_cells(self, drawn: DrawnGrid, spots: Mapping[str, Spot]) -> None:
        places = {cell.name: (y, x) for y, cells in enumerate(drawn.cells) for x, cell in enumerate(cells, 1)}
        for text, spot in spots.items():
            if spot.cell is not None:
                self.spots.setdefault(places[spot.cell], []).append(text)

    # ---- boxes

    def _block(
        self,
        state: TableState,
        drawn: Block,
        seats: Mapping[Seat, Any],
        spots: Mapping[str, Spot],
        height: int,
    ) -> tuple[list[str], list[Row]]:
        """The boxes below each other, a column for each seat; where that is too high, one seat's side by side."""
        boxes = {spot.box: text for text, spot in spots.items() if spot.box}
        self.worthless = {text for box, text in boxes.items() if drawn.boxes[box].pays == "0"}
        names = {each.seat: each.name for each in state.seats}
        totals = {each.seat: each.total for each in state.seats}
        stacked = sum(len(section.rows) for section in drawn.sections) + 2
        if stacked <= height:
            rows = [
                row for i in range(len(drawn.sections)) for row in self._section(i, list(seats.values()), boxes)
            ]
            rows.append(self._total([totals[seat] for seat in seats]))
            self._place_boxes(rows, drawn.sections, boxes, 0)
            return ["", *(names[seat] for seat in seats)], rows
        own = next(iter(seats))
        parts = [self._section(i, [seats[own]], boxes) for i in range(len(drawn.sections))]
        parts[-1].append(self._total([totals[own]]))
        empty = [Text(""), Text("")]
        for column, section in enumerate(drawn.sections):
            self._place_boxes(parts[column], [section], boxes, 2 * column)
        rows = [[cell for part in row for cell in part] for row in zip_longest(*parts, fillvalue=empty)]
        return [text for section in drawn.sections for text in (section.heading, "")], rows

    def _section(self, number: int, drawn: Sequence[Block], boxes: Mapping[str, str]) -> list[Row]:
        """Rows of labels and of what stands there for each seat; a box that may be filled says what it brings."""
        mine = drawn[0].sections[number]
        rows = []
        for place, box in enumerate(mine.boxes):
            texts = [Text(each.sections[number].boxes[place].text, FILLED) for each in drawn]
            if box.name in boxes:
                texts[0] = Text(f"→ {box.pays}", NOTHING if box.pays == "0" else OPEN)
            rows.append([Text(box.label), *texts])
        for place, (label, _) in enumerate(mine.sums):
            rows.append([Text(label, DIM), *(Text(each.sections[number].sums[place][1], DIM) for each in drawn)])
        return rows

    def _total(self, totals: Sequence[int | None]) -> Row:
        return [
            Text(self._said.say("Total"), "bold"),
            *(Text("" if n is None else str(n), "bold") for n in totals),
        ]

    def _place_boxes(
        self, rows: Sequence[Row], sections: Sequence[Section], boxes: Mapping[str, str], column: int
    ) -> None:
        """Where a box can be chosen: on its label, and on what stands beside it."""
        by_label = {box.label: boxes[box.name] for each in sections for box in each.boxes if box.name in boxes}
        for y, row in enumerate(rows):
            if (text := by_label.get(row[0].plain)) is not None:
                self.spots[y, column] = self.spots[y, column + 1] = [text]
