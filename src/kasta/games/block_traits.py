"""What games with a block of boxes say of themselves alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from kasta.core import Faces
from kasta.games import drawing
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


class BlockTraits(Traits[B, Sheet, Action]):
    """Turns, words, drawing and hints of a block; a game adds its name, its rule sets and what else it has."""

    composer = InTurn
    reasons = "kasta.coach.reasons.block:reason"
    equal_box: str | None = None  #: where dice go that are all equal: they are celebrated

    def terms(self) -> Sequence[str]:
        boxes = dict.fromkeys(box for solo in self.rule_sets.values() for box in solo.boxes)
        return [*super().terms(), *map(spelled, boxes), *ROLLING]

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
        return drawing.Block((upper, lower), sheet.dice, verb="keep")

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

    def hint(self, solo: B, sheet: Sheet, words: Words, line: str | None = None) -> str:
        if not solo.legal(sheet):
            return ""
        counts = {"number": sheet.throws, "last": solo.throws}
        if sheet.saved:
            return words.say("Throw {number} of {last}. Saved throws: {saved}", **counts, saved=sheet.saved)
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
                return words.say("Keep {dice}", dice=" ".join(map(str, dice)))


def _most(solo: BlockGame, box: str) -> str:
    """What a box pays: always the same, or that much at most."""
    pays = solo.attainable[box] - {0}
    return str(*pays) if len(pays) == 1 else f"max {max(pays)}"


def equal_dice(dice: Faces, held: int | None, call: str) -> drawing.Feast | None:
    """The feast for dice that are all equal, if their own box is still open, or `held` what they pay there."""
    return drawing.Feast(BIG, call) if len(set(dice)) == 1 and held != 0 else None
