"""The games by name: ours, and those of installed packages that declare one in the group `kasta.games`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

from kasta.errors import Unreadable
from kasta.games.traits import AnyGame, AnyTraits, load
from kasta.messages import MESSAGES

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from kasta.games import block, knaster, knister
    from kasta.games.composers import InTurn, Shared
    from kasta.games.grid import Cell

if TYPE_CHECKING:  # what type checkers know of our games: the rules of their sheets, too

    class KnisterGame(Shared[knister.Sheet, Cell]):
        """Knister."""

        solo: knister.Knister

    class KnasterGame(Shared[knaster.Sheet, knaster.Action]):
        """Knaster."""

        solo: knaster.Knaster

    class YatzyGame(InTurn[block.Sheet, block.Action]):
        """Yatzy, in all its kinds."""

        solo: block.BlockGame


GROUP = "kasta.games"
OURS = {
    "knister": "kasta.games.knister.traits:TRAITS",
    "knaster": "kasta.games.knaster.traits:TRAITS",
    "yatzy": "kasta.games.yatzy.traits:TRAITS",
    "yatzy15": "kasta.games.yatzy15.traits:TRAITS",
    "maxi": "kasta.games.maxi.traits:TRAITS",
}


class Games(Mapping[str, AnyTraits]):
    """What each game says of itself. Nothing is looked for before it is asked for, and nothing loaded twice."""

    def __init__(self) -> None:
        self._loaded: dict[str, AnyTraits] = {}

    @cached_property
    def _of_others(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points  # takes as long as all the rest of us

        return {point.name: point for point in entry_points(group=GROUP) if point.name not in OURS}

    def __getitem__(self, name: str) -> AnyTraits:
        if name not in self._loaded:
            traits: Any = load(OURS[name]) if name in OURS else self._of_others[name].load()
            if traits.name != name:
                raise ValueError(f"the entry point {name} leads to a game that calls itself {traits.name}")
            if taken := traits.messages.keys() & MESSAGES.keys():
                raise ValueError(f"{name} has messages for codes that exist already: {', '.join(sorted(taken))}")
            MESSAGES.update(traits.messages)
            self._loaded[name] = traits
        return self._loaded[name]

    def working(self) -> Iterator[AnyTraits]:
        """All games that can be loaded: a package of others that is broken keeps nobody from playing."""
        for name in self:
            try:
                yield self[name]
            except Exception as error:
                if name in OURS:
                    raise
                warnings.warn(f"the game {name} cannot be loaded: {error!r}", RuntimeWarning, stacklevel=2)

    def __iter__(self) -> Iterator[str]:
        return iter([*OURS, *self._of_others])

    def __len__(self) -> int:
        return len(OURS) + len(self._of_others)

    def __contains__(self, name: object) -> bool:
        return name in OURS or name in self._of_others


GAMES = Games()


@overload
def find_game(name: Literal["knister"], rules: str | None = ...) -> KnisterGame: ...
@overload
def find_game(name: Literal["knaster"], rules: str | None = ...) -> KnasterGame: ...
@overload
def find_game(name: Literal["yatzy", "yatzy15", "maxi"], rules: str | None = ...) -> YatzyGame: ...
@overload
def find_game(name: str, rules: str | None = ...) -> AnyGame: ...


def find_game(name: str, rules: str | None = None) -> Any:
    """The game of that name, with the rule set of that name or with its first."""
    if name not in GAMES:
        raise Unreadable("unknown_game", text=name, known=", ".join(GAMES))
    games = GAMES[name].games
    if rules is None:
        return next(iter(games.values()))
    if rules not in games:
        raise Unreadable("unknown_rules", text=rules, game=name, known=", ".join(games))
    return games[rules]
