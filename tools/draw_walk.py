"""Draws a walk through the code as SVG, from a text: docs/pictures/walk.txt shows its form.

`python tools/draw_walk.py docs/pictures/walk.txt` writes the picture beside it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

LANE, ROW, HEADING, TOP, LEFT, WIDTH, RADIUS = 54, 44, 40, 92, 34, 830, 11
STYLE = """\
text { font: 14px system-ui, sans-serif; fill: #1c2b30; }
.title { font-size: 17px; font-weight: 600; }
.lane { font-size: 13px; text-anchor: middle; }
.heading { font-weight: 600; }
.files { font: 11.5px ui-monospace, monospace; fill: #4a5c62; }
.number { font-size: 12px; font-weight: 600; text-anchor: middle; fill: #fff; }
.paper { fill: #fdfcf8; }
.line { stroke: #ccd5d7; }
.way { stroke: #0a6a72; stroke-width: 2.5; fill: none; }
.step { fill: #0a6a72; }
@media (prefers-color-scheme: dark) {
  text { fill: #e9eff0; }
  .files { fill: #adbfc4; }
  .number { fill: #10201f; }
  .paper { fill: #16242a; }
  .line { stroke: #3a4d54; }
  .way { stroke: #63ccd4; }
  .step { fill: #63ccd4; }
}"""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens in a lane, and the files where it does."""

    lane: str
    text: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Steps under a heading. A part that does not go on from the one before begins a way of its own."""

    heading: str
    goes_on: bool
    steps: list[Step]


@dataclass(frozen=True, slots=True)
class Picture:
    """Parts of a walk through lanes."""

    title: str
    lanes: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def told(self) -> str:
        """The walk in words, for those who do not see it."""
        parts = ("; ".join(f"{each.lane}, {each.text}" for each in part.steps) for part in self.parts)
        return " ".join(f"{part.heading}: {steps}." for part, steps in zip(self.parts, parts, strict=True))


def read(text: str) -> Picture:
    """The first line is the title, `lanes:` names the columns, `=` begins a part; other lines are steps.

    A part that begins with `==` does not go on from the one before.
    """
    title, *lines = (line for line in text.splitlines() if line)
    lanes, parts = tuple[str, ...](), list[Part]()
    for line in lines:
        if line.startswith("="):
            mark, _, heading = line.partition(" ")
            parts.append(Part(heading, mark == "=" and bool(parts), []))
            continue
        lane, _, rest = line.partition(": ")
        if lane == "lanes":
            lanes = tuple(rest.split())
        else:
            said, _, files = rest.partition(" | ")
            parts[-1].steps.append(Step(lane, said, tuple(files.split(", "))))
    return Picture(title, lanes, tuple(parts))


def draw(picture: Picture) -> str:
    """The picture as SVG."""
    across = {lane: LEFT + LANE * number for number, lane in enumerate(picture.lanes)}
    right, y, number = LEFT + LANE * len(picture.lanes), TOP, 0
    ways, body = list[list[str]](), list[str]()
    for part in picture.parts:
        body.append(f'<text class="heading" x="{right}" y="{y}">{escape(part.heading)}</text>')
        y += HEADING
        if not part.goes_on:
            ways.append([])
        for step in part.steps:
            number += 1
            ways[-1].append(f"{across[step.lane]},{y}")
            body += _step(step, number, across[step.lane], right, y)
            y += ROW
        y += HEADING // 4
    lines = [f'<line class="line" x1="{x}" y1="72" x2="{x}" y2="{y - ROW // 2}"/>' for x in across.values()]
    lines += [f'<text class="lane" x="{x}" y="62">{escape(lane)}</text>' for lane, x in across.items()]
    lines += [f'<polyline class="way" points="{" ".join(way)}"/>' for way in ways]
    return "\n".join([*_head(picture, y), *lines, *body, "</svg>", ""])


def _head(picture: Picture, height: int) -> list[str]:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title told">',
        f'<title id="title">{escape(picture.title)}</title>',
        f'<desc id="told">{escape(picture.told)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="10"/>',
        f'<text class="title" x="{LEFT // 2}" y="30">{escape(picture.title)}</text>',
    ]


def _step(step: Step, number: int, x: int, right: int, y: int) -> list[str]:
    return [
        f'<circle class="step" cx="{x}" cy="{y}" r="{RADIUS}"/>',
        f'<text class="number" x="{x}" y="{y + 4}">{number}</text>',
        f'<text x="{right}" y="{y}">{escape(step.text)}</text>',
        f'<text class="files" x="{right}" y="{y + 16}">{escape("  ".join(step.files))}</text>',
    ]


def main() -> None:
    for name in sys.argv[1:]:
        path = Path(name)
        path.with_suffix(".svg").write_text(draw(read(path.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
