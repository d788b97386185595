"""What can happen at a table, as it stands in the log.

Events are facts: they hold no sentence in any language, and no secret before the end. A body carries its version;
logs written by older versions are read for ever.
"""

from __future__ import annotations

from typing import Literal

from kasta.core import Faces, Seat
from kasta.dice import CHALLENGE, DAY
from kasta.errors import Unavailable
from kasta.structs import UNREADABLE, Decoder, Encoder, Struct

VERSION = 1
CHANGING_HANDS = 2  # of events that change who may act: from this version on, picks expect that none came first

Key = tuple[int, Seat, int]
"""Turn, seat and step of what a seat did: the log holds each only once."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is played. Whatever changes what is legal is part of the rule set instead."""

    first: Seat | None = None  # who throws first; None: the first seat
    points: Literal["now", "end"] = "now"  # when a line's points are shown
    take_back: bool = True
    dice: Literal["app", "own"] = "app"
    thrower: Literal["turn", "host", "auto"] = "turn"
    pace: int | None = None  # seconds to act on a throw; None: wait
    open: bool = True  # whether somebody may still sit down
    wall: bool = False  # whether all who agreed to it are named on the wall
    signed: bool = False  # whether the preview of its link says who invites
    listed: bool = False  # whether strangers find it among the open tables
    coach: Literal["off", "after", "live"] = "after"  # never, when the game is over, or also while playing
    reactions: bool = True  # whether players may send each other little pictures


class Event(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A fact."""

    @property
    def key(self) -> Key | None:
        """What must be unique in a log; None where anything may happen twice."""
        return None


class InSeries:
    """What has throws that others play, too, or none."""

    day: str | None
    challenge: str | None

    @property
    def series(self) -> str | None:
        """What the throws are of: `day/DATE` or `challenge/ID`."""
        if self.challenge is not None:
            return f"{CHALLENGE}{self.challenge}"
        return None if self.day is None else f"{DAY}{self.day}"


class OpenedEvent(Event, frozen=True, tag="opened"):
    table: str
    game: str
    rules: str
    settings: Settings
    host: str  # the device of whoever opened the table
    commitment: str
    previous: str | None = None  # the table that this one is the rematch of
    day: str | None = None  # whose throws are played, such as 2026-11-16
    counted: bool = False  # the try that counts on that day, or in that challenge
    challenge: str | None = None  # whose throws are played: its id, and `.2` and so on for its further games
    v: int = VERSION


class SeatedEvent(Event, frozen=True, tag="seated"):
    seat: Seat
    name: str
    device: str
    bot: str | None = None
    entropy: str = ""
    wins: int = 0  # the evening's tally so far
    points: int = 0
    wall: bool = False  # they were told that the wall shows their name
    program: bool = False  # no person plays here, but a program of somebody's, through the API
    v: int = VERSION


class Configured(Event, frozen=True, tag="configured"):
    settings: Settings
    v: int = VERSION


class Renamed(Event, frozen=True, tag="renamed"):
    seat: Seat
    name: str
    wall: bool = False  # they want the wall to show this name
    v: int = VERSION


class Hosted(Event, frozen=True, tag="hosted"):
    """The role of the host goes to another device."""

    device: str
    v: int = VERSION


class Moved(Event, frozen=True, tag="moved"):
    """A seat goes on at another device."""

    seat: Seat
    device: str
    v: int = CHANGING_HANDS


class Replaced(Event, frozen=True, tag="replaced"):
    """A bot plays on for a seat; with None its person is back."""

    seat: Seat
    bot: str | None
    v: int = CHANGING_HANDS


class Rolled(Event, frozen=True, tag="rolled"):
    turn: int
    faces: Faces
    v: int = VERSION

    @property
    def key(self) -> Key:
        return self.turn, -1, 0


class Corrected(Rolled, frozen=True, tag="corrected"):
    """Own dice had been typed wrongly: what was done on them returns."""


class Acted(Event, frozen=True, tag="acted"):
    turn: int
    seat: Seat
    step: int
    do: str
    stand_in: bool = False  # a bot did it for an absent person
    v: int = VERSION

    @property
    def key(self) -> Key:
        return self.turn, self.seat, self.step


class TakenBack(Event, frozen=True, tag="taken_back"):
    turn: int
    seat: Seat
    step: int
    v: int = VERSION

    @property
    def key(self) -> Key:
        return self.turn, self.seat, self.step


class Waited(Event, frozen=True, tag="waited"):
    """Somebody who came too late will be seated at the next game."""

    name: str
    device: str
    wall: bool = False  # they were told that the wall shows their name
    v: int = VERSION


class Extended(Event, frozen=True, tag="extended"):
    """A seat asks for more time to act on this throw."""

    turn: int
    seat: Seat
    v: int = VERSION


class Hinted(Event, frozen=True, tag="hinted"):
    """The coach told a seat what it would do: the game's record says so."""

    turn: int
    seat: Seat
    v: int = VERSION


class Left(Event, frozen=True, tag="left"):
    turn: int
    seat: Seat
    step: int
    v: int = VERSION

    @property
    def key(self) -> Key:
        return self.turn, self.seat, self.step


class Closed(Event, frozen=True, tag="closed"):
    """The end, by the rules or before; now the secret of the dice is told."""

    secret: str
    v: int = CHANGING_HANDS


class Rematched(Event, frozen=True, tag="rematched"):
    """Where everybody goes on."""

    table: str
    v: int = VERSION


class ReviewShown(Event, frozen=True, tag="review_shown"):
    """After the end, a seat shows its review to the table, or no longer."""

    seat: Seat
    shown: bool = True
    v: int = VERSION


class Agreed(Event, frozen=True, tag="agreed"):
    """What an evening is played for: how many games at most, and who plays as well as a bot of which level."""

    best_of: int | None = None
    levels: tuple[tuple[Seat, str], ...] = ()
    v: int = VERSION


NOTHING_AGREED = Agreed()

AnyEvent = (
    OpenedEvent
    | SeatedEvent
    | Configured
    | Renamed
    | Hosted
    | Moved
    | Replaced
    | Rolled
    | Corrected
    | Acted
    | TakenBack
    | Waited
    | Extended
    | Hinted
    | Left
    | Closed
    | Rematched
    | ReviewShown
    | Agreed
)

_encoder = Encoder()
_decoder: Decoder[AnyEvent] = Decoder(AnyEvent)


def encode(event: Event) -> bytes:
    return _encoder.encode(event)


def decode(body: bytes) -> AnyEvent:
    """The event of a body. One that this version does not know is never passed over."""
    try:
        event = _decoder.decode(body)
    except UNREADABLE as error:
        raise Unavailable("unknown_event", reason=str(error)) from None
    if event.v > (CHANGING_HANDS if isinstance(event, Moved | Replaced | Closed) else VERSION):
        raise Unavailable("unknown_event", reason=f"version {event.v}")
    return event
