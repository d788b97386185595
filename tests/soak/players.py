"""Programs that play whole games by the JSON API, whatever happens to the server, and write down what it said."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx

from kasta.tables.events import Rolled, decode, encode
from soak.ledger import UNAVAILABLE, Ledger, Promise
from support.stores.load import GAMES

SEATS = 3
AGAIN_SECONDS = 0.3
TOO_OFTEN = 429
GONE = (401, 403, 404)  # nothing of the kind may be said to somebody who sits at a table

State = dict[str, Any]


@dataclass(frozen=True)
class World:
    """What the players of a run share."""

    client: httpx.AsyncClient
    ports: list[int]
    ledger: Ledger
    rng: random.Random
    think: float  # seconds, at most


class Phone:
    """Somebody's device. It goes to another node when its own does not answer, as a proxy would send it."""

    def __init__(self, world: World) -> None:
        self._world, self._ledger = world, world.ledger
        self._port = world.rng.choice(world.ports)
        self._token = ""

    async def ask(self, path: str, **body: object) -> State | int:
        """What the server tells, or the status of its refusal. An answer that is lost counts as 503."""
        try:
            answer = await self._world.client.request(
                "POST" if body else "GET", self._url(path), json=body or None, headers=self.headers
            )
        except httpx.TransportError:
            self._ledger.lost += 1
            return await self._go_elsewhere()
        self._ledger.answered(answer.status_code, f"{path.rpartition('/')[2]} {answer.text[:100]}")
        if answer.is_success:
            told: State = answer.json()
            self._token = told.get("token", self._token)
            return told
        if answer.status_code == TOO_OFTEN:
            await asyncio.sleep(min(float(answer.headers.get("retry-after", 1)), 5))
        if answer.status_code == UNAVAILABLE:
            return await self._go_elsewhere()
        return answer.status_code

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._token}"} if self._token else {}

    def _url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._port}/api/tables{path}"

    async def _go_elsewhere(self) -> int:
        self._port = self._world.rng.choice(self._world.ports)
        await asyncio.sleep(self._world.rng.uniform(0.5, 1.5) * AGAIN_SECONDS)
        return UNAVAILABLE

    async def play(self, table: str) -> None:
        """Until the game is over: throw if we may, pick if we must, else look again."""
        state: State | int = UNAVAILABLE
        while isinstance(state, int) or state["next"] != "over":
            if isinstance(state, int):
                state = await self.ask(f"/{table}")
                if state in GONE:
                    self._ledger.wrong.append(f"{table}: {state} for somebody who sits there")
                    return
            else:
                await asyncio.sleep(self._world.rng.random() * self._world.think)
                state = await self._move(table, state)

    async def _move(self, table: str, state: State) -> State | int:
        mine = [seat for seat in state["seats"] if seat["mine"] and seat["legal"]]
        if not mine:
            if "throw" in state["may"]:
                return await self.ask(f"/{table}/roll", turn=state["turn"])
            return await self.ask(f"/{table}")
        seat = mine[0]
        promise = Promise(state["turn"], seat["seat"], seat["step"], self._world.rng.choice(seat["legal"]))
        answer = await self.ask(f"/{table}/play", **promise._asdict())
        while answer == UNAVAILABLE:  # perhaps it was done, and only the answer is lost: then this does nothing
            answer = await self.ask(f"/{table}/play", **promise._asdict())
        if not isinstance(answer, int):
            self._ledger.promises[table].append(promise)
        return answer

    async def watch(self, table: str) -> None:
        """Follow a table by its stream, which may break and is taken up where it was."""
        seq = 0
        while True:
            url = self._url(f"/{table}/stream?after={seq}")
            with suppress(httpx.TransportError):
                async with self._world.client.stream("GET", url, headers=self.headers, timeout=None) as answer:
                    self._ledger.answered(answer.status_code, "stream")
                    async for line in answer.aiter_lines():
                        if line.startswith("id: "):
                            if int(line[4:]) != seq + 1:
                                self._ledger.wrong.append(f"{table}: {line} came after {seq}")
                            seq = int(line[4:])
                        elif line.startswith("data: "):
                            self._hear(table, seq, line[6:])
            await self._go_elsewhere()

    def _hear(self, table: str, seq: int, told: str) -> None:
        event = decode(told.encode())
        if isinstance(event, Rolled):  # others hide who sits where, and what was picked in an open round
            self._ledger.thrown[table][seq] = encode(event).decode()


async def play_games(world: World) -> None:
    """One game after the other. Where an answer is lost before it begins, a seat could stay empty: begin anew."""
    while True:
        phones = [Phone(world) for _ in range(SEATS)]
        opened = await phones[0].ask("", game=world.rng.choice(GAMES))
        if isinstance(opened, int):
            continue
        table = opened["table"]
        world.ledger.promises[table] = []
        seated = [await phone.ask(f"/{table}/seats", name=f"N{number}") for number, phone in enumerate(phones)]
        if not any(isinstance(each, int) for each in seated):
            await _play(world, table, phones)


async def _play(world: World, table: str, phones: list[Phone]) -> None:
    ledger = world.ledger
    ledger.playing.add(table)
    watching = asyncio.create_task(phones[-1].watch(table))
    try:
        await asyncio.gather(*(phone.play(table) for phone in phones))
        ledger.games += 1
    finally:
        ledger.playing.discard(table)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
