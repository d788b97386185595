"""Maxi, as RULINGS.md tells it, and its three rule sets."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given

from kasta.core import Over, Throw
from kasta.games import find_game
from kasta.games.maxi import BOXES, RULE_SETS, Fill
from kasta.record import Do, Roll
from support import oracles
from support.play import choices, played, random_game, refused, seeds

MAXI, NO_SAVING = RULE_SETS["sheet"], RULE_SETS["no_saving"]
MIXED = (1, 2, 2, 4, 4, 6)

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS)


def dice(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("-")))


PAYS = [
    ("1-1-3-4-1-6", "ones", 3),
    ("2-2-2-2-2-2", "twos", 12),
    ("3-4-4-6-3-1", "threes", 6),
    ("4-4-4-1-2-2", "fours", 12),
    ("5-1-2-3-4-6", "fives", 5),
    ("6-6-6-6-1-6", "sixes", 30),
    ("6-6-6-6-1-6", "fives", 0),
    ("5-5-5-5-2-2", "one_pair", 10),
    ("1-2-3-4-5-6", "one_pair", 0),
    ("1-1-3-3-6-6", "two_pairs", 18),
    ("5-5-5-5-2-1", "two_pairs", 0),
    ("1-1-3-3-6-6", "three_pairs", 20),
    ("3-3-3-3-6-6", "three_pairs", 0),
    ("3-3-3-6-6-6", "three_of_a_kind", 18),
    ("3-3-2-2-6-6", "three_of_a_kind", 0),
    ("3-3-3-3-3-1", "four_of_a_kind", 12),
    ("3-3-3-2-2-2", "four_of_a_kind", 0),
    ("3-3-3-3-3-3", "five_of_a_kind", 15),
    ("3-3-3-3-1-1", "five_of_a_kind", 0),
    ("1-2-3-4-5-5", "small_straight", 15),
    ("1-2-3-4-5-6", "small_straight", 15),
    ("2-3-4-5-6-6", "small_straight", 0),
    ("2-3-4-5-6-6", "large_straight", 20),
    ("1-2-3-4-5-6", "large_straight", 20),
    ("1-2-3-4-5-6", "full_straight", 21),
    ("1-2-3-4-5-5", "full_straight", 0),
    # three and two of different faces: the best five of the six dice
    ("4-4-4-5-5-5", "full_house", 23),
    ("6-6-6-6-2-2", "full_house", 22),
    ("6-6-6-2-2-1", "full_house", 22),
    ("6-6-6-6-6-1", "full_house", 0),
    ("4-4-4-5-5-5", "villa", 27),
    ("4-4-4-4-5-5", "villa", 0),
    ("4-4-4-4-4-4", "villa", 0),
    ("4-4-4-4-5-5", "tower", 26),
    ("5-5-5-5-4-4", "tower", 28),
    ("5-5-5-4-4-4", "tower", 0),
    ("5-5-5-5-5-5", "tower", 0),
    ("1-2-3-4-5-5", "chance", 20),
    ("6-6-6-6-6-6", "maxi_yatzy", 100),
    ("6-6-6-6-6-5", "maxi_yatzy", 0),
]


@every_rule_set
@pytest.mark.parametrize(("thrown", "box", "points"), PAYS)
def test_what_dice_pay_in_a_box(rules: str, thrown: str, box: str, points: int):
    game = RULE_SETS[rules]
    assert game.total(played(game, "", dice(thrown), f"fill {box}")) == points


FITS = {
    "one_pair": r"(.)\1",
    "two_pairs": r"(.)\1(?!\1)(.)\2",
    "three_pairs": r"(.)\1(?!\1)(.)\2(?!\2)(.)\3",
    "three_of_a_kind": r"(.)\1\1",
    "four_of_a_kind": r"(.)\1\1\1",
    "five_of_a_kind": r"(.)\1\1\1\1",
    "small_straight": "12345",
    "large_straight": "23456",
    "full_straight": "123456",
    "full_house": r"(.)\1\1(?!\1)(.)\2|(.)\3(?!\3)(.)\4\4",
    "villa": r"(.)\1\1(?!\1)(.)\2\2",
    "tower": r"(.)\1\1\1(?!\1)(.)\2|(.)\3(?!\3)(.)\4\4\4",
    "chance": "......",
}


def second_score(box: str, thrown: tuple[int, ...]) -> int:
    if box in oracles.FACES:
        return sum(face for face in thrown if str(face) == oracles.FACES[box])
    if box == "maxi_yatzy":
        return 100 if len(set(thrown)) == 1 else 0
    return oracles.best_dice(FITS[box], thrown)


def test_a_second_scorer_agrees_on_every_throw_in_every_box():
    for thrown in combinations_with_replacement(range(1, 7), 6):
        for box in BOXES:
            assert MAXI.scores[box](thrown) == second_score(box, thrown), (box, thrown)


@every_rule_set
@given(seed=seeds)
def test_totals_and_saved_throws_are_those_of_a_pencil_and_paper(rules: str, seed: int):
    game, filled, left, saved = find_game("maxi", rules), dict[str, int](), 3, 0
    for table, step in random_game(game, 1, seed):
        match step:
            case Roll():
                left -= 1
                assert left + saved >= 0
            case Do(_, text) if text.startswith("fill"):
                box = text.removeprefix("fill ")
                filled[box] = second_score(box, game.sheet(table, 0).dice)
                saved, left = (saved + left if rules == "sheet" else 0), 3
    upper = sum(points for box, points in filled.items() if box in oracles.FACES)
    bonus = (50 if upper >= 75 else 0) if rules == "finnish" else (100 if upper >= 84 else 0)
    assert game.total(table, 0) == sum(filled.values()) + bonus
    assert game.sheet(table, 0).saved == saved


@pytest.mark.parametrize(
    ("rules", "sixes", "total"),
    [
        ("sheet", 18, 78),
        ("sheet", 24, 84 + 100),
        ("no_saving", 24, 84 + 100),
        ("finnish", 12, 72),
        ("finnish", 18, 78 + 50),
    ],
)
def test_what_the_upper_section_earns(rules: str, sixes: int, total: int):
    game = RULE_SETS[rules]
    block = f"ones 4\ntwos 8\nthrees 12\nfours 16\nfives 20\nsixes {sixes}"
    assert game.total(played(game, block)) == total


# Saved throws


@pytest.mark.parametrize(("rules", "saved"), [("sheet", 2), ("no_saving", 0), ("finnish", 0)])
def test_throws_not_used_are_saved(rules: str, saved: int):
    game = RULE_SETS[rules]
    assert played(game, "", MIXED, "fill chance").saved == saved


def test_saved_throws_add_up():
    sheet = played(MAXI, "", MIXED, "fill chance", MIXED, "keep 2 2", (1, 2, 3, 4), "fill twos")
    assert sheet.saved == 3


def test_a_saved_throw_is_used_after_the_third_and_then_gone():
    sheet = played(MAXI, "chance 20\nsaved 1", MIXED, "keep", MIXED, "keep", MIXED, "keep 2 2", (2, 2, 2, 1))
    assert (sheet.saved, sheet.dice) == (0, (1, 2, 2, 2, 2, 2))
    assert all(isinstance(action, Fill) for action in MAXI.legal(sheet))
    with refused("no_throw_left"):
        MAXI.act(sheet, MAXI.read_action("keep 2 2 2 2 2"))
    assert MAXI.act(sheet, Fill("twos")).saved == 0


def test_saved_throws_stay_saved_while_the_three_of_the_turn_last():
    sheet = played(MAXI, "chance 20\nsaved 2", MIXED, "keep", MIXED, "keep", MIXED)
    assert sheet.saved == 2
    assert MAXI.act(sheet, Fill("twos")).saved == 2


def test_without_saving_the_third_throw_is_the_last():
    with refused("no_throw_left"):
        played(NO_SAVING, "chance 20", MIXED, "keep", MIXED, "keep", MIXED, "keep")


def test_a_block_as_text_tells_what_was_saved():
    sheet = played(MAXI, "", MIXED, "fill one_pair")
    assert MAXI.write_sheet(sheet) == "one_pair 8\nsaved 2\n"
    assert MAXI.read_sheet(MAXI.write_sheet(sheet)) == sheet
    with refused("unknown_box"):
        NO_SAVING.read_sheet(MAXI.write_sheet(sheet))


@pytest.mark.parametrize("text", ["saved 1", "one_pair 8\nsaved 3"])
def test_no_turn_saves_more_than_two_throws(text: str):
    with refused("too_many_saved"):
        MAXI.read_sheet(text)


# The end

BEST = {
    "two_pairs": (6, 6, 5, 5, 1, 1),
    "three_pairs": (6, 6, 5, 5, 4, 4),
    "small_straight": (1, 2, 3, 4, 5, 5),
    "large_straight": (2, 3, 4, 5, 6, 6),
    "full_straight": (1, 2, 3, 4, 5, 6),
    "full_house": (6, 6, 6, 5, 5, 5),
    "villa": (6, 6, 6, 5, 5, 5),
    "tower": (6, 6, 6, 6, 5, 5),
}


@pytest.mark.parametrize(("rules", "total"), [("sheet", 649), ("no_saving", 649), ("finnish", 599)])
def test_the_largest_total(rules: str, total: int):
    # Upper section 6 x 21 and the bonus; below it 12 + 22 + 30 + 18 + 24 + 30, straights 15 + 20 + 21, then
    # 28 + 33 + 34 + 36 + 100.
    game = RULE_SETS[rules]
    sheet = game.start()
    for number, box in enumerate(BOXES):
        assert game.next(sheet) == Throw(6)
        sheet = game.act(game.throw(sheet, BEST.get(box, (min(number + 1, 6),) * 6)), Fill(box))
    assert game.next(sheet) == Over()
    assert choices(game, sheet) == ""
    assert game.total(sheet) == total
    assert total == game.upper_bonus + sum(max(values) for values in game.attainable.values())
