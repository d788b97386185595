"""Printed pads are read back: their words, their points, their QR code; and nothing is cut or covered."""

from __future__ import annotations

import io
import itertools
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
import zxingcpp
from pypdf import PdfReader
from pypdf.generic import ContentStream

from kasta.games import OURS, find_game
from kasta.games.composers import Shared
from kasta.games.drawing import Legend
from kasta.games.knister.rules import Knister
from kasta.games.knister.traits import KnisterTraits
from kasta.games.traits import AnyGame, Traits
from kasta.i18n import LANGUAGES, Words, words
from kasta.paper.pads import MARGIN, PAPERS, Pad, link_to_own_dice, pad
from kasta.paper.pdf import pads_pdf
from kasta.paper.shapes import SMALLEST, Text

KASTA = Path(sys.executable).with_name("kasta")
SERVER = "https://kasta.example.org"


class BareTraits(Traits[Knister, object, object]):
    """Says nothing but its rules."""

    name = "bare"
    composer = Shared
    rule_sets = MappingProxyType({"sheet": Knister()})


BARE = BareTraits().games["sheet"]
ALL: list[AnyGame] = [game for name in OURS for game in find_game(name).traits.games.values()] + [BARE]


def made(game: AnyGame, language: str, paper: str, origin: str = SERVER) -> Pad:
    return pad(game, words(language), paper, origin)


def read(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content))


def edges(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the letters, without what hangs below the line."""
    left = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * text.width
    return left, text.y - text.size * 0.37, left + text.width, text.y + text.size * 0.37


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ALL, ids=lambda game: f"{game.name} {game.rules}")
def test_no_text_is_cut_or_covers_another(game: AnyGame, language: str, paper: str):
    for origin in ("", SERVER):
        one = made(game, language, paper, origin)
        texts = [shape for shape in one.shapes if isinstance(shape, Text) and shape.text]
        for text in texts:
            left, top, right, bottom = edges(text)
            assert text.size > SMALLEST, text
            assert left >= MARGIN - 1, text
            assert right <= one.width - MARGIN + 1, text
            assert top >= MARGIN - 5, text
            assert bottom <= one.height - MARGIN + 5, text
        for one_text, other in itertools.combinations(texts, 2):
            a, b = edges(one_text), edges(other)
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (one_text, other)
        if one.code:
            code = one.code
            for text in texts:
                left, top, right, bottom = edges(text)
                assert right <= code.x or top >= code.y + code.side or left >= code.x + code.side, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", OURS)
def test_a_page_of_pads_reads_as_the_game_says(name: str, language: str):
    game, said = find_game(name), words(language)
    page = read(pads_pdf(game, said, "a4", 1, SERVER)).pages[0]
    text = page.extract_text()
    one = made(game, language, "a4")
    assert text.count(game.traits.heading(said)) >= one.across * one.down
    assert said.say("Total") in text
    legend = game.traits.legend(said)
    for hand, worth in legend.rows if legend else ():
        assert hand.lower() in text.lower()
        assert worth in text


def test_boxes_tell_what_they_pay():
    text = read(pads_pdf(find_game("yatzy"), words("en"), "letter", 1)).pages[0].extract_text()
    lines = " ".join(text.split())
    for told in (
        "Full house 25",
        "Large straight 40",
        "Chance max 30",
        "Sixes max 30",
        "Upper total 63",
        "Bonus 35",
    ):
        assert told in lines


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_are_of_the_paper_asked_for_and_as_many(paper: str):
    found = read(pads_pdf(find_game("maxi"), words("sv"), paper, 3))
    assert len(found.pages) == 3
    wide, tall = {"a4": (595.28, 841.89), "letter": (612, 792)}[paper]  # 210 x 297 mm, 8.5 x 11 inches
    assert abs(float(found.pages[0].mediabox.width) - wide) < 0.1
    assert abs(float(found.pages[0].mediabox.height) - tall) < 0.1


@pytest.mark.parametrize(("name", "down"), [("knister", 2), ("maxi", 1)])
def test_pads_lie_side_by_side_and_are_cut_along_dashed_lines(name: str, down: int):
    found = read(pads_pdf(find_game(name), words("en"), "letter", 1))
    moved, lines, dash = list[tuple[float, float]](), set[tuple[float, ...]](), False
    start: tuple[float, ...] = ()
    for operands, operator in ContentStream(found.pages[0].get_contents(), found).operations:
        match operator:
            case b"cm":
                moved.append((float(operands[4]), float(operands[5])))
            case b"d":
                dash = bool(operands[0])
            case b"m":
                start = tuple(map(float, operands))
            case b"l" if dash:
                lines.add((*start, *map(float, operands)))
    pads = {(x, y) for x in (0, 306) for y in (0, 396)[:down]}
    assert set(moved) - {(0, 0)} == pads - {(0, 0)}
    across, along = (306, 792, 306, 0), (0, 396, 612, 396)
    assert lines == {across, along} if down == 2 else lines == {across}


def test_an_odd_number_of_hands_stands_in_two_columns():
    class OddTraits(KnisterTraits):
        name = "odd"

        def legend(self, said: Words) -> Legend:
            found = super().legend(said)
            return replace(found, rows=found.rows[:5])

    one = made(OddTraits().games["sheet"], "en", "a4")
    legend = OddTraits().legend(words("en"))
    hands = [hand.capitalize() for hand, _ in legend.rows]
    places = [(shape.x, shape.y) for shape in one.shapes if isinstance(shape, Text) and shape.text in hands]
    assert len(places) == 5
    assert sorted(Counter(x for x, _ in places).values()) == [2, 3]


@pytest.mark.parametrize("game", ALL, ids=lambda game: f"{game.name} {game.rules}")
def test_the_code_opens_a_table_with_own_dice_and_these_rules(game: AnyGame):
    pictures = read(pads_pdf(game, words("en"), "a4", 1, SERVER)).pages[0].images
    image = pictures[0].image
    assert image
    found = zxingcpp.read_barcode(image.convert("L").resize((400, 400)))
    assert found
    assert found.text == link_to_own_dice(SERVER, game)
    assert found.text.startswith(f"{SERVER}/new/{game.name}?dice=own")
    assert ("rules=" in found.text) == (game.rules != next(iter(game.traits.rule_sets)))


def test_without_a_server_there_is_no_code():
    assert not read(pads_pdf(find_game("knister"), words("en"), "a4", 1)).pages[0].images


def test_a_game_that_says_nothing_but_its_rules_gets_a_plain_pad():
    text = read(pads_pdf(BARE, words("de"), "a4", 1)).pages[0].extract_text()
    assert "Bare" in text
    assert "Gesamtergebnis" in text


def test_the_command_writes_a_file(tmp_path: Path):
    out = tmp_path / "pads.pdf"
    subprocess.run([KASTA, "sheet", "knaster", "--lang", "sv", "--pages", "2", "-o", out], check=True)
    assert len(read(out.read_bytes()).pages) == 2


def test_paper_that_nobody_has_is_refused():
    done = subprocess.run(
        [KASTA, "sheet", "knister", "--paper", "a3", "-o", "-"], capture_output=True, check=False, text=True
    )
    assert done.returncode == 1
    assert "unknown_paper" in done.stderr
    assert not done.stdout
