"""What was done on a sheet since the last throw, sentence by sentence, for those who listen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from kasta.core import Over
from kasta.games import drawing
from kasta.i18n import Words
from kasta.tables.state import Table
from kasta.tables.view import SeatView


def receipt(now: drawing.Drawing, old: drawing.Drawing, words: Words) -> tuple[str, ...]:
    """What stands on a sheet that did not when the dice fell."""
    match now, old:
        case drawing.DrawnGrid(), drawing.DrawnGrid():
            return tuple(_grid(now, old))
        case drawing.Block(), drawing.Block():
            return tuple(_block(now, old, words))
    return ()


def acts_told(table: Table, each: SeatView, drawn: tuple[tuple[str, ...], str], words: Words) -> Iterator[str]:
    """What came of what was done on a sheet since the last throw; `drawn` is its receipt and its hint."""
    written, hint = drawn
    if written:
        yield from written
        was = None if isinstance(table.next(), Over) else table.game.total(table.before, each.seat)
        if each.total not in {None, was}:
            yield words.say("Total {total}.", total=each.total)
        if each.is_due and hint:
            yield hint
    if each.seat == table.roller and 0 in table.tray and any(table.tray):
        yield words.say("Kept: {dice}.", dice=" ".join(str(face) for face in table.tray if face))


def _grid(now: drawing.DrawnGrid, old: drawing.DrawnGrid) -> Iterator[str]:
    cells = zip(chain.from_iterable(now.cells), chain.from_iterable(old.cells), strict=True)
    yield from (f"{cell.label}." for cell, was in cells if cell != was)
    lines = zip(now.lines.values(), old.lines.values(), strict=True)
    yield from (f"{line.receipt}." for line, was in lines if line.receipt not in {"", was.receipt})


def _block(now: drawing.Block, old: drawing.Block, words: Words) -> Iterator[str]:
    yield from (_paid(box.label, box.text, words) for box in now.filled_since(old))
    sums = zip(_sums(now), _sums(old), strict=True)
    # Such as the bonus, once it is reached.
    yield from (_paid(label, text, words) for (label, text), (_, was) in sums if not was and text.isdecimal())


def _sums(block: drawing.Block) -> Iterator[tuple[str, str]]:
    return chain.from_iterable(section.sums for section in block.sections)


def _paid(what: str, text: str, words: Words) -> str:
    points = words.count("{number} point", "{number} points", int(text))
    return words.say("{what}: {points}.", what=what[:1].upper() + what[1:], points=points)
