"""How fast the rules are in plain Python, and whether anything grows that should not.

Prints the tables of results.md. Times are CPU time of this process; what matters are the ratios: how a cost
changes with the seats and with the length.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kasta import GAMES, Over, Pick, Seat, Throw, find_game
from kasta.games.traits import AnyGame
from kasta.record import Do, Header, Roll, Step, write_record


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    seconds: float = 3.0
    seats: tuple[int, ...] = (10, 1_000, 10_000)
    calls: int = 3_000
    long_table: int = 1_000
    throws: tuple[int, ...] = (2, 8, 25)


QUICK = Size(seconds=0.01, seats=(10,), calls=3, long_table=10, throws=(2,))


def dice(rng: random.Random, count: int) -> tuple[int, ...]:
    return tuple(rng.choices(range(1, 7), k=count))


def play(game: AnyGame, rng: random.Random, seats: int = 1, rounds: int = 10**9) -> list[Step]:
    """A random game, or the first throws of one, as its record."""
    table, thrown = game.start(seats), 0
    steps: list[Step] = []
    while not isinstance(expected := game.next(table), Over):
        match expected:
            case Throw(count):
                if thrown == rounds:
                    break
                thrown += 1
                faces = dice(rng, count)
                steps.append(Roll(faces))
                table = game.throw(table, faces)
            case Pick(_, is_due):
                for seat in filter(is_due, range(seats)):
                    action = rng.choice(game.legal(table, seat))
                    steps.append(Do(seat, str(action)))
                    table = game.act(table, seat, action)
    return steps


def games_per_second(seconds: float) -> None:
    print("| game | random games a second |\n| --- | --- |")
    for name in GAMES:
        rng, games, begin = random.Random(1), 0, time.process_time()
        while time.process_time() - begin < seconds:
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


def cost_by_seats(size: Size) -> None:
    print("\n| game | seats | throw, µs | pick, µs |\n| --- | --- | --- | --- |")
    for name in ("knister", "knaster"):
        game = find_game(name)
        for seats in size.seats:
            table = game.start(seats)
            for step in play(game, random.Random(2), seats, rounds=5):
                match step:
                    case Roll(faces):
                        table = game.throw(table, faces)
                    case Do(seat, text):
                        table = game.act(table, seat, game.solo.read_action(text))
            throw = per_call(partial(game.throw, table, (3, 4)), size.calls)
            thrown = game.throw(table, (3, 4))
            middle = Seat(seats // 2)
            pick = per_call(partial(game.act, thrown, middle, game.legal(thrown, middle)[0]), size.calls)
            print(f"| {name} | {seats:,} | {throw:.1f} | {pick:.1f} |")


def replay_memory(size: Size) -> None:
    """The largest resident size of a process that replays the first throws of a game of many seats."""
    seats = size.long_table
    print(
        f"\n| record, Knister, {seats:,} seats | lines | size, MB | peak memory, MB |\n| --- | --- | --- | --- |"
    )
    for rounds in size.throws:
        steps = play(find_game("knister"), random.Random(3), seats, rounds)
        header = Header("knister", "sheet", tuple(f"P{i}" for i in range(seats)))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.writelines(line + "\n" for line in write_record(header, steps))
            file.flush()
            peak = subprocess.run(
                [sys.executable, __file__, "--replay", file.name], check=True, capture_output=True, text=True
            ).stdout
            length = Path(file.name).stat().st_size
            print(f"| {rounds} throws | {len(steps) + 1:,} | {length / 1e6:.1f} | {int(peak) / 1024:.0f} |")


def replay_here(path: str) -> None:
    from kasta.record import replay

    with Path(path).open("rb") as source:
        replay(source)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure little: does it run?")
    parser.add_argument("--replay", metavar="FILE", help="only the memory that this record needs")
    told = parser.parse_args()
    if told.replay:
        replay_here(told.replay)
        return
    size = QUICK if told.quick else Size()
    games_per_second(size.seconds)
    cost_by_seats(size)
    replay_memory(size)


if __name__ == "__main__":
    main()
