"""How well players of many kinds play alone, on the same seeds. `make leaderboard` puts the table into docs/rl.md.

Game i of every player has the dice of seed `FIRST + i`, which no training has seen. Who needs a library that is
missing is left out. What was played is kept in build/leaderboard.json, so that a run goes on where another was
stopped; delete it to begin anew.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from kasta import find_game
from kasta.bots.base import Sight, bots_of, find_bot
from kasta.core import Over, Throw
from kasta.env.batch import simulate
from kasta.env.coding import find_coding
from kasta.env.dice_stream import Stream, dice_start

ROOT = Path(__file__).parents[2]
PAGE, KEPT = ROOT / "docs/rl.md", ROOT / "build/leaderboard.json"
PLACE = re.compile(r"(<!-- leaderboard -->\n).*?(<!-- end of leaderboard -->)", re.DOTALL)
GAMES = ("knister", "knaster", "yatzy")
FIRST = 1_000_000

Choose = Callable[[Any, list[Any], Random], Any]  # an action for a sheet, given all throws and actions so far


@dataclass(frozen=True)
class Size:
    """How much is played: fewer games by those who search, each choice anew."""

    games: int = 300
    strong: int = 20
    best: int = 20
    searched: int = 5  # games of tree search, whose rollouts are in Python
    looks: int = 30  # simulations for each of its choices
    steps: int = 800_000  # of training


QUICK = Size(games=2, strong=1, best=0, searched=1, looks=2, steps=2_000)


Make = Callable[[str, Size], Choose]
Kept = dict[str, list[int]]  # totals


def bot(name: str) -> Make:
    """One of our players, by its level or its name."""

    def make(game: str, _: Size) -> Choose:
        found = find_game(game)
        player = find_bot(name_in(game, name), found)
        return lambda sheet, _, rng: player.choose(Sight(found, sheet), found.solo.legal(sheet), rng)

    return make


def name_in(game: str, name: str) -> str:
    return bots_of(find_game(game)).levels.get(name, name)


def tree_search(game: str, size: Size) -> Choose:
    """OpenSpiel's MCTS in C++, which weighs what it has not tried by how far totals spread."""
    import pyspiel

    from kasta.env.spiel import outcomes

    loaded, coding = pyspiel.load_game(f"kasta_{game}(terminal_rewards=True)"), find_coding(game)
    spread = 2 * statistics.pstdev(simulate(game, 1_000).tolist())
    rollouts = pyspiel.RandomRolloutEvaluator(1, 7)
    search = pyspiel.MCTSBot(loaded, rollouts, spread, size.looks, 100, False, 7, False)  # noqa: FBT003
    alike = sum if find_game(game).traits.shows == "sum" else sorted

    def number(step: Any) -> int:  # noqa: ANN401 - a throw or an action
        if not isinstance(step, tuple):
            return coding.number[step]
        shown = [alike(faces) for faces, _ in outcomes(game, len(step))]
        return shown.index(alike(step))

    def choose(_sheet: Any, steps: list[Any], _: Random) -> Any:  # noqa: ANN401 - each game has its own
        state = loaded.new_initial_state()
        for step in steps:
            state.apply_action(number(step))
        legal = state.legal_actions()
        chosen = legal[0] if len(legal) == 1 else search.mcts_search(state).best_child().action
        return coding.actions[chosen]

    return choose


def trained(game: str, size: Size) -> Choose:
    """MaskablePPO, with the settings of docs/rl.md for every game."""
    import torch
    from sb3_contrib import MaskablePPO

    from kasta.env.sb3 import GamesInStep

    torch.set_num_threads(1)
    coding = find_coding(game)
    model = MaskablePPO(
        "MultiInputPolicy",
        GamesInStep(game, num_envs=256),
        n_steps=25,
        batch_size=1600,
        n_epochs=4,
        gamma=1.0,
        learning_rate=1e-3,
        ent_coef=0.003,
        policy_kwargs={"net_arch": [256, 256]},
        seed=1,
    )
    model.learn(size.steps)

    def choose(sheet: Any, _: list[Any], __: Random) -> Any:  # noqa: ANN401 - each game has its own
        mask = coding.mask(coding.solo.legal(sheet))
        seen = {"observation": coding.row(sheet), "action_mask": mask}
        return coding.actions[int(model.predict(seen, action_masks=mask, deterministic=True)[0])]

    return choose


@dataclass(frozen=True)
class Player:
    """A line of the table, what it needs, and how many games it plays where it has to search."""

    title: str  # with places for sizes
    make: Make
    needs: str = "kasta"  # a module
    searches: str = "games"  # how many that are, by the name of the size

    def games(self, game: str, size: Size) -> int:
        """So many; none if the game has no such player, or a module is missing."""
        if not find_spec(self.needs):
            return 0
        if self.title in OURS and name_in(game, self.title) not in bots_of(find_game(game)).by_name:
            return 0
        solved = self.title in OURS and find_game(game).traits.solver is not None
        return size.games if solved else int(getattr(size, self.searches))


OURS = {"weak": "games", "middling": "games", "quick": "games", "strong": "strong", "best": "best"}
PLAYERS = (
    Player("random", bot("anything")),
    Player("greedy", bot("greedy")),
    *(Player(title, bot(title), searches=games) for title, games in OURS.items()),
    Player("MCTS, {size.looks} simulations", tree_search, "pyspiel", "searched"),
    Player("MaskablePPO, {size.steps:,} steps", trained, "sb3_contrib"),
)


def play(game: str, choose: Choose, seed: int) -> int:
    """A game alone on the dice of a seed, as the environments have them; its total."""
    solo, dice, rng = find_game(game).solo, Stream(dice_start(seed)), Random(seed)
    sheet, steps = solo.start(), list[Any]()
    while not isinstance(expected := solo.next(sheet), Over):
        if isinstance(expected, Throw):
            steps.append(dice.throw(expected.dice))
            sheet = solo.throw(sheet, steps[-1])
        else:
            steps.append(choose(sheet, steps, rng))
            sheet = solo.act(sheet, steps[-1])
    return int(solo.total(sheet))


def key(player: Player, game: str, size: Size) -> str:
    return f"{player.title.format(size=size)}, {game}, {player.games(game, size)} games"


def cell(totals: list[int]) -> str:
    if len(totals) < 2:
        return " ".join(map(str, totals))
    return f"{statistics.mean(totals):.1f} ± {statistics.stdev(totals) / len(totals) ** 0.5:.1f} ({len(totals)})"


def read_kept() -> Kept:
    found: Kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    return found


def write_kept(kept: Kept) -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(kept), "utf-8")


def forget(_: Kept) -> None:
    """What a trial run keeps."""


def play_all(size: Size, kept: Kept, keep: Callable[[Kept], None] = forget) -> None:
    """Play what has not been played yet."""
    for player, game in product(PLAYERS, GAMES):
        games, name = player.games(game, size), key(player, game, size)
        if games and name not in kept:
            choose = player.make(game, size)
            kept[name] = [play(game, choose, FIRST + i) for i in range(games)]
            print(f"{name}: {cell(kept[name])}", flush=True)
            keep(kept)


def table(size: Size, kept: Kept) -> str:
    """By what they make of the first game, the best last; and what has not been played."""
    found = {player: [kept.get(key(player, game, size), []) for game in GAMES] for player in PLAYERS}
    rows = sorted(
        (of for of in found.items() if any(of[1])), key=lambda of: statistics.mean(of[1][0] or of[1][-1] or [0])
    )
    titles = [find_game(game).traits.title or game.capitalize() for game in GAMES]
    lines = [["player", *titles], ["---"] * (1 + len(GAMES))]
    lines += [[player.title.format(size=size), *map(cell, totals)] for player, totals in rows]
    missing = [player.title.format(size=size) for player, totals in found.items() if not any(totals)]
    told = f"\nNot measured yet: {'; '.join(missing)}.\n" if missing else ""
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="play little, and keep nothing: does it run?")
    parser.add_argument("--kept", action="store_true", help="play nothing more: the table of what was played")
    parser.add_argument("--write", action="store_true", help="into docs/rl.md")
    given = parser.parse_args()
    if given.quick:
        kept = Kept()
        play_all(QUICK, kept)
        print(table(QUICK, kept))
        return
    kept = read_kept()
    if not given.kept:
        play_all(Size(), kept, write_kept)
    made = table(Size(), kept)
    print(made)
    if given.write:
        text = PAGE.read_text("utf-8")
        PAGE.write_text(PLACE.sub(lambda found: f"{found[1]}\n{made}\n{found[2]}", text), "utf-8")


if __name__ == "__main__":
    main()
