"""What the JSON API takes, and what it tells of tables."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from kasta.core import Faces, Next, Pick, Throw
from kasta.tables import events as e
from kasta.tables.rights import Rights, SeatRights, Silence
from kasta.tables.state import Table
from kasta.tables.view import SeatView, view

Name = Annotated[str, msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, le=10**9)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends."""


class NewTable(Body, frozen=True):
    game: Name
    rules: Name | None = None  # by default, the game's first
    settings: e.Settings = e.Settings()
    room: bool = False  # give it a code


class NewSeat(Body, frozen=True):
    name: Name
    bot: Name | None = None
    entropy: Name = ""
    program: bool = False


class NewWait(Body, frozen=True):
    name: Name


class NewRoll(Body, frozen=True):
    turn: Number
    faces: Annotated[list[Number], msgspec.Meta(max_length=20)] = []


class NewTime(Body, frozen=True):
    turn: Number
    seat: Number


class NewStep(NewTime, frozen=True):
    step: Number


class NewPlay(NewStep, frozen=True):
    do: Name


class OneSeat(Body, frozen=True):
    seat: Number


class NewSeatName(OneSeat, frozen=True):
    name: Name


class NewBot(OneSeat, frozen=True):
    bot: Name | None


class NewHost(Body, frozen=True):
    seat: Number | None = None  # None: the sender takes over


class Choice(msgspec.Struct, frozen=True):
    """An action with the final total to be expected after it, its standard error, and why it is good or worse."""

    do: str
    value: float
    error: float
    reason: str


class Hint(msgspec.Struct, frozen=True):
    """What the coach would do with a seat, the best first; reasons are in the language that the client accepts."""

    seat: int
    actions: list[Choice]


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why not: the kind of error, its code, and a sentence in the language that the client accepts.

    `params` are for programs: what would have been `legal`, the `seat` that is meant, and the like.
    `field` is the wrong part of a body or query that cannot be read.
    """

    kind: str
    code: str
    message: str
    params: dict[str, int | str] = {}
    field: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    error: Problem


class SeatState(msgspec.Struct, frozen=True):
    """A seat as the token's holder sees it, and what the holder `may` do with it. `legal` are its actions now."""

    seat: int
    name: str
    bot: str | None
    program: bool
    mine: bool
    left: bool
    due: bool
    step: int
    sheet: str | None
    total: int | None
    place: int | None
    legal: list[str]
    may: list[str]


class TableState(msgspec.Struct, frozen=True):
    """A table as the token's holder sees it, and what the holder `may` do.

    `next` is its next step: somebody sits down, a throw, picks, or nothing more.
    """

    table: str
    seq: int
    game: str
    rules: str
    settings: e.Settings
    host: bool
    next: Literal["seats", "throw", "pick", "over"]
    dice: int
    roller: int | None
    turn: int
    faces: Faces
    owing: int
    count: int
    seats: list[SeatState]
    commitment: str
    secret: str | None
    previous: str | None
    next_table: str | None
    may: list[str]


class Opened(msgspec.Struct, frozen=True):
    """A new table, and the token of its host."""

    table: str
    token: str
    code: str | None
    state: TableState


class Seated(msgspec.Struct, frozen=True):
    """A new seat, and the token that plays it."""

    seat: int
    token: str
    state: TableState


class Hearing(msgspec.Struct, frozen=True):
    """What a program of a hall hears: the last throw, how many have still to pick, and whether it is over."""

    turn: int
    faces: Faces
    owing: int
    over: bool


class RuleSetTold(msgspec.Struct, frozen=True):
    name: str
    title: str


class GameTold(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    name: str
    title: str
    rule_sets: list[RuleSetTold]
    hides_picks: bool


class GamesTold(msgspec.Struct, frozen=True):
    games: list[GameTold]


class BotTold(msgspec.Struct, frozen=True):
    """A bot that can be seated in a game."""

    game: str
    name: str
    level: str | None


class BotsTold(msgspec.Struct, frozen=True):
    bots: list[BotTold]


class ListedTable(msgspec.Struct, frozen=True):
    """A table where strangers are welcome."""

    table: str
    game: str
    rules: str
    count: int


class ListedTables(msgspec.Struct, frozen=True):
    tables: list[ListedTable]


class Invited(msgspec.Struct, frozen=True):
    """The code of a table, by which others find it."""

    code: str


class OwnTable(msgspec.Struct, frozen=True):
    """A table at which you play, wait or host, what it waits for, and whether a seat of yours has to act."""

    table: str
    game: str
    rules: str
    next: Literal["seats", "throw", "pick", "over"]
    due: bool


class OwnTables(msgspec.Struct, frozen=True):
    tables: list[OwnTable]


class OwnGame(msgspec.Struct, frozen=True):
    """A finished game of yours: its total and place, and the record of your own sheet, without names."""

    kind: str
    game: str
    rules: str
    ended: float
    total: int
    place: int
    count: int
    bots: int
    luck: float | None
    lost: float | None
    record: str


class OwnGames(msgspec.Struct, frozen=True):
    games: list[OwnGame]


class NewToken(Body, frozen=True):
    name: Name


class TokenTold(msgspec.Struct, frozen=True):
    """A named token of yours, which is shown only when it is made."""

    id: str
    name: str


class TokenMade(TokenTold, frozen=True):
    """A new named token: it acts for you until it is revoked."""

    token: str


class TokensTold(msgspec.Struct, frozen=True):
    tokens: list[TokenTold]


def tell(table: Table, device: str, silence: Silence) -> TableState:
    """A table as one device sees it."""
    seen = view(table, device, silence)
    throw = seen.next if isinstance(seen.next, Throw) else None
    return TableState(
        table=seen.id,
        seq=table.seq,
        game=seen.game.name,
        rules=seen.game.rules,
        settings=seen.settings,
        host=seen.is_host,
        next=_next(table, seen.next),
        dice=throw.dice if throw else 0,
        roller=throw.roller if throw else None,
        turn=seen.turn,
        faces=seen.faces,
        owing=seen.owing,
        count=seen.seats,
        seats=[_seat_told(each, table) for each in (*seen.mine, *seen.others)],
        commitment=seen.commitment,
        secret=seen.secret,
        previous=seen.previous,
        next_table=seen.next_table,
        may=_names(seen.may),
    )


def _names(may: Rights | SeatRights) -> list[str]:
    """The rights that are there, by name."""
    return [name for name in may.__struct_fields__ if getattr(may, name)]


def _next(table: Table, expected: Next) -> Literal["seats", "throw", "pick", "over"]:
    """What a table waits for: before anybody sits there, for seats."""
    match expected:
        case Throw():
            return "throw"
        case Pick():
            return "pick"
    return "over" if table.is_closed or table.places else "seats"


def _seat_told(each: SeatView, table: Table) -> SeatState:
    legal = table.game.legal(table.play, each.seat) if each.may.act else []
    return SeatState(
        seat=each.seat,
        name=each.name,
        bot=each.bot,
        program=each.is_engine,
        mine=each.is_mine,
        left=each.has_left,
        due=each.is_due,
        step=each.step,
        sheet=None if each.sheet is None else table.game.solo.write_sheet(each.sheet),
        total=each.total,
        place=each.place,
        legal=[str(action) for action in legal],
        may=_names(each.may),
    )
