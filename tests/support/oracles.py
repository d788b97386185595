"""The scores of the three games, written a second time and differently: texts and regular expressions.

Nothing here knows Kasta's scoring. A sheet is its text, a hand is a pattern of steps between sorted numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

LINES = {
    "1": "a1 b1 c1 d1 e1",
    "2": "a2 b2 c2 d2 e2",
    "3": "a3 b3 c3 d3 e3",
    "4": "a4 b4 c4 d4 e4",
    "5": "a5 b5 c5 d5 e5",
    "a": "a1 a2 a3 a4 a5",
    "b": "b1 b2 b3 b4 b5",
    "c": "c1 c2 c3 c4 c5",
    "d": "d1 d2 d3 d4 d5",
    "e": "e1 e2 e3 e4 e5",
    "\\": "a1 b2 c3 d4 e5",
    "/": "e1 d2 c3 b4 a5",
}

# The steps between five sorted numbers: = equal, 1 one higher, + more. The first pattern that fits is the hand.
PATTERNS = {
    "five_of_a_kind": "====",
    "four_of_a_kind": ".===|===.",
    "full_house": "==.=|=.==",
    "three_of_a_kind": ".*==.*",
    "two_pairs": ".*=.+=.*",
    "pair": ".*=.*",
    "straight": "1111",
}
KNISTER = {
    "pair": 1,
    "two_pairs": 3,
    "three_of_a_kind": 3,
    "full_house": 8,
    "four_of_a_kind": 6,
    "five_of_a_kind": 10,
}
KNASTER = {
    "two_pairs": 1,
    "three_of_a_kind": 1,
    "full_house": 2,
    "four_of_a_kind": 2,
    "five_of_a_kind": 3,
    "straight": 3,
}
PRINTED = {"1": 9, "2": 8, "3": 7, "4": 6, "5": 5, "a": 9, "b": 8, "c": 7, "d": 6, "e": 5, "\\": 10, "/": 10}


def hand(numbers: Sequence[int]) -> str | None:
    """The hand of five numbers."""
    gaps = [high - low for low, high in pairwise(sorted(numbers))]
    steps = "".join("=1"[gap] if gap < 2 else "+" for gap in gaps)
    return next((name for name, pattern in PATTERNS.items() if re.fullmatch(pattern, steps)), None)


def cells(text: str) -> dict[str, str]:
    """The words of a drawn grid by the cells they stand in."""
    names = [column + row for row in "12345" for column in "abcde"]
    return dict(zip(names, text.split(), strict=True))


def drawing(grid: dict[str, str]) -> str:
    """A grid drawn from its words."""
    return "\n".join(" ".join(grid[column + row] for column in "abcde") for row in "12345")


def words(text: str, line: str) -> list[str]:
    grid = cells(text)
    return [grid[cell] for cell in LINES[line].split()]


def numbers(text: str, line: str) -> list[int]:
    """The numbers of a line, without its free cells and its circles."""
    return [int(word.strip("()")) for word in words(text, line) if word != "."]


def knister_line(text: str, line: str) -> int:
    found = numbers(text, line)
    name = hand(found) if len(found) == 5 else None
    points = (8 if 7 in found else 12) if name == "straight" else KNISTER.get(name or "", 0)
    return points * (2 if line in "\\/" else 1)


def knister_total(text: str) -> int:
    return sum(knister_line(text, line) for line in LINES)


def knaster_earned(text: str, line: str) -> int:
    """How many circles the hand of a line is worth."""
    found = numbers(text, line)
    return KNASTER.get(hand(found) or "", 0) if len(found) == 5 else 0


def uncircled(text: str, line: str) -> int:
    return sum("(" not in word for word in words(text, line))


def knaster_total(text: str) -> int:
    return text.count("(") + sum(points for line, points in PRINTED.items() if not uncircled(text, line))


FACES = {"ones": "1", "twos": "2", "threes": "3", "fours": "4", "fives": "5", "sixes": "6"}
FITS = {
    "three_of_a_kind": r".*(.)\1\1.*",
    "four_of_a_kind": r".*(.)\1\1\1.*",
    "full_house": r"(.)\1\1(?!\1)(.)\2|(.)\3(?!\3)(.)\4\4",
    "small_straight": r".*(1+2+3+4+|2+3+4+5+|3+4+5+6+).*",
    "large_straight": "12345|23456",
    "yatzy": r"(.)\1{4}",
    "chance": ".*",
}
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40, "yatzy": 50}


def yatzy_points(box: str, dice: Sequence[int]) -> int:
    """What five dice pay in a box when they are no joker."""
    shown = "".join(map(str, sorted(dice)))
    if box in FACES:
        return sum(map(int, re.sub(f"[^{FACES[box]}]", "", shown)))
    return FIXED.get(box, sum(dice)) if re.fullmatch(FITS[box], shown) else 0


def best_dice(pattern: str, dice: Sequence[int]) -> int:
    """The largest sum of some of the dice, or of all, that in ascending order look like the pattern."""
    shown = "".join(map(str, sorted(dice)))
    chosen = ("".join(some) for size in range(1, len(dice) + 1) for some in combinations(shown, size))
    return max((sum(map(int, some)) for some in chosen if re.fullmatch(pattern, some)), default=0)


def yatzy_total(turns: Sequence[tuple[Sequence[int], str]], rules: str) -> int:
    """The total of a block from the final dice of each turn and the box they went into."""
    block: dict[str, int] = {}
    extra = 0
    for dice, box in turns:
        equal = len(set(dice)) == 1
        own = next(name for name, face in FACES.items() if face == str(dice[0]))
        extra += 100 * (equal and block.get("yatzy") == 50 and rules != "plain")
        after_zero = rules in {"official", "free_joker"}
        joker = (
            equal
            and rules not in {"bonus_only", "plain"}
            and block.get("yatzy") in ({0, 50} if after_zero else {50})
        )
        full = joker and own in block and box in FIXED
        block[box] = FIXED[box] if full else yatzy_points(box, dice)
    upper = sum(points for box, points in block.items() if box in FACES)
    return sum(block.values()) + extra + (35 if upper >= 63 else 0)
