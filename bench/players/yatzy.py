"""Yatzy: solving, advising and simulating, beside `yatzy-solver` from PyPI in the same run, all on one core.

`make bench-yatzy` installs the rival into an environment of its own and runs this. Every measurement is a process
of its own, pinned to one core where the system can; both programs take turns, and the median of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from statistics import median

ROUNDS = 3
RULES = "free_joker"  # what the rival calls american

RIVAL = """
import json, resource, time
import yatzy_solver as rival
wall, cpu = time.perf_counter(), time.process_time()
solver = rival.Solver.build(rival.Variant("american"))
told = {"solve wall": time.perf_counter() - wall, "solve cpu": time.process_time() - cpu}
games, wall, cpu = 20_000, time.perf_counter(), time.process_time()
mean = solver.simulate(games, seed=1)["mean"]
told["games wall"] = games / (time.perf_counter() - wall)
told["games cpu"] = games / (time.process_time() - cpu)
asked = "dice 1 3 3 5 6 | rolls 2 | upper 0 | filled -"
solver.option_values(asked)
begun = time.process_time()
for _ in range(1000):
    solver.option_values(asked)
told["advise"] = (time.process_time() - begun) / 1000
told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(told))
"""

SOLVE = """
import json, resource, time
from kasta.games.yatzy import RULE_SETS, Yatzy
from kasta.solve.yatzy.state_space import StateSpace
from kasta.solve.yatzy.solver import solve_values
space = StateSpace(Yatzy(RULE_SETS["RULES"]))
solve_values(space)
wall, cpu = time.perf_counter(), time.process_time()
made = solve_values(space)
told = {"solve wall": time.perf_counter() - wall, "solve cpu": time.process_time() - cpu, "value": made.array[0]}
told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(told))
"""

PLAY = """
import json, time, random, statistics
from kasta.games.yatzy import RULE_SETS, Yatzy
from kasta.solve.yatzy.solution import solution
solved = solution(Yatzy(RULE_SETS["RULES"]))
solved.totals(10, 1)
games, wall, cpu = 1_000_000, time.perf_counter(), time.process_time()
mean = solved.totals(games, 1).mean()
told = {"games wall": games / (time.perf_counter() - wall), "games cpu": games / (time.process_time() - cpu)}
game, rng, times = solved.space.game, random.Random(1), []
sheet = game.start()
while None in sheet.boxes:
    sheet = game.throw(sheet, tuple(rng.choices(range(1, 7), k=5 - len(sheet.dice))))
    begun = time.process_time()
    options = solved.options(sheet)
    times.append(time.process_time() - begun)
    sheet = game.act(sheet, rng.choice(options).action)
told["advice in games"], told["slowest advice"], told["mean"] = statistics.median(times), max(times), mean
sheet = game.throw(game.start(), (1, 3, 3, 5, 6))
solved.options(sheet)
begun = time.process_time()
for _ in range(1000):
    solved.options(sheet)
told["advise"] = (time.process_time() - begun) / 1000
print(json.dumps(told))
"""

ADVISE_ONLY = """
import json, random, re, statistics, sys, time
from pathlib import Path
from kasta.games import find_game
from kasta.games.traits import find_valuer
game, rng, times = find_game("GAME"), random.Random(1), []
valuer = find_valuer(game)
for _ in range(20):
    sheet = game.solo.start()
    while None in sheet.boxes:
        sheet = game.solo.throw(sheet, tuple(rng.choices(range(1, 7), k=game.solo.dice - len(sheet.dice))))
        begun = time.perf_counter()
        options = valuer.options(sheet)
        times.append(time.perf_counter() - begun)
        sheet = game.solo.act(sheet, rng.choice(options).action)
status = Path("/proc/self/status")
memory = int(re.search(r"VmHWM:\\s*(\\d+)", status.read_text())[1]) / 1024 if status.exists() else 0.0
told = {"median": statistics.median(times), "slowest": max(times), "memory": memory}
print(json.dumps(told | {"compiler": "numba" in sys.modules}))
"""

USE = "from kasta.cli.solve import solve; solve('yatzy', 'sheet', as_json=True)"
ADVISE = """
import pathlib, tempfile
from kasta.cli.advise import advise
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "game.jsonl"
    header = '{"kasta": 1, "game": "yatzy", "rules": "sheet", "seats": ["Ann"]}'
    file.write_text(header + '\\n{"roll": [1, 3, 3, 4, 6]}')
    advise("yatzy", str(file), as_json=True)
"""


def run(python: str, code: str, cache: str | None = None) -> tuple[dict[str, float], float, float]:
    """What a program prints, and how long its whole process took: on the clock, and of the processor."""
    pin = (lambda: os.sched_setaffinity(0, {0})) if hasattr(os, "sched_setaffinity") else None
    environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
    before = os.times()
    told = subprocess.run(
        [python, "-c", code.replace('RULES"', f'{RULES}"')],
        check=True, capture_output=True, text=True, env=environment, preexec_fn=pin,
    )  # fmt: skip
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(told.stdout), after.elapsed - before.elapsed, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rival", help="the Python that has yatzy-solver")
    parser.add_argument("--quick", action="store_true", help="only ourselves, once: does it run?")
    wanted, own = parser.parse_args(), sys.executable
    if wanted.quick:
        print(run(own, SOLVE)[0] | run(own, PLAY.replace("1_000_000", "1_000"))[0])
        show_advice(own)
        return
    if not wanted.rival:
        parser.error("beside whom? --rival says")
    rival_python = wanted.rival
    rounds: list[dict[str, dict[str, float]]] = []
    with tempfile.TemporaryDirectory() as cache:
        run(own, PLAY, cache)
        for _ in range(ROUNDS):
            rival, solve, play = (
                run(*what)[0] for what in ((rival_python, RIVAL), (own, SOLVE, cache), (own, PLAY, cache))
            )
            rounds.append({"rival": rival, "kasta": solve | play})
    first, later = [], []
    for code in (USE, ADVISE):
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as cache:
                first.append((code, *run(own, code, cache)[1:]))
                later.append((code, *run(own, code, cache)[1:]))
    show(rounds, first, later)
    show_advice(own)


def show_advice(own: str) -> None:
    """What a program takes that only advises, without a compiler."""
    print("\n| a program that only advises, twenty random games | median | slowest | memory | processor |")
    print("| --- | --- | --- | --- | --- |")
    for game in ("yatzy", "yatzy15", "maxi"):
        told, _, cpu = run(own, ADVISE_ONLY.replace("GAME", game))
        advice = f"{1e6 * told['median']:.0f} µs | {1000 * told['slowest']:.2f} ms"
        print(f"| {game} | {advice} | {told['memory']:.0f} MB | {cpu:.2f} s |")


def show(
    rounds: list[dict[str, dict[str, float]]],
    first: list[tuple[str, float, float]],
    later: list[tuple[str, float, float]],
) -> None:
    def middle(who: str, what: str) -> float:
        return median(told[who][what] for told in rounds)

    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, rules {RULES}\n")
    print("| what | yatzy-solver | kasta | times |\n| --- | --- | --- | --- |")
    for what, unit, faster in (
        ("solve wall", "s", 1),
        ("solve cpu", "s", 1),
        ("games wall", "games/s", -1),
        ("games cpu", "games/s", -1),
        ("advise", "s", 1),
        ("memory", "MB", 1),
    ):
        theirs, ours = middle("rival", what), middle("kasta", what)
        print(f"| {what} | {theirs:,.4g} {unit} | {ours:,.4g} {unit} | {(theirs / ours) ** faster:.3g} |")
    told = 1e6 * middle("kasta", "advice in games"), 1000 * middle("kasta", "slowest advice")
    print(f"\nAdvice in a game that is played: {told[0]:.0f} µs at the median, {told[1]:.2f} ms at most.")
    print(f"Value: {rounds[0]['kasta']['value']:.10f}.\n")
    for name, code in (("`kasta solve yatzy`", USE), ("`kasta advise yatzy FILE`", ADVISE)):
        for when, runs in (("first, compiling", first), ("later", later)):
            wall = median(wall for what, wall, _ in runs if what == code)
            cpu = median(cpu for what, _, cpu in runs if what == code)
            print(f"- {name}, {when}: {wall:.2f} s on the clock, {cpu:.2f} s of the processor")


if __name__ == "__main__":
    main()
