"""The games where people train players: Gymnasium, PettingZoo, OpenSpiel, and thousands of games in step.

Importing this registers the games with Gymnasium, where that is installed; then it finds them:
`gymnasium.make("kasta/Knister-v0")`. Each module here needs only the library that it serves.
"""

from __future__ import annotations

from importlib.util import find_spec

IDS = {"kasta/Knister-v0": "knister", "kasta/Knaster-v0": "knaster", "kasta/Yatzy-v0": "yatzy"}


def register() -> None:
    """Tell Gymnasium what there is. Names of places, not the places: nothing is loaded before it is made."""
    import gymnasium

    for name in IDS.keys() - gymnasium.registry.keys():
        gymnasium.register(
            name,
            entry_point="kasta.env.gym:SoloEnv",
            vector_entry_point="kasta.env.vector:BatchEnv",
            kwargs={"game": IDS[name]},
        )


if find_spec("gymnasium"):
    register()
