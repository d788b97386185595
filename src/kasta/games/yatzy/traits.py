"""What Yatzy says of itself."""

from __future__ import annotations

from collections.abc import Iterable

from kasta.games import badges, drawing
from kasta.games.badges import Badge, Made
from kasta.games.block import Fill, Sheet
from kasta.games.block_traits import EVERY_BOX, Sum, bonus, equal_dice, upper_bonus
from kasta.games.scores import UPPER
from kasta.games.traits import Par
from kasta.games.yatzy.rules import RULE_SETS, Yatzy
from kasta.games.yatzy_traits import SolvedTraits
from kasta.i18n import Words

MARK = "✕"  # for each joker, as on the printed block


def has_joker(solo: Yatzy, made: Made) -> bool:
    """Whether there are points in a total that neither boxes nor the upper section have paid."""
    return made.total > sum(paid for _, paid in made.hands.values()) + upper_bonus(solo, made)


class YatzyTraits(SolvedTraits[Yatzy]):
    name = "yatzy"
    rule_sets = {rules: Yatzy(differences) for rules, differences in RULE_SETS.items()}
    rule_set_titles = {
        "sheet": "Standard rules",
        "sheet_rethrow": "All dice may be thrown again",
        "official": "International rules",
        "free_joker": "Free joker",
        "bonus_only": "Yatzy bonus, no joker",
        "plain": "Neither joker nor Yatzy bonus",
    }
    title = "Yatzy, 13 boxes"
    blurb = "Five dice, three throws. A joker for every further Yatzy."
    member = ("International", "13 boxes")
    sample = "twos 6\nfours 12\nsixes 18\nthree_of_a_kind 22\nfull_house 25\nyatzy 50"
    sample_ink = ("twos", "full_house", "yatzy")
    equal_box: str = "yatzy"
    par = {  # docs/yatzy.md
        "sheet": Par(254.1525, 59.8161),
        "sheet_rethrow": Par(254.4848, 59.7159),
        "official": Par(254.5877, 59.6079),
        "free_joker": Par(254.5896, 59.6117),
        "bonus_only": Par(253.9702, 58.2037),
        "plain": Par(245.8708, 39.8208),
    }
    grades = dict.fromkeys(RULE_SETS, (220, 260, 400)) | {"plain": (215, 260, 320)}
    badges = (
        badges.points(200),
        badges.hand("yatzy", "5 \N{MULTIPLICATION SIGN}", "The first Yatzy"),
        bonus("+35"),
        badges.hand("large_straight", "1\N{EN DASH}5", "A large straight"),
        EVERY_BOX,
        Badge("joker", MARK, "A joker", has_joker),
        badges.points(300),
    )
    level_means = {"weak": 208.3, "middling": 236.5, "strong": 247.2, "best": 254.2}

    def lower_sums(self, solo: Yatzy, sheet: Sheet, words: Words) -> Iterable[Sum]:
        marks = f"{MARK * sheet.jokers} {sheet.jokers * solo.rules.bonus}" if sheet.jokers else ""
        yield words.say("Joker marks"), marks

    def cheer(self, solo: Yatzy, sheet: Sheet, words: Words) -> drawing.Feast | None:
        held, bonus = solo.held(sheet, self.equal_box), solo.rules.bonus
        if not held:
            return super().cheer(solo, sheet, words)
        return equal_dice(sheet.dice, held, f"{words.say('Joker')} +{bonus}" if bonus else words.say("Joker"))

    def praise(self, solo: Yatzy, sheet: Sheet, words: Words) -> str:
        is_joker = solo.legal(sheet) and solo.is_joker(sheet)
        return f"{self._explain(solo, sheet, words)}." if is_joker else super().praise(solo, sheet, words)

    def hint(self, solo: Yatzy, sheet: Sheet, words: Words, line: str | None = None) -> str:
        is_joker = solo.legal(sheet) and solo.is_joker(sheet)
        return self._explain(solo, sheet, words) if is_joker else super().hint(solo, sheet, words, line)

    def _explain(self, solo: Yatzy, sheet: Sheet, words: Words) -> str:
        """What a joker pays, and where it may go."""
        feast = self.cheer(solo, sheet, words)
        fills = [action.box for action in solo.legal(sheet) if isinstance(action, Fill)]
        if len(fills) == 1:
            where = words.say("must go into “{box}”", box=self.word(words, fills[0]))
        elif UPPER.keys().isdisjoint(fills):
            where = words.say("goes into any lower box")
        else:
            where = words.say("goes into any open box")
        return f"{feast.call if feast else words.say('Joker')} · {where}"


TRAITS = YatzyTraits()
