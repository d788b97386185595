"""Bots think in a process of their own; who takes too long is spoken for."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from room import Room

from kasta.core import Seat
from kasta.players import of_strength
from kasta.thinking import Thinkers


@pytest.fixture
async def thinkers() -> AsyncIterator[Thinkers]:
    made = Thinkers()
    yield made
    made.close()


def large_straight() -> Room:
    """Anna has thrown 2 3 4 5 6 at once: nothing is better than to write it down."""
    room = Room("Anna", "Tim", game="yatzy")
    room.roll(2, 3, 4, 5, 6)
    return room


async def test_the_best_bot_answers_from_its_process(thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.thinking.PATIENCE_SECONDS", 600.0)
    thinkers.warm("best", "yatzy", "sheet")
    assert await thinkers.choose("best", large_straight().table, Seat(0)) == "fill large_straight"


async def test_the_quick_player_answers_for_one_who_takes_too_long(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kasta.thinking.PATIENCE_SECONDS", 0.0)
    room = large_straight()
    legal = [str(action) for action in room.table.rule.legal(room.table.play, Seat(0))]
    assert await thinkers.choose("best", room.table, Seat(0)) in legal


@pytest.mark.parametrize("bot", ["weak", "middling", "strong"])
async def test_every_strength_plays_every_game(thinkers: Thinkers, bot: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.thinking.PATIENCE_SECONDS", 600.0)
    for game, faces in (("knister", (3, 4)), ("knaster", (3, 4)), ("yatzy", (1, 2, 3, 4, 6))):
        room = Room("Anna", game=game)
        room.roll(*faces)
        legal = [str(action) for action in room.table.rule.legal(room.table.play, Seat(0))]
        assert await thinkers.choose(of_strength(bot, room.table.rule), room.table, Seat(0)) in legal
