"""Whole games on a store, and results as if many had played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from kasta.core import Over, Pick, Throw
from kasta.errors import Conflict
from kasta.feature import Site
from kasta.results.model import Board, Result, packed
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.service import Service
from kasta.tables.state import Table

BOARD = Board("day/2026-11-17", "knister", "sheet")


async def play_game(service: Service, *people: str, game: str = "yatzy", **rules: Any) -> str:  # noqa: ANN401 - of open
    """A whole game among people, each at a device of that name."""
    table = await service.open(people[0], game, **rules)
    for name in people:
        table = await service.do(table.id, Sit(name, name.title()[:8]))
    return await play_on(service, table)


async def play_on(service: Service, table: Table) -> str:
    """Play to the end."""
    await play_turns(service, table)
    async for now in service.changes(table.id):
        if now.is_closed:
            break
    return table.id


async def play_turns(service: Service, table: Table, turns: int = 1_000) -> None:
    """Play until there were so many throws, or to the end."""
    rng = random.Random(5)
    while table.turn < turns and not isinstance(expected := table.next(), Over):
        with suppress(Conflict):  # the table may have gone on by itself
            match expected:
                case Throw(_, roller):
                    by = table.places[roller].device if table.turn else table.host
                    await service.do(table.id, Roll(by, table.turn))
                case Pick(_, is_due):
                    seat = next(filter(is_due, table.places))
                    do = str(rng.choice(table.game.legal(table.play, seat)))
                    by = table.places[seat].device
                    await service.do(table.id, Play(by, table.turn, seat, table.step(seat), do))
        table = await service.table(table.id)


async def finish_game(site: Site, *people: str, game: str = "yatzy", **rules: Any) -> str:  # noqa: ANN401 - of open
    """The same, and its results have been taken."""
    table = await play_game(site.service, *people, game=game, **rules)
    await site.collector.settled()
    await site.collector.collect_missing()  # its end may be heard of before its results are taken up
    return table


def made_up(count: int, board: Board = BOARD, seed: int = 1) -> Iterator[Result]:
    """Results of so many games, by some devices."""
    rng = random.Random(seed)
    for number in range(count):
        yield Result(
            table=f"{board.kind}-{number}",
            seat=0,
            device=f"device {rng.randrange(max(2, count // 10))}",
            kind=board.kind,
            game=board.game,
            rules=board.rules,
            ended=1_000.0 + rng.randrange(count),
            total=round(rng.gauss(60, 12)),
            place=1,
            seats=1,
            is_helped=rng.random() < 0.1,
            hands={"straight": (1, 12)},
            record=packed(["{}"]),
        )
