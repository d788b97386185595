"""What is said of a total when a game is over. A bad day is not ranked: it has kind words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.i18n.dates import day_said
from kasta.page.end.past import UNKNOWN_PAST, Past
from kasta.structs import Struct

NEAR = 0.1  # of what a grade asks for: who misses it by no more is told so


class EndFeast(IntEnum):
    """How a total is celebrated."""

    NONE = 0
    SOME = 1
    ALL = 2


class OwnTotal(Struct, frozen=True):
    """The total of a sheet that was played to its end, the best on it, and what came before."""

    total: int
    best: str = ""
    past: Past = UNKNOWN_PAST

    @property
    def totals(self) -> tuple[int, ...]:
        """The last totals before it, and this one."""
        return (*self.past.totals, self.total)

    @property
    def more(self) -> int:
        """How much more it is than ever before; 0 if nothing was before."""
        return 0 if self.past.best is None else self.total - self.past.best

    @property
    def is_record(self) -> bool:
        """Whether it is more than ever before."""
        return self.more > 0


class Finish(Struct, frozen=True):
    """What stands over the sheets at the end: a heading, and sentences."""

    heading: str
    said: tuple[str, ...]
    feast: EndFeast = EndFeast.NONE
    points: str = ""  # of the viewer, in words

    @property
    def praise(self) -> tuple[str, ...]:
        """What there is to say beside the total, which is told with the sheet."""
        return tuple(each for each in (self.heading, *self.said) if each.removesuffix(".") != self.points)


def grade(game: AnyGame, total: int, words: Words) -> str:
    """What a total is called in the viewer's language; nothing below the first grade."""
    verdicts = game.traits.verdicts(words.language, game.rules)
    reached = [name for name, least in verdicts.items() if total >= least]
    return game.traits.say(words, reached[-1]) if reached else ""


def is_top(game: AnyGame, total: int, words: Words) -> bool:
    """Whether no grade is above it."""
    verdicts = game.traits.verdicts(words.language, game.rules)
    return bool(verdicts) and total >= max(verdicts.values())


def finish_alone(game: AnyGame, own: OwnTotal, words: Words) -> Finish:
    """The end of a game alone."""
    found, points = grade(game, own.total, words), words.count("{number} point", "{number} points", own.total)
    is_great = is_top(game, own.total, words)
    if own.is_record and not is_great:
        heading, *said = words.say("Your best yet"), *_more(points, own, words), _sentence(found)
    elif found:
        heading, *said = words.say("{grade}!", grade=_capital(found)), *_more(points, own, words)
    else:
        heading, *said = points, *_kind(game, own, words)
    if own.past.is_first:
        said.append(words.say("Your first game of {game}.", game=game.traits.heading(words)))
    feast = (
        EndFeast.ALL if is_great else EndFeast.SOME if found or own.is_record or own.past.badges else EndFeast.NONE
    )
    return Finish(heading, tuple(filter(None, said)), feast, points)


def finish_together(
    heading: str, totals: Sequence[int], own: OwnTotal | None, game: AnyGame, words: Words
) -> Finish:
    """The end of a game of several, of whom somebody is named in the heading; `own` is the viewer's total."""
    said = list[str]()
    first, *others = sorted(totals, reverse=True)
    if others and first > others[0]:
        said.append(words.count("Ahead by {number} point.", "Ahead by {number} points.", first - others[0]))
    if own is not None:
        said += _own_sheet(game, own, words)
    is_great = own is not None and is_top(game, own.total, words)
    return Finish(heading, tuple(said), EndFeast.ALL if is_great else EndFeast.SOME if first else EndFeast.NONE)


def _own_sheet(game: AnyGame, own: OwnTotal, words: Words) -> list[str]:
    """What the viewer made, among others: the best so far, or a total with a name."""
    points = words.count("{number} point", "{number} points", own.total)
    if own.is_record:
        return _more(points, own, words)
    found = grade(game, own.total, words)
    return [words.say("Your sheet: {points}, {grade}.", points=points, grade=found)] if found else []


def _more(points: str, own: OwnTotal, words: Words) -> list[str]:
    """The points, and by how many they are more than ever before."""
    if not own.is_record:
        return [f"{points}."]
    more = own.more
    if own.past.best_day == own.past.day:
        return [words.say("{points}: your best so far, {more} more than before.", points=points, more=more)]
    day = day_said(words, own.past.best_day, own.past.day)
    return [words.say("{points}: your best so far, {more} more than on {day}.", points=points, more=more, day=day)]


def _kind(game: AnyGame, own: OwnTotal, words: Words) -> Iterator[str]:
    """For a total without a name."""
    for name, least in [*game.traits.verdicts(words.language, game.rules).items()][:1]:
        left, named = least - own.total, game.traits.say(words, name)
        if left <= least * NEAR:
            yield words.count(
                "Only {number} point to “{grade}”.", "Only {number} points to “{grade}”.", left, grade=named
            )
        elif not own.past.badges:
            yield words.say("Some days the dice sulk.")
    if own.best:
        yield words.say("The best of it: {what}.", what=own.best)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{_capital(text)}." if text else ""
