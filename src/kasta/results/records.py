"""A finished game's record as a table: for games that were played elsewhere, and those whose table is gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kasta.core import Seat
from kasta.record import Do, Header, Leave, Roll, Step
from kasta.tables import events as e
from kasta.tables.records import Recorder

PROGRAM = "quick"  # which bot it was is not in a record


def recorder_of(
    table: str, device: str, header: Header, steps: Sequence[Step], bots: Collection[Seat] = ()
) -> Recorder:
    """The log that a record tells, as if all its people had sat at one device. Its steps must be legal.

    The table is in no store, and nothing is known of its dice.
    """
    recorder = Recorder()
    settings = e.Settings(dice="own")
    recorder.take(e.OpenedEvent(table, header.game, header.rules, settings, device, commitment=""))
    for seat, name in enumerate(header.seats):
        recorder.take(e.SeatedEvent(seat, name, device, PROGRAM if seat in bots else None))
    for step in steps:
        recorder.take(_event(recorder, step, is_bot=isinstance(step, Do) and step.seat in bots))
    for seat in header.coached:
        recorder.take(e.Hinted(recorder.table.turn, seat))
    return recorder


def _event(recorder: Recorder, step: Step, *, is_bot: bool) -> e.AnyEvent:
    table = recorder.table
    match step:
        case Roll(faces):
            return e.Rolled(table.turn + 1, faces)
        case Do(seat, text, by_bot):
            return e.Acted(table.turn, seat, table.step(seat), text, stand_in=by_bot and not is_bot)
        case Leave(seat):
            return e.Left(table.turn, seat, table.step(seat))
