"""Finished games that were played without the server: checked by playing them again, kept among a device's games.

A record can be made up. So such a game is compared with nobody's: it is of a kind of its own, and its owner alone
sees it. Nothing that the record says of its dice is believed, and no name is kept.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from kasta.coach.review import seats_of_bots
from kasta.core import Over, Seat
from kasta.edge.fair_queue import draw_in_thread
from kasta.edge.identity import Signer
from kasta.errors import Conflict, Illegal, Unreadable
from kasta.record import Header, Step, walk
from kasta.results.collect import results_of
from kasta.results.model import POCKET, Result
from kasta.results.records import recorder_of
from kasta.results.store import Results
from kasta.tables.log import Log

DAY = 86_400.0
OLDEST = 365 * DAY  # games that ended earlier: their clock is taken to be wrong, as one that is ahead
LONGEST_RECORD = 200_000  # characters: 30 people at the longest of our games need half of it
MOST_SEATS = 30


@dataclass(frozen=True, slots=True)
class PocketSettings:
    pocket_games_a_device: Annotated[
        int,
        Meta(ge=0, description="how many games a device may bring home a day that it played without the server"),
    ] = 300
    pocket_games_an_address: Annotated[
        int, Meta(ge=0, description="how many such games may come from one address a day")
    ] = 3_000


@dataclass(frozen=True, slots=True)
class PocketGame:
    """A game as a device tells it; `seat` is its own one, None if everybody there played on it."""

    id: str
    record: str
    finished: float
    seat: Seat | None = None


class ComingHome:
    """Takes each game once, known by its id."""

    def __init__(self, log: Log, signer: Signer, settings: PocketSettings) -> None:
        self._log, self._signer, self._settings = log, signer, settings
        self._results = Results(log.db)

    async def take(self, device: str, address: str, game: PocketGame) -> bool:
        """Keep a device's game. False if it was kept before."""
        table = table_of(game.id)
        owner = await self._results.owner(table)
        is_new = owner is None
        if is_new:
            self._log.check_room()
            await self._count(device, address)
            made = await draw_in_thread(address, results_of_game, device, game)
            ended = _clamped(game.finished, await self._log.now())
            await self._results.add(table, [replace(result, ended=ended) for result in made])
            owner = await self._results.owner(table)
        if owner != device:
            raise Conflict("pocket_taken")
        return is_new

    async def _count(self, device: str, address: str) -> None:
        """Count one more of today, also if it is refused then: to check it takes time."""
        limits = (
            (f"pocket device {device}", self._settings.pocket_games_a_device),
            (f"pocket address {address}", self._settings.pocket_games_an_address),
        )
        for key, most in limits:
            if seconds := await self._log.cluster.hit(self._signer.mark(key), most, DAY):
                raise Illegal("too_many_pocket_games", seconds=seconds)


def table_of(game: str) -> str:
    """What results call a game of that id: no table has a name with a dot."""
    return f"{POCKET}.{game}"


def _clamped(finished: float, now: float) -> float:
    """When a game ended, as far as the clock of its device can be believed."""
    return finished if now - OLDEST <= finished <= now else now


def results_of_game(device: str, game: PocketGame) -> list[Result]:
    """What each person has made of it, or the one in the own seat; refused if its record is wrong."""
    header, steps = check_record(game.record)
    recorder = recorder_of(table_of(game.id), device, header, steps, seats_of_bots(steps))
    made = [
        replace(result, kind=POCKET)
        for result in results_of(recorder, game.finished)
        if game.seat is None or result.seat == game.seat
    ]
    if not made:
        raise Illegal("pocket_nobody")
    return made


def check_record(text: str) -> tuple[Header, Sequence[Step]]:
    """Play a record again, from its first line to the end of its game."""
    _check_size(len(text), LONGEST_RECORD)
    source = io.BytesIO(text.encode("utf-8", "surrogatepass"))  # as bytes, these are refused
    steps, last = list[Step](), None
    for last in walk(source):
        _check_size(len(last.header.seats), MOST_SEATS)
        if last.step is not None:
            steps.append(last.step)
    assert last is not None  # noqa: S101 - without a first line it would have been refused
    if not isinstance(last.game.next(last.table), Over):
        raise Illegal("pocket_not_over")
    return last.header, steps


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise Unreadable("pocket_too_large")
