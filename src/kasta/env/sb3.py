"""Games in step for Stable-Baselines3, which has vector environments of its own kind.

`MaskablePPO("MultiInputPolicy", GamesInStep(game, 256))` trains on any game that has kernels.
Stable-Baselines3 does not come with Kasta: it brings PyTorch, which is gigabytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from kasta.env.spaces import Observation
from kasta.env.vector import BatchEnv


class GamesInStep(VecEnv):
    """A `BatchEnv` as Stable-Baselines3 wants it: what a game came to goes into the infos of its last step."""

    def __init__(self, game: str, num_envs: int, rules: str | None = None) -> None:
        self.batch = BatchEnv(game, num_envs, rules, autoreset_mode=AutoresetMode.SAME_STEP)
        self.render_mode = None
        super().__init__(num_envs, self.batch.single_observation_space, self.batch.single_action_space)
        self._begun = np.zeros(num_envs, np.int64)  # how many steps each game has had

    def reset(self) -> Observation:
        seed = self._seeds[0]
        self._reset_seeds()
        observation: Observation
        observation, _ = self.batch.reset(seed=seed)
        self._begun[:] = 0
        return observation

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        observation, rewards, over, _, told = self.batch.step(self._actions)
        self._begun += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over):
            total = float(told["final_info"]["total"][i])
            infos[i] = {
                "terminal_observation": told["final_obs"][i],
                "TimeLimit.truncated": False,
                "episode": {"r": total, "l": int(self._begun[i]), "t": 0.0},  # what Stable-Baselines3 logs
            }
            self._begun[i] = 0
        return observation, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        """Nothing is open."""

    def action_masks(self) -> NDArray[np.int8]:
        return self.batch.action_masks()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:  # noqa: ANN401
        """MaskablePPO asks for `action_masks`; there is nothing else to ask single games for."""
        found = getattr(self, method_name)(*args, **kwargs)
        return [found[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:  # noqa: ANN401
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ANN401
        raise AttributeError(f"{attr_name} of single games cannot be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> Sequence[bool]:  # noqa: ANN401
        return [False] * len(list(self._get_indices(indices)))
