"""Draws boxes and arrows as SVG, from a text: docs/pictures/table.boxes shows its form.

`python tools/draw_boxes.py docs/pictures/table.boxes` writes the picture beside it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

WIDTH, LEFT, HEADINGS, TOP, BOX, GAP, MARGIN = 960, 24, 168, 56, 52, 48, 24
TITLE_LETTER, DETAIL_LETTER, LABEL_LETTER, PADDING = 8.4, 6.3, 5.6, 24  # about as wide as a letter of that size
STYLE = """\
text { font: 14px system-ui, sans-serif; fill: #1c2b30; }
.title { font-size: 17px; font-weight: 600; }
.heading { font-weight: 600; }
.about { font-size: 12px; fill: #4a5c62; }
.name { font-weight: 600; text-anchor: middle; }
.detail { font-size: 12px; text-anchor: middle; fill: #4a5c62; }
.label { font-size: 11px; text-anchor: middle; fill: #0a6a72; }
.paper { fill: #fdfcf8; }
.box { fill: #fff; stroke: #0a6a72; stroke-width: 1.5; }
.way { stroke: #0a6a72; stroke-width: 1.5; fill: none; }
.tip { fill: #0a6a72; }
@media (prefers-color-scheme: dark) {
  text { fill: #e9eff0; }
  .about, .detail { fill: #adbfc4; }
  .label { fill: #63ccd4; }
  .paper { fill: #16242a; }
  .box { fill: #1e3037; stroke: #63ccd4; }
  .way { stroke: #63ccd4; }
  .tip { fill: #63ccd4; }
}"""


@dataclass(frozen=True, slots=True)
class Box:
    """A box with a name and a line of detail."""

    name: str
    detail: str

    @property
    def width(self) -> float:
        """Wide enough for its text."""
        return max(TITLE_LETTER * len(self.name), DETAIL_LETTER * len(self.detail)) + PADDING


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from one box to another, perhaps with a label."""

    start: str
    end: str
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """Boxes side by side, under a heading."""

    heading: str
    boxes: dict[str, Box] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Diagram:
    """Rows of boxes, and arrows between them."""

    title: str
    rows: tuple[Row, ...]
    arrows: tuple[Arrow, ...]

    @property
    def told(self) -> str:
        """The picture in words, for those who do not see it."""
        boxes = {key: box for row in self.rows for key, box in row.boxes.items()}
        rows = [
            f"{row.heading}: {'; '.join(f'{box.name} ({box.detail})' for box in row.boxes.values())}."
            for row in self.rows
        ]
        arrows = [
            f"From {boxes[each.start].name} to {boxes[each.end].name}{each.label and ': '}{each.label}."
            for each in self.arrows
        ]
        return " ".join(rows + arrows)


def read(text: str) -> Diagram:
    """The first line is the title. `= heading` begins a row, `key: name | detail` is a box in it.

    `key > key: label` is an arrow between boxes of one row or of neighbouring rows.
    """
    title, *lines = (line for line in text.splitlines() if line)
    rows, arrows = list[Row](), list[Arrow]()
    for line in lines:
        if line.startswith("= "):
            rows.append(Row(line[2:]))
            continue
        key, _, rest = line.partition(": ")
        if " > " in key:
            start, _, end = key.partition(" > ")
            arrows.append(Arrow(start, end.rstrip(":"), rest))
        else:
            name, _, detail = rest.partition(" | ")
            rows[-1].boxes[key] = Box(name, detail)
    return Diagram(title, tuple(rows), tuple(arrows))


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where a box lies."""

    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2

    def towards(self, other: _Placed) -> float:
        """Where a line to another row leaves: straight above or below, if these two allow it."""
        left = max(self.left, other.left) + MARGIN
        right = min(self.left + self.width, other.left + other.width) - MARGIN
        if left <= right:
            return (left + right) / 2
        return self.left + (MARGIN if other.left < self.left else self.width - MARGIN)


def draw(diagram: Diagram) -> str:
    """The picture as SVG."""
    places, y = dict[str, _Placed](), TOP
    body = list[str]()
    for row in diagram.rows:
        name, _, about = row.heading.partition(": ")
        body.append(f'<text class="heading" x="{LEFT}" y="{y + 22}">{escape(name)}</text>')
        body.append(f'<text class="about" x="{LEFT}" y="{y + 40}">{escape(about)}</text>')
        widths = [box.width for box in row.boxes.values()]
        room = WIDTH - 2 * LEFT - HEADINGS
        between = (room - sum(widths)) / max(len(widths) - 1, 1)
        x: float = LEFT + HEADINGS
        for key, width in zip(row.boxes, widths if widths[1:] else [room], strict=True):
            places[key] = _Placed(x, y, width)
            body += _box(row.boxes[key], places[key])
            x += width + between
        y += BOX + GAP
    body += [line for arrow in diagram.arrows for line in _arrow(arrow, places[arrow.start], places[arrow.end])]
    return "\n".join([*_head(diagram, y - GAP + 20), *body, "</svg>", ""])


def _head(diagram: Diagram, height: int) -> list[str]:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title told">',
        f'<title id="title">{escape(diagram.title)}</title>',
        f'<desc id="told">{escape(diagram.told)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="10"/>',
        f'<text class="title" x="{LEFT}" y="30">{escape(diagram.title)}</text>',
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
        '<path class="tip" d="M0,0 L8,4 L0,8 z"/></marker>',
    ]


def _box(box: Box, at: _Placed) -> list[str]:
    return [
        f'<rect class="box" x="{at.left:.0f}" y="{at.top:.0f}" width="{at.width:.0f}" height="{BOX}" rx="8"/>',
        f'<text class="name" x="{at.middle:.0f}" y="{at.top + 22:.0f}">{escape(box.name)}</text>',
        f'<text class="detail" x="{at.middle:.0f}" y="{at.top + 40:.0f}">{escape(box.detail)}</text>',
    ]


def _arrow(arrow: Arrow, start: _Placed, end: _Placed) -> list[str]:
    """A line, across within a row; between rows down, across and down again."""
    if start.top == end.top:
        onward = start.left < end.left
        x1, x2 = (start.left + start.width, end.left) if onward else (start.left, end.left + end.width)
        points = [(x1, start.top + BOX / 2), (x2, start.top + BOX / 2)]
        at = (x1 + x2) / 2, start.top + BOX / 2 - 7
    else:
        x1, x2 = start.towards(end), end.towards(start)
        y1, y2 = (start.top + BOX, end.top) if start.top < end.top else (start.top, end.top + BOX)
        half = (y1 + y2) / 2
        points = [(x1, y1), (x1, half), (x2, half), (x2, y2)]
        straight = LABEL_LETTER * len(arrow.label) / 2 + 8 if abs(x1 - x2) < 1 else 0.0
        at = (x1 + x2) / 2 + straight, half + (4 if straight else -6)
    way = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    line = f'<polyline class="way" points="{way}" marker-end="url(#tip)"/>'
    label = f'<text class="label" x="{at[0]:.0f}" y="{at[1]:.0f}">{escape(arrow.label)}</text>'
    return [line, label] if arrow.label else [line]


def main() -> None:
    for name in sys.argv[1:]:
        path = Path(name)
        path.with_suffix(".svg").write_text(draw(read(path.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
