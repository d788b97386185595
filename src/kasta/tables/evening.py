"""Games that follow on each other among the same people: who goes on, with which handicap and tally."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kasta.core import Seat
from kasta.structs import replace as replaced
from kasta.tables import events as e, rights
from kasta.tables.state import Table


def stayed(table: Table) -> list[Seat]:
    """Who has not left, in their order: the next game seats them by it."""
    return [seat for seat in sorted(table.places) if not table.game.has_left(table.play, seat)]


def handicaps(table: Table) -> dict[Seat, int]:
    """The points that players are given: by how much bots of their levels make less than the best of them.

    A seat without a level, or a game in which bots were not measured, has none.
    """
    means = table.game.traits.level_means
    known = {seat: means[level] for seat, level in table.agreed.levels if level in means}
    most = max(known.values(), default=0.0)
    return {seat: round(most - mean) for seat, mean in known.items()}


def points(table: Table) -> dict[Seat, int]:
    """What everybody who stayed has, with their handicap: the most of it wins."""
    given = handicaps(table)
    return {seat: table.game.total(table.play, seat) + given.get(seat, 0) for seat in stayed(table)}


def again(old: Table) -> Iterator[e.SeatedEvent | e.Replaced | e.Agreed]:
    """Everybody who played, in their old order, one more win for the best; then all who came too late for it.

    What was agreed on for the evening holds on.
    """
    totals = points(old)
    most = max(totals.values(), default=0)
    for number, seat in enumerate(totals):
        place = old.places[seat]
        yield e.SeatedEvent(
            number,
            place.name,
            place.device,
            place.bot if place.is_program else None,
            secrets.token_hex(8),
            wins=place.wins + (totals[seat] == most),
            points=place.points + totals[seat],
            wall=place.on_wall,
            program=place.is_engine,
        )
        if place.bot and not place.is_program:
            yield e.Replaced(number, place.bot)
    yield from _late(old, len(totals))
    if old.agreed != e.NOTHING_AGREED:
        levels = dict(old.agreed.levels)
        kept = tuple((number, levels[seat]) for number, seat in enumerate(totals) if seat in levels)
        yield replaced(old.agreed, levels=kept)


def _late(old: Table, first: Seat) -> Iterator[e.SeatedEvent]:
    late = [(device, name) for device, name in old.waiting if not old.is_seated(device)]
    for number, (device, name) in zip(range(first, rights.MOST_SEATS), late, strict=False):
        on_wall = device in old.late_on_wall
        yield e.SeatedEvent(number, name, device, entropy=secrets.token_hex(8), wall=on_wall)


@dataclass(frozen=True, slots=True)
class EveningStanding:
    """A player of an evening: `totals` with handicap by the number of the game; all `wins` and `points`."""

    name: str
    wins: int
    points: int
    totals: dict[int, int]
    seat: Seat | None  # at the newest table


def standings(games: Sequence[Table]) -> list[EveningStanding]:
    """The running table of games that follow on each other, the best first; earlier ones are in the tally."""
    players: list[EveningStanding] = []
    at: dict[Seat, int] = {}  # who sits where
    for number, table in enumerate(games):
        if number:
            before = stayed(games[number - 1])
            at = {place: at[seat] for place, seat in enumerate(before) if seat in at}
        for seat, place in sorted(table.places.items()):
            if at.setdefault(seat, len(players)) == len(players):
                players.append(EveningStanding(place.name, place.wins, place.points, {}, seat))
        players = [replace(player, seat=None) for player in players]
        for seat, place in table.places.items():
            players[at[seat]] = replace(players[at[seat]], name=place.name, seat=seat)
        totals = points(table) if table.is_closed and table.play is not None else {}
        most = max(totals.values(), default=0)
        for seat, total in totals.items():
            player, won = players[at[seat]], total == most
            players[at[seat]] = replace(
                player,
                wins=player.wins + won,
                points=player.points + total,
                totals={**player.totals, number: total},
            )
    return sorted(players, key=lambda player: (-player.wins, -player.points))
