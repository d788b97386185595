"""Random games through rules and kernels at once: legal actions, next states and points agree at every step."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from kasta.core import FACES
from kasta.games import find_game
from kasta.games.block import Fill, Keep, Sheet
from kasta.games.yatzy import RULE_SETS, Yatzy
from kasta.solve.yatzy.arrays import NOT_ALLOWED, YatzyArrays
from kasta.solve.yatzy.kernels import value as kernels
from kasta.solve.yatzy.state_space import StateSpace, YatzyPosition


@numba.njit  # type: ignore[untyped-decorator]
def fill(t: YatzyArrays, at: YatzyPosition, throw: int) -> list[tuple[int, int, float]]:
    """Filling each box, as kernels do it: the outcome, the state after it, and the points."""
    mask, held, upper = at
    b, leads, found = t.boxes, np.zeros(len(t.boxes.gain), np.int64), []
    kernels.following(b, t.numbering, mask, held, upper, leads)
    for box in range(b.size):
        o = kernels.outcome(b.outcome, b.own_box, kernels.situation(b, mask, held), mask, throw, box)
        found.append((o, leads[o], b.gain[o]))
    return found


@numba.njit  # type: ignore[untyped-decorator]
def unnumber(t: YatzyArrays, number: int) -> tuple[int, int, int]:
    """A state from its number, as kernels find it."""
    mask, held = kernels.boxes_of(t.numbering, number)
    return mask, held, kernels.upper_of(t.states, t.numbering, mask, held, number)


def keeps(space: StateSpace, dice: int) -> set[int]:
    """What can be kept of a throw, as kernels find it: by leaving out one die after the other."""
    t = space.arrays
    found, todo = set[int](), [dice]
    while todo:
        size = len(space.sets[number := todo.pop()])
        smaller = {int(s) for s in t.dice.fewer[number] if len(space.sets[s]) == size - 1}
        todo += smaller - found
        found |= smaller
    return found - set(t.dice.unkeepable)


def check_fills(space: StateSpace, sheet: Sheet) -> None:
    game, t = space.game, space.arrays
    throw = space.number[sheet.dice] - space.keeps
    at = space.position(sheet)
    assert space.state(YatzyPosition(*unnumber(t, space.state(at)))) == space.state(at)
    legal = {action.box for action in game.legal(sheet) if isinstance(action, Fill)}
    for box, (outcome, state, gain) in zip(game.boxes, fill(t, at, throw), strict=True):
        assert (outcome != NOT_ALLOWED) == (box in legal)
        if box in legal:
            after = game.act(sheet, Fill(box))
            assert space.state(space.position(after)) == state
            assert space.counted(after) - space.counted(sheet) == gain
            if None not in after.boxes:
                assert game.total(after) - space.counted(after) == space.bonus(np.array([state]))[0]


def check_keeps(space: StateSpace, sheet: Sheet) -> None:
    legal = {space.number[action.dice] for action in space.game.legal(sheet) if isinstance(action, Keep)}
    assert legal == (keeps(space, space.number[sheet.dice]) if space.game.throws_left(sheet) else set())


OTHERS = [("yatzy15", "sheet"), ("yatzy15", "loose"), ("maxi", "sheet"), ("maxi", "finnish")]


@pytest.mark.parametrize(("name", "rules"), [*(("yatzy", rules) for rules in RULE_SETS), *OTHERS])
def test_rules_and_kernels_play_the_same_game(name: str, rules: str):
    solo: Any = find_game(name, rules).solo
    game, rng = solo, Random(5)
    space = StateSpace(game)
    for _ in range(60 if name == "yatzy" else 20):
        sheet = game.start()
        while None in sheet.boxes:
            # Equal dice are rare, and what jokers do is what could go wrong.
            dice = tuple(rng.choices(FACES, k=game.dice - len(sheet.dice)))
            if not sheet.dice and rng.random() < 0.4:
                dice = (rng.choice(FACES),) * game.dice
            kept = space.number[sheet.dice]
            for face in dice:
                kept = space.arrays.dice.more[kept, face - 1]
            sheet = game.throw(sheet, dice)
            assert space.number[sheet.dice] == kept
            check_fills(space, sheet)
            check_keeps(space, sheet)
            sheet = game.act(sheet, rng.choice(game.legal(sheet)))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_equal_dice_may_do_agrees_on_a_sample_of_all_sheets(rules: str):
    check_sheets(rules, Random(6).sample(range(1 << 13), 200), [(face,) * 5 for face in FACES])


@pytest.mark.prove
@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_equal_dice_may_do_agrees_on_all_sheets(rules: str):
    check_sheets(rules, range((1 << 13) - 1), [(face,) * 5 for face in FACES])


@pytest.mark.prove
@pytest.mark.parametrize("rules", ["sheet", "free_joker"])
def test_what_any_dice_may_do_agrees_on_many_sheets(rules: str):
    check_sheets(rules, Random(7).sample(range(1 << 13), 400), StateSpace(Yatzy()).throws)


def check_sheets(rules: str, masks: Iterable[int], throws: list[tuple[int, ...]]) -> None:
    game = Yatzy(RULE_SETS[rules])
    space = StateSpace(game)
    for mask in masks:
        for held in (0, space.held) if mask & space.mask("yatzy") else (0,):
            boxes = [0 if mask >> box & 1 else None for box in range(len(game.boxes))]
            if mask & space.mask("yatzy"):
                boxes[game.boxes.index("yatzy")] = held
            if None in boxes:
                for dice in throws:
                    check_fills(space, Sheet(tuple(boxes), dice=dice, throws=3))
