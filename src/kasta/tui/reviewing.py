"""The review at the end of a game, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kasta.coach.review import review
from kasta.coach.reviewed import SeatTold, tell_review
from kasta.coach.saying import action_said, choice_said, rate_said, sums_said
from kasta.games.traits import AnyGame, find_reviewer
from kasta.i18n import Words
from kasta.record import Moment

DEAREST = 5  # decisions


def reviewed(game: AnyGame, moments: Sequence[Moment]) -> list[SeatTold]:
    """The reviews of all seats, as a server tells them."""
    valuer = find_reviewer(game)
    return [tell_review(one, game, valuer.spread) for one in review(moments, valuer=valuer)]


def review_said(game: AnyGame, seats: Sequence[SeatTold], said: Words) -> Iterator[str]:
    """Each seat: where its points come from, how it plays, and the decisions that were dearest."""
    for one in seats:
        yield f"{one.name}: {said.count('{number} point', '{number} points', one.total)} = {sums_said(one, said)}"
        yield from rate_said(one.error_rate, one.class_, said)
        dearest = sorted((move for move in one.moves if move.lost > 0), key=lambda move: -move.lost)[:DEAREST]
        for move in sorted(dearest, key=lambda move: move.line):
            dice = " ".join(map(str, move.roll))
            done, better = (action_said(game, do, said) for do in (move.do, move.best))
            choice = choice_said(done, better, move.lost, move.error, move.mark, said)
            yield said.say("round {round}, {dice}", round=move.round, dice=dice) + f": {choice}"
