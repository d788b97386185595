"""Knister for several agents: `parallel_env` as it is, `env` by PettingZoo's own wrapper in turns."""

from __future__ import annotations

from typing import Any

from kasta.extras import extra

with extra("rl"):
    from pettingzoo import AECEnv
    from pettingzoo.utils import parallel_to_aec
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from kasta.env.zoo import SharedEnv


def parallel_env(agents: int = 2, render_mode: str | None = None) -> SharedEnv:
    return SharedEnv("knister", agents=agents, render_mode=render_mode)


def raw_env(agents: int = 2, render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    return parallel_to_aec(parallel_env(agents, render_mode))


def env(agents: int = 2, render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(agents, render_mode)))
