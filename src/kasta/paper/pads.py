"""Pads to print: an empty sheet of a game with its hands and points, as often on a page as there is room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode, urlsplit

from kasta.draw import COLOURS
from kasta.games import drawing
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.paper.shapes import INK, PENCIL, Code, Rectangle, Rule, Shape, Text, fitted, wrapped
from kasta.paper.sheets import Columns, Style, block, block_rows, grid

INCH = 72.0
PAPERS = {"a4": (210 / 25.4 * INCH, 297 / 25.4 * INCH), "letter": (8.5 * INCH, 11 * INCH)}
MARGIN = 22.0  # around each pad: half of it is what printers leave white
HEAD, CODE, GAP = 42.0, 56.0, 8.0
NARROWEST_ROW, WIDEST_ROW = 13.5, 28.0  # 14 points are 5 mm
PLAYERS = 4  # columns of a block
LINE, SMALL = 10.5, 7.0  # the distance between lines of small letters, and their size
PLAIN_ROWS = 12
MOST_PAGES = 100


@dataclass(frozen=True, slots=True)
class Pad:
    """One pad, and how many of it there are beside each other and one below the other on a page."""

    width: float
    height: float
    across: int
    down: int
    shapes: tuple[Shape, ...]
    code: Code | None


def link_to_own_dice(origin: str, game: AnyGame) -> str:
    """Where a pad's QR code leads: to a new table of this game, for dice that people throw themselves."""
    is_first = game.rules == next(iter(game.traits.rule_sets))
    query = {"dice": "own"} | ({} if is_first else {"rules": game.rules})
    return f"{origin.rstrip('/')}/new/{game.name}?{urlencode(query)}"


def pad(game: AnyGame, words: Words, paper: str, origin: str = "") -> Pad:
    """The pad of a game for `a4` or `letter`; with the `origin` of a server it has a QR code."""
    page = PAPERS[paper]
    link = link_to_own_dice(origin, game) if origin else ""
    drawn = game.traits.pad(game.solo, words)
    tall = _Maker(game, words, page[0] / 2 - 2 * MARGIN, page[1] - 2 * MARGIN, link)
    low = replace(tall, height=page[1] / 2 - 2 * MARGIN)
    is_tall = isinstance(drawn, drawing.Block) and low.row(drawn) < NARROWEST_ROW
    maker, down = (tall, 1) if is_tall else (low, 2)
    code = Code(MARGIN + maker.width - CODE, MARGIN, CODE, link) if link else None
    return Pad(page[0] / 2, page[1] / down, 2, down, tuple(maker.shapes(drawn)), code)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Draws a pad within its margins."""

    game: AnyGame
    words: Words
    width: float
    height: float
    link: str

    @property
    def colour(self) -> str:
        return COLOURS[self.game.traits.theme]

    @property
    def bottom(self) -> float:
        return MARGIN + self.height

    def shapes(self, drawn: drawing.Drawing) -> Iterator[Shape]:
        match drawn:
            case drawing.DrawnGrid():
                yield from self._head()
                yield from self._grid(drawn)
            case drawing.Block():
                yield from self._head(with_name=False)
                yield from self._block(drawn)
            case drawing.Plain(text):
                yield from self._head()
                yield from self._plain(text)
        yield from self._foot()

    def _head(self, *, with_name: bool = True) -> Iterator[Shape]:
        """The title and a line for the name; with a code, they leave its corner free."""
        width = self.width - (CODE + GAP if self.link else 0)
        heading = self.game.traits.heading(self.words)
        yield fitted(width, Text(MARGIN, MARGIN + 8, heading, 16, self.colour, bold=True))
        titles = [*self.game.traits.rule_sets]
        if len(titles) > 1:
            title = self.game.traits.rule_set_title(self.words, self.game.rules)
            yield fitted(width, Text(MARGIN, MARGIN + 22, title, SMALL, PENCIL))
        if with_name:
            yield from self._line_for(self.words.say("Name"), MARGIN + 34, width)
        if self.link:
            yield from self._caption(width, beside=not with_name)

    def _caption(self, width: float, *, beside: bool) -> Iterator[Shape]:
        """What the code is for: beside it, or below it."""
        text = Text(MARGIN + width, MARGIN + CODE - 5, self.words.say("Scan: Kasta counts for you"), 6, PENCIL)
        if beside:
            yield fitted(width, replace(text, anchor="end"))
        else:
            below = replace(text, x=MARGIN + self.width - CODE / 2, y=MARGIN + CODE + 5, anchor="middle")
            yield from wrapped(CODE, below, 8)

    def _line_for(self, label: str, y: float, width: float) -> Iterator[Shape]:
        text = Text(MARGIN, y, label, SMALL, PENCIL)
        yield text
        yield Rule(MARGIN + text.width + 4, y + 4, MARGIN + width, y + 4, PENCIL)

    def _grid(self, drawn: drawing.DrawnGrid) -> Iterator[Shape]:
        """The grid, beside it a box for the total, below it the hands."""
        legend = [*self._legend()]
        tall = self.height - HEAD - GAP - _height(legend) - GAP - LINE
        side = len(drawn.columns)
        size = min((self.width - CODE - GAP) / (side + 1), tall / (side + 2))
        top = MARGIN + HEAD + GAP
        yield from grid(drawn, MARGIN, top, Style(self.colour, size))
        yield from self._total(MARGIN + self.width - CODE, top + (side + 1) * size - CODE)
        below = top + (side + 2) * size + GAP
        yield from (replace(shape, y=shape.y + below) for shape in legend)

    def _total(self, x: float, y: float) -> Iterator[Shape]:
        label = Text(x + CODE / 2, y - 6, self.words.say("Total"), SMALL + 1, self.colour, bold=True)
        yield fitted(CODE, replace(label, anchor="middle"))
        yield Rectangle(x, y, CODE, CODE * 0.75, edge=self.colour, thick=1.6, rounded=6)

    def _legend(self) -> Iterator[Text]:
        """The hands in two columns, from 0 downwards."""
        legend = self.game.traits.legend(self.words)
        if legend is None:
            return
        yield fitted(self.width, Text(MARGIN, LINE / 2, legend.caption, SMALL + 0.5, self.colour, bold=True))
        half, wide = -(-len(legend.rows) // 2), (self.width - 2 * GAP) / 2
        for number, (hand, worth) in enumerate(legend.rows):
            x, y = MARGIN + (number // half) * (wide + 2 * GAP), LINE * (1.5 + number % half)
            yield fitted(wide - 18, Text(x, y, hand[:1].upper() + hand[1:], SMALL))
            yield Text(x + wide, y, worth, SMALL, INK, bold=True, anchor="end")
        if legend.note:
            note = Text(MARGIN, LINE * (1.5 + half), legend.note, SMALL - 0.5, PENCIL)
            yield from wrapped(self.width, note, LINE)

    @property
    def block_head(self) -> float:
        """What stands above a block."""
        return CODE + GAP / 2 if self.link else HEAD - GAP

    def row(self, drawn: drawing.Block) -> float:
        """How high the rows of a block can be; the first is for names."""
        return min(WIDEST_ROW, (self.height - self.block_head - LINE) / (block_rows(drawn) + 1))

    def _block(self, drawn: drawing.Block) -> Iterator[Shape]:
        """The block, with a column for each player, and room for their names above."""
        size, top = self.row(drawn), MARGIN + self.block_head
        columns = Columns(self.width, self.width * 0.36, self.width * 0.13, PLAYERS)
        yield Text(MARGIN + 4, top + size / 2, self.words.say("Name"), SMALL, PENCIL)
        edges = columns.edges(MARGIN)
        yield from (Rule(edge, top, edge, top + size, PENCIL) for edge in edges)
        yield Rule(edges[0], top, edges[-1], top, PENCIL)
        total, style = (self.words.say("Total"), ""), Style(self.colour, size)
        yield from block(drawn, total, MARGIN, top + size, columns, style)

    def _plain(self, text: str) -> Iterator[Shape]:
        """What the rules write on an empty sheet, and rows to write on: one a round, where that is known."""
        top = MARGIN + max(HEAD, CODE) + GAP
        for line in text.splitlines():
            yield fitted(self.width, Text(MARGIN, top, line, SMALL + 2))
            top += LINE + 3
        rounds = self.game.traits.rounds(self.game.solo)
        rows, room = rounds or PLAIN_ROWS, self.bottom - LINE - top
        size = min(WIDEST_ROW, room / (rows + 1))
        for number in range(1, rows + 2):
            y = top + number * size
            label = self.words.say("Total") if number > rows else str(number) if rounds else ""
            yield Rule(MARGIN, y, MARGIN + self.width, y, INK if number > rows else PENCIL)
            yield Text(MARGIN, y - size / 2, label, min(SMALL, size * 0.6), PENCIL, bold=number > rows)

    def _foot(self) -> Iterator[Shape]:
        """What totals are called when playing alone, and whose pad it is."""
        yield Text(MARGIN + self.width, self.bottom, "Kasta", 6, PENCIL, anchor="end")
        host = urlsplit(self.link).netloc
        verdicts = self.game.traits.verdicts(self.words.language, self.game.rules)
        grades = [f"{least} {self.game.traits.say(self.words, grade)}" for grade, least in verdicts.items()]
        if grades:
            alone = self.words.say("Alone: {grades}", grades=" \N{MIDDLE DOT} ".join(grades))
            yield fitted(self.width - 30, Text(MARGIN, self.bottom, alone, 6, PENCIL))
        elif host:
            yield fitted(self.width - 30, Text(MARGIN, self.bottom, host, 6, PENCIL))


def _height(texts: list[Text]) -> float:
    return max((text.y for text in texts), default=0.0) + LINE / 2
