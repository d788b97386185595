"""A game that is over, as a challenge for others: its throws are known to whoever played it."""

from __future__ import annotations

from io import BytesIO

from kasta.core import Over, Seat, Throw
from kasta.errors import Illegal
from kasta.features.challenge.store import KnownGame
from kasta.record import Roll, walk
from kasta.tables.records import clockwise, proof
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED


def known_player(table: Table, by: str) -> tuple[Seat, int]:
    """The first person at a device, and their total; refused if others cannot play the same throws."""
    play, order = table.play, list(clockwise(table))
    is_over = play is not None and isinstance(table.game.next(play), Over)
    if not (is_over and table.secret and table.settings.dice == "app" and len(order) <= MOST_LISTED):
        raise Illegal("no_known_throws")
    own = sorted(table.devices.get(by, ()))
    people = [seat for seat in own if not (table.places[seat].is_program or table.game.has_left(play, seat))]
    if not people:
        raise Illegal("no_known_throws")
    return people[0], table.game.total(play, people[0])


def known_game(table: Table, record: bytes, by: str) -> tuple[KnownGame, str]:
    """What the first person at a device has played there, and what they are called."""
    (seat, total), order = known_player(table, by), list(clockwise(table))
    numbers = _numbers(table, record, Seat(order.index(seat)))
    return KnownGame(table.id, proof(table, order).entropy, numbers, seat, total), table.places[seat].name


def _numbers(table: Table, record: bytes, player: Seat) -> tuple[tuple[int, ...], ...]:
    """The numbers of the throws that served a player, round by round: all, where one throw serves every sheet."""
    if table.game.hides_picks:
        return tuple((number,) for number in range(table.turn))
    found, number, before = list[list[int]](), 0, None
    for moment in walk(BytesIO(record)):
        if isinstance(moment.step, Roll) and before is not None:
            expected = before.game.next(before.table)
            if isinstance(expected, Throw) and expected.roller == player:
                if before.game.solo.rests(before.game.sheet(before.table, player)):
                    found.append([])
                found[-1].append(number)
            number += 1
        before = moment
    return tuple(tuple(each) for each in found)
