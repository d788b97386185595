"""Puzzles are answered on the sheet; they and practice sheets can be read with large text on a narrow phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from kasta.coach.puzzles import Puzzle, puzzles_of
from kasta.games import GAMES
from support.browsing import NewPhone, Server
from support.page_checks import ALL_RULES, misfits
from support.reflow import LARGE_AND_NARROW, faults


def first(game: str, begins: str) -> tuple[int, Puzzle]:
    """A puzzle whose answer begins so."""
    return next((n, each) for n, each in enumerate(puzzles_of(GAMES[game])) if each.best.startswith(begins))


def is_fine(page: Page) -> None:
    assert not misfits(page)
    found = Axe().run(page, options=ALL_RULES)
    assert not found.response["violations"], found.generate_report()


@pytest.mark.parametrize("game", ["knister", "yatzy"])
def test_a_puzzle_is_answered_by_a_tap_on_the_sheet(new_phone: NewPhone, site: Server, game: str):
    page = new_phone(viewport={"width": 320, "height": 640})
    number, puzzle = first(game, "fill" if game == "yatzy" else "")
    page.goto(f"{site.url}/puzzle/{game}/{number}")
    is_fine(page)
    page.locator(f'.paper button[value="{puzzle.best}"]').tap()
    expect(page.locator("#asked")).to_contain_text("That is it!")
    expect(page.locator(".paper .fresh")).not_to_have_count(0)
    expect(page.locator(".numbers ol")).to_be_hidden()
    is_fine(page)


def test_dice_of_a_puzzle_are_tapped_and_a_miss_is_answered_kindly(new_phone: NewPhone, site: Server):
    page = new_phone(viewport={"width": 320, "height": 640})
    number, puzzle = first("yatzy", "keep ")
    page.goto(f"{site.url}/puzzle/yatzy/{number}")
    page.get_by_role("button", name="Throw the others again").tap()
    expect(page.locator("#play")).to_have_count(1)  # one die has to be kept: the question stands
    page.locator(".spot input").first.tap()
    page.get_by_role("button", name="Throw the others again").tap()
    expect(page.locator("#asked")).to_contain_text("Good try!")
    expect(page.locator(".spot.pointed")).to_have_count(len(puzzle.best.split()) - 1)
    is_fine(page)


@pytest.mark.parametrize(
    "path", ["puzzle", "puzzle/knister/1", "puzzle/maxi/5", "practice/yatzy", "practice/knaster"]
)
def test_large_text_flows_on_a_narrow_phone(new_phone: NewPhone, site: Server, path: str):
    page = new_phone(locale="de")
    page.goto(f"{site.url}/{path}")
    assert faults(page, LARGE_AND_NARROW) == []
