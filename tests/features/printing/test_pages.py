"""The page from which pads are printed, and what their code opens."""

from __future__ import annotations

import io
from collections.abc import Callable

import psutil
import pytest
import zxingcpp
from pypdf import PdfReader

from kasta.games import OURS
from kasta.i18n import LANGUAGES
from support.visitors import Phone, Server

NewPhone = Callable[[], Phone]


def test_the_form_offers_every_game_and_begins_with_the_one_asked_for(phone: NewPhone):
    page = phone().get("/print?game=maxi").text
    for game in OURS:
        assert f'<option value="{game}"' in page
    assert '<option value="maxi" selected' in page


def test_the_code_of_a_printed_pad_opens_a_table_with_own_dice_here(phone: NewPhone, server: Server):
    anna = phone()
    answer = anna.get("/print/pads.pdf?game=knaster&language=fr&paper=letter&pages=2")
    assert answer.headers["content-type"] == "application/pdf"
    found = PdfReader(io.BytesIO(answer.content))
    assert len(found.pages) == 2
    assert "Mains et cercles" in found.pages[0].extract_text()
    image = found.pages[0].images[0].image
    assert image
    code = zxingcpp.read_barcode(image.convert("L").resize((400, 400)))
    assert code
    assert code.text.startswith(server.url)
    page = anna.get(code.text.removeprefix(server.url)).text
    assert 'name="dice" value="own" checked' in page


def test_pads_take_no_time_from_the_process_that_serves_everybody(phone: NewPhone, server: Server):
    assert server.process
    anna, served = phone(), psutil.Process(server.process.pid)
    anna.get("/print/pads.pdf?game=maxi")  # starts what makes them
    before = served.cpu_times()
    for language in LANGUAGES:
        for pages in range(15, 20):
            assert anna.get(f"/print/pads.pdf?game=maxi&language={language}&pages={pages}").status_code == 200
    after = served.cpu_times()
    assert after.user + after.system - before.user - before.system < 0.25, "for 25"


def test_a_pad_of_other_rules_opens_a_table_with_them(phone: NewPhone):
    page = phone().get("/new/yatzy?dice=own&rules=official").text
    assert '<option value="official" selected' in page
    assert "checked" not in phone().get("/new/yatzy").text


@pytest.mark.parametrize(
    "query", ["", "game=chess", "game=knister&paper=a3", "game=knister&pages=0", "game=knister&pages=21",
              "game=knister&language=xx", "game=knister&pages=x"],
)  # fmt: skip
def test_what_is_no_pad_is_not_there(query: str, phone: NewPhone):
    assert phone().get(f"/print/pads.pdf?{query}").status_code == 404
