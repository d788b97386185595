"""Maxi for several agents, as PettingZoo has its games. `rules` names a rule set."""

from functools import partial

from kasta.env import zoo

raw_env = partial(zoo.raw_env, "maxi")
env = partial(zoo.env, "maxi")
