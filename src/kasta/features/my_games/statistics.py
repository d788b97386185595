"""What a device's last games by one rule set say: totals, luck and errors over time, and hands made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from kasta.features.my_games.curves import Curve, curve
from kasta.games import GAMES
from kasta.games.traits import Par
from kasta.i18n import Words
from kasta.results.model import Result, Ruled
from kasta.results.titles import title_of


@dataclass(frozen=True, slots=True)
class MadeHand:
    """How often a hand or box was made, in hundredths of a game, and what it paid at best; `width` of 100."""

    name: str
    made: int
    a_game: str
    best: int
    width: int


@dataclass(frozen=True, slots=True)
class Judged:
    """How lucky the reviewed games were, and what was given away; `rows` has day, luck and lost."""

    luck: Curve
    lost: Curve
    mean_luck: float
    mean_lost: float
    rows: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """The last games by one rule set, from the oldest to the newest: `totals` with their days."""

    title: str
    theme: str
    totals: tuple[tuple[str, int], ...]
    mean: str
    best: int
    par: str
    curve: Curve
    judged: Judged | None  # None before any was reviewed
    hands: tuple[MadeHand, ...]


def ruled(result: Result) -> Ruled:
    return result.game, result.rules


def day_of(ended: float) -> str:
    return datetime.fromtimestamp(ended, UTC).date().isoformat()


def figure(value: float, words: Words) -> str:
    """A figure as the language writes it; a whole one has no decimals."""
    rounded = round(value, 1)
    return str(int(rounded)) if rounded.is_integer() else words.decimal(rounded)


def statistics(drawn: Sequence[Result], words: Words) -> Statistics:
    """What games of one rule set say, the last one first."""
    totals = [result.total for result in reversed(drawn)]
    game, rules = ruled(drawn[0])
    par = GAMES[game].par.get(rules)
    return Statistics(
        title_of((game, rules), words),
        GAMES[game].theme,
        tuple((day_of(result.ended), result.total) for result in reversed(drawn)),
        figure(sum(totals) / len(totals), words),
        max(totals),
        _told(par, words) if par else "",
        curve(totals, par),
        _judged(drawn),
        _hands(drawn, words),
    )


def _told(par: Par, words: Words) -> str:
    mean = figure(par.mean, words)
    if par.is_exact:
        return words.say("The best play makes {mean} on average.", mean=mean)
    return words.say("The best bot makes {mean} on average.", mean=mean)


def _judged(drawn: Sequence[Result]) -> Judged | None:
    found = [
        (day_of(each.ended), each.luck, each.lost)
        for each in reversed(drawn)
        if each.luck is not None and each.lost is not None
    ]
    if not found:
        return None
    luck, lost = [luck for _, luck, _ in found], [lost for *_, lost in found]
    return Judged(
        curve(luck, from_zero=True),
        curve(lost, from_zero=True),
        sum(luck) / len(luck),
        sum(lost) / len(lost),
        tuple(found),
    )


def _hands(drawn: Sequence[Result], words: Words) -> tuple[MadeHand, ...]:
    made, best = dict[str, int](), dict[str, int]()
    for result in drawn:
        for code, (times, points) in result.hands.items():
            made[code] = made.get(code, 0) + times
            best[code] = max(best.get(code, 0), points)
    traits, most = GAMES[drawn[0].game], max(made.values(), default=1)
    return tuple(
        MadeHand(
            traits.word(words, code),
            times,
            figure(times / len(drawn), words),
            best[code],
            round(100 * times / most),
        )
        for code, times in sorted(made.items(), key=lambda one: -one[1])
    )
