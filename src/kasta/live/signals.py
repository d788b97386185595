"""Signals on their way to pages: what happens at a table beside its log is shown once, at all nodes.

A feature says, for its kind of signal, what pages are told of it. Programs that ask for signals get all of it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kasta.edge.sse import EventQueue
from kasta.i18n import Words
from kasta.live.channel import Channels
from kasta.live.news import message
from kasta.tables.cluster_state import SignalExchange
from kasta.tables.state import Table

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SignalKind:
    """What pages are told of a kind of signal in their language, and which devices are; None: all."""

    say: Callable[[Table, Data, Words], Data]
    devices: Callable[[Table, Data], Container[str] | None] = lambda _table, _data: None


class Signals:
    """Sends signals, and shows those of all nodes."""

    def __init__(self, channels: Channels, exchange: SignalExchange) -> None:
        self._channels, self._exchange = channels, exchange
        self._kinds: dict[str, SignalKind] = {}
        self._programs: defaultdict[str, set[EventQueue]] = defaultdict(set)
        exchange.heard = self._heard

    def on(self, kind: str, shown: SignalKind) -> None:
        """Have signals of a kind shown so."""
        self._kinds[kind] = shown

    def send(self, table: str, kind: str, data: Data) -> None:
        """Show something to all who look at a table, here at once, and at other nodes within seconds."""
        self._show(table, kind, data)
        self._exchange.send(table, json.dumps([kind, data]))

    def watching(self, table: str) -> int:
        """How many pages look at a table here."""
        channel = self._channels.find(table)
        return len(channel.subscribers) if channel else 0

    @contextmanager
    def heard_by(self, table: str, program: EventQueue) -> Iterator[None]:
        """While this lasts, a program is told of signals as they are sent."""
        self._programs[table].add(program)
        try:
            yield
        finally:
            self._programs[table].discard(program)
            if not self._programs[table]:
                del self._programs[table]

    def _heard(self, table: str, body: str) -> None:
        kind, data = json.loads(body)
        self._show(table, kind, data)

    def _show(self, name: str, kind: str, data: Data) -> None:
        table, shown = self._channels.views.service.seen(name), self._kinds.get(kind)
        if table is None or shown is None:
            return  # nobody looks at it here, or a newer node has told it
        for program in self._programs.get(name, ()):
            program.send(message("signal", {"kind": kind, **data}))
        channel, devices, made = self._channels.find(name), shown.devices(table, data), dict[str, bytes]()
        for subscriber in list(channel.subscribers.values()) if channel else ():
            said = subscriber.viewer.words
            if devices is not None and subscriber.viewer.device not in devices:
                continue
            if said.language not in made:
                made[said.language] = message("signal", {"kind": kind, **shown.say(table, data, said)})
            subscriber.send(made[said.language])
