"""All games in step, whichever they are: the kind of the tables tells the compiler which game's parts to take."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from kasta.env.kernels.words import OVER, THROW, Notes, Row, advance, below, count, nth
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import load
from kasta.solve.jit import INLINE, LEAN, lean_kernel
from kasta.solve.splitmix_kernels import mix

Tables = Any
Many = NDArray[Any]

MODULES: dict[tuple[str, ...], ModuleType] = {}  # of games, by the names of what is in their tables


@cache
def find_tables(game: str, rules: str | None = None) -> Tables:
    """The answers of the rules of that name, all in one record.

    A kernel counts no references to parts of a record, and knows their shapes when it is compiled: several times
    faster than a tuple of arrays.
    """
    found = find_game(game, rules)
    if found.traits.kernels is None:
        raise Unreadable("no_kernels", game=game)
    module = load(found.traits.kernels, needs="rl")
    answers = {name: np.asarray(answer) for name, answer in module.make(found.solo)._asdict().items()}
    answers[source_name(module)] = np.zeros((), np.int8)
    MODULES[tuple(answers)] = module
    kind = [(name, answer.dtype, answer.shape) for name, answer in answers.items()]
    record = np.recarray(1, np.dtype(kind, align=True))
    for name, answer in answers.items():
        record[name] = answer
    return record[0]


def source_name(module: ModuleType) -> str:
    """A name for a module's folder as it is now. In the tables' kind, it makes other sources other kernels."""
    sources = sorted(Path(str(module.__file__)).parent.glob("*.py"))
    return "source_" + sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def start(t: Tables, sheet: Row, notes: Notes) -> None: ...


def throw(t: Tables, sheet: Row, notes: Notes, state: np.uint64) -> np.uint64: ...  # type: ignore[empty-body]


def act(t: Tables, sheet: Row, notes: Notes, action: int) -> tuple[int, int]:  # type: ignore[empty-body]
    """Do it; what it adds to the total, and what comes next."""


def show(t: Tables, sheet: Row, notes: Notes, mask: Row) -> None:
    """Write which actions are legal, and what of the sheet is only for the player to see."""


def pick(t: Tables, sheet: Row, notes: Notes, mask: Row, state: np.uint64) -> int:  # type: ignore[empty-body]
    """Any legal action, each as likely as the other; the mask is scratch."""


def _part_of(name: str) -> Callable[..., Any]:
    """What to compile for a part, given the type of the tables."""

    def find(t: Any) -> Any:
        return _bare(getattr(MODULES[tuple(t.fields)], name))

    return find


def _bare(function: FunctionType) -> FunctionType:
    """The same without annotations, which numba would take for a difference."""
    return FunctionType(function.__code__, function.__globals__, function.__name__)


_start, _throw, _act, _show, _pick = map(_part_of, ("start", "throw", "act", "show", "pick"))
_INLINE: dict[str, Any] = {"jit_options": {**LEAN, **INLINE}}
overload(start, **_INLINE)(lambda t, sheet, notes: _start(t))  # noqa: ARG005 - numba compares the names
overload(throw, **_INLINE)(lambda t, sheet, notes, state: _throw(t))  # noqa: ARG005
overload(act, **_INLINE)(lambda t, sheet, notes, action: _act(t))  # noqa: ARG005
overload(show, **_INLINE)(lambda t, sheet, notes, mask: _show(t))  # noqa: ARG005
overload(pick, **_INLINE)(lambda t, sheet, notes, mask, state: _pick(t))  # noqa: ARG005


@lean_kernel
def begin(t: Tables, which: Many, sheets: Many, notes: Many, masks: Many, states: Many, totals: Many) -> None:
    """Start a new game in each of these places."""
    for i in which:
        start(t, sheets[i], notes[i])
        states[i] = throw(t, sheets[i], notes[i], states[i])
        show(t, sheets[i], notes[i], masks[i])
        totals[i] = 0


@lean_kernel
def step(
    t: Tables,
    actions: Many,
    sheets: Many,
    notes: Many,
    masks: Many,
    states: Many,
    totals: Many,
    over: Many,
    rewards: Many,
    illegal: Many,
) -> None:
    """One action in every place; where the game was over already, nothing. What is not legal changes nothing."""
    for i in range(len(actions)):
        action = actions[i]
        illegal[i] = masks[i, action] == 0
        rewards[i] = 0
        if illegal[i]:
            continue
        sheet, note = sheets[i], notes[i]
        gain, following = act(t, sheet, note, action)
        rewards[i] = gain
        totals[i] += gain
        if following == OVER:
            over[i] = True
        elif following == THROW:
            states[i] = throw(t, sheet, note, states[i])
        show(t, sheet, note, masks[i])


@lean_kernel
def play_out(t: Tables, seeds: Many, sheet: Row, notes: Notes, mask: Row, totals: Many, trace: Many) -> None:
    """Whole games of a player who takes any legal action, one for each seed. The trace is of the last one."""
    for i in range(len(seeds)):
        dice, choices = mix(seeds[i]), mix(~seeds[i])
        start(t, sheet, notes)
        total, following, taken = 0, THROW, 0
        while following != OVER:
            if following == THROW:
                dice = throw(t, sheet, notes, dice)
            choices = advance(choices)
            action = pick(t, sheet, notes, mask, choices)
            gain, following = act(t, sheet, notes, action)
            total += gain
            trace[taken] = action
            taken += 1
        totals[i] = total


@lean_kernel
def choose(masks: Many, states: Many, actions: Many) -> None:
    """Any legal action for every place; 0 where there is none."""
    for i in range(len(masks)):
        states[i] = advance(states[i])
        actions[i] = max(0, nth(masks[i], below(states[i], count(masks[i]))))
