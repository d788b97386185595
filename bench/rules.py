"""How fast the rules are in plain Python, and whether anything grows that should not.

Prints the tables of results.md. Times are CPU time of this process; what matters are the ratios: how a cost
changes with the seats and with the length.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kasta import GAMES, Over, Pick, Seat, Throw, find_game
from kasta.games.traits import AnyGame
from kasta.record import Do, Header, Roll, Step, write_record

SECONDS = 3.0
SEATS = (10, 1_000, 10_000)


def dice(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(rng.choices(range(1, 7), k=count))


def play(game: AnyGame, rng: random.Random, seats: int = 1, rounds: int = 10**9) -> list[Step]:
    """A random game, or the first throws of one, as its record."""
    table, steps, thrown = game.start(seats), [], 0
    while not isinstance(expected := game.next(table), Over):
        match expected:
            case Throw(count):
                if thrown == rounds:
                    break
                thrown += 1
                steps.append(Roll(dice(rng, count)))
                table = game.throw(table, steps[-1].faces)
            case Pick(_, is_due):
                for seat in filter(is_due, range(seats)):
                    action = rng.choice(game.legal(table, seat))
                    steps.append(Do(seat, str(action)))
                    table = game.act(table, seat, action)
    return steps


def games_per_second() -> None:
    print("| game | random games a second |\n| --- | --- |")
    for name in GAMES:
        rng, games, begin = random.Random(1), 0, time.process_time()
        while time.process_time() - begin < SECONDS:
            play(find_game(name), rng)
            games += 1
        print(f"| {name} | {games / (time.process_time() - begin):,.0f} |")


def per_call(work: Callable[[], object], times: int) -> float:
    """Microseconds a call, the best of five."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        for _ in range(times):
            work()
        best = min(best, time.process_time() - begin)
    return best / times * 1e6


def cost_by_seats() -> None:
    print("\n| game | seats | throw, µs | pick, µs |\n| --- | --- | --- | --- |")
    for name in ("knister", "knaster"):
        game = find_game(name)
        for seats in SEATS:
            table = game.start(seats)
            for step in play(game, random.Random(2), seats, rounds=5):
                table = (
                    game.throw(table, step.faces)
                    if isinstance(step, Roll)
                    else game.act(table, step.seat, game.solo.read_action(step.text))
                )
            throw = per_call(lambda t=table, g=game: g.throw(t, (3, 4)), 3_000)
            thrown = game.throw(table, (3, 4))
            seat = Seat(seats // 2)
            action = game.legal(thrown, seat)[0]
            pick = per_call(lambda t=thrown, g=game, s=seat, a=action: g.act(t, s, a), 3_000)
            print(f"| {name} | {seats:,} | {throw:.1f} | {pick:.1f} |")


def replay_memory() -> None:
    """The largest resident size of a process that replays the first throws of a game of 1,000 seats."""
    print("\n| record, Knister, 1,000 seats | lines | size, MB | peak memory, MB |\n| --- | --- | --- | --- |")
    seats = 1_000
    for rounds in (2, 8, 25):
        steps = play(find_game("knister"), random.Random(3), seats, rounds)
        header = Header("knister", "sheet", tuple(f"P{i}" for i in range(seats)))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.writelines(line + "\n" for line in write_record(header, steps))
            file.flush()
            peak = subprocess.run(
                [sys.executable, __file__, "--replay", file.name], check=True, capture_output=True, text=True
            ).stdout
            size = Path(file.name).stat().st_size
            print(f"| {rounds} throws | {len(steps) + 1:,} | {size / 1e6:.1f} | {int(peak) / 1024:.0f} |")


def replay_here(path: str) -> None:
    from kasta.record import replay

    with Path(path).open("rb") as source:
        replay(source)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--replay"]:
        replay_here(sys.argv[2])
    else:
        games_per_second()
        cost_by_seats()
        replay_memory()
