"""What the pages of a circle show: tables of points, records, evenings, one member against the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from kasta.dice import day_of
from kasta.features.circle.model import ALL_TIME, CircleGame, CircleMember, CircleScore, CircleSeason, PairTally
from kasta.features.circle.service import CircleTableNow
from kasta.games import GAMES
from kasta.i18n import Words
from kasta.i18n.dates import day_said
from kasta.page.models import company
from kasta.results.model import Ruled
from kasta.results.titles import is_known, title_of

PAUSE = 4 * 3_600.0  # between two evenings, at least
LEAST_RUN = 2  # games in a row

Members = Mapping[str, CircleMember]


@dataclass(frozen=True, slots=True)
class CirclePerson:
    """A member as pages show them."""

    id: str
    name: str
    mark: int
    is_me: bool
    is_host: bool
    is_gone: bool


@dataclass(frozen=True, slots=True)
class CircleLine:
    """A line of a table of points: the place by games won, then by points a game."""

    place: int
    who: CirclePerson
    games: int
    wins: int
    mean: float
    best: int | None
    run: int
    strength: str = ""  # if they want it to be shown


@dataclass(frozen=True, slots=True)
class CircleRecord:
    """The most points that somebody made in a game, and the most wins in a row, told in words."""

    title: str
    theme: str
    highest: str
    longest: str


@dataclass(frozen=True, slots=True)
class CircleChoice:
    """A way to another game or season."""

    title: str
    href: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A table of the circle that is not over."""

    id: str
    title: str
    theme: str
    about: str
    is_open: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class EveningLine:
    """A game of an evening; its table is told to those who played there."""

    table: str | None
    title: str
    told: str


@dataclass(frozen=True, slots=True)
class CircleEvening:
    """Games that followed on each other, and who won how many."""

    began: float  # when the first of them ended
    day: str
    said: str
    games: tuple[EveningLine, ...]
    told: str


@dataclass(frozen=True, slots=True)
class PairLine:
    """How a member did against another."""

    who: CirclePerson
    games: int
    wins: int
    ties: int
    losses: int


def person(member: CircleMember, me: str) -> CirclePerson:
    return CirclePerson(
        member.id, member.name, member.mark, member.id == me, bool(member.is_host), member.gone is not None
    )


def lines(
    scores: Mapping[str, CircleScore], members: Members, me: str, strengths: Mapping[str, str]
) -> tuple[CircleLine, ...]:
    """The table of points of a game, the best first."""
    known = [(members[each], score) for each, score in scores.items() if each in members]
    ranked = sorted(known, key=lambda one: (-one[1].wins, -one[1].points / one[1].games, one[0].name))
    return tuple(
        CircleLine(
            place,
            person(member, me),
            score.games,
            score.wins,
            score.points / score.games,
            score.best,
            score.run,
            strengths.get(member.id, ""),
        )
        for place, (member, score) in enumerate(ranked, 1)
    )


def records(
    scores: Mapping[Ruled, Mapping[str, CircleScore]], members: Members, today: str, words: Words
) -> tuple[CircleRecord, ...]:
    """What stands as a record, for each game; what was played most comes first."""
    found = []
    for ruled, each in sorted(scores.items(), key=lambda one: -_played(one[1])):
        if is_known(ruled):
            highest, longest = _highest(each, members, today, words), _longest(each, members, words)
            found.append(CircleRecord(title_of(ruled, words), GAMES[ruled[0]].theme, highest, longest))
    return tuple(found)


def _played(scores: Mapping[str, CircleScore]) -> int:
    return sum(score.games for score in scores.values())


def _highest(scores: Mapping[str, CircleScore], members: Members, today: str, words: Words) -> str:
    """Of equal ones the earlier stands."""
    best = [
        (score.best, -score.best_at, member) for member, score in scores.items() if score.best_at and score.best
    ]
    if not best:
        return ""
    points, at, member = max(best)
    day = day_said(words, day_of(-at), today)
    return words.say("{points}, {name}, {day}", points=points, name=members[member].name, day=day)


def _longest(scores: Mapping[str, CircleScore], members: Members, words: Words) -> str:
    longest, member = max((score.longest, member) for member, score in scores.items())
    if longest < LEAST_RUN:
        return ""
    name = members[member].name
    return words.count("{number} win in a row: {name}", "{number} wins in a row: {name}", longest, name=name)


def choices(
    scores: Mapping[Ruled, object], shown: Ruled | None, circle: str, season: int, words: Words
) -> tuple[CircleChoice, ...]:
    """The games that were played."""
    return tuple(
        CircleChoice(title_of(each, words), _address(circle, each, season), each == shown)
        for each in scores
        if is_known(each)
    )


def seasons(
    known: Sequence[CircleSeason], shown: int, circle: str, ruled: Ruled | None, today: str, words: Words
) -> tuple[CircleChoice, ...]:
    """All time and the seasons, the newest first, if there is more than one."""
    if len(known) < 2:  # noqa: PLR2004 - one is all time
        return ()
    told = [
        (each.number, words.say("since {day}", day=day_said(words, day_of(each.began), today)))
        if each is known[-1]
        else (
            each.number,
            words.say(
                "{day} to {end}",
                day=day_said(words, day_of(each.began), today),
                end=day_said(words, day_of(after.began), today),
            ),
        )
        for each, after in [*pairwise(known), (known[-1], known[-1])]
    ]
    named = [(ALL_TIME, words.say("All time")), *reversed(told)]
    return tuple(CircleChoice(title, _address(circle, ruled, number), number == shown) for number, title in named)


def _address(circle: str, ruled: Ruled | None, season: int) -> str:
    asked = [f"game={ruled[0]}&rules={ruled[1]}"] if ruled else []
    asked += [f"season={season}"] if season else []
    return f"/circle/{circle}?{'&'.join(asked)}#standings"


def running(
    tables: Sequence[CircleTableNow], members: Members, device: str, words: Words
) -> tuple[RunningTable, ...]:
    """Tables to sit down at, or to go on with."""
    return tuple(
        RunningTable(
            each.table.id,
            title_of((each.table.game.name, each.table.game.rules), words),
            each.table.game.traits.theme,
            _about(each, members, device, words),
            each.is_open and not each.is_mine,
            each.is_mine,
        )
        for each in tables
        if is_known((each.table.game.name, each.table.game.rules))
    )


def _about(each: CircleTableNow, members: Members, device: str, words: Words) -> str:
    inviter = members.get(each.by)
    if inviter is not None and each.is_open and not each.is_mine:
        return words.say("{name} invites you", name=inviter.name)
    names = company(each.table, device)
    return words.say("with {names}", names=names) if names else words.say("Nobody else is there yet.")


def evenings(
    games: Sequence[CircleGame], members: Members, me: str, today: str, words: Words
) -> list[CircleEvening]:
    """Evenings, from the rows of games, the last game first."""
    found: list[list[list[CircleGame]]] = []
    for _, rows in groupby(games, key=lambda row: row.name):
        game = list(rows)
        if found and found[-1][-1][0].ended - game[0].ended < PAUSE:
            found[-1].append(game)
        else:
            found.append([game])
    return [_evening(list(reversed(each)), members, me, today, words) for each in found]


def _evening(
    games: Sequence[Sequence[CircleGame]], members: Members, me: str, today: str, words: Words
) -> CircleEvening:
    wins = Counter(row.member for game in games for row in game if row.is_won and row.member in members)
    told = ", ".join(f"{members[member].name} {count}" for member, count in wins.most_common())
    day = day_of(games[0][0].ended)
    played = words.count("{number} game", "{number} games", len(games))
    return CircleEvening(
        games[0][0].ended,
        day,
        day_said(words, day, today),
        tuple(_evening_line(game, members, me, words) for game in games),
        words.say("{played}. Won: {wins}", played=played, wins=told) if told else played,
    )


def _evening_line(game: Sequence[CircleGame], members: Members, me: str, words: Words) -> EveningLine:
    ranked = sorted(game, key=lambda row: -row.total)
    ruled = game[0].game, game[0].rules
    return EveningLine(
        game[0].name if any(row.member == me for row in game) else None,
        title_of(ruled, words) if is_known(ruled) else game[0].game,
        ", ".join(f"{members[row.member].name} {row.total}" for row in ranked if row.member in members),
    )


def pair_lines(pairs: Mapping[str, PairTally], members: Members, me: str) -> tuple[PairLine, ...]:
    """A member against each other, who was played most comes first."""
    known = sorted((each for each in pairs.items() if each[0] in members), key=lambda one: -one[1].games)
    return tuple(
        PairLine(
            person(members[other], me),
            tally.games,
            tally.wins,
            tally.games - tally.wins - tally.losses,
            tally.losses,
        )
        for other, tally in known
    )
