"""The JSON API of a real server, asked as `Nodes` are. What it has written is read from its store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import msgspec

from kasta.core import Seat
from kasta.errors import Illegal
from kasta.tables import commands as c, events as e
from kasta.tables.log import Log, Seq, Stored
from kasta.wire.tables import TableState
from machine.model import Model
from support.visitors import own_address

Asked = tuple[str, dict[str, Any]]
BY_FORMS_ONLY = {c.MoveSeat, c.Agree}  # the API has neither
OF_THE_COACH = {c.AskHint}  # who has to think first


def _step(command: c.Play | c.TakeBack) -> dict[str, Any]:
    return {"turn": command.turn, "seat": command.seat, "step": command.step}


def _roll(command: c.Roll | c.Correct) -> dict[str, Any]:
    return {"turn": command.turn, "faces": command.faces}


ASKED: dict[type[c.Command], Callable[[Any], Asked]] = {
    c.Sit: lambda each: ("seats", {"name": each.name, "bot": each.bot, "entropy": each.entropy}),
    c.Wait: lambda each: ("wait", {"name": each.name}),
    c.Configure: lambda each: ("settings", msgspec.to_builtins(each.settings)),
    c.Rename: lambda each: ("rename", {"seat": each.seat, "name": each.name}),
    c.Leave: lambda each: ("leave", {"seat": each.seat}),
    c.Replace: lambda each: ("replace", {"seat": each.seat, "bot": each.bot}),
    c.Roll: lambda each: ("roll", _roll(each)),
    c.Correct: lambda each: ("correct", _roll(each)),
    c.Play: lambda each: ("play", {**_step(each), "do": each.do}),
    c.TakeBack: lambda each: ("take-back", _step(each)),
    c.Extend: lambda each: ("extend", {"turn": each.turn, "seat": each.seat}),
    c.Close: lambda _: ("close", {}),
    c.ShowReview: lambda each: ("show-review", {"seat": each.seat, "shown": each.shown}),
    c.Rematch: lambda _: ("rematch", {}),
}


class Api:
    """Every device streams, so nobody is away."""

    can_die = False

    def __init__(self, url: str, log: Log, tokens: Sequence[str]) -> None:
        transport = httpx.AsyncHTTPTransport(
            local_address=own_address(), limits=httpx.Limits(max_connections=None)
        )
        self._client = httpx.AsyncClient(base_url=f"{url}/api/tables", transport=transport, timeout=60)
        self._log, self._tokens = log, {token.partition(".")[0]: token for token in tokens}
        self.devices, self.table = list(self._tokens), ""
        self.model: Model | None = None
        self._streams: list[asyncio.Task[None]] = []

    def drives(self, command: c.Command) -> bool:
        """Who plays is handed the role of the host by the number of a seat."""
        if isinstance(command, c.Configure) and command.settings.thrower == "auto":
            return False  # it would wait for seconds
        if isinstance(command, c.Host):
            return command.device == command.by or self._seat_of(command.device) is not None
        return type(command) in ASKED

    async def open(self, game: str, settings: e.Settings) -> None:
        settings = msgspec.structs.replace(
            settings, thrower="turn" if settings.thrower == "auto" else settings.thrower
        )
        answer = await self._post("", self.devices[0], game=game, settings=msgspec.to_builtins(settings))
        self.table = answer["table"]
        begun = [asyncio.Event() for _ in self.devices]
        self._streams = [
            asyncio.create_task(self._stream(device, event))
            for device, event in zip(self.devices, begun, strict=True)
        ]
        for event in begun:
            await event.wait()

    async def do(self, _node: int, command: c.Command) -> None:
        if isinstance(command, c.Host):
            seat = None if command.device == command.by else self._seat_of(command.device)
            await self._post(f"/{self.table}/host", command.by, seat=seat)
            return
        path, body = ASKED[type(command)](command)
        await self._post(f"/{self.table}/{path}", command.by, **body)

    async def events(self, after: int) -> list[Stored]:
        return await self._log.read(self.table, Seq(after))

    async def state(self, _node: int, device: str) -> TableState:
        answer = await self._client.get(f"/{self.table}", headers=self._headers(device))
        return msgspec.json.decode(answer.content, type=TableState)

    async def look(self) -> None:
        await self.state(0, self.devices[0])

    async def close(self) -> None:
        for stream in self._streams:
            stream.cancel()
        await asyncio.gather(*self._streams, return_exceptions=True)
        await self._client.aclose()

    def _seat_of(self, device: str) -> Seat | None:
        seats = self.model.seats if self.model else {}
        return next((seat for seat, sitting in seats.items() if sitting.device == device), None)

    async def _post(self, path: str, device: str, **body: Any) -> Any:  # noqa: ANN401 - JSON
        answer = await self._client.post(path, json=body, headers=self._headers(device))
        if answer.is_success:
            return answer.json()
        assert answer.status_code in {400, 403, 404, 409, 422}, answer.text
        raise Illegal("no_such_table")  # the reason does not matter here

    async def _stream(self, device: str, begun: asyncio.Event) -> None:
        async with self._client.stream("GET", f"/{self.table}/stream", headers=self._headers(device)) as answer:
            assert answer.status_code == 200, answer.status_code
            begun.set()
            async for _ in answer.aiter_bytes():
                pass

    def _headers(self, device: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self._tokens[device]}"}
