"""What Yatzy says of itself."""

from __future__ import annotations

from collections.abc import Sequence

from kasta.games import drawing
from kasta.games.block import Action, Fill, Keep, Sheet
from kasta.games.composers import InTurn
from kasta.games.traits import Traits
from kasta.games.yatzy.rules import BOXES, RULE_SETS, UPPER, Yatzy
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

    def hint(self, solo: Yatzy, sheet: Sheet, words: Words, line: str | None = None) -> str:
        if not solo.legal(sheet):
            return ""
        return words.say("Roll {number} of {last}", number=sheet.throws, last=solo.throws)

    def spot(self, action: Action) -> drawing.Spot:
        match action:
            case Fill(box):
                return drawing.Spot(box=box)
            case Keep(dice):
                return drawing.Spot(dice=dice)


TRAITS = YatzyTraits()
