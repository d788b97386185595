"""Kasta: the dice games Knister, Knaster and Yatzy, and those that other packages add.

>>> import kasta
>>> game = kasta.find_game("knister")
>>> table = game.throw(game.start(seats=2), (3, 5))
>>> table = game.act(table, 0, "c3")
>>> game.total(table, 0)
0

`replay` and `walk` read records of whole games, `write_record` writes them. `advise` tells what every action is
worth, `review` what the decisions of a game gave away. `find_bot` finds a bot. `play` lets bots play a game,
`match` says which of two is stronger, `simulate` lets one play many times. `kasta.draw.svg` draws a sheet.
docs/library.md shows each of them.
"""

from typing import TYPE_CHECKING, Any, NoReturn

from kasta import draw
from kasta.bots.base import Bot, Sight, bots_of, find_bot, look
from kasta.coach.advice import Advice, advise
from kasta.coach.review import Move, SeatReview, review
from kasta.core import Over, Pick, Seat, Solo, Throw, places
from kasta.errors import Conflict, Illegal, KastaError, NotInstalled, Unavailable, Unreadable
from kasta.games import GAMES, find_game
from kasta.games.composers import InTurn, Shared
from kasta.games.traits import Game, Traits, find_reviewer, find_valuer
from kasta.record import Do, Header, Leave, Moment, Roll, Step, replay, walk, write_record
from kasta.values import Option, Valuer

if TYPE_CHECKING:
    from kasta.engine.engine import Engine
    from kasta.engine.match import MatchScore, match
    from kasta.engine.play import BotGame, play
    from kasta.lab.simulate import simulate

__version__ = "0.2.0"

__all__ = [
    "GAMES",
    "Advice",
    "Bot",
    "BotGame",
    "Conflict",
    "Do",
    "Engine",
    "Game",
    "Header",
    "Illegal",
    "InTurn",
    "KastaError",
    "Leave",
    "MatchScore",
    "Moment",
    "Move",
    "Option",
    "Over",
    "Pick",
    "Roll",
    "Seat",
    "SeatReview",
    "Shared",
    "Sight",
    "Solo",
    "Step",
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
    "match",
    "places",
    "play",
    "replay",
    "review",
    "simulate",
    "walk",
    "write_record",
]


_LATER = {  # what takes long to import is imported when it is asked for
    "BotGame": "engine.play",
    "Engine": "engine.engine",
    "MatchScore": "engine.match",
    "match": "engine.match",
    "play": "engine.play",
    "simulate": "lab.simulate",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name not in _LATER:
        raise AttributeError(f"module 'kasta' has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(f"kasta.{_LATER[name]}"), name)
    except NotInstalled as missing:
        return _missing(missing)


def _missing(error: NotInstalled) -> Any:  # noqa: ANN401
    """A function whose extra is not installed: `from kasta import *` works, and calling it says what it needs."""

    def refuse(*_args: object, **_options: object) -> NoReturn:
        raise error

    return refuse
