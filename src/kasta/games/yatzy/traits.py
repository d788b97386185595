"""What Yatzy says of itself."""

from __future__ import annotations

from collections.abc import Iterable

from kasta.games import drawing
from kasta.games.block import Fill, Sheet
from kasta.games.block_traits import Sum, equal_dice
from kasta.games.traits import Par
from kasta.games.yatzy.rules import RULE_SETS, Yatzy
from kasta.games.yatzy_traits import SolvedTraits
from kasta.i18n import Words

MARK = "✕"  # for each joker, as on the printed block


class YatzyTraits(SolvedTraits[Yatzy]):
    name = "yatzy"
    rule_sets = {rules: Yatzy(differences) for rules, differences in RULE_SETS.items()}
    rule_set_titles = {
        "sheet": "Standard rules",
        "sheet_rethrow": "All dice may be rerolled",
        "official": "International rules",
        "free_joker": "Free joker",
        "bonus_only": "Yatzy bonus, no joker",
        "plain": "Neither joker nor Yatzy bonus",
    }
    title = "Yatzy, 13 boxes"
    blurb = "Five dice, three throws, thirteen boxes, and a joker for every further Yatzy."
    equal_box: str = "yatzy"
    par = {  # docs/yatzy.md
        "sheet": Par(254.1525, 59.8161),
        "sheet_rethrow": Par(254.4848, 59.7159),
        "official": Par(254.5877, 59.6079),
        "free_joker": Par(254.5896, 59.6117),
        "bonus_only": Par(253.9702, 58.2037),
        "plain": Par(245.8708, 39.8208),
    }
    level_means = {"weak": 208.3, "middling": 236.5, "strong": 247.2, "best": 254.2}

    def lower_sums(self, solo: Yatzy, sheet: Sheet, words: Words) -> Iterable[Sum]:
        marks = f"{MARK * sheet.jokers} {sheet.jokers * solo.rules.bonus}" if sheet.jokers else ""
        yield words.say("Joker marks"), marks

    def cheer(self, solo: Yatzy, sheet: Sheet, words: Words) -> drawing.Feast | None:
        held, bonus = solo.held(sheet, self.equal_box), solo.rules.bonus
        if not held:
            return super().cheer(solo, sheet, words)
        return equal_dice(sheet.dice, held, f"{words.say('Joker')} +{bonus}" if bonus else words.say("Joker"))

    def hint(self, solo: Yatzy, sheet: Sheet, words: Words, line: str | None = None) -> str:
        is_joker = solo.legal(sheet) and solo.is_joker(sheet)
        return self._explain(solo, sheet, words) if is_joker else super().hint(solo, sheet, words, line)

    def _explain(self, solo: Yatzy, sheet: Sheet, words: Words) -> str:
        """What a joker pays, and where it may go."""
        feast = self.cheer(solo, sheet, words)
        fills = [action.box for action in solo.legal(sheet) if isinstance(action, Fill)]
        if len(fills) == 1:
            where = words.say("must go into “{box}”", box=self.word(words, fills[0]))
        else:
            where = words.say("goes into any open box")
        return f"{feast.call if feast else words.say('Joker')} · {where}"


TRAITS = YatzyTraits()
