"""What is said of a choice holds: every claim is checked against the rules by counting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kasta.coach.reasons.reason import reason
from kasta.core import FACES, Pick
from kasta.games import OURS, find_game
from kasta.games.drawing import die_signs
from kasta.games.grid import FREE, NUMBERS, Line
from kasta.games.scores import UPPER
from kasta.i18n import LANGUAGES, spelled, words
from kasta.page.choices import choice_rows
from kasta.values import Option
from support.play import played, random_game, rule_sets, seeds

ENGLISH = words("en")
LINES = {
    **{f"Row {name}": name for name in "12345"},
    **{f"Column {name}": name for name in "abcde"},
    "Diagonal from the top left": "\\",
    "Diagonal from the top right": "/",
}
Case = tuple[Any, Any, Any, Any]  # a game, a sheet, what was chosen, what was best


def code(word: str) -> str:
    return word.replace(" ", "_")


def decisions(name: str, rules: str, seed: int) -> list[tuple[Any, list[Any]]]:
    """The sheets of a random game where there was something to decide, with all that was legal."""
    game = find_game(name, rules)
    tables = [table for table, _ in random_game(game, 1, seed) if isinstance(game.next(table), Pick)]
    return [(game.sheet(table, 0), list(game.legal(table, 0))) for table in tables]


@given(rule_sets.filter(lambda pair: pair[0] in OURS), seeds, st.randoms(use_true_random=False))
def test_every_claim_holds(pair: tuple[str, str], seed: int, rng: Random):
    game = find_game(*pair)
    for sheet, legal in rng.sample(found := decisions(*pair, seed), min(4, len(found))):
        chosen, best = rng.choice(legal), rng.choice(legal)
        sentence = reason(game, sheet, chosen, best, ENGLISH)
        if sentence:
            [(check, match)] = [
                (check, m) for text, check in CLAIMS.items() if (m := re.fullmatch(text, sentence))
            ]
            assert check((game, sheet, chosen, best), **match.groupdict()), sentence


OWN = r"\b[a-e][1-5]\b|(?<=“)[^”]+(?=”)|[⚀-⚅]+|all new dice"


@given(rule_sets.filter(lambda pair: pair[0] in OURS), seeds, st.randoms(use_true_random=False))
def test_what_stands_under_a_choice_is_true_of_it_and_names_no_other(
    pair: tuple[str, str], seed: int, rng: Random
):
    """So also under the second best, and under the answer to a question."""
    game = find_game(*pair)
    sheet, legal = rng.choice(decisions(*pair, seed))
    options = [
        Option(action, float(-place), 0.0) for place, action in enumerate(rng.sample(legal, min(6, len(legal))))
    ]
    for row in choice_rows(game, sheet, options, ENGLISH):
        if not row.reason:
            continue
        action = game.solo.read_action(row.do)
        [(check, match)] = [(check, m) for text, check in CLAIMS.items() if (m := re.fullmatch(text, row.reason))]
        assert check((game, sheet, action, action), **match.groupdict()), row.reason
        spot = game.traits.spot(action)
        named = set(re.findall(OWN, row.reason))
        if spot.cell:
            assert {name for name in named if re.fullmatch("[a-e][1-5]", name)} == {spot.cell}, row
        elif spot.box:
            assert spelled(spot.box) in named, row
        elif spot.dice is not None:
            assert (die_signs(spot.dice) or "all new dice") in named, row


@pytest.mark.parametrize("game", OURS)
def test_a_choice_that_is_worth_less_has_a_reason_of_its_own(game: str):
    """Of the same decision: what stands under the second choice is not what stands under the first."""
    found = find_game(game)
    for sheet, legal in decisions(game, found.rules, 5):
        rows = choice_rows(found, sheet, [Option(each, float(-i), 0.0) for i, each in enumerate(legal)], ENGLISH)
        told = {row.reason for row in rows if row.reason}
        if len(legal) > 2 and len(told) > 2:
            return
    raise AssertionError("all choices have the same reason")


def line_and_hands(case: Case, action: Any, name: str) -> tuple[Line, set[str | None], int]:  # noqa: ANN401
    """A line after an action, the hands that it can become, and its free cells; by filling it in every way."""
    game, sheet, _, _ = case
    after = game.solo.act(sheet, action)
    line = game.solo.grid.line_named[LINES[name]]
    free = [cell for cell in line.cells if after.numbers[cell] == FREE]
    hands = set()
    for rest in combinations_with_replacement(NUMBERS, len(free)):
        hands.add(hand_of(game, after, line, dict(zip(free, rest, strict=True))))
    return line, hands, len(free)


def hand_of(game: Any, sheet: Any, line: Line, rest: dict[Any, int]) -> str | None:  # noqa: ANN401
    return _hand(game, tuple(sorted(rest.get(cell, sheet.numbers[cell]) for cell in line.cells)))


@cache
def _hand(game: Any, numbers: tuple[int, ...]) -> str | None:  # noqa: ANN401
    """The hand of five numbers: as the game scores them in the first row of an empty grid."""
    text = " ".join(map(str, numbers)) + "\n. . . . ." * 4
    first, *_ = game.solo.score(game.solo.read_sheet(text))["lines"]
    return str(first["hand"]) if first["hand"] else None


def is_made(case: Case, line: str, cell: str, hand: str, worth: str) -> bool:
    _, hands, free = line_and_hands(case, case[3], line)
    points = int(worth.split(maxsplit=1)[0])
    return hands == {code(hand)} and not free and str(case[3]) == cell and points > 0


def is_gone(case: Case, line: str, cell: str, hand: str) -> bool:
    _, after, _ = line_and_hands(case, case[2], line)
    _, kept, _ = line_and_hands(case, case[3], line)
    return code(hand) not in after and code(hand) in kept and str(case[2]) == cell


def needs(case: Case, line: str, cell: str, hand: str, number: str = "1", numbers: str | None = None) -> bool:
    found, hands, free = line_and_hands(case, case[3], line)
    if numbers is not None:
        game, after = case[0], case[0].solo.act(case[1], case[3])
        [empty] = [each for each in found.cells if after.numbers[each] == FREE]
        fits = [each for each in NUMBERS if hand_of(game, after, found, {empty: each}) == code(hand)]
        assert numbers == ", ".join(map(str, fits))
    return code(hand) in hands and free == int(number) and str(case[3]) == cell


def makes_already(case: Case, line: str, number: str, cell: str, hand: str) -> bool:
    """The numbers that stand in the line are the hand, with free cells left over."""
    game, sheet, _, best = case
    found, after = game.solo.grid.line_named[LINES[line]], game.solo.act(sheet, best)
    stand = [after.numbers[each] for each in found.cells if after.numbers[each] != FREE]
    repeats = sorted(times for times in Counter(stand).values() if times > 1)
    same = {"pair": [2], "two pairs": [2, 2], "three of a kind": [3], "four of a kind": [4]}[hand]
    return repeats == same and str(best) == cell and stand.count(int(number)) > 1 and len(stand) < len(found.cells)


def takes_no_cell(case: Case, cell: str) -> bool:
    game, sheet, _, best = case
    return f"({cell})" == str(best) and game.solo.act(sheet, best).numbers == sheet.numbers


def circles(case: Case, line: str, cell: str, number: str, last: str) -> bool:
    game, sheet, _, best = case
    after = game.solo.act(sheet, best)
    cells = game.solo.grid.line_named[LINES[line]].cells
    count = sum(each in after.circled for each in cells)
    return count == int(number) and len(cells) == int(last) and f"({cell})" in str(best)


def earns(case: Case, line: str, cell: str, points: str) -> bool:
    game, sheet, _, best = case
    after = game.solo.act(sheet, best)
    gained = game.solo.total(after) - game.solo.total(sheet)
    return circles(case, line, cell, "5", "5") and gained >= int(points) + 1


def more_lines(case: Case, cell: str, other: str) -> bool:
    lines = [set(map(str, line.cells)) for line in case[0].solo.grid.lines]
    return sum(cell in line for line in lines) > sum(other in line for line in lines)


def so_many_lines(case: Case, cell: str, number: str) -> bool:
    lines = [set(map(str, line.cells)) for line in case[0].solo.grid.lines]
    return sum(cell in line for line in lines) == int(number) > 2  # as many as any cell has


def box_in(case: Case, label: str) -> str:
    [box] = [box for box in case[0].solo.boxes if spelled(box) == label]
    return str(box)


def gets(case: Case, label: str) -> int:
    """What a box gets, by filling it."""
    game, sheet, _, _ = case
    after = game.solo.act(sheet, game.solo.read_action(f"fill {box_in(case, label)}"))
    return int(after.boxes[game.solo.boxes.index(box_in(case, label))])


def faces_of(dice: str) -> list[str]:
    """The faces that dice in a sentence show."""
    return [str(1 + "⚀⚁⚂⚃⚄⚅".index(sign)) for sign in dice.removesuffix("all new dice")]


def chance(case: Case, dice: str, label: str) -> float:
    """The chance of a box with the next throw, by throwing in every way."""
    game, sheet, _, _ = case
    kept = game.solo.act(sheet, game.solo.read_action(f"keep {' '.join(faces_of(dice))}".strip()))
    throws = Counter(tuple(sorted(faces)) for faces in product(FACES, repeat=game.solo.dice - len(kept.dice)))
    made, fill = 0, game.solo.read_action(f"fill {box_in(case, label)}")
    for faces, times in throws.items():
        after = game.solo.throw(kept, faces)
        if fill in game.solo.legal(after) and game.solo.act(after, fill).boxes[game.solo.boxes.index(fill.box)]:
            made += times
    return 100 * made / throws.total()


def is_likelier(case: Case, dice: str, box: str, percent: str, other: str | None = None, less: str = "0") -> bool:
    ours = chance(case, dice, box)
    theirs = chance(case, other, box) if other else 0.0
    return abs(ours - int(percent)) <= 0.5 and abs(theirs - int(less)) <= 0.5 and ours > theirs


def most_upper(case: Case, label: str) -> int:
    game, sheet, _, _ = case
    after = game.solo.act(sheet, game.solo.read_action(f"fill {box_in(case, label)}"))
    boxes = dict(zip(game.solo.boxes, after.boxes, strict=True))
    best = {box: (number + 1) * game.solo.dice for number, box in enumerate(UPPER)}
    return sum(best[box] if boxes[box] is None else boxes[box] for box in UPPER)


def is_short(case: Case, goal: str, each: str, box: str, short: str) -> bool:
    face = 1 + list(UPPER).index(box_in(case, box))
    return int(goal) == int(each) * 21 and gets(case, box) + int(short) == int(each) * face and int(short) > 0


def could_bring(case: Case, box: str, points: str, most: str) -> bool:
    attainable: set[int] = case[0].solo.attainable[box_in(case, box)]
    return gets(case, box) == int(points) < int(most) == max(attainable)


def gives_up_least(case: Case, box: str, most: str) -> bool:
    """No other open box could lose so little."""
    game, sheet, _, _ = case
    fills = [str(each).removeprefix("fill ") for each in game.solo.legal(sheet) if str(each).startswith("fill")]
    lacks = {each: max(game.solo.attainable[each]) - gets(case, spelled(each)) for each in fills}
    own = lacks.pop(box_in(case, box))
    return int(most) == max(game.solo.attainable[box_in(case, box)]) and all(
        lack > own > 0 for lack in lacks.values()
    )


def gets_more(case: Case, box: str, points: str, other: str, less: str) -> bool:
    return gets(case, box) == int(points) > int(less) == gets(case, other)


def keeps_more(case: Case, box: str, dice: str) -> bool:
    game, sheet, chosen, _ = case
    face = 1 + list(UPPER).index(box_in(case, box))
    is_open = bool(sheet.boxes[game.solo.boxes.index(box_in(case, box))] is None)
    return is_open and faces_of(dice).count(str(face)) > chosen.dice.count(face)


ON_LINE = r"(?P<line>Row .|Column .|Diagonal[^:]+)"
CLAIMS: dict[str, Callable[..., bool]] = {
    ON_LINE + r": (?P<cell>..) makes “(?P<hand>.+)”, (?P<worth>\d+ \w+)\.": is_made,
    ON_LINE + r": after (?P<cell>..), “(?P<hand>.+)” is no longer possible\.": is_gone,
    ON_LINE + r": after (?P<cell>..), “(?P<hand>.+)” needs only one number more \((?P<numbers>.+)\)\.": needs,
    ON_LINE + r": after (?P<cell>..), “(?P<hand>.+)” needs (?P<number>\d) numbers more\.": needs,
    ON_LINE + r": (?P<number>\d+) in (?P<cell>..) already makes “(?P<hand>.+)”\.": makes_already,
    r"(?P<cell>..) gets its circle, and no free cell is used up\.": takes_no_cell,
    ON_LINE + r": (?P<cell>..) is circle (?P<number>\d) of (?P<last>\d)\.": circles,
    ON_LINE + r": (?P<cell>..) is the last circle, (?P<points>\d+) points?\.": earns,
    r"More lines go through (?P<cell>..) than through (?P<other>..)\.": more_lines,
    r"A number in (?P<cell>..) helps (?P<number>\d) lines at once\.": so_many_lines,
    r"These dice pay (?P<points>\d+) in “(?P<box>.+)”\.": lambda case, points, box: (
        gets(case, box) == int(points) > 0
    ),
    r"With (?P<dice>[^,]+), the chance of “(?P<box>.+)” with the next throw is (?P<percent>\d+)%\.": is_likelier,
    r"With (?P<dice>[^,]+), the chance of “(?P<box>.+)” with the next throw is (?P<percent>\d+)%, "
    r"with (?P<other>.+) (?P<less>\d+)%\.": is_likelier,
    r"The bonus needs (?P<goal>\d+): after “(?P<box>.+)” at most (?P<most>\d+) can be reached\.": (
        lambda case, goal, box, most: most_upper(case, box) == int(most) < int(goal)
    ),
    r"The bonus needs (?P<goal>\d+), (?P<each>\d) of each: “(?P<box>.+)” falls (?P<short>\d+) short\.": is_short,
    r"“(?P<box>[^”]+)” gets (?P<points>\d+) and could still bring up to (?P<most>\d+)\.": could_bring,
    r"“(?P<box>[^”]+)” gives up least: it never brings more than (?P<most>\d+)\.": gives_up_least,
    r"“(?P<box>[^”]+)” gets (?P<points>\d+), “(?P<other>[^”]+)” only (?P<less>\d+)\.": gets_more,
    r"“(?P<box>[^”]+)” is open, and keeping (?P<dice>.+) leaves more for it\.": keeps_more,
}


GRID = """
     .  .  8  .  .
     .  .  9  .  .
     .  . 10  .  .
     .  .  .  .  .
     4  .  .  .  .
"""
SAYS = """
knister | GRID | 2 2 | c4 | b5 | Column c: after c4, “straight with 7” is no longer possible.
knister | GRID | 5 6 | b1 | c4 | Column c: after c4, “straight with 7” needs only one number more (7).
knister | GRID | 6 3 | a1 | c4 | Column c: 9 in c4 already makes “pair”.
knister | GRID | 6 6 | b1 | a1 | More lines go through a1 than through b1.
knaster | GRID | 6 3 | a1 | (c2) | c2 gets its circle, and no free cell is used up.
knaster | GRID | 2 2 | c4 | b5 | Column c: after c4, “straight” is no longer possible.
yatzy | - | 6 6 6 6 1 | fill ones | fill sixes | “sixes” gets 24, “ones” only 1.
yatzy | - | 1 2 3 4 5 | keep 5 | fill large_straight | These dice pay 40 in “large straight”.
yatzy | - | 1 1 2 3 6 | fill yatzy | fill ones | “yatzy” gets 0 and could still bring up to 50.
"""


@pytest.mark.parametrize("row", SAYS.strip().splitlines())
def test_it_says_what_was_spoiled(row: str):
    name, drawing, dice, chosen, best, sentence = map(str.strip, row.split("|"))
    game = find_game(name)
    sheet = played(game.solo, {"GRID": GRID, "-": ""}[drawing], tuple(map(int, dice.split())))
    assert reason(game, sheet, chosen, best, ENGLISH) == sentence


@pytest.mark.parametrize("game", OURS)
def test_reasons_and_actions_are_said_in_every_language(game: str):
    found = find_game(game)
    sheet, legal = decisions(game, found.rules, 3)[5]
    said = {language: [] for language in LANGUAGES}  # type: dict[str, list[str]]
    for language, texts in said.items():
        texts += [reason(found, sheet, action, legal[-1], words(language)) for action in legal]
        texts += [found.traits.phrase(action, words(language)) for action in legal]
    assert any(said["en"])
    assert len({tuple(texts) for texts in said.values()}) == len(LANGUAGES)


def test_a_game_without_reasons_gives_none():
    from kasta.games.composers import Shared
    from kasta.games.knister import Knister

    game = Shared(Knister())
    sheet = game.solo.throw(game.solo.start(), (1, 2))
    assert not reason(game, sheet, "a1", "b2", ENGLISH)
