"""Programs that play whole games by the JSON API, whatever happens to the server, and write down what it said."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass

import httpx

from kasta.tables.events import Acted, Rolled, decode, encode
from soak.ledger import UNAVAILABLE, Ledger, Promise, State
from support.stores.load import GAMES

SEATS = 3
AGAIN_SECONDS = 0.3
SILENT_SECONDS = 40  # a page that hears nothing for so long opens another stream
TOO_OFTEN = 429
GONE = (401, 403, 404)  # nothing of the kind may be said to somebody who sits at a table

KINDS: tuple[
    State, ...
] = (  # of tables: people throw, or it throws by itself; it waits for them, or a bot stands in
    {},
    {},
    {},
    {"points": "end"},
    {"thrower": "auto"},
    {"pace": 2},
)
TAKEN_BACK = 0.1  # of what may be
WITH_BOT = 0.3  # of the tables
LAZY = 0.1  # of the picks that are owed where a bot stands in


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
        self._seats: set[int] = set()

    async def ask(self, path: str, **body: object) -> State | int:
        """What the server tells, or the status of its refusal. An answer that is lost counts as 503."""
        known = self._ledger.histories[path.split("/")[1]].newest if path else 0
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
            self._ledger.hear(told.get("state", told), known)
            if "seat" in told and self._is_person(told):
                self._seats.add(told["seat"])
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

    @staticmethod
    def _is_person(seated: State) -> bool:
        return any(each["seat"] == seated["seat"] and each["mine"] for each in seated["state"]["seats"])

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

    async def look(self, table: str) -> None:
        """As somebody who plays elsewhere, by the same address."""
        state: State | int = UNAVAILABLE
        while isinstance(state, int) or state["next"] != "over":
            await asyncio.sleep(self._world.rng.random() * 4 * self._world.think)
            state = await self.ask(f"/{table}")

    async def _move(self, table: str, state: State) -> State | int:
        rng = self._world.rng
        mine = [seat for seat in state["seats"] if seat["mine"]]
        due = [seat for seat in mine if seat["legal"] and not (state["settings"]["pace"] and rng.random() < LAZY)]
        undoable = [seat for seat in mine if "take_back" in seat["may"] and rng.random() < TAKEN_BACK]
        if not (due or undoable):
            if "throw" in state["may"]:
                self._ledger.histories[table].thrown.add(state["turn"])
                return await self.ask(f"/{table}/roll", turn=state["turn"])
            return await self.ask(f"/{table}")
        seat = (due or undoable)[0]
        do = rng.choice(seat["legal"]) if due else None
        return await self._insist(table, Promise(state["turn"], seat["seat"], seat["step"], do))

    async def _insist(self, table: str, promise: Promise) -> State | int:
        """Ask until there is an answer. Where it was done, and only the answer is lost, this does nothing."""
        self._ledger.histories[table].asked.add(promise)
        body = {name: value for name, value in promise._asdict().items() if value is not None}
        answer: State | int = UNAVAILABLE
        while answer == UNAVAILABLE:
            answer = await self.ask(f"/{table}/{'take-back' if promise.do is None else 'play'}", **body)
        if not isinstance(answer, int):
            self._ledger.promises[table].append(promise)
        return answer

    async def watch(self, table: str) -> None:
        """Follow a table by its stream, which may break and is taken up where it was."""
        seq = 0
        while True:
            url = self._url(f"/{table}/stream?after={seq}")
            with suppress(httpx.TransportError):
                waits = httpx.Timeout(SILENT_SECONDS)
                async with self._world.client.stream("GET", url, headers=self.headers, timeout=waits) as answer:
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
        elif isinstance(event, Acted) and event.do and event.seat not in self._seats:
            self._ledger.reveal(table, event)


async def play_games(world: World) -> None:
    """One game after the other. Where an answer is lost before it begins, a seat could stay empty: begin anew."""
    while True:
        phones = [Phone(world) for _ in range(SEATS)]
        settings = world.rng.choice(KINDS)
        opened = await phones[0].ask("", game=world.rng.choice(GAMES), settings=settings)
        if isinstance(opened, int):
            continue
        table = opened["table"]
        world.ledger.promises[table] = []
        seats = [(phone, {"name": f"N{number}"}) for number, phone in enumerate(phones)]
        if world.rng.random() < WITH_BOT:
            seats.append((phones[0], {"name": "Robot", "bot": "greedy"}))
        seated = [await phone.ask(f"/{table}/seats", **body) for phone, body in seats]
        if not any(isinstance(each, int) for each in seated):
            await _play(world, table, phones)


async def _play(world: World, table: str, phones: list[Phone]) -> None:
    ledger, onlooker = world.ledger, Phone(world)
    ledger.playing.add(table)
    others = [
        asyncio.create_task(each)
        for each in (phones[-1].watch(table), onlooker.watch(table), onlooker.look(table))
    ]
    try:
        await asyncio.gather(*(phone.play(table) for phone in phones))
        ledger.games += 1
    finally:
        ledger.playing.discard(table)
        for task in others:
            task.cancel()
        for task in others:
            with suppress(asyncio.CancelledError):
                await task
