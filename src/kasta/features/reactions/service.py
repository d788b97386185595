"""Reactions: which there are, how often a device may react, and how they reach all who look.

They change nothing at the table, so they are no events of its log. Those that come at the same time are told
together: at a table of some one by one, in a crowd only how many there were of each.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kasta.core import Seat
from kasta.edge.limits import Rate, RateLimit
from kasta.errors import Illegal
from kasta.features.reactions.rights import people_of, react
from kasta.i18n import Words
from kasta.live.news import is_crowd
from kasta.live.signals import SignalKind, Signals
from kasta.messages import Note
from kasta.tables.rights import check
from kasta.tables.service import Service
from kasta.tables.state import Table

REACTION = "reaction"
REACTIONS = {
    "well_done": Note("Well done"),
    "ouch": Note("Ouch"),
    "laugh": Note("Haha"),
    "hurry": Note("Hurry up"),
    "luck": Note("Good luck"),
    "thanks": Note("Thanks"),
}
"""By name, what they say; the pictures are in page/templates/components/reactions.html."""

A_DEVICE = Rate(4, 0.1)  # four at once, then six a minute
TOGETHER_SECONDS = 0.25  # between two tellings at a table of some
CALM_SECONDS = 1.0  # the same in a crowd
TOLD_A_SECOND = 1_000  # pages of a crowd


@dataclass(slots=True)
class _Waiting:
    """What has come at a table since something was told."""

    given: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class Reactions:
    """Takes the reactions of devices, and has them shown."""

    def __init__(self, service: Service, signals: Signals, clock: Callable[[], float] = time.monotonic) -> None:
        self._service, self._signals, self._clock = service, signals, clock
        self._limit = RateLimit(A_DEVICE)
        self._waiting: dict[str, _Waiting] = {}  # by table, until they are told
        self._quiet: dict[str, float] = {}  # by table, until when nothing more is told
        signals.on(REACTION, SignalKind(say))

    async def react(self, name: str, device: str, reaction: str, seat: Seat | None = None) -> None:
        """Show a reaction of a player, who sits at this device."""
        table = await self._service.table(name)
        check(react(table, device))
        seats = people_of(table, device)
        if seat is not None and seat not in seats:
            raise Illegal("not_your_seat", seat=seat)
        if seconds := self._limit.take(device, self._clock()):
            raise Illegal("too_many_reactions", seconds=seconds)
        self._add(table, seats[0] if seat is None else seat, reaction)

    def _add(self, table: Table, seat: Seat, reaction: str) -> None:
        name, now = table.id, self._clock()
        if name not in self._waiting:
            self._waiting[name] = _Waiting()
            self._quiet = {each: until for each, until in self._quiet.items() if until > now}
            asyncio.get_running_loop().call_later(self._quiet.get(name, now) - now, self._tell, name)
        if is_crowd(table):
            self._waiting[name].counts[reaction] += 1
        else:
            self._waiting[name].given.append({"seat": seat, "reaction": reaction})

    def _tell(self, name: str) -> None:
        waiting = self._waiting.pop(name)
        if waiting.counts:
            pause = max(CALM_SECONDS, self._signals.watching(name) / TOLD_A_SECOND)
            self._signals.send(name, REACTION, {"counts": dict(waiting.counts)})
        else:
            pause = TOGETHER_SECONDS
            self._signals.send(name, REACTION, {"given": waiting.given})
        self._quiet[name] = self._clock() + pause


def say(table: Table, data: dict[str, Any], said: Words) -> dict[str, Any]:
    """What pages show and say of reactions: players by their names, or numbers."""
    if counts := data.get("counts"):
        parts = [f"{said.say(REACTIONS[name])} {number}" for name, number in counts.items() if name in REACTIONS]
        return {"counts": counts, "text": ", ".join(parts)}
    given = [
        {**each, "name": table.places[each["seat"]].name}
        for each in data["given"]
        if each["seat"] in table.places and each["reaction"] in REACTIONS
    ]
    told = (f"{each['name']}: {said.say(REACTIONS[each['reaction']])}." for each in given)
    return {"given": given, "text": " ".join(told)}
