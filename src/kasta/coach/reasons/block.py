"""Reasons on a block of boxes: what dice pay, what the next throw may make, and what the bonus needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod

from kasta.core import FACES
from kasta.games.block import Action, BlockGame, Fill, Keep, Sheet
from kasta.games.drawing import die_signs
from kasta.games.scores import UPPER
from kasta.games.traits import AnyGame, AnyTraits
from kasta.i18n import Words

LEAST = 0.01  # a difference between chances that is worth a word
CLEAR = 0.05  # one that says more than how many dice are kept for a box


def reason(game: AnyGame, sheet: Sheet, chosen: Action, best: Action, said: Words) -> str:
    """What can be said for sure of one decision."""
    assert isinstance(game.solo, BlockGame)  # noqa: S101 - of other games nobody asks
    case = _Case(game.solo, game.traits, sheet, said)
    match chosen, best:
        case Keep(), Keep():
            return (
                case.likelier(chosen, best, CLEAR) or case.keeps_more(chosen, best) or case.likelier(chosen, best)
            )
        case Fill(), Keep():
            return case.likelier(None, best) or case.wasted(chosen.box)
        case _, Fill() if chosen == best:
            return case.cheapest(best.box) or case.pays(best.box)
        case Keep(), Fill():
            return case.pays(best.box)
        case Fill(), Fill():
            return case.bonus_gone(chosen.box, best.box) or case.fills(chosen.box, best.box)
    return ""


@dataclass(frozen=True)
class _Case:
    """A sheet with dice on the table, and the sentences that may hold of it."""

    solo: BlockGame
    traits: AnyTraits
    sheet: Sheet
    said: Words

    def pays(self, box: str) -> str:
        """What the dice pay as they are."""
        points = self.solo.points(self.sheet, box)
        return (
            self.said.say("These dice pay {points} in “{box}”.", points=points, box=self._word(box))
            if points
            else ""
        )

    def cheapest(self, box: str) -> str:
        """Whether a box that gets little would not bring much more either, and less than any other open one."""
        lacks = {
            each: max(self.solo.attainable[each]) - self.solo.points(self.sheet, each) for each in self._open()
        }
        if lacks[box] <= 0 or any(lack <= lacks[box] for each, lack in lacks.items() if each != box):
            return ""
        blanks = {"box": self._word(box), "most": max(self.solo.attainable[box])}
        return self.said.say("“{box}” gives up least: it never brings more than {most}.", **blanks)

    def likelier(self, chosen: Keep | None, best: Keep, least: float = LEAST) -> str:
        """The box that the next throw makes more often if the best dice are kept."""
        ours = self.chances(best)
        theirs = self.chances(chosen) if chosen and chosen != best else dict.fromkeys(ours, 0.0)
        gains = {box: (ours[box] - theirs[box]) * max(self.solo.attainable[box]) for box in ours}
        box = max(gains, key=lambda box: gains[box], default="")
        if not box or ours[box] - theirs[box] < least:
            return ""
        blanks = {"dice": self._dice(best), "box": self._word(box), "percent": _percent(ours[box])}
        if chosen is None or chosen == best:
            return self.said.say("With {dice}, the chance of “{box}” with the next throw is {percent}%.", **blanks)
        return self.said.say(
            "With {dice}, the chance of “{box}” with the next throw is {percent}%, with {other} {less}%.",
            **blanks,
            other=self._dice(chosen),
            less=_percent(theirs[box]),
        )

    def keeps_more(self, chosen: Keep, best: Keep) -> str:
        """The open upper box for which more dice are kept."""
        more = {
            box: best.dice.count(face) - chosen.dice.count(face)
            for face, box in zip(FACES, UPPER, strict=True)
            if self.solo.held(self.sheet, box) is None
        }
        box = max(more, key=lambda box: more[box], default="")
        if not box or more[box] <= 0:
            return ""
        return self.said.say(
            "“{box}” is open, and keeping {dice} leaves more for it.", box=self._word(box), dice=self._dice(best)
        )

    def bonus_gone(self, chosen: str, best: str) -> str:
        """Whether the bonus is out of reach after one choice, and not after the other."""
        if not self.solo.upper_bonus or not self._most_upper(chosen) < self.solo.upper_goal <= self._most_upper(
            best
        ):
            return ""
        blanks = {"box": self._word(chosen), "goal": self.solo.upper_goal, "most": self._most_upper(chosen)}
        return self.said.say("The bonus needs {goal}: after “{box}” at most {most} can be reached.", **blanks)

    def fills(self, chosen: str, best: str) -> str:
        """What two boxes get and could get."""
        less, more = self.solo.points(self.sheet, chosen), self.solo.points(self.sheet, best)
        if less == 0 < more:
            return self.wasted(chosen)
        if more > less:
            blanks = {"box": self._word(best), "points": more, "other": self._word(chosen), "less": less}
            return self.said.say("“{box}” gets {points}, “{other}” only {less}.", **blanks)
        return self._short(chosen) or self.wasted(chosen)

    def wasted(self, box: str) -> str:
        """What a box gets, and what it could still bring in a later turn."""
        points, most = self.solo.points(self.sheet, box), max(self.solo.attainable[box])
        if points >= most:
            return ""
        blanks = {"box": self._word(box), "points": points, "most": most}
        return self.said.say("“{box}” gets {points} and could still bring up to {most}.", **blanks)

    def _short(self, box: str) -> str:
        """By how much an upper box falls short of what the bonus needs of each, where that is a whole number."""
        each, rest = divmod(self.solo.upper_goal, sum(FACES))
        if box not in UPPER or rest or not self.solo.upper_bonus:
            return ""
        short = each * (1 + list(UPPER).index(box)) - self.solo.points(self.sheet, box)
        if short <= 0:
            return ""
        blanks = {"goal": self.solo.upper_goal, "each": each, "box": self._word(box), "short": short}
        return self.said.say("The bonus needs {goal}, {each} of each: “{box}” falls {short} short.", **blanks)

    def _most_upper(self, box: str) -> int:
        """The most that the upper section can come to after the dice went into a box."""
        boxes = self.solo.filled(self.sheet, box).boxes
        held = dict(zip(self.solo.boxes, boxes, strict=True))
        return sum(
            max(self.solo.attainable[box]) if (got := held[box]) is None else got for box in UPPER if box in held
        )

    def chances(self, keep: Keep) -> dict[str, float]:
        """How likely the next throw makes each open box of the lower section that the dice do not make already."""
        kept = self.solo.act(self.sheet, keep)
        thrown = self.solo.dice - len(keep.dice)
        boxes = [
            box
            for box in self.solo.boxes
            if box not in UPPER
            and self.solo.held(self.sheet, box) is None
            and not self.solo.points(self.sheet, box)
        ]
        found = dict.fromkeys(boxes, 0.0)
        for faces in combinations_with_replacement(FACES, thrown):
            ways = factorial(thrown) // prod(map(factorial, Counter(faces).values()))
            after = self.solo.throw(kept, faces)
            open_boxes = self.solo.open_boxes(after)
            for box in boxes:
                if box in open_boxes and self.solo.points(after, box):
                    found[box] += ways / len(FACES) ** thrown
        return found

    def _open(self) -> list[str]:
        """The boxes that the dice may go into."""
        return [action.box for action in self.solo.legal(self.sheet) if isinstance(action, Fill)]

    def _word(self, box: str) -> str:
        return self.traits.word(self.said, box)

    def _dice(self, keep: Keep) -> str:
        return die_signs(keep.dice) or self.said.say("all new dice")


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}"
