"""Bots: each chooses one of the legal actions, and sees what a person in its seat would see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, runtime_checkable

from kasta.core import Seat
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame, load
from kasta.values import Progress, quietly


@dataclass(frozen=True, slots=True)
class Sight:
    """The view of a bot: the game, its own sheet with the throw on it, and the others' sheets.

    Where seats act at the same time, the others' are as they were before. `others_lack` is how many numbers the
    fullest of them lacked then, where a full sheet ends the game.
    """

    game: AnyGame
    sheet: Any
    others: tuple[Any, ...] = ()
    others_lack: int | None = None


MOST_OTHERS = 16  # at a larger table, a bot that acts at the same time as all looks only at how near the end is


def look(game: AnyGame, table: Any, seat: Seat) -> Sight:  # noqa: ANN401 - each game has its own tables
    """The view of a seat of the table."""
    is_crowd = game.hides_picks and table.seats > MOST_OTHERS
    others = () if is_crowd else tuple(game.others(table, seat))
    return Sight(game, game.sheet(table, seat), others, game.others_lack(table, seat))


class Bot(Protocol):
    """Plays a seat. Anything with this method is a bot."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        """One of the legal actions; `rng` is the only source of randomness, so that a seed gives the same game."""


@runtime_checkable
class PlaysAlone(Protocol):
    """A bot with a faster way to play many games alone."""

    def totals(self, game: AnyGame, games: int, seed: int, progress: Progress = quietly) -> Sequence[int] | None:
        """The totals of so many games from a seed; None for a game in which there is no faster way."""


class Greedy:
    """Takes what pays most at once; of equal actions, any."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401 - an action
        """The action that pays most at once."""
        solo = view.game.solo
        worth = [solo.total(solo.act(view.sheet, action)) for action in legal]
        best = max(worth)
        return rng.choice([action for action, value in zip(legal, worth, strict=True) if value == best])


class Anything:
    """Takes any legal action."""

    def choose(self, view: Sight, legal: Sequence[Any], rng: Random) -> Any:  # noqa: ANN401, ARG002 - an action
        """Any legal action."""
        return rng.choice(legal)


CLASSES = {"master": 0.0005, "expert": 0.005, "seasoned": 0.014, "casual": 0.040, "beginner": 0.080}
"""Classes of players, best first: up to which share of the spread an open decision gives away on average."""


@dataclass(frozen=True)
class Bots:
    """The bots of a game by name, the strongest first, and which one plays at each level of strength.

    `classes` are those that reviews put players into, with bounds between what the bots were measured to lose.
    `glances` choose what is obvious: each with the level of puzzles from which on it must be wrong. `stand_in`
    acts for people who are away, by the values that hints go by; without one `spokesman` does. That one also acts
    for bots that do not answer in time: it needs no values.
    """

    by_name: Mapping[str, Bot]
    levels: Mapping[str, str]
    classes: Mapping[str, float] = field(default_factory=lambda: CLASSES)
    glances: Mapping[int, Bot] = field(default_factory=dict)
    stand_in: str = ""
    spokesman: Bot = field(default_factory=Greedy)


LEVELS = ("middling", "weak", "strong", "best")  # the first is taken where nobody says
SIMPLE: dict[str, Bot] = {"greedy": Greedy(), "anything": Anything()}  # these know nothing of values
GENERAL = Bots(SIMPLE, {"best": "greedy", "strong": "greedy", "middling": "greedy", "weak": "anything"})


def bots_of(game: AnyGame | str) -> Bots:
    """The bots of a game, or of the game of that name.

    A game that declares none has `greedy` and `anything`, which need only the rules.
    """
    if isinstance(game, str):
        game = find_game(game)
    found: Bots = load(game.traits.bots) if game.traits.bots else GENERAL
    return found


def at_level(level: str | None, game: AnyGame) -> str:
    """The name of the bot that plays a game at a level: weak, middling, strong or best; by default, middling."""
    levels = bots_of(game).levels
    wanted = level if level is not None and level in levels else LEVELS[0]
    return levels.get(wanted) or next(iter(bots_of(game).by_name))


def level_of(bot: str, game: AnyGame) -> str:
    """The level at which a bot plays; empty where it is none of them."""
    return next((level for level, name in bots_of(game).levels.items() if name == bot), "")


def find_bot(name: str, game: AnyGame | str) -> Bot:
    """A bot of a game, or of the game of that name; `Unreadable` lists the names where there is none."""
    bots = bots_of(game).by_name
    if name not in bots:
        raise Unreadable("unknown_bot", text=name, known=", ".join(bots))
    return bots[name]
