"""Sheets as SVG: their size, and what can be pointed at."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import kasta
from kasta.errors import Unreadable

KNISTER, YATZY = kasta.find_game("knister"), kasta.find_game("yatzy")
EMPTY = KNISTER.solo.start()


def parts(picture: object) -> list[ET.Element]:
    return list(ET.fromstring(str(picture)).iter())  # noqa: S314 - our own


def kinds(picture: object) -> list[str]:
    return [part.get("class", "") for part in parts(picture)]


def test_a_picture_is_as_wide_as_asked_for_and_keeps_its_shape():
    usual, wide = parts(kasta.draw.svg(KNISTER, EMPTY))[0], parts(kasta.draw.svg(KNISTER, EMPTY, size=600))[0]
    assert wide.get("viewBox") == usual.get("viewBox")
    assert wide.get("width") == "600"
    shape = int(usual.get("height", "")) / int(usual.get("width", ""))
    assert int(wide.get("height", "")) == round(600 * shape)


def test_cells_and_boxes_are_marked_and_joined_by_arrows():
    grid = kasta.draw.svg(KNISTER, EMPTY, marks={"c3": "tomato"}, arrows=[("a5", "c3")])
    assert kinds(grid).count("mark") == kinds(grid).count("arrow") == 1
    assert [part.get("fill") for part in parts(grid) if part.get("class") == "mark"] == ["tomato"]
    block = kasta.draw.svg(YATZY, YATZY.solo.start(), marks=["ones", "chance"])
    assert kinds(block).count("mark") == 2
    with pytest.raises(Unreadable, match="z9"):
        kasta.draw.svg(KNISTER, EMPTY, marks=["z9"])
    with pytest.raises(Unreadable, match="nowhere"):
        kasta.draw.svg(YATZY, YATZY.solo.start(), arrows=[("ones", "nowhere")])


def test_a_mark_lies_on_its_box_also_below_dice():
    thrown = YATZY.solo.throw(YATZY.solo.start(), (5, 5, 5, 2, 2))
    for sheet in (YATZY.solo.start(), thrown):
        picture = parts(kasta.draw.svg(YATZY, sheet, marks=["full_house"]))
        (mark,) = (part for part in picture if part.get("class") == "mark")
        label = next(part for part in picture if part.text == "full house")
        top = float(mark.get("y", ""))
        assert top < float(label.get("y", "")) < top + float(mark.get("height", ""))


def test_coordinates_name_rows_and_columns_and_dice_lie_above():
    picture = kasta.draw.svg(KNISTER, EMPTY, dice=(3, 4), coordinates=True)
    assert [part.text for part in parts(picture) if part.get("class") == "tiny"] == [*"abcde", *"12345"]
    assert kinds(picture).count("die") == 2
    assert "= 7" in [part.text for part in parts(picture)]
