"""A nudge: a sound and a sentence at the device of somebody who has kept all waiting for a minute."""

from __future__ import annotations

from typing import Any

from kasta.core import Seat
from kasta.errors import Illegal
from kasta.features.reactions.rights import react, waited_for
from kasta.i18n import Words
from kasta.live.notices import Notice, Notices
from kasta.live.signals import SignalKind, Signals
from kasta.tables.cluster_state import ClusterState
from kasta.tables.rights import check
from kasta.tables.service import Service
from kasta.tables.state import Table

NUDGE = "nudge"
PATIENCE_SECONDS = 60.0


class Nudges:
    """At most one a minute at a table, whichever node is asked."""

    def __init__(self, service: Service, signals: Signals, notices: Notices, cluster: ClusterState) -> None:
        self._service, self._signals, self._notices, self._cluster = service, signals, notices, cluster
        signals.on(NUDGE, SignalKind(say, nudged_devices))

    async def nudge(self, name: str, device: str) -> list[Seat]:
        """Remind all for whom a device has waited for a minute: who that is."""
        table = await self._service.table(name)
        check(react(table, device))
        seats = waited_for(table, device)
        if not seats or self._service.autoplay.idle_seconds(name) < PATIENCE_SECONDS:
            raise Illegal("nobody_waits")
        if seconds := await self._cluster.hit(f"nudge/{name}", 1, PATIENCE_SECONDS):
            raise Illegal("too_many_nudges", seconds=seconds)
        by = next(table.places[seat].name for seat in table.devices[device] if table.places[seat].bot is None)
        self._signals.send(name, NUDGE, {"seats": seats, "by": by})
        self._notify(table, seats)
        return seats

    def _notify(self, table: Table, seats: list[Seat]) -> None:
        """Those who are away may be told on the lock screen, in place of the notice that it is their turn."""
        silence = self._service.silence(table.id)
        for device in {table.places[seat].device for seat in seats}:
            if silence(device) > 0:
                topic, once = f"turn/{table.id}", f"nudge {table.seq}"
                self._notices.send(
                    Notice("turn", device, topic, once, _waits, table.game.traits.heading, f"/t/{table.id}")
                )


def _waits(said: Words) -> str:
    return said.say("Somebody is waiting for you")


def nudged_devices(table: Table, data: dict[str, Any]) -> set[str]:
    return {table.places[seat].device for seat in data["seats"] if seat in table.places}


def say(_table: Table, data: dict[str, Any], said: Words) -> dict[str, Any]:
    return {"text": said.say("{name} is waiting for you.", name=data["by"])}
