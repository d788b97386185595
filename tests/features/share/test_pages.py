"""What is shared of a finished game: one's own sheet, and nobody's name."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import unescape

import pytest
from PIL import Image

from support.visitors import Phone

NewPhone = Callable[[], Phone]
STRANGE = "Wolfeschlegel"


def ended(anna: Phone, *names: str, **fields: str) -> str:
    """A table whose host has ended it after a throw."""
    table = anna.open(*names, dice="own", **fields)
    anna.roll(table, faces="34")
    anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do="c3")
    anna.post(f"/t/{table}/end")
    return table


def shared_text(page: str) -> str:
    found = re.search(r'id="over".*?data-copy="([^"]*)"', page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_one_s_own_sheet_is_a_picture_in_two_formats_and_names_nobody(phone: NewPhone):
    anna = phone()
    table = ended(anna, "Anna", STRANGE)
    svg, png = (anna.get(f"/t/{table}/sheet/0.{kind}") for kind in ("svg", "png"))
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.headers["cache-control"] == "no-store"
    assert "<path " in svg.text  # the 7, in pencil
    assert "/new/knister</text>" in svg.text
    assert "Anna" not in svg.text
    assert STRANGE not in svg.text
    assert table not in svg.text
    assert Image.open(io.BytesIO(png.content)).format == "PNG"


def test_the_text_tells_the_result_and_where_to_play_but_no_other_name(phone: NewPhone):
    anna, tim = phone(), phone()
    table = anna.open("Anna", room="1", dice="own")
    tim.sit(table, STRANGE)
    anna.roll(table, faces="34")
    anna.post(f"/t/{table}/end")
    for each in (anna, tim):
        text = shared_text(each.get(f"/t/{table}").text)
        assert re.fullmatch(r"Knister: 0 points\. Place 1 of 2\. http://\S+/new/knister", text)
    assert STRANGE in shared_text(phone().get(f"/t/{table}").text)  # who only watches shares what all see


def test_alone_the_text_has_the_verdict_in_the_reader_s_language(phone: NewPhone):
    anna = phone()
    table = ended(anna, "Anna")
    page = anna.get(f"/t/{table}", headers={"accept-language": "sv"}).text
    assert re.match(r"Knister: 0 poäng\. http", shared_text(page))  # a bad day is not ranked


def test_there_is_no_picture_before_the_end(phone: NewPhone):
    anna = phone()
    table = anna.open("Anna", dice="own")
    anna.roll(table, faces="34")
    assert anna.get(f"/t/{table}/sheet/0.svg").status_code == 404


def test_others_are_shown_what_the_table_shows_them(phone: NewPhone):
    anna, tim = phone(), phone()
    table = ended(anna, "Anna")
    assert tim.get(f"/t/{table}/sheet/0.svg").status_code == 200  # a small table shows all its sheets
    crowd = anna.open(*(f"Anna {number}" for number in range(24)), dice="own")
    for number in range(7):
        phone().sit(crowd, f"Tim {number}")
    anna.roll(crowd, faces="34")
    anna.post(f"/t/{crowd}/end")
    assert anna.get(f"/t/{crowd}/sheet/3.svg").status_code == 200
    assert tim.get(f"/t/{crowd}/sheet/3.svg").status_code == 404


@pytest.mark.parametrize("name", ["9.svg", "0.gif", "0", "-1.svg", "0.svg.png", "\N{SUPERSCRIPT TWO}.svg"])
def test_no_other_file_is_there(name: str, phone: NewPhone):
    anna = phone()
    assert anna.get(f"/t/{ended(anna, 'Anna')}/sheet/{name}").status_code == 404
