"""Yatzy for several agents, one after the other; `rules` names one of the six rule sets."""

from __future__ import annotations

from typing import Any

from kasta.extras import extra

with extra("rl"):
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from kasta.env.zoo import TurnEnv


def raw_env(agents: int = 2, rules: str = "sheet", render_mode: str | None = None) -> TurnEnv:
    return TurnEnv("yatzy", rules, agents=agents, render_mode=render_mode)


def env(agents: int = 2, rules: str = "sheet", render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(agents, rules, render_mode)))
