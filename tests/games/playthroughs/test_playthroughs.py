"""Golden playthroughs: one random game of every rule set, written out so that people can follow it.

A change that shows here changed rules or notation. If that was meant, `pytest tests/games/playthroughs --rewrite`
writes the files anew; read the difference before committing it.
"""

from pathlib import Path
from typing import Any

from kasta.core import places
from kasta.games import find_game
from kasta.record import Do, Roll
from support.fixtures.golden import Golden
from support.play import RULE_SETS, due_seats, every_rule_set, random_game

FOLDER = Path(__file__).parent
SEATS = 2
SEED = 12  # jokers happen under every rule set that has them


def playthrough(name: str, rules: str) -> str:
    """A whole game as text: every throw, every action and how much choice there was, sheets and totals."""
    game = find_game(name, rules)
    lines = [f"{name}, rules {rules}, {SEATS} seats, seed {SEED}", ""]
    for table, step in random_game(game, SEATS, SEED):
        match step:
            case Roll(faces):
                coming: Any = game.next(table)
                lines.append(f"seat {coming.roller} throws {coming.dice}: {' '.join(map(str, faces))}")
            case Do(seat, text):
                due, legal = len(due_seats(game, table)), len(game.legal(table, seat))
                lines.append(f"  {due} to act; seat {seat}, {legal} legal: {text}")
    totals = [game.total(table, seat) for seat in range(SEATS)]
    for seat, total, place in zip(range(SEATS), totals, places(totals), strict=True):
        sheet = game.solo.write_sheet(game.sheet(table, seat))
        lines += ["", f"seat {seat}: total {total}, place {place}", sheet.rstrip("\n")]
    return "\n".join(lines) + "\n"


@every_rule_set
def test_the_game_is_played_as_it_was(name: str, rules: str, golden: Golden):
    golden(FOLDER / f"{name}-{rules}.txt", playthrough(name, rules))


def test_every_playthrough_belongs_to_a_rule_set():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {"-".join(which) for which in RULE_SETS}
