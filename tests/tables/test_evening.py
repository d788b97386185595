"""Games that follow on each other: the same people, any mix of games, a running table, a handicap."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.games import GAMES
from kasta.tables.commands import Agree, Leave
from kasta.tables.evening import handicaps, points, standings
from kasta.tables.service import Service
from kasta.tables.state import replay
from support.play import refused
from support.stores.finishing import play_game, play_on


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with MemoryLog() as log:
        yield Service(log, auto_seconds=0)


async def test_the_next_game_may_be_another_one_and_the_evening_goes_on(service: Service):
    first = await play_game(service, "anna", "tim", game="knister")
    second = await service.rematch(first, "anna", "yatzy", "plain")
    assert (second.game.name, second.game.rules, second.previous) == ("yatzy", "plain", first)
    await play_on(service, second)
    third = await service.rematch(second.id, "tim")
    assert (third.game.name, third.game.rules) == ("yatzy", "plain"), "the same again"
    for name in (first, second.id, third.id):
        assert [table.id for table in await service.evening(name, 30)] == [first, second.id, third.id]
    games = await service.evening(third.id, 30)
    ranked = standings(games)
    for player in ranked:
        assert player.points == sum(player.totals.values())
        seat = {"Anna": 0, "Tim": 1}[player.name]
        assert [player.totals[number] for number in (0, 1)] == [
            game.game.total(game.play, seat) for game in games[:2]
        ]
        assert (player.wins, player.points) == (third.places[seat].wins, third.places[seat].points)
    assert [(player.wins, player.points) for player in ranked] == sorted(
        ((player.wins, player.points) for player in ranked), reverse=True
    )
    await service.close()


async def test_who_leaves_keeps_their_line_and_the_others_go_on_with_theirs(service: Service):
    first = await play_game(service, "anna", "tim", "sarah", game="knister")
    second = await service.rematch(first, "anna")
    await service.do(second.id, Leave("anna", 0))
    await play_on(service, await service.table(second.id))
    third = await service.rematch(second.id, "tim")
    games = await service.evening(first, 30)
    found = {player.name: player for player in standings(games)}
    assert {name: sorted(player.totals) for name, player in found.items()} == {
        "Anna": [0],
        "Tim": [0, 1],
        "Sarah": [0, 1],
    }
    assert {name: player.seat for name, player in found.items()} == {"Anna": None, "Tim": 0, "Sarah": 1}
    assert found["Tim"].totals[1] == games[1].game.total(games[1].play, 1)
    assert len(third.places) == 2
    await service.close()


async def test_games_that_were_forgotten_stay_in_the_tally(service: Service):
    first = await play_game(service, "anna", "tim", game="knister")
    before = {player.name: (player.wins, player.points) for player in standings(await service.evening(first, 30))}
    second = await service.rematch(first, "anna")
    await service._log.delete(first)  # noqa: SLF001
    games = await service.evening(second.id, 30)
    assert [table.id for table in games] == [second.id]
    assert {player.name: (player.wins, player.points) for player in standings(games)} == before
    await service.close()


async def test_a_handicap_goes_by_the_levels_of_bots_in_whatever_game(service: Service):
    first = await play_game(service, "anna", "tim", game="knister")
    with refused("host_only"):
        await service.do(first, Agree("tim", 3))
    with refused("unknown_bot"):
        await service.do(first, Agree("anna", 3, ((1, "godlike"),)))
    table = await service.do(first, Agree("anna", 3, ((0, "strong"), (1, "weak"))))
    means = GAMES["knister"].level_means
    assert handicaps(table) == {0: 0, 1: round(means["strong"] - means["weak"])}
    assert points(table)[1] == table.game.total(table.play, 1) + handicaps(table)[1]
    second = await service.rematch(first, "anna", "yatzy")
    assert second.agreed == table.agreed, "it holds on"
    means = GAMES["yatzy"].level_means
    assert handicaps(second) == {0: 0, 1: round(means["strong"] - means["weak"])}
    read = replay(stored.event for stored in await service._log.read(second.id))  # noqa: SLF001
    assert read.agreed == second.agreed
    await service.close()
