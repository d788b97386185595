"""The sheets of a table's page: what stands in the slots of each, and what its owner taps there."""

# ruff: noqa: A002, FBT001 - children have positional arguments, named as the attributes of the page

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache, wraps
from itertools import chain
from urllib.parse import quote

from markupsafe import Markup, escape

from kasta.core import Seat
from kasta.games.drawing import Box, DrawnCell, DrawnLine, Feast, Plain, Section, Tap
from kasta.i18n import GRID, MOST_GAMES, Words
from kasta.page.component import Child, Fragment, known, marked
from kasta.page.sheet_html import block_table, figures, grid_table, pencil, plain, row, seat_mark
from kasta.page.sheet_model import BlockPart, GridPart, height
from kasta.page.table_page import PlayerPart, SheetPart
from kasta.page.tray_html import move_fields

RING = Markup('<svg class="ring" viewBox="0 0 100 100" aria-hidden="true"><use href="#ring"/></svg>')
CRAYON = Markup(
    '<svg class="under" viewBox="0 0 100 12" preserveAspectRatio="none">'
    '<path pathLength="1" d="M2 4C30 1 70 1 98 3"/><path pathLength="1" d="M8 10C36 7 66 7 94 9"/></svg>'
    '<svg class="ring" viewBox="0 0 100 100" preserveAspectRatio="none"><use href="#ring"/></svg>'
    '<svg class="rays" viewBox="0 0 120 100" preserveAspectRatio="none">'
    '<path d="M60 2V12M60 88V98M4 50H14M106 50H116M20 12L27 20M93 80L100 88M100 12L93 20M27 80L20 88"/></svg>'
)
TWICE = "×2"  # noqa: RUF001 - as it is printed
MOST_CELLS = 20_000
MOST_FRAMES = 1_000
ANY_SEAT, CAPTION = "\1", "\2"  # no page holds them
NO_TAP = Tap("")
MOST_ROWS = 8  # in half a block; in a longer one they are lower


def mine(
    said: Words,
    id: str,
    turn: int,
    sheet: SheetPart | None,
    columns: tuple[SheetPart, ...],
    tabs: tuple[PlayerPart, ...],
) -> Fragment:
    """The sheet of this device: of one of its players, where there are several."""
    children: dict[str, Child] = {"tabs": (_tabs, (said, tabs, sheet.seat if sheet else None), ())}
    inside, fresh = "", list[str]()
    if sheet:
        paper = drawn(said, sheet, columns)
        children["play"] = _play_form, (id, turn, sheet), ()
        children |= paper.children
        inside = f'{marked("play")}<div class="paper">{paper.frame}</div>'
        fresh = ["play", *paper.fresh, f"total-{sheet.seat}"] if paper.fresh else []
    label = escape(said.term(_kind(sheet), "Your sheet"))
    return Fragment(f'<section id="mine" aria-label="{label}">{marked("tabs")}{inside}</section>', children, fresh)


def _kind(sheet: SheetPart | None) -> str:
    """Which words a sheet is spoken of with."""
    return GRID if sheet and isinstance(sheet.drawn.part, GridPart) else MOST_GAMES


def drawn(said: Words, sheet: SheetPart, columns: Sequence[SheetPart] = ()) -> Fragment:
    """A sheet; where it is a block, with the columns of all players, its own among them."""
    total, caption = f"total-{sheet.seat}", escape(said.term(_kind(sheet), "Sheet of {name}", name=sheet.name))
    match sheet.drawn.part:
        case GridPart() as grid:
            made = _grid(grid, sheet, said, caption)
        case BlockPart() as block:
            made = _block(block.halves, sheet, columns or (sheet,))
            made.frame += marked(total)
        case Plain() as text:
            made = Fragment(plain(text, f' aria-label="{caption}"') + marked(total), {})
    make = _total
    if sheet.is_over and sheet.is_mine:
        make, made.frame = _reached, made.frame.replace(marked(total), "") + marked(total)
    made.children[total] = make, (sheet.seat, sheet.total, said), ()
    return made


def compared(columns: Sequence[SheetPart]) -> Fragment:
    """The columns of all players side by side, none of them to be tapped."""
    return _block((_blocks(columns)[0].block.sections,), None, columns)


def _tabs(said: Words, tabs: tuple[PlayerPart, ...], seat: Seat | None) -> str:
    """The players who share this device."""
    due = f' <span class="due" title="{escape(said.say("still has to pick"))}">✎</span>' if tabs else ""
    here = ' aria-current="true"'
    links = (
        f'<a href="?seat={each.seat}" data-seat="{each.seat}" data-name="{escape(each.name)}"'
        f"{here * (each.seat == seat)}{' data-throws' * each.is_throwing}>"
        f"{seat_mark(each.seat)} {escape(each.name)}{due * each.is_due}</a>"
        for each in tabs
    )
    return (
        f'<nav data-piece id="tabs" class="tabs" aria-label="{escape(said.say("Players at this device"))}"'
        f"{'' if tabs else ' hidden'}>{''.join(links)}</nav>"
    )


def _play_form(table: str, turn: int, sheet: SheetPart) -> str:
    """What the cells and boxes of one's own sheet are sent with."""
    part = sheet.drawn.part
    about = f' data-mode="{part.mode}" data-sum="{escape(part.sum)}"' if isinstance(part, GridPart) else ""
    return (
        f'<form data-piece id="play" method="post" action="/t/{table}/play" data-live{about}'
        f"{' data-moves' * sheet.may.move_pick}>{move_fields(turn, sheet.seat, sheet.step)}</form>"
    )


def _total(seat: Seat, total: int | None, said: Words) -> str:
    """Its place is kept while totals are secret."""
    shown = f"{escape(said.say('Total'))} <strong>{total}</strong>" if total is not None else ""
    return f'<p data-piece id="total-{seat}" class="total">{shown}</p>'


def _reached(seat: Seat, total: int | None, said: Words) -> str:
    """The total at the end: written, and ringed or underlined by what it is worth."""
    return (
        f'<p data-piece id="total-{seat}" class="total reached">'
        f"{escape(said.say('Total'))} <strong>{total}</strong>"
        f'<span class="figure" aria-hidden="true">{figures(str(total))}{CRAYON}</span></p>'
    )


def _moment(feast: Feast | None, points: str) -> str:
    """What the page calls out, and counts up at the end, on one's own sheet."""
    called = f' data-feast="{feast.size}" data-call="{escape(feast.call)}"' if feast else ""
    return called + (f' data-points="{escape(points)}"' if points else "")


# ---- grids


def _grid(part: GridPart, sheet: SheetPart, said: Words, caption: str) -> Fragment:
    seat, is_mine, grid = sheet.seat, sheet.is_mine, part.grid
    cells = [cell for row in grid.cells for cell in row]
    lines = [*grid.rows, grid.rising, *grid.columns, grid.falling]
    names = tuple([cell.name for cell in cells]), tuple([line.name for line in lines])
    frame, cell_keys, line_keys = _grid_frame(seat, len(grid.columns), *names)
    children: dict[str, Child] = {
        key: (_cell, (seat, cell, tap, cell.name in part.fresh, is_mine and cell.name in part.won), (is_live,))
        for key, cell, (tap, is_live) in zip(cell_keys, cells, _taps(cells, part, is_mine=is_mine), strict=True)
    }
    for key, line in zip(line_keys, lines, strict=True):
        may_begin = is_mine and line.name in part.owing
        is_fresh, is_serving = line.name in part.earned, line.name == part.serving
        children[key] = _line_box, (seat, line, may_begin, is_fresh, is_serving, said, is_mine), ()
    new = part.fresh | part.won
    fresh = [key for key, cell in zip(cell_keys, cells, strict=True) if cell.name in new]
    fresh += [key for key, line in zip(line_keys, lines, strict=True) if line.name in part.changed]
    return Fragment(frame.replace(CAPTION, str(caption)), children, fresh)


@lru_cache(MOST_FRAMES)
def _grid_frame(
    seat: Seat, side: int, cells: tuple[str, ...], lines: tuple[str, ...]
) -> tuple[str, list[str], list[str]]:
    """A grid with marks for cells and boxes, and their ids; `lines` are rows, a diagonal, columns, a diagonal."""
    cell_keys = [f"t-{seat}-{name}" for name in cells]
    box_keys = [f"l-{seat}-{_quoted(name)}" for name in lines]
    marks, boxes = [*map(marked, cell_keys)], [*map(marked, box_keys)]
    rows = (
        row(lines[place], "".join(marks[place * side : (place + 1) * side]) + boxes[place])
        for place in range(side)
    )
    head = (
        f'<colgroup><col class="edge"><col class="square" span="{side}"><col></colgroup>'
        f'<tr><td class="above" colspan="{side + 1}">{marked(f"total-{seat}")}</td>{boxes[side]}</tr>'
    )
    letters = "".join(f'<th scope="col">{escape(name)}</th>' for name in lines[side + 1 : 2 * side + 1])
    head += f'<tr class="letters"><td></td>{letters}<td></td></tr>'
    foot = f"<tr><td></td>{''.join(boxes[side + 1 :])}</tr>"
    return grid_table('class="grid"', CAPTION, head, rows, foot), cell_keys, box_keys


def _taps(cells: Sequence[DrawnCell], part: GridPart, *, is_mine: bool) -> list[tuple[Tap | None, bool]]:
    """What a tap on each cell does, and on which sum only, if any; and whether it can be tapped now."""
    if not is_mine:
        return [(None, False)] * len(cells)
    if part.owing:
        return [(Tap(part.taps.get(cell.name, "")), cell.name in part.taps) for cell in cells]
    taps = [cell.tap or NO_TAP for cell in cells]
    free = {cell.name for cell in cells if cell.tap} - part.fresh if part.mode == "throw" else set[str]()
    return [
        (tap, cell.name in free and (not tap.on or str(tap.on) == part.sum))
        for cell, tap in zip(cells, taps, strict=True)
    ]


def _for_any_seat(draw: Callable[..., str]) -> Callable[..., str]:
    """What is drawn is kept for all seats: their number is filled in."""
    kept = lru_cache(MOST_CELLS)(draw)

    @wraps(kept)
    def drawn(seat: Seat, *arguments: Hashable) -> str:
        return kept(*arguments).replace(ANY_SEAT, str(seat))

    return drawn


@_for_any_seat
def _cell(cell: DrawnCell, tap: Tap | None, is_fresh: bool, is_won: bool, is_live: bool) -> str:
    """A cell: on one's own sheet a button, on those of others without a `tap`."""
    label, written = escape(cell.label), pencil(cell.text) + RING if cell.is_circled else pencil(cell.text)
    if tap is None:
        inside = f'<span class="still" role="img" aria-label="{label}">{written}</span>'
    else:
        when = (f' data-on="{tap.on}"' if tap.on else "") + ("" if is_live else known(" disabled"))
        inside = (
            f'<button form="play" name="do" value="{escape(tap.do)}" id="c-{ANY_SEAT}-{cell.name}"'
            f' aria-label="{label}"{when}>{written}</button>'
        )
    kind = " taken" * bool(cell.text) + " circled" * cell.is_circled + " fresh" * is_fresh + " won" * is_won
    return f'<td data-piece id="t-{ANY_SEAT}-{cell.name}" class="cell{kind}">{inside}</td>'


_quoted = cache(quote)


@_for_any_seat
def _line_box(
    line: DrawnLine, may_begin: bool, is_fresh: bool, is_serving: bool, said: Words, is_mine: bool
) -> str:
    """The box of a line: its points, or how many circles it still brings, and where to begin drawing them."""
    name = _quoted(line.name)
    kind = " earned" * line.is_earned + " fresh" * is_fresh + " double" * line.is_double
    kind += " serving" * is_serving + " owes" * bool(line.owes)
    hand = f"<small>{escape(line.hand)}</small>" if line.hand else ""
    sentence = escape(line.sentence)
    circles = f'<b class="circles">{line.owes}</b>' if line.owes else ""
    if may_begin and not is_serving:
        begin = escape(said.say("{number} to circle: begin here", number=line.owes))
        inside = (
            f'<a class="serve" href="?seat={ANY_SEAT}&amp;serve={name}" data-serve="{escape(line.name)}">'
            f'<span aria-hidden="true">{circles}</span><span class="hand" aria-hidden="true">{hand}</span>'
            f'<span class="hidden">{sentence}. {begin}</span></a>'
        )
    else:
        text = circles or (pencil(line.text) if line.is_earned else line.text or TWICE * line.is_double)
        inside = (
            f'<div class="inside"><span title="{escape(line.hand)}" aria-hidden="true">{text}</span>'
            f'<span class="hand" aria-hidden="true">{hand if line.is_earned else ""}</span></div>'
            f'<span class="hidden">{sentence}</span>'
        )
    moment = _moment(line.feast, line.text * line.is_earned) if is_mine else ""
    return f'<td data-piece id="l-{ANY_SEAT}-{name}" class="box{kind}"{moment}>{inside}</td>'


# ---- blocks


def _blocks(columns: Sequence[SheetPart]) -> list[BlockPart]:
    return [each.drawn.part for each in columns if isinstance(each.drawn.part, BlockPart)]


def _block(parts: Sequence[Sequence[Section]], mine: SheetPart | None, columns: Sequence[SheetPart]) -> Fragment:
    """Tables of sections, in parts that stand side by side. Of the columns, `mine` is the one that phones show."""
    rows, last = _BlockRows(mine, columns), parts[-1][-1]
    halves = (
        "".join(rows.section(f"{half}-{place}", each, is_last=each is last) for place, each in enumerate(sections))
        for half, sections in enumerate(parts)
    )
    is_long = any(sum(map(height, half)) > MOST_ROWS for half in parts)
    kind = " several" * (len(columns) > 1) + " long" * is_long
    frame = f'<div class="blocks{kind}">{"".join(f"<div>{half}</div>" for half in halves)}</div>'
    return Fragment(frame, rows.children)


class _BlockRows:
    """The rows of a block, each with a place in every column."""

    def __init__(self, mine: SheetPart | None, columns: Sequence[SheetPart]) -> None:
        self.children: dict[str, Child] = {}
        self.columns, self.blocks = columns, _blocks(columns)
        self.key = mine.seat if mine else "all"
        self.kinds = ["own" if mine is None or mine is each else "theirs" for each in columns]
        self.tapped = mine.seat if mine and mine.is_mine else None
        taps = [each.taps if at.seat == self.tapped else {} for at, each in zip(columns, self.blocks, strict=True)]
        boxes = [each.block.boxes for each in self.blocks]
        fresh = [each.fresh for each in self.blocks]
        self.places = list(zip(self.kinds, boxes, fresh, taps, strict=True))
        self.sums = [dict(chain(*(part.sums for part in each.block.sections))) for each in self.blocks]

    def section(self, place: str, part: Section, *, is_last: bool) -> str:
        """A table; half of the last section's boxes are a third column on low screens."""
        rows = [self._box_row(each) for each in part.boxes]
        if is_last and (third := len(self.blocks[0].block.sections[-1].boxes) // 2):
            rows.insert(-third, "</tbody><tbody>")
        rows += [self._sum_row(f"{place}-{number}", label) for number, (label, _) in enumerate(part.sums)]
        return block_table('class="block"', part.heading, rows, self._names())

    def _names(self) -> str:
        if len(self.columns) == 1:
            return ""
        heads = (
            f'<th scope="col" class="{kind}">{seat_mark(each.seat)} {escape(each.name)}</th>'
            for kind, each in zip(self.kinds, self.columns, strict=True)
        )
        return f'<thead class="names"><tr><td></td>{"".join(heads)}</tr></thead>'

    def _box_row(self, box: Box) -> str:
        key, name = f"r-{self.key}-{box.name}", box.name
        cells = tuple(
            [(kind, boxes[name], name in fresh, taps.get(name)) for kind, boxes, fresh, taps in self.places]
        )
        self.children[key] = _box_row, (key, box, self.tapped, cells), ()
        return marked(key)

    def _sum_row(self, number: str, label: str) -> str:
        key = f"s-{self.key}-{number}"
        cells = tuple([(kind, sums[label]) for kind, sums in zip(self.kinds, self.sums, strict=True)])
        self.children[key] = _sum_row, (key, label, cells), ()
        return marked(key)


BoxSlot = tuple[str, Box, bool, str | None]
"""A box in the column of a player: whose it is, whether it is fresh, and what a tap on it does."""


def _box_row(key: str, box: Box, tapped: Seat | None, cells: tuple[BoxSlot, ...]) -> str:
    """One box in all columns; that of the seat which is `tapped` can be filled."""
    about = f' data-piece id="{key}"'
    if tapped is not None:
        (is_fresh,) = [is_fresh for kind, _, is_fresh, _ in cells if kind == "own"]
        about += ' class="fresh"' * is_fresh + _moment(box.feast, box.text)
    return row(box.label, "".join([_box(tapped, *each) for each in cells]), about)


def _sum_row(key: str, label: str, cells: tuple[tuple[str, str], ...]) -> str:
    places = "".join(f'<td class="{kind}">{escape(text)}</td>' for kind, text in cells)
    return row(label, places, f' data-piece id="{key}" class="sum"')


def _box(seat: Seat | None, kind: str, box: Box, is_fresh: bool, do: str | None) -> str:
    """What stands in a box, or what one's own would pay."""
    inside = str(pencil(box.text))
    if do is not None:
        inside = (
            f'<button form="play" name="do" value="{escape(do)}" id="b-{seat}-{box.name}"'
            f' class="pay{" nil" if box.pays == "0" else ""}">'
            f'<span class="hidden">{escape(box.label)}: </span>'
            f'<span class="worth">{escape(box.pays)}</span></button>'
        )
    return f'<td class="{kind}{" fresh" if is_fresh else ""}">{inside}</td>'
