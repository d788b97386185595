"""What Knaster says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from kasta.games import badges, drawing
from kasta.games.badges import Badge, Made
from kasta.games.composers import Shared
from kasta.games.grid import Cell, Line, Numbers
from kasta.games.grid_drawing import (
    MOST_LINES,
    circled_cell,
    draw_grid,
    free_cell,
    line_name,
    line_receipt,
    points,
    sentence,
    written_cell,
)
from kasta.games.knaster.rules import CIRCLES, Action, Bonus, Circle, Knaster, KnasterLineScore, Sheet, Write
from kasta.games.traits import Par, Traits
from kasta.i18n import GRID, Words, spelled


@cache
def _circle(cell: Cell, number: int) -> drawing.Tap:
    """A tap that draws a circle, if the number is thrown."""
    return drawing.Tap(str(Circle(cell)), on=number)


def are_all_circled(solo: Knaster, made: Made) -> bool:
    """A point for every circle, and the points of all lines: more cannot be had."""
    return made.total == len(solo.grid.cells) + sum(solo.printed)


class KnasterTraits(Traits[Knaster, Sheet, Action]):
    name = "knaster"
    composer = Shared
    rule_sets = {"sheet": Knaster()}
    title = "Knaster"
    rule_set_titles = {"sheet": "Standard rules"}
    blurb = "Two dice. Write, or circle: one circle brings the next."
    first_steps = (
        "Throw both dice: their sum goes on your sheet.",
        "Write the sum in any free cell. If it comes again, you may circle it instead.",
        "Circles pay: one point each, and more for five in a line.",
    )
    note = "Trickier"
    sample = "9 . 7 . 7\n. (8) 7 . .\n(5) (6) (7) (8) (9)\n. 7 4 10 .\n7 . 4 . 6"
    sample_ink = ("a3", "b3", "c3", "d3", "e3")
    shows = "sum"
    kind = GRID
    theme = "plum"
    badges = (
        badges.points(50),
        badges.hand("five_of_a_kind", "5 \N{MULTIPLICATION SIGN}", "Five of a kind"),
        badges.hand("straight", "2\N{EN DASH}6", "A straight"),
        badges.points(100),
        Badge("all_circled", "25/25", "Every number circled", are_all_circled),
    )
    par = {"sheet": Par(104.7, 11.0, is_exact=False)}  # bench/results-grid.md
    level_means = {"weak": 55.3, "middling": 69.6, "strong": 104.0, "best": 104.7}
    valuer = "kasta.solve.knaster.estimates:valuer"
    luck = "kasta.solve.knaster.estimates:luck"
    reasons = "kasta.coach.reasons.knaster:reason"
    bots = "kasta.bots.knaster:BOTS"
    trainer = "kasta.solve.knaster.training:TRAINING"
    coding = "kasta.env.codings.knaster:coding"
    bounds = "kasta.env.codings.knaster:bounds"
    kernels = "kasta.env.kernels.knaster"

    def terms(self) -> Sequence[str]:
        return [*super().terms(), "pair", *map(spelled, CIRCLES), *self.verdicts("fr"), "Pass"]

    def verdicts(self, language: str, rules: str = "") -> Mapping[str, int]:  # one edition, one set of borders
        return {"good": 51, "super": 81, "spectacular": 101}

    def follow_up(self, solo: Knaster, sheet: Sheet) -> Action | None:
        """The next circle, where a line takes all that it has left and no other line waits."""
        circles = [action for action in solo.legal(sheet) if isinstance(action, Bonus)]
        if not circles or len({action.line for action in circles}) > 1:
            return None
        return circles[0] if solo.owed(sheet, circles[0].line) == len(circles) else None

    def draw(self, solo: Knaster, sheet: Sheet, words: Words) -> drawing.DrawnGrid:
        scores = {score.line.name: score for score in solo.lines(sheet)}
        printed = dict(zip(solo.grid.lines, solo.printed, strict=True))

        def line(each: Line) -> drawing.DrawnLine:
            owes = solo.owed(sheet, each)
            return self._line(scores[each.name], each.numbers(sheet.numbers), printed[each], owes, words)

        def cell(each: Cell) -> drawing.DrawnCell:
            number = sheet.numbers[each]
            if not number:
                return free_cell(each.name, words)
            if each in sheet.circled:
                return circled_cell(each.name, number, words)
            return written_cell(each.name, number, _circle(each, number))

        return draw_grid(solo.grid, cell, line)

    @lru_cache(MOST_LINES)  # noqa: B019 - there is one object of this class
    def _line(
        self, score: KnasterLineScore, numbers: Numbers, printed: int, owes: int, words: Words
    ) -> drawing.DrawnLine:
        hand = self.word(words, score.hand) if score.hand else ""
        rest = f"{hand}, {points(score.points, words)}" if score.complete and hand else ""
        return drawing.DrawnLine(
            score.line.name,
            str(printed),
            hand,
            sentence(score.line, numbers, rest, words),
            is_earned=score.points > 0,
            owes=owes,
            feast=self._feast(score, words),
            receipt=line_receipt(score.line, self._earned(score, hand, words), words),
        )

    def _earned(self, score: KnasterLineScore, hand: str, words: Words) -> str:
        """What a line brings: points for five circles, or before them the circles of its hand."""
        if score.points:
            return points(score.points, words)
        if score.hand not in CIRCLES:
            return hand
        return f"{hand}, {words.count('{number} circle', '{number} circles', CIRCLES[score.hand])}"

    def _feast(self, score: KnasterLineScore, words: Words) -> drawing.Feast | None:
        """For the points of five circles, or before them for the circles that a hand brings."""
        if score.points:
            return drawing.Feast(self.feast("", score.points), f"+{score.points}")
        return self.celebrate(words, score.hand, CIRCLES.get(score.hand, 0)) if score.hand else None

    def feast(self, name: str, points: int) -> int:
        return min(3, points) + (name == "five_of_a_kind") if name else super().feast(name, points)

    def last_throw(self, words: Words, names: Sequence[str]) -> str:
        return words.count(
            "{names} has filled the grid: one last throw!",
            "{names} have filled the grid: one last throw!",
            len(names),
            names=words.names(names),
        )

    def hint(self, solo: Knaster, sheet: Sheet, words: Words, line: str | None = None) -> str:
        if sheet.sum is not None and sheet.last:
            return words.say("Last throw: write, circle or pass")
        if sheet.sum is not None:
            return self._offer(solo, sheet, words)
        if line is not None:
            left = solo.owed(sheet, solo.grid.line_named[line])
            return words.count("{number} more to circle", "{number} more to circle", left)
        return words.say("Which line first? Choose its box at the edge.") if sheet.owing else ""

    def _offer(self, solo: Knaster, sheet: Sheet, words: Words) -> str:
        """What can be done with the sum."""
        kinds = {type(action) for action in solo.legal(sheet)}
        if Circle not in kinds:
            return words.say("Write the {number}", number=sheet.sum)
        if Write not in kinds:
            return words.say("Circle the {number}", number=sheet.sum)
        return words.say("Write or circle the {number}", number=sheet.sum)

    def legend(self, words: Words) -> drawing.Legend:
        return drawing.Legend(
            words.say("Hands and their circles"),
            tuple((self.word(words, hand), str(worth)) for hand, worth in CIRCLES.items()),
            words.say("Five circles in a line earn its points; every circle earns one point."),
        )

    def spot(self, action: Action) -> drawing.Spot:
        match action:
            case Write(cell) | Circle(cell):
                return drawing.Spot(cell=str(cell))
            case Bonus(line, cell):
                return drawing.Spot(cell=str(cell), line=line.name)
        return drawing.Spot()

    def label(self, action: Action, words: Words) -> str:  # only a pass has no place on the sheet
        return self.say(words, "Pass")

    def phrase(self, action: Action, words: Words) -> str:
        match action:
            case Circle(cell):
                return words.say("Circle {cell}", cell=cell)
            case Bonus(line, cell):
                return words.say("{line}: circle {cell}", line=line_name(line, words), cell=cell)
            case Write(cell):
                return str(cell)
        return self.label(action, words)


TRAITS = KnasterTraits()
