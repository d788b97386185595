"""Whoever listens hears of every throw and every act once: whole games, as golden texts in five languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kasta.core import Over, Throw
from kasta.games import OURS, find_game
from kasta.games.drawing import DrawnGrid
from kasta.i18n import LANGUAGES, words
from kasta.page.sheet_model import drawing_of
from kasta.page.table_page import TablePage, table_page
from kasta.tables import events as e
from kasta.tables.rights import all_present
from kasta.tables.state import Table, evolve, replay
from support.fixtures.golden import Golden
from support.play import random_faces

GOLDEN = Path(__file__).parent / "golden"
DEVICE = "device"


def game_of_one(game: str) -> Iterator[tuple[str, Table]]:
    """A whole game with fixed dice, every other throw of equal ones, and a player who takes what pays most now."""
    chance, rules = Random(29), find_game(game).rules
    opened = e.OpenedEvent("t", game, rules, e.Settings(dice="own"), DEVICE, "")
    table = replay([opened, e.SeatedEvent(0, "Anna", DEVICE)])
    step = 0
    while not isinstance(expected := table.next(), Over):
        if isinstance(expected, Throw):
            faces, step = random_faces(expected.dice, chance), 0
            table = evolve(table, e.Rolled(table.turn + 1, faces))
            yield f"[{' '.join(map(str, faces))}]", table
        else:
            do = str(wanted(table, chance))
            table, step = evolve(table, e.Acted(table.turn, 0, step, do)), step + 1
            yield f"[{do}]", table


def wanted(table: Table, chance: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Keeps equal dice, else what pays most now, else a cell whose row has the number already."""
    solo, sheet = table.game.solo, table.game.sheet(table.play, 0)
    actions, faces = list(solo.legal(sheet)), getattr(sheet, "dice", ())
    most = max(faces, key=faces.count, default=0)
    kept = [each for each in actions if str(each) == " ".join(["keep", *[str(most)] * faces.count(most)])]
    fills = [each for each in actions if not str(each).startswith("keep")]
    if kept and faces.count(most) < len(faces):
        return kept[0]

    def worth(action: Any) -> tuple[float, ...]:  # noqa: ANN401
        row = [text for cell, text in written(table) if cell[1] == str(action)[-1]]
        return solo.total(solo.act(sheet, action)), row.count(str(sum(table.faces))), chance.random()

    return table.game.traits.follow_up(solo, sheet) or max(fills, key=worth)


def written(table: Table) -> list[tuple[str, str]]:
    drawn = drawing_of(table.game, table.game.sheet(table.play, 0), words("en"))
    rows = drawn.cells if isinstance(drawn, DrawnGrid) else ()
    return [(cell.name, cell.text) for row in rows for cell in row]


class Listener:
    """What the page's live region says, as page/js/parts.js and receipts.js have it."""

    def __init__(self, page: TablePage) -> None:
        self.page, self.known = page, set(page.receipt.split("\n"))

    def hear(self, page: TablePage) -> str:
        before, self.page = self.page, page
        sentences = list(filter(None, page.receipt.split("\n")))
        news = [each for each in sentences if each not in self.known]
        self.known = set(sentences)
        if page.dice.turn != before.dice.turn:
            return page.dice.told
        return " ".join([*news, page.status] if page.status != before.status else news)


def heard(game: str, language: str) -> str:
    listener, lines = None, list[str]()
    for done, table in game_of_one(game):
        page = table_page(table, DEVICE, words(language), all_present)
        listener = listener or Listener(table_page(table, "another", words(language), all_present))
        lines.append(f"{done} {listener.hear(page)}" if lines else f"{done} {page.dice.told}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_a_whole_game_is_heard_as_it_was(game: str, language: str, golden: Golden):
    golden(GOLDEN / f"{game}.{language}.txt", heard(game, language))


def test_the_last_box_of_another_is_heard_before_the_end():
    chance, opened = Random(3), e.OpenedEvent("t", "yatzy15", find_game("yatzy15").rules, e.Settings(), DEVICE, "")
    seats = [e.SeatedEvent(0, "Anna", DEVICE), e.SeatedEvent(1, "Pixel", DEVICE, bot="easy")]
    table, listener = replay([opened, *seats]), None
    while not isinstance(expected := table.next(), Over):
        if isinstance(expected, Throw):
            table = evolve(table, e.Rolled(table.turn + 1, random_faces(expected.dice, chance)))
        else:
            listener = Listener(table_page(table, DEVICE, words("en"), all_present))
            solo, sheet = table.game.solo, table.game.sheet(table.play, table.roller)
            do = next(str(each) for each in solo.legal(sheet) if str(each).startswith("fill"))
            table = evolve(table, e.Acted(table.turn, table.roller, table.step(table.roller), do))
    assert listener
    assert listener.hear(table_page(table, DEVICE, words("en"), all_present)).startswith(
        "Pixel fills yatzy: 50. Pixel wins!"
    )
