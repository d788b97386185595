"""Yatzy with 15 boxes, as RULINGS.md tells it, and its two rule sets."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given

from kasta.core import Over, Throw
from kasta.games import find_game
from kasta.games.yatzy15 import BOXES, RULE_SETS, Fill
from support import oracles
from support.play import played, random_game, refused, seeds

SHEET, LOOSE = RULE_SETS["sheet"], RULE_SETS["loose"]

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS)


def dice(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("-")))


PAYS = [
    # the upper section counts its own face only
    ("1-1-3-4-1", "ones", 3),
    ("2-2-2-2-2", "twos", 10),
    ("3-4-4-6-3", "threes", 6),
    ("4-4-4-1-2", "fours", 12),
    ("5-1-2-3-4", "fives", 5),
    ("6-6-6-6-1", "sixes", 24),
    ("6-6-6-6-1", "fives", 0),
    # the best pair, and only its two dice
    ("5-5-5-5-2", "one_pair", 10),
    ("3-3-6-6-1", "one_pair", 12),
    ("1-2-3-4-6", "one_pair", 0),
    ("3-3-6-6-1", "two_pairs", 18),
    ("3-3-3-6-6", "two_pairs", 18),
    ("3-3-6-5-1", "two_pairs", 0),
    # so many equal, of dice that may be more
    ("4-4-4-6-1", "three_of_a_kind", 12),
    ("4-4-4-4-4", "three_of_a_kind", 12),
    ("4-4-6-6-1", "three_of_a_kind", 0),
    ("2-2-2-2-6", "four_of_a_kind", 8),
    ("2-2-2-2-2", "four_of_a_kind", 8),
    ("2-2-2-6-6", "four_of_a_kind", 0),
    # all five faces of the straight
    ("5-1-4-2-3", "small_straight", 15),
    ("2-3-4-5-6", "small_straight", 0),
    ("1-2-3-4-4", "small_straight", 0),
    ("6-5-4-3-2", "large_straight", 20),
    ("1-2-3-4-5", "large_straight", 0),
    # three and two of different faces
    ("6-6-6-5-5", "full_house", 28),
    ("1-1-6-6-1", "full_house", 15),
    ("6-6-5-5-4", "full_house", 0),
    ("6-6-6-6-5", "full_house", 0),
    ("6-6-5-4-1", "chance", 22),
    ("1-1-1-1-1", "yatzy", 50),
    ("1-1-1-1-2", "yatzy", 0),
]


@every_rule_set
@pytest.mark.parametrize(("thrown", "box", "points"), PAYS)
def test_what_dice_pay_in_a_box(rules: str, thrown: str, box: str, points: int):
    game = RULE_SETS[rules]
    assert game.total(played(game, "", dice(thrown), f"fill {box}")) == points


@pytest.mark.parametrize(
    ("thrown", "box", "loose"),
    [("5-5-5-5-2", "two_pairs", 20), ("5-5-5-5-5", "two_pairs", 20), ("5-5-5-5-5", "full_house", 25)],
)
def test_only_loose_rules_let_equal_dice_be_two_groups(thrown: str, box: str, loose: int):
    for game, points in ((SHEET, 0), (LOOSE, loose)):
        assert game.total(played(game, "", dice(thrown), f"fill {box}")) == points


FITS = {
    "one_pair": r"(.)\1",
    "two_pairs": r"(.)\1(?!\1)(.)\2",
    "three_of_a_kind": r"(.)\1\1",
    "four_of_a_kind": r"(.)\1\1\1",
    "small_straight": "12345",
    "large_straight": "23456",
    "full_house": r"(.)\1\1(?!\1)(.)\2|(.)\3(?!\3)(.)\4\4",
    "chance": ".....",
}
FITS_LOOSELY = FITS | {"two_pairs": r"(.)\1(.)\2", "full_house": r"(.)\1\1(.)\2|(.)\3(.)\4\4"}


def second_score(rules: str, box: str, thrown: tuple[int, ...]) -> int:
    if box in oracles.FACES:
        return sum(face for face in thrown if str(face) == oracles.FACES[box])
    if box == "yatzy":
        return 50 if len(set(thrown)) == 1 else 0
    return oracles.best_dice((FITS if rules == "sheet" else FITS_LOOSELY)[box], thrown)


@every_rule_set
def test_a_second_scorer_agrees_on_every_throw_in_every_box(rules: str):
    for thrown in combinations_with_replacement(range(1, 7), 5):
        for box in BOXES:
            assert RULE_SETS[rules].scores[box](thrown) == second_score(rules, box, thrown), (box, thrown)


@every_rule_set
@given(seed=seeds)
def test_totals_are_those_of_the_second_scorer(rules: str, seed: int):
    game, filled = find_game("yatzy15", rules), dict[str, int]()
    for table, step in random_game(game, 1, seed):
        if step and str(getattr(step, "text", "")).startswith("fill"):
            box = str(getattr(step, "text", "")).removeprefix("fill ")
            filled[box] = second_score(rules, box, game.sheet(table, 0).dice)
    upper = sum(points for box, points in filled.items() if box in oracles.FACES)
    assert game.total(table, 0) == sum(filled.values()) + (50 if upper >= 63 else 0)


@pytest.mark.parametrize(("sixes", "total"), [(12, 57), (18, 63 + 50), (24, 69 + 50)])
def test_63_in_the_upper_section_earn_50(sixes: int, total: int):
    block = f"ones 3\ntwos 6\nthrees 9\nfours 12\nfives 15\nsixes {sixes}"
    assert SHEET.total(played(SHEET, block)) == total


@every_rule_set
def test_all_dice_may_be_thrown_again_twice(rules: str):
    game = RULE_SETS[rules]
    sheet = played(game, "", (1, 2, 2, 4, 6), "keep", (1, 2, 2, 4, 6), "keep", (1, 2, 2, 4, 6))
    assert all(isinstance(action, Fill) for action in game.legal(sheet))
    with refused("no_throw_left"):
        game.act(sheet, game.read_action("keep"))


def test_a_second_yatzy_is_no_joker():
    sheet = played(SHEET, "yatzy 50", (6,) * 5)
    assert [action.box for action in SHEET.legal(sheet) if isinstance(action, Fill)] == list(BOXES[:-1])
    assert SHEET.total(SHEET.act(sheet, Fill("large_straight"))) == 50
    with refused("box_filled"):
        SHEET.act(sheet, Fill("yatzy"))


def test_a_block_as_text_is_its_boxes_and_nothing_else():
    sheet = played(SHEET, "", (6,) * 5, "fill yatzy", (1, 1, 2, 2, 3), "fill two_pairs")
    assert SHEET.write_sheet(sheet) == "two_pairs 6\nyatzy 50\n"
    assert SHEET.read_sheet(SHEET.write_sheet(sheet)) == sheet
    with refused("unknown_box"):
        SHEET.read_sheet("jokers 1\n")


BEST = {
    "two_pairs": (6, 6, 5, 5, 1),
    "small_straight": (1, 2, 3, 4, 5),
    "large_straight": (2, 3, 4, 5, 6),
    "full_house": (6, 6, 6, 5, 5),
}


@pytest.mark.parametrize(
    # Upper section 5 x 21 + 50 = 155; below it 12 + 22 + 18 + 24 + 15 + 20 + 28 + 30 + 50 = 219. Loose: 24 and 30
    # instead of 22 and 28, from five sixes.
    ("rules", "best", "total"),
    [("sheet", BEST, 374), ("loose", BEST | {"two_pairs": (6,) * 5, "full_house": (6,) * 5}, 378)],
)
def test_the_largest_total(rules: str, best: dict[str, tuple[int, ...]], total: int):
    game = RULE_SETS[rules]
    sheet = game.start()
    for number, box in enumerate(BOXES):
        assert game.next(sheet) == Throw(5)
        sheet = game.act(game.throw(sheet, best.get(box, (min(number + 1, 6),) * 5)), Fill(box))
    assert game.next(sheet) == Over()
    assert game.total(sheet) == total
    assert total == 50 + sum(max(values) for values in game.attainable.values())
