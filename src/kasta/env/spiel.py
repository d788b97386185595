"""The games for OpenSpiel: importing this registers every game that says its bounds, as `kasta_<name>`.

Dice are chance nodes of few outcomes: sums where nothing else matters, else sorted throws.
Where seats act on the same throw unseen, they are asked one after the other, and no observer tells what they did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from kasta.extras import extra

with extra("openspiel"):
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray

from kasta.core import FACES, Faces, Over, Pick, Seat, Throw
from kasta.env.bounds import find_bounds
from kasta.env.coding import AnyCoding, find_coding
from kasta.errors import Illegal
from kasta.games import GAMES, find_game
from kasta.games.traits import AnyGame, AnyTraits
from kasta.record import Do, Header, Roll, Step, write_record

MOST_PLAYERS = 100  # OpenSpiel wants a number; the rules have none


@cache
def outcomes(game: str, dice: int) -> tuple[tuple[Faces, float], ...]:
    """What so many dice can show, as far as the game can tell throws apart, and how likely that is."""
    summed = GAMES[game].shows == "sum"
    ways: dict[Any, list[Faces]] = {}
    for faces in product(FACES, repeat=dice):
        ways.setdefault(sum(faces) if summed else tuple(sorted(faces)), []).append(faces)
    return tuple((alike[0], len(alike) / len(FACES) ** dice) for _, alike in sorted(ways.items()))


class Frozen:
    """Something that never changes, and need not be copied when a state is."""

    def __init__(self, value: Any) -> None:  # noqa: ANN401 - anything
        self.value = value

    def __deepcopy__(self, memo: dict[int, Any]) -> Frozen:
        return self


def load_game(text: str) -> Any:  # noqa: ANN401 - pyspiel has no types
    """What OpenSpiel finds by this text, after the games have been registered here: for pickles."""
    return pyspiel.load_game(text)


class SpielGame(pyspiel.Game):
    """A game with a number of players; each game is a class of its own, which says its name."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given, name = params or {}, self.name
        self.players = int(given.get("players", 1))
        if self.players < 1:
            raise Illegal("no_seats")
        self.rules_of_table = find_game(name, given.get("rules"))
        self.rules = self.rules_of_table.rules
        self.coding = find_coding(name, self.rules)
        self.bounds = find_bounds(name, self.rules)
        self.pays_at_end = bool(given.get("terminal_rewards"))
        thrown = self.coding.solo.next(self.coding.solo.start())
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.coding.actions),
            max_chance_outcomes=len(outcomes(name, thrown.dice if isinstance(thrown, Throw) else 0)),
            num_players=self.players,
            min_utility=float(self.bounds.least),
            max_utility=float(self.bounds.most),
            max_game_length=self.bounds.actions * self.players,
        )
        super().__init__(_type(GAMES[name], pays_at_end=self.pays_at_end), info, given)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return load_game, (str(self),)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.bounds.throws * (1 if self.rules_of_table.hides_picks else self.players)

    @property
    def most_steps(self) -> int:
        """How many throws and actions a game has at most."""
        return self.max_chance_nodes_in_history() + self.bounds.actions * self.players

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:  # noqa: ANN401
        if params:
            raise ValueError(f"observers have no parameters: {params}")
        return Observer(self, kind or pyspiel.IIGObservationType(perfect_recall=False))


class At(NamedTuple):
    """Where a game stands, where it stood when the last throw had been made, and how it came about."""

    table: Any
    thrown: Any
    steps: tuple[Step, ...] = ()
    known: int = 0  # how many of the steps there were when the last throw had been made


class SpielState(pyspiel.State):
    """A table, and how it came about."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.header = Frozen(Header(game.name, game.rules, tuple(f"player_{i}" for i in range(game.players))))
        start = game.rules_of_table.start(game.players)
        self._at = Frozen(At(start, start))
        self._gained = [0.0] * game.players
        self._pays_at_end = game.pays_at_end

    @property
    def rules(self) -> AnyGame:
        header: Header = self.header.value
        return find_game(header.game, header.rules)

    @property
    def coding(self) -> AnyCoding:
        return find_coding(self.header.value.game, self.header.value.rules)

    @property
    def at(self) -> At:
        found: At = self._at.value
        return found

    @property
    def seats(self) -> list[Seat]:
        return list(range(len(self._gained)))

    def current_player(self) -> int:
        match self.rules.next(self.at.table):
            case Throw():
                return int(pyspiel.PlayerId.CHANCE)
            case Over():
                return int(pyspiel.PlayerId.TERMINAL)
            case Pick(_, is_due):
                return next(filter(is_due, self.seats))

    def is_terminal(self) -> bool:
        return isinstance(self.rules.next(self.at.table), Over)

    def _outcomes(self) -> Sequence[tuple[Faces, float]]:
        expected = self.rules.next(self.at.table)
        return outcomes(self.header.value.game, expected.dice) if isinstance(expected, Throw) else ()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, chance) for i, (_, chance) in enumerate(self._outcomes())]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.coding.number[action] for action in self.rules.legal(self.at.table, player))

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            faces, _ = self._outcomes()[action]
            thrown, steps = self.rules.throw(self.at.table, faces), (*self.at.steps, Roll(faces))
            self._at = Frozen(At(thrown, thrown, steps, len(steps)))
            return
        before, seat, chosen = self.returns(), self.current_player(), self.coding.actions[action]
        table = self.rules.act(self.at.table, seat, chosen)
        self._at = Frozen(self.at._replace(table=table, steps=(*self.at.steps, Do(seat, str(chosen)))))
        self._gained = [now - then for now, then in zip(self.returns(), before, strict=True)]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return " ".join(map(str, self._outcomes()[action][0]))
        return str(self.coding.actions[action])

    def rewards(self) -> list[float]:
        """What the last action added to each return, also after a throw: OpenSpiel asks players only."""
        return self._gained

    def returns(self) -> list[float]:
        if self._pays_at_end and not self.is_terminal():
            return [0.0] * len(self._gained)
        return [float(self.rules.total(self.at.table, seat)) for seat in self.seats]

    def record(self) -> list[str]:
        """The game so far as the lines of a record, as `kasta replay` reads it."""
        return list(write_record(self.header.value, self.at.steps))

    def __str__(self) -> str:
        return "\n".join(self.record())


class Observer:
    """What a player sees: the own sheet, and the others' as they were when the open throw was made.

    With perfect recall it is all that the player has ever seen, step by step: who acted, and what they did.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:  # noqa: ANN401 - pyspiel has no types
        self._players, self._columns = game.players, len(game.coding.sizes)
        self._recalls, self._private = kind.perfect_recall, kind.private_info != pyspiel.PrivateInfoType.NONE
        shape = (game.most_steps, 2) if self._recalls else (self._players, self._columns)
        self.tensor: NDArray[np.float32] = np.zeros(self._players + shape[0] * shape[1], np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {
            "player": self.tensor[: self._players],
            "steps" if self._recalls else "sheets": self.tensor[self._players :].reshape(shape),
        }

    def set_from(self, state: SpielState, player: int) -> None:
        """The player as a switch, then sheets in the columns of the coding, the player's first, or all steps.

        A step is who made it (1 for the dice, 2 for player 0, and so on) and the number of what came, from 1 on.
        """
        self.tensor.fill(0)
        viewer = max(player, 0)
        self.dict["player"][viewer] = 1
        if self._recalls:
            history = state.full_history()
            for i, number in enumerate(self._seen(state, player)):
                self.dict["steps"][i] = history[number].player + 2, history[number].action + 1
            return
        for i in range(self._players):
            seat = (viewer + i) % self._players
            self.dict["sheets"][i] = state.coding.row(self._sheet(state, viewer, seat))

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recalls:
            return " ".join(self._story(state, player))
        sheets = [self._sheet(state, player, seat) for seat in state.seats]
        shown = [",".join(map(str, state.coding.to_row(sheet))) for sheet in sheets]
        return f"player {player}: " + " | ".join(shown)

    def _sheet(self, state: SpielState, viewer: int, seat: Seat) -> Any:  # noqa: ANN401 - each game has its own
        seen = not self._hides(state) or (self._private and seat == viewer)
        return state.rules.sheet(state.at.table if seen else state.at.thrown, seat)

    def _hides(self, state: SpielState) -> bool:
        return state.rules.hides_picks and not state.is_terminal()

    def _seen(self, state: SpielState, player: int) -> Iterator[int]:
        """The numbers of all steps that the player has seen: of the open throw only what the player did."""
        known = state.at.known if self._hides(state) else len(state.at.steps)
        for number, step in enumerate(state.at.steps):
            if number < known or isinstance(step, Roll) or (self._private and step.seat == player):
                yield number

    def _story(self, state: SpielState, player: int) -> Iterator[str]:
        yield f"player {player}:"
        for number in self._seen(state, player):
            match state.at.steps[number]:
                case Roll(faces):
                    yield "roll " + " ".join(map(str, faces))
                case Do(seat, text):
                    yield f"{seat} {text}"


def _type(traits: AnyTraits, *, pays_at_end: bool = False) -> Any:  # noqa: ANN401 - pyspiel has no types
    kinds = pyspiel.GameType
    hides = find_game(traits.name).hides_picks
    return kinds(
        short_name=f"kasta_{traits.name}",
        long_name=traits.name.capitalize(),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL if pays_at_end else kinds.RewardModel.REWARDS,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": 1,
            "rules": next(iter(traits.rule_sets)),
            "terminal_rewards": False,
        },
    )


TYPES = {name: _type(traits) for name, traits in GAMES.items() if traits.coding and traits.bounds}

for _name, _kind in TYPES.items():
    pyspiel.register_game(_kind, type(f"Spiel{_name.capitalize()}", (SpielGame,), {"name": _name}))
