"""What Yatzy says of itself."""

from __future__ import annotations

from collections.abc import Sequence

from kasta.games import drawing
from kasta.games.block_feasts import box_feast, equal_dice
from kasta.games.composers import InTurn
from kasta.games.traits import Traits
from kasta.games.yatzy.rules import BOXES, RULE_SETS, UPPER, Action, Fill, Keep, Sheet, Yatzy
from kasta.i18n import ROLLING, Words, spelled

MARK = "✕"  # for each joker, as on the printed block


class YatzyTraits(Traits[Yatzy, Sheet, Action]):
    name = "yatzy"
    composer = InTurn
    rule_sets = {rules: Yatzy(differences) for rules, differences in RULE_SETS.items()}
    title = "Yatzy, 13 boxes"
    blurb = "Five dice, three throws, thirteen boxes, and a joker for every further Yatzy."
    draws_dice = True
    theme = "rust"
    valuer = "kasta.solve.yatzy.solution:solution_of"
    bots = "kasta.bots.yatzy:BOTS"
    solver = "kasta.solve.yatzy.solution:solution_of"
    distribution = "kasta.solve.yatzy.distribution:distribution_of"
    target = "kasta.solve.yatzy.target:options_of"
    winner = "kasta.solve.yatzy.win:winner_of"
    coding = "kasta.env.codings.yatzy:coding"
    bounds = "kasta.env.codings.yatzy:bounds"
    kernels = "kasta.env.kernels.yatzy"

    def terms(self) -> Sequence[str]:
        return [*super().terms(), *map(spelled, BOXES), *ROLLING]

    def draw(self, solo: Yatzy, sheet: Sheet, words: Words) -> drawing.Block:
        open_boxes = {action.box for action in solo.legal(sheet) if isinstance(action, Fill)}
        boxes = [
            drawing.Box(
                box,
                self.word(words, box),
                "" if points is None else str(points),
                str(solo.points(sheet, box)) if box in open_boxes else "",
                None if points is None else self.celebrate(words, box, points),
            )
            for box, points in zip(solo.boxes, sheet.boxes, strict=True)
        ]
        marks = f"{MARK * sheet.jokers} {sheet.jokers * solo.rules.bonus}" if sheet.jokers else ""
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
            ((words.say("Joker marks"), marks),),
        )
        return drawing.Block((upper, lower), sheet.dice, verb="keep")

    def feast(self, name: str, points: int) -> int:
        return box_feast(name, points)

    def cheer(self, solo: Yatzy, sheet: Sheet, words: Words) -> drawing.Feast | None:
        held, bonus = sheet.boxes[solo.boxes.index("yatzy")], solo.rules.bonus
        joker = f"{words.say('Joker')} +{bonus}" if bonus else words.say("Joker")
        return equal_dice(sheet.dice, held, joker if held else self.word(words, "yatzy").capitalize())

    def hint(self, solo: Yatzy, sheet: Sheet, words: Words, line: str | None = None) -> str:
        if not solo.legal(sheet):
            return ""
        if solo.is_joker(sheet):
            return self._explain(solo, sheet, words)
        return words.say("Throw {number} of {last}", number=sheet.throws, last=solo.throws)

    def _explain(self, solo: Yatzy, sheet: Sheet, words: Words) -> str:
        """What a joker pays, and where it may go."""
        feast = self.cheer(solo, sheet, words)
        fills = [action.box for action in solo.legal(sheet) if isinstance(action, Fill)]
        if len(fills) == 1:
            where = words.say("must go into “{box}”", box=self.word(words, fills[0]))
        else:
            where = words.say("goes into any open box")
        return f"{feast.call if feast else words.say('Joker')} · {where}"

    def spot(self, action: Action) -> drawing.Spot:
        match action:
            case Fill(box):
                return drawing.Spot(box=box)
            case Keep(dice):
                return drawing.Spot(dice=dice)


TRAITS = YatzyTraits()
