"""What games with a block of boxes say of themselves alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from kasta.core import Faces
from kasta.games import drawing
from kasta.games.badges import Badge, Made, times
from kasta.games.block import Action, BlockGame, Fill, Keep, Sheet
from kasta.games.composers import InTurn
from kasta.games.scores import UPPER
from kasta.games.traits import Traits
from kasta.i18n import ROLLING, Words, spelled

B = TypeVar("B", bound=BlockGame)
Sum = tuple[str, str]

COUNTERS = {"saved": "Saved throws", "jokers": "Joker marks"}  # by the names of a sheet's fields
MOST_BOXES = 20_000  # that are kept: all sheets share them

# Most boxes are just filled. Dice that are all equal are celebrated when they fall, not in their box.
FEASTS = {
    "full_house": 2,
    "small_straight": 2,
    "large_straight": 3,
    "full_straight": 3,
    "villa": 2,
    "tower": 3,
}
BIG = 4
GRADES = ("good", "very good", "outstanding")
SHARES = (0.5, 0.8)  # of the most that a box can pay, from which it has brought something, or much


class BlockTraits(Traits[B, Sheet, Action]):
    """Turns, words, drawing and hints of a block; a game adds its name, its rule sets and what else it has."""

    composer = InTurn
    reasons = "kasta.coach.reasons.block:reason"
    equal_box: str | None = None  #: where dice go that are all equal: they are celebrated
    grades: Mapping[
        str, tuple[int, int, int]
    ] = {}  #: the least totals of the verdicts, by rule set: docs/how-strong.md

    def terms(self) -> Sequence[str]:
        boxes = dict.fromkeys(box for solo in self.rule_sets.values() for box in solo.boxes)
        return [*super().terms(), *map(spelled, boxes), *(GRADES if self.grades else ()), *ROLLING]

    def verdicts(self, language: str, rules: str = "") -> Mapping[str, int]:
        borders = self.grades.get(rules or next(iter(self.rule_sets)))
        return dict(zip(GRADES, borders, strict=True)) if borders else {}

    def worth(self, solo: B, name: str, points: int) -> int:
        most = max(solo.attainable[name])
        return bool(points) + sum(points >= share * most for share in SHARES)

    def word(self, words: Words, code: str) -> str:
        return words.say(COUNTERS[code]) if code in COUNTERS else super().word(words, code)

    def draw(self, solo: B, sheet: Sheet, words: Words) -> drawing.Block:
        open_boxes = {action.box for action in solo.legal(sheet) if isinstance(action, Fill)}
        boxes = [
            self._box(box, points, str(solo.points(sheet, box)) if box in open_boxes else "", words)
            for box, points in zip(solo.boxes, sheet.boxes, strict=True)
        ]
        upper = drawing.Section(
            words.say("Upper section"),
            tuple(box for box in boxes if box.name in UPPER),
            (
                (words.say("Upper total"), f"{solo.upper(sheet)} / {solo.upper_goal}"),
                (words.say("Bonus"), str(solo.bonus(sheet) or "")),
            ),
        )
        lower = drawing.Section(
            words.say("Lower section"),
            tuple(box for box in boxes if box.name not in UPPER),
            tuple(self.lower_sums(solo, sheet, words)),
        )
        is_saved = solo.saves and sheet.throws == solo.throws  # the next throw
        costs = words.say("uses a saved throw") if is_saved and sheet.saved else ""
        return drawing.Block((upper, lower), sheet.dice, verb="keep", costs=costs)

    @lru_cache(MOST_BOXES)  # noqa: B019 - there is one object of each game
    def _box(self, name: str, points: int | None, pays: str, words: Words) -> drawing.Box:
        text, feast = ("", None) if points is None else (str(points), self.celebrate(words, name, points))
        return drawing.Box(name, self.word(words, name), text, pays, feast)

    def lower_sums(self, solo: B, sheet: Sheet, words: Words) -> Iterable[Sum]:
        """What stands below the lower section, as label and text."""
        if solo.saves:
            yield self.word(words, "saved"), str(sheet.saved)

    def pad(self, solo: B, words: Words) -> drawing.Block:
        drawn = self.draw(solo, solo.start(), words)
        upper, lower = (
            replace(section, boxes=tuple(replace(box, pays=_most(solo, box.name)) for box in section.boxes))
            for section in drawn.sections
        )
        wanted = (str(solo.upper_goal), str(solo.upper_bonus))
        sums = tuple((label, text) for (label, _), text in zip(upper.sums, wanted, strict=True))
        blank = tuple((label, "") for label, _ in lower.sums)
        return replace(drawn, sections=(replace(upper, sums=sums), replace(lower, sums=blank)))

    def feast(self, name: str, points: int) -> int:
        return FEASTS.get(name, 0) if points else 0

    def cheer(self, solo: B, sheet: Sheet, words: Words) -> drawing.Feast | None:
        if self.equal_box is None:
            return None
        call = self.word(words, self.equal_box).capitalize()
        return equal_dice(sheet.dice, solo.held(sheet, self.equal_box), call)

    def announce(self, solo: B, sheet: Sheet, kept: Faces, thrown: Faces, words: Words) -> str:
        counts = {"number": sheet.throws, "last": solo.throws}
        dice = {"kept": " ".join(map(str, kept)), "dice": " ".join(map(str, thrown))}
        if kept:
            told = words.say("Throw {number} of {last}: {kept}, new {dice}.", **counts, **dice)
        else:
            told = words.say("Throw {number} of {last}: {dice}.", **counts, **dice)
        left = f"{self.hint(solo, sheet, words)}." if solo.saves and sheet.throws == solo.throws else ""
        return " ".join(filter(None, (told, self.praise(solo, sheet, words), left)))

    def praise(self, solo: B, sheet: Sheet, words: Words) -> str:
        """What is told of dice that are celebrated."""
        feast = self.cheer(solo, sheet, words)
        return words.say("{call}!", call=feast.call) if feast else ""

    def hint(self, solo: B, sheet: Sheet, words: Words, line: str | None = None) -> str:
        if not solo.legal(sheet):
            return ""
        counts = {"number": sheet.throws, "last": solo.throws}
        if solo.saves and sheet.throws == solo.throws:
            left = words.count("{number} saved throw left", "{number} saved throws left", sheet.saved)
            return left if sheet.saved else words.say("No throw left: fill a box")
        if sheet.saved:
            return words.say("Throw {number} of {last}, {saved} saved", **counts, saved=sheet.saved)
        return words.say("Throw {number} of {last}", **counts)

    def spot(self, action: Action) -> drawing.Spot:
        match action:
            case Fill(box):
                return drawing.Spot(box=box)
            case Keep(dice):
                return drawing.Spot(dice=dice)

    def phrase(self, action: Action, words: Words) -> str:
        match action:
            case Fill(box):
                word = self.word(words, box)
                return f"{word[:1].upper()}{word[1:]}"
            case Keep(()):
                return words.say("Throw all dice again")
            case Keep(dice):
                return words.say("Keep {dice}", dice=drawing.die_signs(dice))


def has_bonus(solo: BlockGame, made: Made) -> bool:
    return upper_bonus(solo, made) > 0


def upper_bonus(solo: BlockGame, made: Made) -> int:
    """The bonus of the upper section, by what its boxes have paid."""
    upper = sum(paid for box, (_, paid) in made.hands.items() if box in UPPER)
    return solo.upper_bonus if upper >= solo.upper_goal else 0


def bonus(mark: str) -> Badge[BlockGame]:
    """For the bonus of the upper section."""
    return Badge("upper_bonus", mark, "The bonus", has_bonus)


EVERY_BOX: Badge[BlockGame] = Badge(
    "every_box", "\N{CHECK MARK}", "Every box pays", lambda solo, made: times(made) == len(solo.boxes)
)


def _most(solo: BlockGame, box: str) -> str:
    """What a box pays: always the same, or that much at most."""
    pays = solo.attainable[box] - {0}
    return str(*pays) if len(pays) == 1 else f"max {max(pays)}"


def equal_dice(dice: Faces, held: int | None, call: str) -> drawing.Feast | None:
    """The feast for dice that are all equal, if their own box is still open, or `held` what they pay there."""
    return drawing.Feast(BIG, call) if len(set(dice)) == 1 and held != 0 else None
