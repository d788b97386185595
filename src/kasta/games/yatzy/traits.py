"""What Yatzy says of itself."""

from __future__ import annotations

from collections.abc import Iterable

from kasta.games.block import Sheet
from kasta.games.block_traits import BlockTraits, Sum
from kasta.games.yatzy.rules import RULE_SETS, Yatzy
from kasta.i18n import Words

MARK = "✕"  # for each joker, as on the printed block


class YatzyTraits(BlockTraits[Yatzy]):
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
    theme = "rust"
    valuer = "kasta.solve.yatzy.valuer:valuer_of"
    bots = "kasta.bots.yatzy:BOTS"
    solver = "kasta.solve.yatzy.solution:solution_of"
    distribution = "kasta.solve.yatzy.distribution:distribution_of"
    target = "kasta.solve.yatzy.target:options_of"
    winner = "kasta.solve.yatzy.win:winner_of"
    coding = "kasta.env.codings.yatzy:coding"
    bounds = "kasta.env.codings.yatzy:bounds"
    kernels = "kasta.env.kernels.yatzy"

    def lower_sums(self, solo: Yatzy, sheet: Sheet, words: Words) -> Iterable[Sum]:
        marks = f"{MARK * sheet.jokers} {sheet.jokers * solo.rules.bonus}" if sheet.jokers else ""
        yield words.say("Joker marks"), marks


TRAITS = YatzyTraits()
