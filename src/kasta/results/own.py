"""What a person has made of a game so far: the best, the last totals, and badges. All of it is worked out anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from time import time
from typing import NamedTuple

from kasta.core import Over
from kasta.dice import day_of
from kasta.games import find_game
from kasta.games.badges import Hands, Made
from kasta.games.traits import AnyTraits
from kasta.page.end.past import UNKNOWN_PAST, Past
from kasta.results.model import hands_of
from kasta.results.store import Results
from kasta.tables.state import Table

LAST = 9  # totals before the one that is looked at


class PlayedGame(NamedTuple):
    """A finished game, as far as it is looked at."""

    table: str
    rules: str
    ended: float
    total: int
    hands: Hands


def earned(traits: AnyTraits, games: Iterable[PlayedGame]) -> dict[str, float]:
    """When each badge was earned first, by its code; in the order in which they were."""
    first: dict[str, float] = {}
    for game in games:
        solo, made = traits.rule_sets[game.rules], Made(game.total, game.hands)
        for badge in traits.badges:
            if badge.is_earned(solo, made):
                first[badge.code] = min(game.ended, first.get(badge.code, game.ended))
    return dict(sorted(first.items(), key=lambda one: (one[1], one[0])))


def of_one_person(games: Sequence[PlayedGame], traits: AnyTraits) -> list[PlayedGame]:
    """Those in which a device had one sheet: who else played on it is not known. The rules may be gone, too."""
    sheets = Counter(game.table for game in games)
    return [game for game in games if sheets[game.table] == 1 and game.rules in traits.rule_sets]


def past(traits: AnyTraits, now: PlayedGame, games: Sequence[PlayedGame]) -> Past:
    """What came before a game, among others of the same person."""
    before = [game for game in games if game.table != now.table and game.ended <= now.ended]
    same = sorted((game for game in before if game.rules == now.rules), key=lambda game: game.ended)
    best = max(same, key=lambda game: (game.total, -game.ended), default=None)
    return Past(
        totals=tuple(game.total for game in same[-LAST:]),
        best=best.total if best else None,
        best_day=day_of(best.ended) if best else "",
        day=day_of(now.ended),
        badges=_new_badges(traits, now, before),
        is_first=not same,
    )


def _new_badges(traits: AnyTraits, now: PlayedGame, before: Iterable[PlayedGame]) -> tuple[str, ...]:
    """The codes of what a game has earned, and none before it."""
    known = earned(traits, before)
    return tuple(code for code in earned(traits, [now]) if code not in known)


class OwnBook:
    """Reads what devices have played."""

    def __init__(self, results: Results) -> None:
        self._results = results

    async def games(self, device: str, game: str) -> list[PlayedGame]:
        """All games of a device, the oldest first."""
        rows = await self._results.totals_of(device, game)
        return of_one_person([PlayedGame(*row) for row in rows], find_game(game).traits)

    async def past(self, table: Table, device: str) -> Past:
        """What came before a game that is over: it is known of a device with one sheet of it."""
        game, play = table.game, table.play
        seats = [seat for seat in table.devices.get(device, ()) if not table.places[seat].is_program]
        if play is None or len(seats) != 1 or not isinstance(game.next(play), Over):
            return UNKNOWN_PAST
        (seat,) = seats
        if game.has_left(play, seat):
            return UNKNOWN_PAST
        games = await self.games(device, game.name)
        ended = next((each.ended for each in games if each.table == table.id), time())  # or it is not taken up yet
        made = hands_of(game.solo.score(game.sheet(play, seat)))
        now = PlayedGame(table.id, game.rules, ended, game.total(play, seat), made)
        return past(game.traits, now, games)
