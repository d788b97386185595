"""What Knister says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from kasta.games import badges, drawing
from kasta.games.badges import Badge, Made
from kasta.games.composers import Shared
from kasta.games.grid import FREE, Cell, Line, Numbers
from kasta.games.grid_drawing import MOST_LINES, draw_grid, free_cell, line_receipt, points, sentence, written_cell
from kasta.games.knister.rules import POINTS, Knister, Sheet, line_score
from kasta.games.traits import Par, Traits
from kasta.i18n import GRID, Words, spelled

# The least totals of the solo verdicts, by the language of the edition; fr and en have no edition of their own.
GRADES = ("good", "very good", "outstanding")
FROM_50, OVER_50 = (50, 80, 100), (51, 81, 101)
VERDICTS = {"sv": FROM_50, "nb": FROM_50, "de": OVER_50, "fr": OVER_50, "en": FROM_50}


def has_diagonal_straight(_: Knister, made: Made) -> bool:
    """On a diagonal a straight pays more than it can elsewhere."""
    straights = ("straight_with_7", "straight_without_7")
    return any(made.hands.get(straight, (0, 0))[1] > POINTS[straight] for straight in straights)


def every_line_pays(solo: Knister, made: Made) -> bool:
    return badges.times(made) == len(solo.grid.lines)


class KnisterTraits(Traits[Knister, Sheet, Cell]):
    name = "knister"
    composer = Shared
    rule_sets = {"sheet": Knister()}
    title = "Knister"
    rule_set_titles = {"sheet": "Standard rules"}
    blurb = "Two dice. Write the sum: rows become poker hands."
    first_steps = (
        "Throw both dice: their sum goes on your sheet.",
        "Write the sum in any free cell. You may move it until the next throw.",
        "Five numbers in a line make a hand: equal ones or a straight pay.",
    )
    note = "Start here"
    sample = "7 6 6 7 7\n. 5 . . 11\n. . 8 . .\n. 4 . 5 .\n9 . . . 3"
    sample_ink = ("b1", "c1", "d1", "a1", "e1")
    shows = "sum"
    kind = GRID
    badges = (
        badges.points(50),
        badges.hand("five_of_a_kind", "5 \N{MULTIPLICATION SIGN}", "Five of a kind"),
        Badge("diagonal_straight", "\N{MULTIPLICATION SIGN} 2", "A straight on a diagonal", has_diagonal_straight),
        Badge("every_line", "12/12", "Every line pays", every_line_pays),
        badges.points(100),
    )
    par = {"sheet": Par(71.98, 14.0, is_exact=False)}  # bench/results-grid.md
    level_means = {"weak": 42.3, "middling": 52.2, "strong": 71.8, "best": 72.0}
    valuer = "kasta.solve.knister.estimates:valuer"
    luck = "kasta.solve.knister.estimates:luck"
    reasons = "kasta.coach.reasons.knister:reason"
    bots = "kasta.bots.knister:BOTS"
    trainer = "kasta.solve.knister.training:TRAINING"
    coding = "kasta.env.codings.knister:coding"
    bounds = "kasta.env.codings.knister:bounds"
    kernels = "kasta.env.kernels.knister"

    def terms(self) -> Sequence[str]:
        return [*super().terms(), *map(spelled, POINTS), *GRADES]

    def rounds(self, solo: Knister) -> int:
        return len(solo.start().numbers)

    def round(self, solo: Knister, sheet: Sheet) -> int:
        return 1 + len(sheet.numbers) - sheet.numbers.count(FREE)

    def verdicts(self, language: str, rules: str = "") -> Mapping[str, int]:
        return dict(zip(GRADES, VERDICTS.get(language, FROM_50), strict=True))

    def draw(self, solo: Knister, sheet: Sheet, words: Words) -> drawing.DrawnGrid:
        def cell(each: Cell) -> drawing.DrawnCell:
            number = sheet.numbers[each]
            return written_cell(each.name, number) if number else free_cell(each.name, words)

        def line(each: Line) -> drawing.DrawnLine:
            return self._line(each, each.numbers(sheet.numbers), words)

        return draw_grid(solo.grid, cell, line)

    @lru_cache(MOST_LINES)  # noqa: B019 - there is one object of this class
    def _line(self, line: Line, numbers: Numbers, words: Words) -> drawing.DrawnLine:
        full, score = FREE not in numbers, line_score(line, numbers)
        hand = self.word(words, score.hand) if score.hand else words.say("no hand")
        rest = f"{hand}, {points(score.points, words)}" if full else ""
        return drawing.DrawnLine(
            score.line.name,
            str(score.points) if full else "",
            hand if full else "",
            sentence(score.line, numbers, rest, words),
            is_double=score.line.is_diagonal,
            is_earned=score.points > 0,
            feast=self.celebrate(words, score.hand, score.points) if full and score.hand else None,
            receipt=line_receipt(line, rest, words),
        )

    def feast(self, name: str, points: int) -> int:
        is_rare = name == "five_of_a_kind" or (name == "straight_without_7" and points > POINTS[name])
        return 4 if is_rare else super().feast(name, points)

    def hint(self, solo: Knister, sheet: Sheet, words: Words, line: str | None = None) -> str:
        return words.say("Write the {number}", number=sheet.sum) if sheet.sum is not None else ""

    def legend(self, words: Words) -> drawing.Legend:
        return drawing.Legend(
            words.say("Hands and their points"),
            tuple((self.word(words, hand), str(worth)) for hand, worth in POINTS.items()),
            words.say("Diagonals count double."),
        )

    def spot(self, action: Cell) -> drawing.Spot:
        return drawing.Spot(cell=str(action))


TRAITS = KnisterTraits()
