"""A page knows by itself which cells a throw frees: exactly those where the rules allow something."""

from __future__ import annotations

import random

import pytest

from kasta.games import GAMES, OURS, drawing
from kasta.i18n import words

GRIDS = [
    name
    for name in OURS
    for game in [next(iter(GAMES[name].games.values()))]
    if isinstance(GAMES[name].draw(game.solo, game.solo.start(), words("en")), drawing.DrawnGrid)
]


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("seed", range(5))
def test_cells_that_a_throw_frees_are_those_where_the_rules_allow_something(name: str, seed: int):
    chance = random.Random(seed)
    for game in GAMES[name].games.values():
        table = game.start(1)
        for _ in range(80):
            if (dice := getattr(game.next(table), "dice", 0)) == 0:
                break
            faces = tuple(chance.randint(1, 6) for _ in range(dice))
            rested = game.traits.draw(game.solo, game.sheet(table, 0), words("en"))
            assert isinstance(rested, drawing.DrawnGrid)
            table = game.throw(table, faces)
            cells = [cell for row in rested.cells for cell in row if cell.tap]
            freed = {cell.tap.do for cell in cells if cell.tap and cell.tap.on in {None, sum(faces)}}
            legal = {str(action) for action in game.legal(table, 0) if game.traits.spot(action).cell}
            assert freed == legal
            while actions := game.legal(table, 0):
                table = game.act(table, 0, chance.choice(actions))


def test_there_are_games_on_a_grid():
    assert len(GRIDS) > 1
