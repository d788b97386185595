"""The picture of a finished sheet: what it tells, in SVG and in PNG."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from kasta.draw import COLOURS
from kasta.games import OURS, find_game
from kasta.i18n import LANGUAGES, words
from kasta.paper.card import MARGIN, WIDTH, Card, CardResult, card
from kasta.paper.handwriting import Stroke
from kasta.paper.pictures import SCALE, png, svg
from kasta.paper.shapes import LEAD, Text

FULL = """\
2 3 4 5 6
7 7 7 7 7
8 9 10 11 12
2 2 2 3 3
12 12 6 6 5
"""


def finished(language: str) -> Card:
    game, said = find_game("knister"), words(language)
    sheet = game.solo.read_sheet(FULL)
    drawn = game.traits.draw(game.solo, sheet, said)
    result = CardResult(game, drawn, game.solo.total(sheet), "good", "https://kasta.example.org/new/knister")
    return card(result, said)


def empty(name: str, language: str) -> Card:
    game, said = find_game(name), words(language)
    drawn = game.traits.draw(game.solo, game.solo.start(), said)
    return card(CardResult(game, drawn, 0, "", "https://kasta.example.org"), said)


def test_the_svg_reads_as_the_sheet_with_its_total_and_where_to_play():
    picture = svg(finished("en"))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
    shapes = finished("en").shapes
    lead = [each for each in shapes if isinstance(each, Stroke) and each.colour == LEAD]
    solo = find_game("knister").solo
    total = solo.total(solo.read_sheet(FULL))
    assert "".join(each.name[1:] for each in lead) == "".join([*FULL.split(), str(total)])  # in pencil
    assert [each.name for each in shapes if isinstance(each, Stroke)].count("ring") == 1  # around the total
    assert {"Knister", "Kasta", "Total", "Good"} < set(texts)
    assert "bot" not in picture
    assert "https://kasta.example.org/new/knister" in texts
    assert f"<title>Knister: {total} points. good</title>" in picture
    assert "style" not in picture


def test_the_png_has_its_size_and_the_game_s_colour():
    picture = finished("sv")
    image = Image.open(io.BytesIO(png(picture)))
    assert image.width == WIDTH * SCALE
    assert abs(image.height - picture.height * SCALE) <= 1
    colour = tuple(bytes.fromhex(COLOURS["teal"][1:]))
    assert image.getpixel((5, 5)) == colour
    counted = {each: number for number, each in image.getcolors(1 << 20) or ()}
    assert counted[colour] > 10_000  # the table
    assert counted[0xFC, 0xF8, 0xED] > 50_000  # paper
    assert counted[tuple(bytes.fromhex(LEAD[1:]))] > 2_000  # what is written


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", OURS)
def test_no_text_leaves_the_picture(name: str, language: str):
    picture = empty(name, language)
    for text in (shape for shape in picture.shapes if isinstance(shape, Text)):
        left = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * text.width
        assert left >= MARGIN - 1, text
        assert left + text.width <= WIDTH - MARGIN + 1, text
        assert text.y + text.size / 2 <= picture.height, text
