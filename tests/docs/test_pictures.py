"""Pictures are made of their texts, can be read, and name files that are there."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import draw_boxes
import pytest
from draw_walk import draw, read

from support.fixtures.golden import Golden

ROOT = Path(__file__).parents[2]
TEXTS = sorted((ROOT / "docs/pictures").glob("*.txt"))
BOXES = sorted((ROOT / "docs/pictures").glob("*.boxes"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_picture_is_that_of_its_text(path: Path, golden: Golden):
    golden(path.with_suffix(".svg"), draw(read(path.read_text("utf-8"))))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_who_does_not_see_a_picture_is_told_every_step(path: Path):
    image = ET.fromstring(path.with_suffix(".svg").read_text("utf-8"))  # noqa: S314 - our own
    told = image.findtext(f"{SVG}desc") or ""
    assert image.get("role") == "img"
    assert image.findtext(f"{SVG}title") == read(path.read_text("utf-8")).title
    assert all(step.text in told for part in read(path.read_text("utf-8")).parts for step in part.steps)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_file_in_a_picture_is_there(path: Path):
    steps = [step for part in read(path.read_text("utf-8")).parts for step in part.steps]
    named = {file for step in steps for file in step.files}
    assert {file for file in named if not (ROOT / "src/kasta" / file).is_file()} == set()
    assert all(step.lane in {"browser", file.partition("/")[0]} for step in steps for file in step.files)


@pytest.mark.parametrize("path", BOXES, ids=lambda path: path.stem)
def test_a_diagram_is_that_of_its_text_and_says_all_of_it_in_words(path: Path, golden: Golden):
    diagram = draw_boxes.read(path.read_text("utf-8"))
    golden(path.with_suffix(".svg"), draw_boxes.draw(diagram))
    said = ET.fromstring(path.with_suffix(".svg").read_text("utf-8")).findtext(f"{SVG}desc") or ""  # noqa: S314 - our own
    boxes = {key: box for row in diagram.rows for key, box in row.boxes.items()}
    assert all(box.name in said and box.detail in said for box in boxes.values())
    assert all(each.start in boxes and each.end in boxes and each.label in said for each in diagram.arrows)


@pytest.mark.parametrize("path", BOXES, ids=lambda path: path.stem)
def test_boxes_of_a_diagram_do_not_overlap(path: Path):
    for row in draw_boxes.read(path.read_text("utf-8")).rows:
        room = draw_boxes.WIDTH - 2 * draw_boxes.LEFT - draw_boxes.HEADINGS
        assert sum(box.width for box in row.boxes.values()) + 16 * (len(row.boxes) - 1) <= room
