"""Yatzy for several agents, as PettingZoo has its games: a module with `env`. `rules` names a rule set."""

from functools import partial

from kasta.env import zoo

raw_env = partial(zoo.raw_env, "yatzy")
env = partial(zoo.env, "yatzy")
