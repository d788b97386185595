"""Sheets as HTML, put together by hand: a pick's answer holds a whole sheet, and must cost next to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from urllib.parse import quote

from markupsafe import Markup, escape

from kasta.core import Seat
from kasta.games.drawing import Feast
from kasta.i18n import Words
from kasta.table.state import Table
from kasta.table.view import SeatView
from kasta.web.sheets import (
    BlockPart,
    BoxPart,
    CellPart,
    Drawn,
    GridPart,
    LinePart,
    PlainPart,
    SectionPart,
    written,
)
from kasta.web.table_page import SheetPart

DIGIT_WIDTH, DIGIT_HEIGHT = 60, 100  # of the figures in components/pencil.html
RING = Markup('<svg class="ring" viewBox="0 0 100 100" aria-hidden="true"><use href="#ring"/></svg>')
TWICE = "×2"  # noqa: RUF001 - as it is printed
MOST_WRITTEN = 1000
MOST_GRIDS = 500
ANY_SEAT = "\0"  # no page holds one
MOST_ROWS = 8  # in half a block; in a longer one they are lower


@lru_cache(MOST_WRITTEN)
def pencil(text: str) -> Markup:
    """A number as a hand writes it, and as text for those who hear it; any other text as it is."""
    if not text.isascii() or not text.isdigit():
        return escape(text)
    figures = (f'<use href="#d{digit}" x="{DIGIT_WIDTH * place}"/>' for place, digit in enumerate(text))
    return Markup(  # noqa: S704 - digits
        f'<svg class="pencil" viewBox="0 0 {DIGIT_WIDTH * len(text)} {DIGIT_HEIGHT}" aria-hidden="true">'
        f'{"".join(figures)}</svg><span class="hidden">{text}</span>'
    )


def drawn(said: Words, sheet: SheetPart, columns: Sequence[SheetPart] = ()) -> Markup:
    """A sheet; where it is a block, with the columns of all players, its own among them."""
    match sheet.drawn.part:
        case GridPart() as grid:
            html = _grid(grid, sheet, said)
        case BlockPart() as block:
            html = _block(block.halves, sheet, columns or (sheet,)) + _total(sheet.seat, sheet.total, said)
        case PlainPart(text):
            label = escape(said.say("Sheet of {name}", name=sheet.name))
            html = f'<figure class="plain" aria-label="{label}"><pre>{escape(text)}</pre></figure>'
            html += _total(sheet.seat, sheet.total, said)
    return Markup(html)  # noqa: S704 - escaped where it is put together


def newly_written(table: Table, own: SeatView, said: Words) -> list[str] | None:
    """Of one's own grid what a pick on this throw has changed, and the total; None where it is no grid."""
    found = written(table, own.seat, said)
    if found is None:
        return None
    cells, lines = found
    return [
        *(_cell(cell, own.seat, is_mine=True) for cell in cells),
        *(_line_box(line, own.seat, said, is_mine=True) for line in lines),
        _total(own.seat, own.total, said),
    ]


def play_form(table: str, turn: int, sheet: SheetPart) -> Markup:
    """What the cells and boxes of one's own sheet are sent with."""
    mode = (sheet.drawn.part.mode, sheet.drawn.part.sum) if isinstance(sheet.drawn.part, GridPart) else None
    return form_of_play(table, turn, sheet.seat, sheet.step, mode, moves=sheet.may.move_pick)


def form_of_play(
    table: str, turn: int, seat: Seat, step: int, mode: tuple[str, str] | None, *, moves: bool
) -> Markup:
    """The same; a grid's `mode` is whether cells may be tapped, and the sum of the throw."""
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{value}">'
        for name, value in (("turn", turn), ("seat", seat), ("step", step))
    )
    about = f' data-mode="{mode[0]}" data-sum="{escape(mode[1])}"' if mode else ""
    return Markup(  # noqa: S704 - numbers, and an id of ours
        f'<form data-piece id="play" method="post" action="/t/{escape(table)}/play" data-live{about}'
        f"{' data-moves' * moves}>{fields}</form>"
    )


def compared(columns: Sequence[SheetPart]) -> Markup:
    """The columns of all players side by side, none of them to be tapped."""
    blocks = [each.drawn.part for each in columns if isinstance(each.drawn.part, BlockPart)]
    return Markup(_block((blocks[0].sections,), None, columns))  # noqa: S704 - escaped where it is put together


def _total(seat: Seat, total: int | None, said: Words) -> str:
    """Its place is kept while totals are secret."""
    shown = f"{escape(said.say('Total'))} <strong>{total}</strong>" if total is not None else ""
    return f'<p data-piece id="total-{seat}" class="total">{shown}</p>'


def _moment(feast: Feast | None, points: str) -> str:
    """What the page calls out, and counts up at the end, on one's own sheet."""
    called = f' data-feast="{feast.size}" data-call="{escape(feast.call)}"' if feast else ""
    return called + (f' data-points="{escape(points)}"' if points else "")


# ---- grids


def _grid(grid: GridPart, sheet: SheetPart, said: Words) -> str:
    side, caption = len(grid.columns), escape(said.say("Sheet of {name}", name=sheet.name))
    return (
        f'<table class="grid"><caption class="hidden">{caption}</caption>'
        f'<colgroup><col class="edge"><col class="square" span="{side}"><col></colgroup>'
        f'<tr><td class="above" colspan="{side + 1}">{_total(sheet.seat, sheet.total, said)}</td>'
        f"{_numbers(sheet.drawn, said, is_mine=sheet.is_mine).replace(ANY_SEAT, str(sheet.seat))}</table>"
    )


@lru_cache(MOST_GRIDS)
def _numbers(drawn: Drawn, said: Words, *, is_mine: bool) -> str:
    """What is written on a grid, without its owner: all who come to a table begin with the same."""
    if not isinstance(grid := drawn.part, GridPart):
        raise TypeError("no grid")
    rows = "".join(
        f'<tr><th scope="row">{end.line.name}</th>'
        f"{''.join(_cell(each, ANY_SEAT, is_mine=is_mine) for each in cells)}"
        f"{_line_box(end, ANY_SEAT, said, is_mine=is_mine)}</tr>"
        for end, cells in grid.rows
    )
    below = "".join(_line_box(end, ANY_SEAT, said, is_mine=is_mine) for end in (*grid.columns, grid.falling))
    return f"{_line_box(grid.rising, ANY_SEAT, said, is_mine=is_mine)}</tr>{rows}<tr><td></td>{below}</tr>"


def _cell(tap: CellPart, seat: int | str, *, is_mine: bool) -> str:
    """A cell: a button on one's own sheet, still on those of others."""
    cell = tap.cell
    kind = " taken" * bool(cell.text) + " circled" * cell.is_circled + " fresh" * tap.is_fresh
    written = pencil(cell.text) + RING if cell.is_circled else pencil(cell.text)
    if is_mine:
        on = f' data-on="{tap.on}"' if tap.on else ""
        inside = (
            f'<button form="play" name="do" value="{escape(tap.do)}" id="c-{seat}-{cell.name}"'
            f' aria-label="{escape(cell.label)}"{on}{"" if tap.is_live else " disabled"}>{written}</button>'
        )
    else:
        inside = f'<span class="still" role="img" aria-label="{escape(cell.label)}">{written}</span>'
    return f'<td data-piece id="t-{seat}-{cell.name}" class="cell{kind}">{inside}</td>'


def _line_box(end: LinePart, seat: int | str, said: Words, *, is_mine: bool) -> str:
    """The box of a line: its points, or where to begin drawing its circles."""
    line = end.line
    name = quote(line.name)
    kind = " earned" * line.is_earned + " fresh" * end.is_fresh + " double" * line.is_double
    kind += " serving" * end.is_serving + " owes" * bool(end.owes)
    hand = f"<small>{escape(line.hand)}</small>" if line.hand else ""
    sentence = escape(line.sentence)
    if end.owes and not end.is_serving and is_mine:
        begin = escape(said.say("{number} to circle: begin here", number=end.owes))
        inside = (
            f'<a class="serve" href="?seat={seat}&amp;serve={name}" data-serve="{escape(line.name)}">'
            f'<b aria-hidden="true">{end.owes}</b><span aria-hidden="true">{hand}</span>'
            f'<span class="hidden">{sentence}. {begin}</span></a>'
        )
    else:
        text = pencil(line.text) if line.is_earned else line.text or TWICE * line.is_double
        inside = (
            f'<div class="inside"><span title="{escape(line.hand)}" aria-hidden="true">{text}</span>'
            f'<span class="hand" aria-hidden="true">{hand if line.is_earned else ""}</span></div>'
            f'<span class="hidden">{sentence}</span>'
        )
    moment = _moment(line.feast, line.text * line.is_earned) if is_mine else ""
    return f'<td data-piece id="l-{seat}-{name}" class="box{kind}"{moment}>{inside}</td>'


# ---- blocks


def _block(parts: Sequence[Sequence[SectionPart]], mine: SheetPart | None, columns: Sequence[SheetPart]) -> str:
    """Tables of sections, in parts that stand side by side. Of the columns, `mine` is the one that phones show."""
    rows, last = _Rows(mine, columns), parts[-1][-1]
    halves = (
        "".join(
            rows.section(f"{half}-{place}", each, rows.third if each is last else 0)
            for place, each in enumerate(sections)
        )
        for half, sections in enumerate(parts)
    )
    kind = " several" * (len(columns) > 1) + " long" * any(sum(map(len, half)) > MOST_ROWS for half in parts)
    return f'<div class="blocks{kind}">{"".join(f"<div>{half}</div>" for half in halves)}</div>'


class _Rows:
    """The rows of a block, each with a place in every column."""

    def __init__(self, mine: SheetPart | None, columns: Sequence[SheetPart]) -> None:
        self.columns = columns
        self.key = mine.seat if mine else "all"
        self.kinds = {each.seat: "own" if mine is None or mine is each else "theirs" for each in columns}
        self.taps = {mine.seat} if mine and mine.is_mine else set()
        blocks = {each.seat: each.drawn.part for each in columns if isinstance(each.drawn.part, BlockPart)}
        self.boxes = {seat: {tap.box.name: tap for tap in block.boxes} for seat, block in blocks.items()}
        self.sums = {seat: dict(chain(*(each.sums for each in block.sections))) for seat, block in blocks.items()}
        self.third = len(next(iter(blocks.values())).sections[-1].boxes) // 2

    def section(self, place: str, part: SectionPart, third: int) -> str:
        """A table; so many boxes at its end are a third column on low screens."""
        caption = f"<caption>{escape(part.heading)}</caption>" if part.heading else ""
        boxes = [self._box_row(each) for each in part.boxes]
        if third:
            boxes.insert(-third, "</tbody><tbody>")
        sums = "".join(self._sum_row(f"{place}-{number}", label) for number, (label, _) in enumerate(part.sums))
        return f'<table class="block">{caption}{self._names()}<tbody>{"".join(boxes)}{sums}</tbody></table>'

    def _names(self) -> str:
        if len(self.columns) == 1:
            return ""
        heads = (
            f'<th scope="col" class="{self.kinds[each.seat]}"><span class="mark seat{each.seat % 8}"'
            f' aria-hidden="true">{each.shape}</span> {escape(each.name)}</th>'
            for each in self.columns
        )
        return f'<thead class="names"><tr><td></td>{"".join(heads)}</tr></thead>'

    def _box_row(self, tap: BoxPart) -> str:
        box = tap.box
        cells = "".join(self._box(seat, boxes[box.name]) for seat, boxes in self.boxes.items())
        moment = _moment(box.feast, box.text) if self.taps else ""
        fresh = ' class="fresh"' if tap.is_fresh and self.taps else ""
        return (
            f'<tr data-piece id="r-{self.key}-{box.name}"{fresh}{moment}>'
            f'<th scope="row">{escape(box.label)}</th>{cells}</tr>'
        )

    def _sum_row(self, number: str, label: str) -> str:
        cells = "".join(
            f'<td class="{self.kinds[seat]}">{escape(sums[label])}</td>' for seat, sums in self.sums.items()
        )
        return (
            f'<tr data-piece id="s-{self.key}-{number}" class="sum">'
            f'<th scope="row">{escape(label)}</th>{cells}</tr>'
        )

    def _box(self, seat: int, tap: BoxPart) -> str:
        """What stands in a box, or what one's own would pay."""
        box = tap.box
        inside = str(pencil(box.text))
        if tap.do is not None and seat in self.taps:
            inside = (
                f'<button form="play" name="do" value="{escape(tap.do)}" id="b-{seat}-{box.name}"'
                f' class="pay{" nil" if box.pays == "0" else ""}">'
                f'<span class="hidden">{escape(box.label)}: </span>'
                f'<span class="worth">{escape(box.pays)}</span></button>'
            )
        return f'<td class="{self.kinds[seat]}{" fresh" if tap.is_fresh else ""}">{inside}</td>'
