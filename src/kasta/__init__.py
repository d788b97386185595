"""Kasta: the dice games Knister, Knaster and Yatzy, and those that other packages add.

>>> import kasta
>>> game = kasta.find_game("knister")
>>> table = game.throw(game.start(seats=2), (3, 5))
>>> table = game.act(table, 0, game.solo.read_action("c3"))
>>> game.total(table, 0)
0

`replay` and `walk` read records of whole games, `write_record` writes them. `advise` tells what every action is
worth, `review` what the decisions of a game gave away. `find_bot` finds a bot, `simulate` lets it play many times,
and `kasta.draw.svg` draws a sheet. docs/library.md shows each of them.
"""

from typing import TYPE_CHECKING, Any

from kasta import draw
from kasta.bots.base import Bot, Sight, bots_of, find_bot, look
from kasta.coach.advice import Advice, advise
from kasta.coach.review import Move, SeatReview, review
from kasta.core import Over, Pick, Seat, Solo, Throw, places
from kasta.errors import Conflict, Illegal, KastaError, Unavailable, Unreadable
from kasta.games import GAMES, find_game
from kasta.games.composers import InTurn, Shared
from kasta.games.traits import Game, Traits, find_reviewer, find_valuer
from kasta.record import Header, Moment, replay, walk, write_record
from kasta.values import Option, Valuer

if TYPE_CHECKING:
    from kasta.lab.simulate import simulate

__version__ = "0.2.0"

__all__ = [
    "GAMES",
    "Advice",
    "Bot",
    "Conflict",
    "Game",
    "Header",
    "Illegal",
    "InTurn",
    "KastaError",
    "Moment",
    "Move",
    "Option",
    "Over",
    "Pick",
    "Seat",
    "SeatReview",
    "Shared",
    "Sight",
    "Solo",
    "Throw",
    "Traits",
    "Unavailable",
    "Unreadable",
    "Valuer",
    "__version__",
    "advise",
    "bots_of",
    "draw",
    "find_bot",
    "find_game",
    "find_reviewer",
    "find_valuer",
    "look",
    "places",
    "replay",
    "review",
    "simulate",
    "walk",
    "write_record",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what takes long to import is imported when it is asked for
    if name == "simulate":
        from kasta.lab.simulate import simulate

        return simulate
    raise AttributeError(f"module 'kasta' has no attribute {name!r}")
