"""Knister for several agents, as PettingZoo has its games: a module with `parallel_env` and `env`."""

from functools import partial

from kasta.env import zoo

parallel_env = partial(zoo.parallel_env, "knister")
raw_env = partial(zoo.raw_env, "knister")
env = partial(zoo.env, "knister")
