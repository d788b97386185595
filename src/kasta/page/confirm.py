"""Before something that cannot be undone: the question, and what would happen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kasta.core import Seat
from kasta.i18n import Words
from kasta.tables.state import Table


@dataclass(frozen=True, slots=True)
class AskPage:
    """ask.html: the form that does it, if the answer is yes."""

    table: str
    action: str
    seat: Seat | None
    question: str
    outcome: str
    yes: str


Asked = tuple[str, str, str]
"""The question, what would happen, and what the button says."""


def ask(table: Table, action: str, seat: Seat | None, me: str, words: Words) -> AskPage | None:
    """What to ask before a form is sent; None where nothing has to be asked."""
    if seat is not None and action in _AT_A_SEAT and seat in table.places:
        return AskPage(table.id, action, seat, *_AT_A_SEAT[action](table, seat, me, words))
    if action in _AT_THE_TABLE and seat is None:
        return AskPage(table.id, action, None, *_AT_THE_TABLE[action](words))
    return None


def _leave(table: Table, seat: Seat, me: str, words: Words) -> Asked:
    place, kind = table.places[seat], table.game.traits.kind
    if place.device == me and not place.bot:
        question, yes = words.say("Leave the seat?"), words.say("Leave the seat")
        stays = words.term(
            table.game.traits.kind, "Your sheet stays, without a place. You cannot come back into this game."
        )
    else:
        question, yes = words.say("Remove {name}?", name=place.name), words.say("Remove")
        stays = words.term(kind, "The sheet stays, without a place. This cannot be undone.")
    return question, stays if table.turn else words.say("The seat is free again."), yes


def _end(words: Words) -> Asked:
    return (
        words.say("End the game for everybody?"),
        words.say("The points so far count. This cannot be undone."),
        words.say("End the game"),
    )


def _remove_recent(words: Words) -> Asked:
    return (
        words.say("Remove all who came in the last two minutes?"),
        words.say("Their seats are free again; yours stay."),
        words.say("Remove"),
    )


_AT_A_SEAT: dict[str, Callable[[Table, Seat, str, Words], Asked]] = {"leave": _leave}
_AT_THE_TABLE: dict[str, Callable[[Words], Asked]] = {"end": _end, "remove-recent": _remove_recent}
