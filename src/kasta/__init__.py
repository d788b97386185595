"""Kasta: the dice games Knister, Knaster and Yatzy."""

from kasta.core import Over, Pick, Seat, Solo, Throw, places
from kasta.errors import Conflict, Illegal, KastaError, Unreadable
from kasta.games import GAMES, find_game
from kasta.games.composers import Game, InTurn, Shared

__version__ = "0.2.0"

__all__ = [
    "GAMES",
    "Conflict",
    "Game",
    "Illegal",
    "InTurn",
    "KastaError",
    "Over",
    "Pick",
    "Seat",
    "Shared",
    "Solo",
    "Throw",
    "Unreadable",
    "find_game",
    "places",
]
