"""What each way in which a stranger can be a nuisance costs people who play at another table, one way at a time.

Two people pick and throw, alone and while many connections from another address do one thing as fast as they are
answered (milliseconds). Beside the time by the clock stands the processor time that the server took from when
a move was sent until it was answered: that one does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
import uvloop
from hall import Server, at, serving, split_cores
from hostile import Attack, Request

from kasta.core import Over, Throw
from kasta.games import find_game
from kasta.record import Do, Header, Roll, Step, write_record

CONNECTIONS = 200
LONGEST_ATTACK = 600.0  # seconds
ALONE = "alone"
OURS, THEIRS = "127.0.0.1", "127.0.0.2"  # addresses, so that limits count them apart
FORM = "application/x-www-form-urlencoded"
SEATS = 10_000  # of tables that anybody may find
CROWDS = 2
DEVICES = 5  # of a table that is played to its end, with six seats each


def program(port: int, address: str, token: str = "") -> httpx.AsyncClient:
    """Somebody at an address, by a token of their own."""
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}",
        transport=httpx.AsyncHTTPTransport(local_address=address),
        headers={"authorization": f"Bearer {token}"} if token else {},
        timeout=120,
    )


async def asked(client: httpx.AsyncClient, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """What the server answers to a program, which goes on with the token that it is given."""
    answer = await client.post(f"/api{path}", json=body)
    if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        await asyncio.sleep(float(answer.headers["retry-after"]))
        return await asked(client, path, body)
    if answer.is_error:
        raise RuntimeError(f"{path}: {answer.status_code} {answer.text}")
    told: dict[str, Any] = answer.json() if answer.content else {}
    if "token" in told:
        client.headers["authorization"] = f"Bearer {told['token']}"
    return told


def processor(server: Server) -> float:
    """Seconds that all threads of the server have had."""
    tasks = Path(f"/proc/{server.process.pid}/task")
    return sum(int((each / "schedstat").read_text().split()[0]) for each in tasks.iterdir()) / 1e9


@dataclass
class Players:
    """Two people at a table: each move by the clock, and by the processor."""

    server: Server
    took: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)

    async def play(self, moves: int) -> None:
        async with program(self.server.port, OURS) as one, program(self.server.port, OURS) as other:
            while len(self.took) < moves:
                table = (await asked(one, "/tables", {"game": "knister", "settings": {"thrower": "host"}}))[
                    "table"
                ]
                for client, name in ((one, "Anna"), (other, "Tim")):
                    await asked(client, f"/tables/{table}/seats", {"name": name})
                await self._game(table, (one, other), moves)

    async def _game(self, table: str, clients: tuple[httpx.AsyncClient, ...], moves: int) -> None:
        cells = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
        for turn, cell in enumerate(cells):
            await self._move(clients[0], table, "roll", {"turn": turn})
            for seat, client in enumerate(clients):
                await self._move(client, table, "play", {"turn": turn + 1, "seat": seat, "step": 0, "do": cell})
            if len(self.took) >= moves:
                return

    async def _move(self, client: httpx.AsyncClient, table: str, kind: str, body: Mapping[str, Any]) -> None:
        await asyncio.sleep(0.03)
        used, begun = processor(self.server), time.perf_counter()
        await asked(client, f"/tables/{table}/{kind}", body)
        self.took.append(time.perf_counter() - begun)
        self.used.append(processor(self.server) - used)


def game_of(seats: int) -> str:
    """A long record, as a phone would send it."""
    game, rng, steps = find_game("maxi"), random.Random(1), list[Step]()
    table, names = game.start(seats), tuple(f"Person {number}" for number in range(seats))
    while not isinstance(expected := game.next(table), Over):
        if isinstance(expected, Throw):
            step: Step = Roll(tuple(sorted(rng.randint(1, 6) for _ in range(expected.dice))))
        else:
            seat = next(filter(expected.is_due, range(seats)))
            step = Do(seat, str(rng.choice(game.legal(table, seat))))
        steps.append(step)
        table = step.apply(game, table)
    return "\n".join(write_record(Header("maxi", game.rules, names), steps))


class Made(NamedTuple):
    """What strangers have made before they begin."""

    token: str
    table: str
    challenge: str
    circle: str
    secret: str
    crowds: list[str]


class Strangers:
    """Somebody at an address of their own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count()

    def client(self, token: str = "") -> httpx.AsyncClient:
        return program(self._port, THEIRS, token)

    async def prepare(self, seats: int, devices: int) -> Made:
        """Tables, a challenge and a circle."""
        async with self.client() as me:
            table = await self._played(me, devices)
            challenge = (await asked(me, "/challenges", {"name": "Eve", "game": "knister"}))["challenge"]
            begun = await asked(me, f"/challenges/{challenge}", {"name": "Eve"})
            await self._finish(me, begun["table"])
            circle = (await asked(me, "/circles", {"circle": "Strangers", "name": "Eve"}))["circle"]
            secret = (await me.get(f"/api/circles/{circle}")).json()["link"].rpartition("/")[2]
            crowds = [await self._crowd(me, seats) for _ in range(CROWDS)]
            token = me.headers["authorization"].partition(" ")[2]
            return Made(token, table, challenge, circle, secret, crowds)

    def ways(self, made: Made) -> dict[str, Request]:
        """The ways by name: what is sent as soon as the last one is answered."""
        record = game_of(30)
        packed = httpx.get(f"http://127.0.0.1:{self._port}/pocket/list", timeout=60).json()["files"]
        brython = next(each for each in packed if "/brython-" in each)

        def bring() -> bytes:
            sent = {"id": token_urlsafe(20), "record": record, "finished": time.time()}
            return self._ask("POST", "/api/pocket/games", made.token, json.dumps(sent), "application/json")

        def get(path: str, token: str = made.token) -> Request:
            return lambda: self._ask("GET", path, token)

        def form(path: str, fields: Callable[[], dict[str, str]]) -> Request:
            return lambda: self._ask("POST", path, "", urlencode(fields()))

        return {
            "open tables": get("/api/tables"),
            "page of a crowd": get(f"/t/{made.crowds[0]}"),
            "home": get("/"),
            "home of new devices": get("/", ""),
            "challenge": get(f"/challenge/{made.challenge}"),
            "own challenges": get("/api/challenges"),
            "throws of a game": get(f"/challenge?table={made.table}"),
            "circle": get(f"/circle/{made.circle}"),
            "members": get(f"/circle/{made.circle}/people"),
            "coming into a circle": form(f"/circles/join/{made.secret}", self._member),
            "games from the pocket": bring,
            "my games": get("/games"),
            "wishes for notices": form("/notices", self._wish),
            "reactions": form(f"/t/{made.table}/react", lambda: {"reaction": "laugh"}),
            "the pocket, unpacked": get(brython),
        }

    def _ask(self, method: str, path: str, token: str, body: str = "", kind: str = FORM) -> bytes:
        """Without a token, as another device each time."""
        here, who = f"127.0.0.1:{self._port}", f"authorization: Bearer {token}\r\n" if token else ""
        head = f"host: {here}\r\norigin: http://{here}\r\n{who}content-type: {kind}\r\ncontent-length: {len(body)}"
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n\r\n{body}".encode()

    def _member(self) -> dict[str, str]:
        return {"name": f"M{next(self._numbers)}", "mark": "1"}

    def _wish(self) -> dict[str, str]:
        point = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        keys = {"p256dh": point, "auth": "8eDyX_uCN0XRhSbY5hs7Hg"}
        endpoint = "https://push.example.org/" + "x" * 900
        return {"endpoint": endpoint, **keys, "zone": "UTC", "hour": "7", "kind": "turn"}

    async def _played(self, me: httpx.AsyncClient, devices: int) -> str:
        """A game of many at a few devices, to its end."""
        table = str((await asked(me, "/tables", {"game": "knister", "settings": {"thrower": "host"}}))["table"])
        clients = [me, *(self.client() for _ in range(devices - 1))]
        for number, client in enumerate(clients):
            for seat in range(6):
                await asked(client, f"/tables/{table}/seats", {"name": f"P{number} {seat}"})
        for turn in range(25):
            await asked(me, f"/tables/{table}/roll", {"turn": turn})
            for number, client in enumerate(clients):
                for seat in range(6 * number, 6 * number + 6):
                    await self._pick(client, table, turn, seat)
        for client in clients[1:]:
            await client.aclose()
        return table

    async def _finish(self, me: httpx.AsyncClient, table: str) -> None:
        for turn in range(25):
            await asked(me, f"/tables/{table}/roll", {"turn": turn})
            await self._pick(me, table, turn, 0)

    async def _pick(self, client: httpx.AsyncClient, table: str, turn: int, seat: int) -> None:
        cell = f"{'abcde'[turn % 5]}{turn // 5 + 1}"
        await asked(client, f"/tables/{table}/play", {"turn": turn + 1, "seat": seat, "step": 0, "do": cell})

    async def _crowd(self, me: httpx.AsyncClient, seats: int) -> str:
        table = str((await asked(me, "/tables", {"game": "knister", "settings": {"listed": True}}))["table"])
        await asyncio.gather(*(self._sit(table, seats // 50) for _ in range(50)))
        return table

    async def _sit(self, table: str, number: int) -> None:
        async with self.client() as client:
            for _ in range(number):
                client.headers.pop("authorization", None)
                with suppress(RuntimeError):
                    await asked(client, f"/tables/{table}/seats", {"name": token_urlsafe(12)})


async def attack(port: int, name: str, made: Made, connections: int) -> None:
    """Be the strangers, until told to end."""
    hostile = Attack(port, THEIRS)
    hostile.requests = {name: Strangers(port).ways(made)[name]}
    going_on = asyncio.create_task(hostile.go_on(connections, [name]))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, going_on.cancel)
    print("ready", flush=True)
    await asyncio.wait([going_on], timeout=LONGEST_ATTACK)
    heard = {each.removeprefix(name).strip(): number for each, number in hostile.heard.items()}
    print(", ".join(f"{said}: {number:,}" for said, number in sorted(heard.items())), flush=True)


@asynccontextmanager
async def attacked(port: int, name: str, made: Made, connections: int) -> AsyncIterator[list[str]]:
    """While this lasts; afterwards, what was answered."""
    told: list[str] = []
    words = ["--attack", name, "--port", str(port), "--made", json.dumps(made), "--connections", str(connections)]
    process = await asyncio.create_subprocess_exec(sys.executable, __file__, *words, stdout=subprocess.PIPE)
    said: asyncio.StreamReader = process.stdout  # type: ignore[assignment]
    try:
        await said.readline()
        await asyncio.sleep(0.5)
        yield told
    finally:
        process.terminate()
        told.append((await said.read()).decode().strip())
        await process.wait()


async def measure(server: Server, name: str, made: Made, options: argparse.Namespace) -> None:
    players = Players(server)
    if name == ALONE:
        told = [""]
        await players.play(options.moves)
    else:
        async with attacked(server.port, name, made, options.connections) as told:
            await players.play(options.moves)
    took, used = players.took, players.used
    print(
        f"| {name} | {1e3 * at(took, 0.5):.0f} | {1e3 * at(took, 0.99):.0f} | {1e3 * at(used, 0.5):.1f} "
        f"| {1e3 * at(used, 0.99):.1f} | {server.megabytes:.0f} | {told[0]} |",
        flush=True,
    )


async def run(server: Server, options: argparse.Namespace) -> None:
    strangers = Strangers(server.port)
    made = await strangers.prepare(options.seats, 1 if options.quick else DEVICES)
    print("| way | median | 99 % | processor, median | processor, 99 % | MB at most | answers |")
    print("| --- " + "| --: " * 5 + "| --- |")
    for name in [ALONE, *(options.ways or strangers.ways(made))]:
        await measure(server, name, made, options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", help="all, if none is named")
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--seats", type=int, default=SEATS, help="of each crowd")
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--attack", help="be the strangers, in this way")
    parser.add_argument("--port", type=int)
    parser.add_argument("--made", type=lambda text: Made(*json.loads(text)))
    parser.add_argument("--quick", action="store_true", help="one short run, to see that it works")
    options = parser.parse_args()
    if options.attack:
        uvloop.run(attack(options.port, options.attack, options.made, options.connections))
        return
    if options.quick:
        options.ways, options.moves, options.seats = ["home"], 20, 100
    own, theirs = split_cores()
    os.sched_setaffinity(0, own)
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/kasta.db", theirs) as server:
        uvloop.run(run(server, options))


if __name__ == "__main__":
    main()
