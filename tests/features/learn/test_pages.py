"""The page of what can be learned shows each game by its sheet."""

from __future__ import annotations

from collections.abc import Callable

from kasta.games import OURS
from support.visitors import Phone


def test_each_game_has_its_sheet_and_its_ways_to_learn(phone: Callable[[], Phone]):
    page = phone().get("/learn").text
    assert page.count('class="sheet-picture"') == len(OURS)
    for game in OURS:
        for way in ("rules", "practice", "puzzle"):
            assert f'href="/{way}/{game}"' in page
