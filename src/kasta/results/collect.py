"""Takes up what people made of a game when it ends, or later: a process may die in between."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec.structs import replace

from kasta.core import Over, Seat, places
from kasta.errors import Illegal, KastaError
from kasta.jobs.background import Background
from kasta.record import Do, Header, Roll, Step, write_record
from kasta.results.model import TABLE, Result, hands_of, packed, series_kind
from kasta.results.store import Results
from kasta.sql import Steps
from kasta.tables import events as e
from kasta.tables.log import Log
from kasta.tables.records import Recorder
from kasta.tables.state import Table

logger = logging.getLogger(__name__)

NOBODY = "Player 1"  # who a record without names is of

ToldAt = Callable[[Table], Awaitable[float | None]]
"""When the secret of a table's dice was told, if it was before the table's end."""

Beside = Callable[[Table, Sequence[Result]], Steps[None]]
"""Written together with the results of a table: all, or none."""


async def _never(_table: Table) -> float | None:
    return None


class ResultCollector(Background):
    """Takes each table's results once, whichever node is first. What is given up is taken at another time."""

    def __init__(self, log: Log, told_at: ToldAt = _never) -> None:
        super().__init__()
        self._log, self._told_at = log, told_at
        self.beside: list[Beside] = []

    async def soon(self, table: Table) -> None:
        """A game has just ended."""
        self.start(self._try(table.id))

    async def collect_missing(self) -> None:
        """Take up what was not taken when it ended."""
        for name in await self._log.untaken():
            await self._try(name)

    async def _try(self, table: str) -> None:
        try:
            await self.take(table)
        except KastaError as error:
            logger.warning("the results of a table could not be taken: %s", error.code)

    async def take(self, table: str) -> None:
        """Keep what the seats of a closed table made of it; a game that was broken off has no results."""
        recorder, ended = Recorder(), 0.0
        async for stored in self._log.events(table):
            recorder.take(stored.event)
            if isinstance(stored.event, e.Rolled | e.Acted):
                ended = stored.at
        made: list[Result] = await asyncio.to_thread(
            list, results_of(recorder, ended)
        )  # of thousands it takes seconds
        if (series := recorder.table.series) is not None and await self._is_late(recorder.table, ended):
            made = [replace(result, kind=series_kind(series, counted=False)) for result in made]
        await Results(self._log.db).add(table, made, [partial(each, recorder.table, made) for each in self.beside])

    async def _is_late(self, table: Table, ended: float) -> bool:
        """Whether the series was over before the game was, by its secret: then the results are for fun."""
        told = await self._told_at(table)
        return told is not None and told <= ended


def results_of(recorder: Recorder, ended: float) -> Iterator[Result]:
    """What each person who stayed has made of a game that came to its end."""
    table = recorder.table
    game, play = table.game, table.play
    if play is None or not isinstance(game.next(play), Over):
        return
    stayed = [seat for seat in sorted(table.places) if not game.has_left(play, seat)]
    placed = dict(zip(stayed, places([game.total(play, seat) for seat in stayed]), strict=True))
    own = _OwnSheets(table, recorder.record(open_picks=True)[1])
    people = [seat for seat in stayed if not table.places[seat].is_program]
    same = {"ended": ended, "seats": len(stayed), "bots": len(stayed) - len(people)}
    for seat in people:
        yield _result(table, seat, own.steps(seat, recorder.seats[seat]), place=placed[seat], **same)


def _result(table: Table, seat: Seat, steps: Sequence[Step], **known: Any) -> Result:  # noqa: ANN401 - fields of it
    game, play = table.game, table.play
    return Result(
        table=table.id,
        seat=seat,
        device=table.places[seat].device,
        kind=kind_of(table),
        shown=table.places[seat].name if table.challenge is not None else None,
        game=game.name,
        rules=game.rules,
        total=game.total(play, seat),
        is_helped=seat in table.coached or any(step.by_bot for step in steps if isinstance(step, Do)),
        hands=hands_of(game.solo.score(game.sheet(play, seat))),
        record=packed(list(write_record(Header(game.name, game.rules, (NOBODY,)), steps))),
        **known,
    )


def kind_of(table: Table) -> str:
    """Which results those of a table are compared with."""
    return TABLE if table.series is None else series_kind(table.series, counted=table.counted)


class _OwnSheets:
    """Whose throw was whose, and what each seat did on it: found in one walk through a record."""

    def __init__(self, table: Table, steps: Sequence[Step]) -> None:
        self._table = table
        self._rolls: list[Roll] = []
        self._done: defaultdict[Seat, defaultdict[int, list[Do]]] = defaultdict(lambda: defaultdict(list))
        for step in steps:
            if isinstance(step, Roll):
                self._rolls.append(step)
            elif isinstance(step, Do):
                self._done[step.seat][len(self._rolls)].append(Do(0, step.text, step.by_bot))

    def steps(self, seat: Seat, number: Seat) -> list[Step]:
        """The record of a seat as if it had played alone, as far as one can: `number` is its own in the record."""
        done, steps = self._done[number], list[Step]()
        for throw, roll in enumerate(self._rolls, 1):
            if not (self._table.game.hides_picks or throw in done):
                continue  # somebody else's turn
            if throw == len(self._rolls) and not self._goes_alone(seat, done[throw]):
                continue
            steps += [roll, *done[throw]]
        return steps

    def _goes_alone(self, seat: Seat, done: Sequence[Do]) -> bool:
        """Whether what was done on the last throw is legal alone: another's sheet may have made it the last."""
        game = self._table.game
        if not game.hides_picks:
            return True
        sheet: Any = game.solo.throw(game.sheet(self._table.before, seat), self._table.faces)
        with suppress(Illegal):
            for step in done:
                sheet = game.solo.act(sheet, game.solo.read_action(step.text))
            return True
        return False
