"""The few decisions that a review shows first, each with a picture and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from kasta.coach.moments import best_moments, lessons
from kasta.coach.process import sheet_before
from kasta.coach.reasons.reason import reason
from kasta.coach.review import SeatGame
from kasta.coach.reviewed import ReviewedMove
from kasta.games.drawing import Block, Drawing, DrawnGrid, Feast, Spot
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.miniature import dice_miniature, miniature
from kasta.page.sheet_model import drawing_of

_Told = tuple[str, str, Markup]  # a title, a sentence, a picture


@dataclass(frozen=True, slots=True)
class MomentPart:
    """A decision in short: `step` is its number among all, counted from 1."""

    step: int
    round: int
    title: str
    sentence: str
    picture: Markup


@dataclass(frozen=True, slots=True)
class _Decided:
    """A decision, and the sheet before and after it."""

    game: AnyGame
    words: Words
    move: ReviewedMove
    sheet: Any
    before: Drawing
    after: Drawing
    done: Spot

    def praise(self) -> _Told:
        """What it won, or what speaks for it."""
        do = self.move.do
        title = _earned(self.before, self.after) or _written(self.after, self.done, self.words) or self._phrase(do)
        why = reason(self.game, self.sheet, do, do, self.words)
        if self.done.dice is not None:
            return title, why, dice_miniature(self.before.dice, self.done.dice)
        return title, why, miniature(self.after, {self.done.place})

    def lesson(self) -> _Told:
        """The sheet, or the dice, as they were: what was better has a ring."""
        best = self.game.traits.spot(self.game.solo.read_action(self.move.best))
        title = self.words.say("Better: {best}", best=self._phrase(self.move.best))
        why = reason(self.game, self.sheet, self.move.do, self.move.best, self.words)
        if best.dice is not None:
            return title, why, dice_miniature(self.before.dice, self.done.dice or (), best.dice)
        drawn = self.before if self.done.dice is not None else self.after
        return title, why, miniature(drawn, {self.done.place}, {best.place}, str(sum(self.move.roll)))

    def _phrase(self, do: str) -> str:
        return self.game.traits.phrase(self.game.solo.read_action(do), self.words)


def moment_parts(
    game: AnyGame, played: SeatGame, moves: Sequence[ReviewedMove], words: Words
) -> tuple[tuple[MomentPart, ...], tuple[MomentPart, ...]]:
    """Decisions to be proud of, and those to learn from."""
    praise = cache(lambda line: _decided(game, by_line[line], played, words).praise())
    by_line = {move.line: move for move in moves}
    best = best_moments(moves, lambda move: bool(praise(move.line)[1]))
    proud = [(move, praise(move.line)) for move in best]
    taught = [(move, _decided(game, move, played, words).lesson()) for move in lessons(moves)]
    step = {move.line: number for number, move in enumerate(moves, 1)}

    def parts(told: Sequence[tuple[ReviewedMove, _Told]]) -> tuple[MomentPart, ...]:
        return tuple(MomentPart(step[move.line], move.round, *said) for move, said in told)

    return parts(proud), parts(taught)


def _decided(game: AnyGame, move: ReviewedMove, played: SeatGame, words: Words) -> _Decided:
    sheet, action = sheet_before(played, move.line), game.solo.read_action(move.do)
    before, after = (drawing_of(game, each, words) for each in (sheet, game.solo.act(sheet, action)))
    return _Decided(game, words, move, sheet, before, after, game.traits.spot(action))


def _earned(before: Drawing, after: Drawing) -> str:
    """What a decision won at once, as the table calls it out; "" if nothing."""
    feasts = sorted(_feasts(before, after), key=lambda feast: -feast.size)
    return feasts[0].call if feasts else ""


def _written(after: Drawing, spot: Spot, words: Words) -> str:
    """What stands where a decision has written it."""
    match after:
        case DrawnGrid() if spot.cell is not None:
            numbers = {cell.name: cell.text for row in after.cells for cell in row}
            return words.say("{number} in {cell}", number=numbers[spot.cell], cell=spot.cell)
        case Block() if spot.box is not None:
            box = after.boxes[spot.box]
            return f"{box.label[:1].upper()}{box.label[1:]}: {box.text}"
    return ""


def _feasts(before: Drawing, after: Drawing) -> Iterator[Feast]:
    match before, after:
        case DrawnGrid(), DrawnGrid():
            was = before.lines
            yield from (each.feast for name, each in after.lines.items() if each.feast and each != was[name])
        case Block(), Block():
            yield from (box.feast for box in after.filled_since(before) if box.feast)
