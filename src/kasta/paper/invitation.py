"""The picture that a messenger shows beside an invitation: a game's own example on its felt, and nobody's name."""

from __future__ import annotations

from functools import lru_cache

from kasta.draw import COLOURS
from kasta.games import drawing
from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.paper.card import Card
from kasta.paper.pictures import png
from kasta.paper.shapes import WHITE, Rectangle, Shape, Text, fitted, wrapped
from kasta.paper.sheets import Columns, Style, block, block_rows, grid

WIDTH, HEIGHT, MARGIN = 600.0, 315.0, 24.0  # as messengers want it, half as large
PAPER = 267.0  # the sheet's side
SHEET = "#fcf8ed"
LEFT = PAPER + 3 * MARGIN
MOST_KEPT = 50


@lru_cache(MOST_KEPT)
def invitation_png(traits: AnyTraits, words: Words) -> bytes:
    return png(invitation(traits, words))


def invitation(traits: AnyTraits, words: Words) -> Card:
    """What is played, and that one is asked to come."""
    colour, room = COLOURS[traits.theme], WIDTH - LEFT - MARGIN
    title = words.say("You are invited: {game}", game=traits.heading(words))
    blurb = Text(LEFT, 150, traits.say(words, traits.blurb) if traits.blurb else "", 19, WHITE)
    shapes: list[Shape] = [
        Rectangle(0, 0, WIDTH, HEIGHT, fill=colour),
        Rectangle(MARGIN, MARGIN, PAPER, PAPER, fill=SHEET, rounded=6),
        *_sheet(traits, words, colour),
        fitted(room, Text(LEFT, 62, words.say("Come and play!"), 20, WHITE)),
        fitted(room, Text(LEFT, 100, traits.heading(words), 40, WHITE, bold=True)),
        *wrapped(room, blurb, 26),
        Text(LEFT, HEIGHT - MARGIN - 10, "Kasta", 18, WHITE, bold=True),
    ]
    return Card(WIDTH, HEIGHT, title, tuple(shapes))


def _sheet(traits: AnyTraits, words: Words, colour: str) -> list[Shape]:
    solo = next(iter(traits.rule_sets.values()))
    sheet = solo.read_sheet(traits.sample) if traits.sample else solo.start()
    inner = PAPER - 2 * MARGIN
    match traits.draw(solo, sheet, words):
        case drawing.DrawnGrid() as drawn:
            size = (PAPER - MARGIN) / (len(drawn.columns) + 2)
            left = MARGIN + (PAPER - size * (len(drawn.columns) + 1)) / 2
            return [*grid(drawn, left, MARGIN * 1.5, Style(colour, size))]
        case drawing.Block() as drawn:
            size = (PAPER - MARGIN) / block_rows(drawn)
            total = words.say("Total"), str(solo.total(sheet))
            columns = Columns(inner, inner * 0.72, 0, 1)
            return [*block(drawn, total, 2 * MARGIN, 1.5 * MARGIN, columns, Style(colour, size))]
    return []
