"""The games where people train players: Gymnasium, PettingZoo, OpenSpiel, and thousands of games in step.

Importing this registers every game with Gymnasium, where that is installed, as `kasta/<Name>-v0`; games of
installed packages, too. Each module here needs only the library that it serves.
"""

from __future__ import annotations

from importlib.util import find_spec

from kasta.games import GAMES

IDS = {f"kasta/{game.capitalize()}-v0": game for game in GAMES}


def register() -> None:
    """Tell Gymnasium what there is. Names of places, not the places: nothing is loaded before it is made."""
    import gymnasium

    for name in IDS.keys() - gymnasium.registry.keys():
        gymnasium.register(
            name,
            entry_point="kasta.env.gym:SoloEnv",
            vector_entry_point="kasta.env.gym:make_vector",
            kwargs={"game": IDS[name]},
        )


if find_spec("gymnasium"):
    register()
