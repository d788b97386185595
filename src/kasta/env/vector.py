"""Thousands of games in step, as Gymnasium's vector environments have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kasta.extras import extra

with extra("rl"):
    import numpy as np
    from gymnasium.error import InvalidAction
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

from kasta.env.coding import find_coding
from kasta.env.dice_stream import choice_start
from kasta.env.kernels.play import Many, Tables, begin, choose, find_tables, step
from kasta.env.kernels.words import starts
from kasta.env.render import RENDER_MODES, Frame, render
from kasta.env.spaces import Seen, action_space, flat_space, observation_space
from kasta.solve.splitmix import WORD

Info = dict[str, Any]


class BatchEnv(VectorEnv[Seen, NDArray[Any], NDArray[Any]]):
    """So many `SoloEnv` at once: the same seeds and actions give the same games, rewards and infos.

    `gymnasium.make_vec` makes one of every game that has kernels. The caller may keep all arrays that it returns.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        rules: str | None = None,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        *,
        flat: bool = False,
    ) -> None:
        self.coding = find_coding(game, rules)
        self.num_envs, self.render_mode, self.flat = num_envs, render_mode, flat
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 4, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = action_space(self.coding)
        self.single_observation_space = flat_space(self.coding) if flat else observation_space(self.coding)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._sheets = np.zeros((num_envs, len(self.coding.sizes)), np.int8)
        self._masks = np.zeros((num_envs, len(self.coding.actions)), np.int8)
        self._notes = np.zeros((num_envs, self._tables.notes), np.int64)
        self._states = np.zeros(num_envs, np.uint64)
        self._totals = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._rewards = np.zeros(num_envs, np.float64)
        self._illegal = np.zeros(num_envs, np.bool_)
        self._seeded = np.zeros(num_envs, np.bool_)

    @property
    def _tables(self) -> Tables:
        """Found when they are needed: whoever unpickles an environment has none yet."""
        return find_tables(self.coding.game, self.coding.rules)

    @property
    def _games(self) -> tuple[Many, Many, Many, Many, Many]:
        """All that kernels know of the games, and change."""
        return self._sheets, self._notes, self._masks, self._states, self._totals

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Seen, Info]:
        """New games. One seed counts up from the first place; `options["reset_mask"]` tells which places."""
        which = np.ones(self.num_envs, np.bool_) if options is None else options.get("reset_mask")
        where = np.arange(self.num_envs) if which is None else np.flatnonzero(which)
        self._seed(where, seed)
        self._begin(where)
        self._illegal[:] = False
        observation, masks = self._observation()
        return observation, self._info(where, masks)

    def _seed(self, where: NDArray[np.int64], seed: int | Sequence[int | None] | None) -> None:
        if seed is None or isinstance(seed, int):
            seeds: list[int | None] = [None if seed is None else seed + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        given = np.array([value is not None for value in seeds])
        words = np.random.default_rng().integers(WORD, size=self.num_envs, dtype=np.uint64, endpoint=True)
        words[given] = [value & WORD for value in seeds if value is not None]
        new = where[(given | ~self._seeded)[where]]
        self._states[new] = starts(words[new])
        self._seeded[new] = True

    def _begin(self, where: NDArray[np.int64]) -> None:
        begin(self._tables, where, *self._games)
        self._over[where] = False

    def step(self, actions: NDArray[Any]) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,) or chosen.min() < 0 or chosen.max() >= self._masks.shape[1]:
            raise InvalidAction(f"{self.num_envs} actions below {self._masks.shape[1]} are needed")
        over = np.flatnonzero(self._over)
        if len(over) and self.autoreset_mode == AutoresetMode.DISABLED:
            raise InvalidAction("some games are over: reset() them first")
        step(self._tables, chosen, *self._games, self._over, self._rewards, self._illegal)
        self._illegal[over] = False
        if len(over):
            self._begin(over)
        terminated, info = self._over.copy(), {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and terminated.any():
            info = self._final(terminated)
            self._begin(np.flatnonzero(terminated))
            self._illegal[terminated] = False
        observation, masks = self._observation()
        info |= self._info(np.arange(self.num_envs), masks)
        return observation, self._rewards.copy(), terminated, np.zeros(self.num_envs, np.bool_), info

    def _final(self, terminated: NDArray[np.bool_]) -> Info:
        """What the ended games had come to, in the form that Gymnasium's own vector environments have."""
        last = np.empty(self.num_envs, object)
        for i in np.flatnonzero(terminated):
            last[i] = self._seen(i, self._masks[i].copy())
        everywhere = self._info(np.flatnonzero(terminated), self._masks.copy())
        return {"final_obs": last, "_final_obs": terminated, "final_info": everywhere, "_final_info": terminated}

    def _observation(self) -> tuple[Seen, NDArray[np.int8]]:
        """What is seen of all games, and the masks once more for `info`: one copy serves both."""
        if self.render_mode == "human":
            self.render()
        masks = self._masks.copy()
        return self._seen(..., masks), masks

    def _seen(self, which: Any, masks: NDArray[np.int8]) -> Seen:  # noqa: ANN401 - one of the games, or all
        if self.flat:
            return self._sheets[which].astype(np.float32)
        return {"observation": self._sheets[which].astype(np.int32), "action_mask": masks}

    def _info(self, where: NDArray[np.int64], masks: NDArray[np.int8]) -> Info:
        """What single environments tell, side by side; a key with `_` before it says which of them did."""
        told: Info = {"action_mask": masks, "total": self._totals.copy(), "illegal": self._illegal.copy()}
        said = np.zeros(self.num_envs, np.bool_)
        said[where] = True
        if len(where) < self.num_envs:
            told["action_mask"] = masks.copy()
            for value in told.values():
                value[~said] = 0
        return told | {"_" + key: said.copy() for key in told}

    def action_masks(self) -> NDArray[np.int8]:
        """Which actions are legal now, a row for each game."""
        return self._masks.copy()

    def render(self) -> tuple[str | Frame, ...] | None:
        sheets = [self.coding.sheet(row) for row in self._sheets]
        frames = [render(self.render_mode, self.coding, [sheet]) for sheet in sheets]
        return tuple(frame for frame in frames if frame is not None) or None


class Chooser:
    """Any legal action for every row of masks, quickly: what a learner explores with, and a measure."""

    def __init__(self, rows: int, seed: int = 0) -> None:
        self._states = np.array([choice_start(seed + i) for i in range(rows)], np.uint64)
        self._actions = np.zeros(rows, np.int64)

    def choose(self, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        choose(masks, self._states, self._actions)
        return self._actions
