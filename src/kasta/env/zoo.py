"""Several players at one table, as PettingZoo has them.

Where one throw serves all, agents act in parallel; where each makes their own, the turn goes round the table.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from kasta.extras import extra

with extra("rl"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import parallel_to_aec
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from kasta.core import Seat
from kasta.env.render import RENDER_MODES, Frame
from kasta.env.spaces import Seen, action_space, flat_space, observation_space, shown
from kasta.env.zoo_table import ZooTable
from kasta.games import find_game

Info = dict[str, Any]


def agent_names(agents: int) -> list[str]:
    if agents < 1:
        raise ValueError("a table has at least one agent")
    return [f"player_{seat}" for seat in range(agents)]


class AgentsEnv:
    """Agents at a table: their spaces, and what there is to look at."""

    metadata: dict[str, Any]
    waiting = 0  # how many actions there are besides those of the game

    def __init__(
        self,
        game: str,
        rules: str | None = None,
        agents: int = 2,
        render_mode: str | None = None,
        *,
        flat: bool = False,
    ) -> None:
        self.metadata = {**self.metadata, "name": f"{game}_v0"}
        self.possible_agents = agent_names(agents)
        self.agents: list[str] = []
        self.render_mode, self.flat = render_mode, flat
        self.table = ZooTable(game, rules, tuple(self.possible_agents))
        coding = self.table.coding
        seen = flat_space(coding, agents) if flat else observation_space(coding, agents, self.waiting)
        self.observation_spaces = {a: copy(seen) for a in self.possible_agents}
        self.state_space = flat_space(coding, agents)
        self.action_spaces = {a: action_space(coding, self.waiting) for a in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def state(self) -> NDArray[np.float32]:
        """All sheets as they are, also what nobody else may see yet."""
        return self.table.state.astype(np.float32)

    def record(self) -> list[str]:
        """The game so far as the lines of a record."""
        return self.table.record()

    def render(self) -> str | Frame | None:
        return self.table.render(self.render_mode)

    def show(self) -> None:
        """Render for people who watch, if there are any."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing is open."""


class SharedEnv(AgentsEnv, ParallelEnv[str, Seen, int]):
    """One throw for all agents, who act on it at once.

    An agent that owes nothing while others still do has one action, the last: to wait. What is not legal changes
    nothing and is told as `info["illegal"]`. The reward is what a step adds to the agent's total.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "is_parallelizable": True, "render_fps": 4}
    waiting = 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Info]]:
        del options
        self.table.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observe(dict.fromkeys(self.agents, False))

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]:
        agents, table = self.agents, self.table
        seats = dict(zip(self.possible_agents, table.seats, strict=True))
        before = {agent: table.total(seats[agent]) for agent in agents}
        waits = {agent for agent in agents if not table.is_due(seats[agent])}
        wait = len(table.coding.actions)
        illegal = {
            agent: actions[agent] != wait if agent in waits else not table.act(seats[agent], int(actions[agent]))
            for agent in agents
        }
        table.throw()
        rewards = {agent: float(table.total(seats[agent]) - before[agent]) for agent in agents}
        observations, infos = self._observe(illegal)
        over = table.is_over
        if over:
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observe(self, illegal: dict[str, bool]) -> tuple[dict[str, Seen], dict[str, Info]]:
        observations: dict[str, Seen] = {}
        infos: dict[str, Info] = {}
        for agent, seat in zip(self.possible_agents, self.table.seats, strict=True):
            mask = np.append(self.table.mask(seat), np.int8(not self.table.is_due(seat)))
            observations[agent] = shown(self.table.row(seat), mask, flat=self.flat)
            total = self.table.total(seat)
            infos[agent] = {"action_mask": mask.copy(), "total": total, "illegal": illegal[agent]}
        self.show()
        return observations, infos


class TurnEnv(AgentsEnv, AECEnv[str, Seen, int | None]):
    """Each agent's whole turn, then the next one's. What is not legal changes nothing: the agent acts again."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 4}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        del options
        self.table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(agent, illegal=False) for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.due]
        self.show()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seat(agent)
        before = self.table.total(seat)
        legal = action is not None and self.table.act(seat, int(action))
        self.table.throw()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards[agent] = float(self.table.total(seat) - before)
        self.infos = {other: self._info(other, illegal=other == agent and not legal) for other in self.agents}
        self.terminations = dict.fromkeys(self.agents, self.table.is_over)
        self.agent_selection = self.possible_agents[self.table.due]
        self._accumulate_rewards()
        self.show()

    def observe(self, agent: str) -> Seen:
        seat = self._seat(agent)
        return shown(self.table.row(seat), self.table.mask(seat), flat=self.flat)

    def _info(self, agent: str, *, illegal: bool) -> Info:
        seat = self._seat(agent)
        return {"action_mask": self.table.mask(seat), "total": self.table.total(seat), "illegal": illegal}

    def _seat(self, agent: str) -> Seat:
        return self.table.seats[self.possible_agents.index(agent)]


def parallel_env(
    game: str, agents: int = 2, rules: str | None = None, render_mode: str | None = None, *, flat: bool = False
) -> SharedEnv:
    """All agents at once, in a game where one throw serves them all."""
    if not find_game(game, rules).hides_picks:
        raise ValueError(f"{game} is played in turns: there is env(), but no parallel_env()")
    return SharedEnv(game, rules, agents, render_mode, flat=flat)


def raw_env(
    game: str, agents: int = 2, rules: str | None = None, render_mode: str | None = None, *, flat: bool = False
) -> AECEnv[str, Any, Any]:
    """One agent after the other; what is played in parallel is turned into that by PettingZoo's own wrapper."""
    if find_game(game, rules).hides_picks:
        return parallel_to_aec(parallel_env(game, agents, rules, render_mode, flat=flat))
    return TurnEnv(game, rules, agents, render_mode, flat=flat)


def env(
    game: str, agents: int = 2, rules: str | None = None, render_mode: str | None = None, *, flat: bool = False
) -> AECEnv[str, Any, Any]:
    """One agent after the other, with PettingZoo's usual checks."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(game, agents, rules, render_mode, flat=flat)))
