"""Hints without a network: the values of solved games come along, on wish."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from features.pocket.playing import BODIES, PATIENCE
from kasta.core import Over, Throw
from kasta.features.pocket.packing.values import packed_values, values_named
from kasta.features.pocket.runtime.answers import Pocket
from kasta.features.pocket.runtime.chance import Chance
from kasta.games import find_game
from kasta.games.block import BlockGame, Sheet
from kasta.games.traits import find_valuer
from kasta.solve.yatzy.solution import found_solution
from kasta.solve.yatzy.state_space import YatzyPosition
from kasta.solve.yatzy.take_along import TurnValues
from support.browsing import NewPhone, Server, status
from support.relays import Relay

HUNDREDTH = 0.005 + 1e-9
MEGABYTE = 1_000_000


def solo_of(name: str) -> BlockGame:
    game, _, rules = name.partition("-")
    solo = find_game(game, rules).solo
    assert isinstance(solo, BlockGame)
    return solo


def rest_of(name: str) -> Any:  # noqa: ANN401 - a function
    """What the solver says of states, to the hundredth."""
    found = found_solution(solo_of(name))
    assert found is not None

    def rest(mask: int, holds: bool, upper: int) -> float:  # noqa: FBT001 - as the browser's
        held = int(holds and found.space.holding_matters)
        return round(float(found.values[found.space.state(YatzyPosition(mask, held, upper))]), 2)

    return rest


def decisions(solo: BlockGame, rng: Random) -> list[Sheet]:
    """The sheets of a random game on which somebody decides."""
    sheet, found = solo.start(), []
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            sheet = solo.throw(sheet, tuple(rng.randint(1, 6) for _ in range(expected.dice)))
        else:
            found.append(sheet)
            sheet = solo.act(sheet, rng.choice(solo.legal(sheet)))
    return found


@pytest.mark.parametrize("name", values_named())
def test_choices_are_worth_what_the_solver_says(name: str):
    solo, rest, rng = solo_of(name), rest_of(name), Random(name)
    valuer = find_valuer(find_game(*name.split("-")))
    for sheet in rng.sample(decisions(solo, rng), 5):
        here, there = (
            TurnValues(solo, sheet, rest).options(sheet),
            {each.action: each.value for each in valuer.options(sheet)},
        )
        assert {each.action for each in here} == set(there)
        assert all(abs(each.value - there[each.action]) <= HUNDREDTH for each in here)
        assert here == sorted(here, key=lambda each: -each.value)


def test_all_games_that_are_solved_have_a_file_that_is_small_enough():
    assert len(values_named()) == 2
    assert all(len(packed_values(name)) < MEGABYTE for name in values_named())


def test_without_values_no_hint_is_promised_or_told():
    chance = Chance(lambda below: below - 1)
    pocket = Pocket(chance.dice, chance)

    def ask(**question: Any) -> dict[str, Any]:  # noqa: ANN401
        return pocket.ask({"table": "t", "language": "en", **question})

    ask(ask="open", fields=[["game", "knister"], ["alone", "1"]])
    table = pocket.of({"table": "t"}).table
    assert table.settings.coach == "after"
    assert ask(ask="act", action="settings", fields=[["coach", "live"]])["offline"]
    assert table.settings.coach == "after"


def ask_coach(page: Page) -> str:
    page.locator("#roll").tap()
    page.locator("#hint").tap()
    expect(page.locator("#advice [data-places]")).to_be_visible(timeout=PATIENCE)
    page.locator("#advice summary").tap()
    return page.locator("#advice").inner_text()


def test_hints_are_taken_along_and_told_without_a_network(site: Server, new_phone: NewPhone):
    line = Relay(site.port)
    line.mend()
    page = new_phone(reduced_motion="reduce", locale="sv")
    page.goto(f"{line.url}/pocket")
    take = page.locator("[data-values='yatzy-sheet']")
    take.tap()
    expect(take).to_have_count(0, timeout=PATIENCE)
    expect(page.get_by_text("Tipsen finns på den här enheten.")).to_have_count(1)
    with page.expect_worker() as asked:
        page.goto(f"{line.url}/pocket?game=yatzy&alone=1")
    expect(status(page)).to_be_visible(timeout=PATIENCE)
    line.cut()
    text = ask_coach(page)
    assert "Siffror" in text
    expect(page.locator(".pointed").first).to_be_visible()
    worker = asked.value
    kinds = [json.loads(each)["kind"] for each in page.evaluate(BODIES)]
    assert kinds == ["opened", "seated", "rolled", "hinted"], "the record says that the coach was asked"
    told = [float(each.replace(",", ".")) for each in re.findall(r"(\d+,\d) poäng", text)]
    assert told
    rest, counts = rest_of("yatzy-sheet"), "[[0, 0, 0], [8191, 1, 63], [5, 0, 4], [7, 1, 9], [4096, 0, 0]]"
    there = worker.evaluate(
        f"{counts}.map(([mask, holds, upper]) => self.kastaRest('yatzy-sheet', mask, holds, upper))"
    )
    here = [rest(mask, bool(holds), upper) for mask, holds, upper in json.loads(counts)]
    assert there == pytest.approx(here)
