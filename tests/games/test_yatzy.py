"""Yatzy with 13 boxes, as its Swedish sheet and RULINGS.md tell it, and its six rule sets."""

import pytest

from kasta.core import Over, Pick, Throw
from kasta.games import GAMES
from kasta.games.yatzy import RULE_SETS, Fill, Yatzy
from kasta.i18n import LANGUAGES
from support.play import choices, played, refused

YATZY = Yatzy()

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS)


def dice(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("-")))


# Boxes

BOXES = [
    # the sheet's examples
    ("5-5-5-2-4", "three_of_a_kind", 21),
    ("1-1-1-1-3", "four_of_a_kind", 7),
    ("2-2-2-3-3", "full_house", 25),
    ("2-3-4-5-5", "small_straight", 30),
    ("2-3-4-5-6", "large_straight", 40),
    ("3-3-3-3-3", "yatzy", 50),
    ("2-3-5-6-6", "chance", 22),
    # the upper section counts its own face only
    ("1-1-3-4-1", "ones", 3),
    ("2-2-2-2-2", "twos", 10),
    ("3-4-4-6-3", "threes", 6),
    ("4-4-4-1-2", "fours", 12),
    ("5-1-2-3-4", "fives", 5),
    ("6-6-6-6-1", "sixes", 24),
    ("6-6-6-6-1", "fives", 0),
    # at least so many equal
    ("6-6-6-6-1", "three_of_a_kind", 25),
    ("6-6-6-6-6", "three_of_a_kind", 30),
    ("6-6-6-6-6", "four_of_a_kind", 30),
    ("6-6-6-5-5", "four_of_a_kind", 0),
    ("6-6-5-5-4", "three_of_a_kind", 0),
    # three of one and two of another
    ("4-4-4-4-4", "full_house", 0),
    ("4-4-4-4-5", "full_house", 0),
    ("5-4-5-4-5", "full_house", 25),
    ("4-4-3-3-2", "full_house", 0),
    # in sequence, in any order
    ("1-2-3-4-6", "small_straight", 30),
    ("6-4-3-5-1", "small_straight", 30),
    ("4-3-2-1-2", "small_straight", 30),
    ("2-3-4-5-6", "small_straight", 30),
    ("1-2-3-5-6", "small_straight", 0),
    ("5-4-3-2-1", "large_straight", 40),
    ("1-2-3-4-6", "large_straight", 0),
    ("6-1-2-3-4", "large_straight", 0),
    ("3-3-3-3-4", "yatzy", 0),
    ("1-1-1-1-1", "chance", 5),
]


@every_rule_set
@pytest.mark.parametrize(("thrown", "box", "points"), BOXES)
def test_what_dice_pay_in_a_box(rules: str, thrown: str, box: str, points: int):
    yatzy = Yatzy(RULE_SETS[rules])
    sheet = played(yatzy, "", dice(thrown), f"fill {box}")
    assert yatzy.total(sheet) == points


def test_any_free_box_may_be_chosen_also_for_nothing():
    sheet = played(YATZY, "", dice("2-3-4-5-6"))
    assert {action.box for action in YATZY.legal(sheet) if isinstance(action, Fill)} == set(YATZY.boxes)
    assert YATZY.total(YATZY.act(sheet, Fill("yatzy"))) == 0


def test_each_box_is_filled_once():
    for points in ("chance 22", "yatzy 0"):
        box = points.split()[0]
        with refused("box_filled"):
            played(YATZY, points, dice("2-3-4-5-6"), f"fill {box}")


@pytest.mark.parametrize(("sixes", "total"), [(12, 57), (18, 63 + 35), (24, 69 + 35)])
def test_63_in_the_upper_section_earn_35(sixes: int, total: int):
    block = f"ones 3\ntwos 6\nthrees 9\nfours 12\nfives 15\nsixes {sixes}"
    assert YATZY.total(played(YATZY, block)) == total


def test_62_in_the_upper_section_earn_nothing():
    block = "ones 2\ntwos 6\nthrees 9\nfours 12\nfives 15\nsixes 18"
    assert YATZY.total(played(YATZY, block)) == 62


def test_the_lower_section_does_not_help_towards_the_bonus():
    assert YATZY.total(played(YATZY, "sixes 30\nchance 30\nyatzy 50")) == 110


# Throws and keeping


def test_a_turn_has_up_to_three_throws():
    sheet = played(YATZY, "", dice("1-3-3-5-6"))
    for kept, others in (("keep 3 3 5", (3, 6)), ("keep 3 3 3", (1, 3))):
        sheet = YATZY.act(sheet, YATZY.read_action(kept))
        assert YATZY.next(sheet) == Throw(2)
        sheet = YATZY.throw(sheet, others)
    assert sheet.dice == (1, 3, 3, 3, 3)
    assert all(isinstance(action, Fill) for action in YATZY.legal(sheet))
    with refused("no_throw_left"):
        YATZY.act(sheet, YATZY.read_action("keep 3 3 3 3"))


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_a_player_may_stop_after_any_throw(throws: int):
    more: list[str | tuple[int, ...]] = ["keep 3", (3, 4, 5, 6)] * (throws - 1)
    sheet = played(YATZY, "", dice("1-3-3-5-6"), *more, "fill chance")
    assert YATZY.rests(sheet)
    assert YATZY.next(sheet) == Throw(5)


@pytest.mark.parametrize(
    ("thrown", "keeps"),
    [
        ("6-6-6-6-6", ["", "6", "6 6", "6 6 6", "6 6 6 6"]),
        ("1-1-1-1-2", ["", "1", "2", "1 1", "1 2", "1 1 1", "1 1 2", "1 1 1 1", "1 1 1 2"]),
    ],
)
@every_rule_set
def test_one_to_five_are_kept_and_only_the_sheet_itself_forbids_to_rethrow_all(
    rules: str, thrown: str, keeps: list[str]
):
    yatzy = Yatzy(RULE_SETS[rules])
    sheet = played(yatzy, "", dice(thrown))
    meant = {f"keep {kept}".strip() for kept in keeps if kept or rules != "sheet"}
    assert {str(action) for action in yatzy.legal(sheet) if not isinstance(action, Fill)} == meant


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("keep", "keep_at_least_one"),
        ("keep 1 3 3 5 6", "keep_all_is_stopping"),
        ("keep 2", "die_not_thrown"),
        ("keep 3 3 3", "die_not_thrown"),
        ("keep 1 1 3 3 5 6", "die_not_thrown"),
    ],
)
def test_what_cannot_be_kept(action: str, code: str):
    with refused(code):
        played(YATZY, "", dice("1-3-3-5-6"), action)


@every_rule_set
def test_rethrowing_all_throws_five_dice_again(rules: str):
    yatzy = Yatzy(RULE_SETS[rules])
    if rules == "sheet":
        with refused("keep_at_least_one"):
            played(yatzy, "", dice("1-3-3-5-6"), "keep")
    else:
        assert yatzy.next(played(yatzy, "", dice("1-3-3-5-6"), "keep")) == Throw(5)


def test_only_the_rethrown_dice_are_thrown():
    with refused("wrong_number_of_dice"):
        played(YATZY, "", dice("1-3-3-5-6"), "keep 3 3", (1, 1, 1, 1, 1))


# Jokers: five sixes on six blocks. Each row says where they may go and what they pay there, then the bonus.

YATZY_FREE = "chance 20"
OWN_BOX_FREE = "yatzy 50\nones 3"
OWN_BOX_FILLED = "yatzy 50\nsixes 18\nones 3\ntwos 4\nthrees 9\nfours 8\nthree_of_a_kind 20"
LOWER_FILLED = """
    sixes 18
    threes 9
    fours 8
    fives 20
    three_of_a_kind 20
    four_of_a_kind 0
    full_house 25
    small_straight 30
    large_straight 0
    yatzy 50
    chance 20
"""
GIVEN_UP_OWN_BOX_FREE = OWN_BOX_FREE.replace("yatzy 50", "yatzy 0")
GIVEN_UP = OWN_BOX_FILLED.replace("yatzy 50", "yatzy 0")

# What stands for "any free box, as the dice fit": no joker at all, or one that pays nothing more.
ANY_BESIDE_ONES = (
    "chance 30, fives 0, four_of_a_kind 30, fours 0, full_house 0, large_straight 0, sixes 30, small_straight 0, "
    "three_of_a_kind 30, threes 0, twos 0"
)
AS_DICE = "chance 30, fives 0, four_of_a_kind 30, full_house 0, large_straight 0, small_straight 0"
FORCED = "chance 30, four_of_a_kind 30, full_house 25, large_straight 40, small_straight 30"
FREELY = "chance 30, fives 0, four_of_a_kind 30, full_house 25, large_straight 40, small_straight 30"

JOKERS = [
    # the Yatzy box holds 50, the sixes are free: they must go there
    (OWN_BOX_FREE, "sheet", "sixes 30", 100),
    (OWN_BOX_FREE, "sheet_rethrow", "sixes 30", 100),
    (OWN_BOX_FREE, "official", "sixes 30", 100),
    (OWN_BOX_FREE, "free_joker", ANY_BESIDE_ONES, 100),
    (OWN_BOX_FREE, "bonus_only", ANY_BESIDE_ONES, 100),
    (OWN_BOX_FREE, "plain", ANY_BESIDE_ONES, 0),
    # the sixes are filled: any lower box, paid in full
    (OWN_BOX_FILLED, "sheet", FORCED, 100),
    (OWN_BOX_FILLED, "sheet_rethrow", FORCED, 100),
    (OWN_BOX_FILLED, "official", FORCED, 100),
    (OWN_BOX_FILLED, "free_joker", FREELY, 100),
    (OWN_BOX_FILLED, "bonus_only", AS_DICE, 100),
    (OWN_BOX_FILLED, "plain", AS_DICE, 0),
    # no lower box is free, either: 0 in any upper box
    (LOWER_FILLED, "sheet", "ones 0, twos 0", 100),
    (LOWER_FILLED, "sheet_rethrow", "ones 0, twos 0", 100),
    (LOWER_FILLED, "official", "ones 0, twos 0", 100),
    (LOWER_FILLED, "free_joker", "ones 0, twos 0", 100),
    (LOWER_FILLED, "bonus_only", "ones 0, twos 0", 100),
    (LOWER_FILLED, "plain", "ones 0, twos 0", 0),
    # the Yatzy box holds 0: dice like any others, but for the last two kinds of joker
    (GIVEN_UP_OWN_BOX_FREE, "sheet", ANY_BESIDE_ONES, 0),
    (GIVEN_UP_OWN_BOX_FREE, "sheet_rethrow", ANY_BESIDE_ONES, 0),
    (GIVEN_UP_OWN_BOX_FREE, "official", "sixes 30", 0),
    (GIVEN_UP_OWN_BOX_FREE, "free_joker", ANY_BESIDE_ONES, 0),
    (GIVEN_UP_OWN_BOX_FREE, "bonus_only", ANY_BESIDE_ONES, 0),
    (GIVEN_UP_OWN_BOX_FREE, "plain", ANY_BESIDE_ONES, 0),
    (GIVEN_UP, "sheet", AS_DICE, 0),
    (GIVEN_UP, "sheet_rethrow", AS_DICE, 0),
    (GIVEN_UP, "official", FORCED, 0),
    (GIVEN_UP, "free_joker", FREELY, 0),
    (GIVEN_UP, "bonus_only", AS_DICE, 0),
    (GIVEN_UP, "plain", AS_DICE, 0),
]


@pytest.mark.parametrize(("block", "rules", "pays", "bonus"), JOKERS)
def test_where_five_equal_may_go_and_what_they_pay(block: str, rules: str, pays: str, bonus: int):
    yatzy = Yatzy(RULE_SETS[rules])
    sheet = played(yatzy, block, dice("6-6-6-6-6"))
    found = []
    for action in yatzy.legal(sheet):
        if isinstance(action, Fill):
            filled = yatzy.act(sheet, action)
            points = filled.boxes[yatzy.boxes.index(action.box)]
            found.append(f"{action.box} {points}")
            assert yatzy.total(filled) - yatzy.total(sheet) == (points or 0) + bonus
            assert filled.jokers == (bonus > 0)
    assert ", ".join(sorted(found)) == pays


@every_rule_set
def test_while_the_yatzy_box_is_free_five_equal_go_into_any_free_box_without_bonus(rules: str):
    yatzy = Yatzy(RULE_SETS[rules])
    sheet = played(yatzy, YATZY_FREE, dice("6-6-6-6-6"))
    pays = {"sixes": 30, "three_of_a_kind": 30, "four_of_a_kind": 30, "yatzy": 50}
    free = [box for box in yatzy.boxes if box != "chance"]
    assert [action.box for action in yatzy.legal(sheet) if isinstance(action, Fill)] == free
    for box in free:
        assert yatzy.total(yatzy.act(sheet, Fill(box))) == 20 + pays.get(box, 0)


def test_a_joker_may_be_broken_up_by_throwing_on():
    sheet = played(YATZY, OWN_BOX_FREE, dice("6-6-6-6-6"), "keep 6 6 6 6", (1,), "fill four_of_a_kind")
    assert YATZY.total(sheet) == 53 + 25


@pytest.mark.parametrize(
    ("block", "box"),
    [(OWN_BOX_FREE, "chance"), (OWN_BOX_FREE, "twos"), (OWN_BOX_FILLED, "fives")],
)
def test_a_joker_in_the_wrong_box_is_refused(block: str, box: str):
    with refused("joker_elsewhere"):
        played(YATZY, block, dice("6-6-6-6-6"), f"fill {box}")


def test_every_further_yatzy_earns_another_hundred_and_a_mark():
    sheet = played(YATZY, "", (3,) * 5, "fill yatzy", (3,) * 5, "fill threes", (3,) * 5, "fill full_house")
    assert YATZY.write_sheet(sheet).split("\n") == ["threes 15", "full_house 25", "yatzy 50", "jokers 2", ""]
    assert YATZY.total(sheet) == 15 + 25 + 50 + 200


# The end

ALL_YATZYS = [
    ("yatzy", 6),
    ("ones", 1),
    ("twos", 2),
    ("threes", 3),
    ("fours", 4),
    ("fives", 5),
    ("sixes", 6),
    ("three_of_a_kind", 6),
    ("four_of_a_kind", 6),
    ("full_house", 6),
    ("small_straight", 6),
    ("large_straight", 6),
    ("chance", 6),
]


@pytest.mark.parametrize(
    ("rules", "total"),
    # Upper section at most 5 x 21 + 35 = 140, lower 30 + 30 + 25 + 30 + 40 + 50 + 30 = 235. 100 in every turn
    # but the one that fills the Yatzy box, 12 x 100. Thirteen Yatzys reach all three where a joker pays in full.
    # Without a joker they pay 0 instead of 25, 30 and 40, but bring 100 each: 95 less is the best.
    [("sheet", 1575), ("sheet_rethrow", 1575), ("official", 1575), ("free_joker", 1575), ("bonus_only", 1480)],
)
def test_thirteen_yatzys_are_the_largest_total(rules: str, total: int):
    yatzy = Yatzy(RULE_SETS[rules])
    sheet = yatzy.start()
    for box, face in ALL_YATZYS:
        sheet = yatzy.act(yatzy.throw(sheet, (face,) * 5), Fill(box))
    assert yatzy.next(sheet) == Over()
    assert yatzy.total(sheet) == total


def test_the_largest_total_of_plain_rules_is_375():
    # The same bounds without the hundreds, 140 + 235: each box with its own best dice.
    yatzy = Yatzy(RULE_SETS["plain"])
    best = {"full_house": (6, 6, 6, 5, 5), "small_straight": (1, 2, 3, 4, 5), "large_straight": (1, 2, 3, 4, 5)}
    sheet = yatzy.start()
    for box, face in ALL_YATZYS:
        sheet = yatzy.act(yatzy.throw(sheet, best.get(box, (face,) * 5)), Fill(box))
    assert yatzy.total(sheet) == 375


def test_the_game_is_over_after_13_rounds():
    sheet = YATZY.start()
    for box in YATZY.boxes:
        assert YATZY.next(sheet) == Throw(5)
        sheet = YATZY.throw(sheet, (1, 2, 2, 4, 6))
        assert isinstance(YATZY.next(sheet), Pick)
        sheet = YATZY.act(sheet, Fill(box))
    assert YATZY.next(sheet) == Over()
    assert choices(YATZY, sheet) == ""
    with refused("game_over"):
        YATZY.throw(sheet, (1, 2, 2, 4, 6))


def test_a_joker_comes_after_the_yatzy_that_it_repeats():
    for written in ("yatzy 50\njokers 1", "yatzy 50\nones 1\njokers 2", "ones 1\njokers 1"):
        with refused("too_many_jokers"):
            YATZY.read_sheet(written)
    assert YATZY.read_sheet("yatzy 50\nones 5\njokers 1").jokers == 1


@every_rule_set
def test_totals_have_the_same_names_in_every_language_and_rise_with_them(rules: str):
    verdicts = GAMES["yatzy"].verdicts("sv", rules)
    assert list(verdicts) == ["good", "very good", "outstanding"]
    assert list(verdicts.values()) == sorted(verdicts.values())
    assert all(GAMES["yatzy"].verdicts(language, rules) == verdicts for language in LANGUAGES)
