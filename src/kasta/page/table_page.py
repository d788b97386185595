"""What the page of a table shows one viewer: everything a template needs, in one documented dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from markupsafe import Markup

from kasta.bots.base import level_of
from kasta.core import Next, Over, Pick, Seat, Throw
from kasta.games.drawing import Legend
from kasta.i18n import Words
from kasta.page.end.ending import Ending, counts, ending, shared
from kasta.page.end.finish import Finish
from kasta.page.end.past import UNKNOWN_PAST, Past
from kasta.page.invitation import Invitation, inviter
from kasta.page.models import GameCard, ThrownDice, game_card, thrown_dice
from kasta.page.receipts import acts_told
from kasta.page.sheet_model import BlockPart, Drawn, Rethrow, draw
from kasta.page.status_line import filled, roll_label, tell
from kasta.structs import Struct, replace
from kasta.tables.cluster_state import Claim
from kasta.tables.events import Settings
from kasta.tables.rights import Rights, SeatRights, Silence, are_seats_open, goes_on
from kasta.tables.setting_rights import is_asked_for_wall
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED, NOTHING, SeatView, TableView, options, standing, view

MOST_COLUMNS = 8  # of sheets side by side
BEST_OF_CROWD = 5
NO_RIGHTS = SeatRights()


class SheetPart(Struct, frozen=True):
    """One of the viewer's own sheets, or another's, which is the same for all who see it."""

    seat: Seat
    name: str
    total: int | None
    drawn: Drawn
    is_mine: bool = False
    is_due: bool = False
    step: int = 0
    may: SeatRights = NO_RIGHTS
    receipt: tuple[str, ...] = ()
    is_over: bool = False


class KeepPart(Struct, frozen=True):
    """The seat that chooses which dice to keep, at this device."""

    seat: Seat
    step: int
    rethrow: Rethrow


class PlayerPart(Struct, frozen=True):
    """A line in the list of players."""

    seat: int
    name: str
    total: int | None
    place: int | None
    wins: int
    points: int
    is_mine: bool
    is_bot: bool
    is_engine: bool
    level: str  # of the bot; empty where it has none
    is_due: bool
    is_throwing: bool
    is_away: bool
    has_left: bool
    is_asked: bool  # whether the wall may show the name
    has_begun: bool  # the game
    stood_in: bool
    may: SeatRights


class Room(Struct, frozen=True):
    """What only the web knows of a table: how others come in, who asks for a seat, and what came before."""

    origin: str = ""  # of this server, as the viewer calls it
    link: str = ""
    code: str | None = None
    claims: tuple[Claim, ...] = ()  # for the host to accept
    my_claim: Claim | None = None
    past: Past = UNKNOWN_PAST  # at the end
    levels: tuple[str, ...] = ("weak", "middling", "strong", "best")  # at which bots play here


class Timing(Struct, frozen=True):
    """What only the service knows: when the table acts by itself, and whether it does so slowly, to be watched."""

    waits: float | None = None  # seconds until it throws, or lets a bot stand in
    may_skip: bool = False  # what bots take their time for


class Crowd(Struct, frozen=True):
    """How more stand than can be listed, after their last finished round: the best, and one's own place."""

    phase: str
    best: tuple[tuple[str, int], ...] = ()
    my_place: int | None = None


class TablePage(Struct, frozen=True):
    """A table as a page shows it, and what the viewer `may` do. `phase` is lobby, throw, pick or over."""

    id: str
    seq: int
    game: GameCard
    phase: str
    turn: int
    round: tuple[int, int] | None  # which of how many; corrected throws are none of their own
    is_corrected: bool
    dice: ThrownDice
    status: str
    hint: str  # what it asks for
    seats: int
    is_host: bool
    is_seated: bool
    is_open: bool  # for somebody to sit down
    is_waiting: bool  # the viewer, for the next game
    may: Rights
    roll_label: str
    throws_label: str
    settings: Settings
    sheet: SheetPart | None
    players: tuple[PlayerPart, ...]
    others: tuple[SheetPart, ...]
    columns: tuple[SheetPart, ...]  # of all players, where sheets are blocks that stand side by side
    crowd: Crowd | None  # then only its host sees who came last, and who is missing
    counts: tuple[tuple[int, int], ...]  # how often each number fell, at the end
    ending: Ending | None  # once it is over
    next_table: str | None
    inviter: str  # the host, if the preview of its link is to say who invites
    room: Room
    timing: Timing

    @property
    def title(self) -> str:
        """What the tab says: first the sum, which is what people look for."""
        is_sum = self.dice.faces and self.dice.shows == "sum"
        return f"{sum(self.dice.faces)} · {self.status}" if is_sum else self.status

    @property
    def waits(self) -> float | None:
        return self.timing.waits

    @property
    def may_skip(self) -> bool:
        return self.timing.may_skip

    @property
    def keep(self) -> KeepPart | None:
        rethrow = self.sheet.drawn.rethrow if self.sheet and self.sheet.is_due else None
        return KeepPart(self.sheet.seat, self.sheet.step, rethrow) if self.sheet and rethrow else None

    @property
    def receipt(self) -> str:
        """What came of the viewer's acts since the last throw, a sentence a line: each is told once."""
        end = self.finish.praise if self.finish else ()
        told = [*(self.sheet.receipt if self.sheet else ()), *(each for each in end if each != self.status)]
        return "\n".join(told)

    @property
    def buttons(self) -> tuple[tuple[str, str], ...]:
        """For what has no place on the sheet: notation and label."""
        return self.sheet.drawn.buttons if self.sheet else ()

    @property
    def may_own(self) -> SeatRights:
        """What the viewer may do with the sheet that is looked at."""
        return self.sheet.may if self.sheet else NO_RIGHTS

    @property
    def legend(self) -> Legend | None:
        return self.sheet.drawn.legend if self.sheet else None

    @property
    def stage(self) -> str:
        """The phase, but all that lies between lobby and over is play."""
        return self.phase if self.phase in {"lobby", "over"} else "play"

    @property
    def is_alone(self) -> bool:
        return self.seats == 1 and self.is_seated

    @property
    def shows_players(self) -> bool:
        return not self.is_alone or self.room.code is not None or bool(self.room.claims)

    @property
    def listed(self) -> tuple[PlayerPart, ...]:
        """The players, where they are shown."""
        return self.players if self.shows_players else ()

    @property
    def ranked(self) -> tuple[PlayerPart, ...]:
        """The players in the order of their totals, at the end."""
        return tuple(sorted(self.players, key=attrgetter("total"), reverse=True)) if self.ending else ()

    @property
    def finish(self) -> Finish | None:
        """What is said of the end."""
        return self.ending.finish if self.ending else None

    @property
    def tabs(self) -> tuple[PlayerPart, ...]:
        """The players who share this device."""
        own = tuple(each for each in self.players if each.is_mine and not each.is_bot)
        return own if len(own) > 1 else ()

    @property
    def asked(self) -> tuple[PlayerPart, ...]:
        """Those at this device who are asked whether the wall may show their names."""
        return tuple(each for each in self.players if each.is_asked)


class TableDocument(Struct, frozen=True):
    """table.html: the sections of a table's page by name, a digest of what it shows, and a preview of its link."""

    table: TablePage
    sections: Mapping[str, Markup]
    digest: str
    invitation: Invitation
    origin: str


def table_page(
    table: Table,
    device: str,
    words: Words,
    silence: Silence,
    *,
    seat: int | None = None,
    serve: str | None = None,
    room: Room | None = None,
    timing: Timing | None = None,
) -> TablePage:
    """The page of a table for a device; `seat` and `serve` are which sheet and which line it looks at."""
    seen = view(table, device, silence)
    own, now = _chosen(seen, table.roller, seat), phase(table, seen.next)
    sheet = _own_sheet(table, own, words, serve) if own else None
    said = tell(table, seen, own, sheet.drawn.hint if sheet else "", words, is_room=bool(room and room.code))
    crowd = _crowd(table, own, now) if seen.seats > MOST_LISTED else None
    others = tuple(_others_sheet(table, each, words) for each in seen.others if table.turn and not crowd)
    return TablePage(
        id=table.id,
        seq=table.seq,
        game=game_card(table.game.traits, words),
        phase=now,
        turn=table.turn,
        round=current_round(table),
        is_corrected=table.turn > table.thrown_on,
        dice=thrown_dice(table, words),
        status=said.status,
        hint=said.hint,
        seats=seen.seats,
        is_host=seen.is_host,
        is_seated=bool(seen.mine),
        is_open=are_seats_open(table),
        is_waiting=device in dict(table.waiting),
        may=seen.may,
        roll_label=roll_label(table, seen, words, is_room=bool(room and room.code)),
        throws_label=table.game.traits.say(words, "throws"),
        settings=table.settings,
        sheet=sheet,
        players=_players(table, seen, device),
        others=others,
        columns=_columns(table, seen, sheet, others, words),
        crowd=crowd,
        counts=counts(table) if table.is_closed else (),
        ending=_ending(table, seen, own, crowd, room, words) if now == "over" else None,
        next_table=table.next_table,
        inviter=inviter(table),
        room=room or Room(),
        timing=timing or Timing(),
    )


def _crowd(table: Table, own: SeatView | None, now: str) -> Crowd:
    stands = standing(table)
    if stands is None:
        return Crowd(now)
    best = tuple((table.places[seat].name, total) for seat, total in stands.best[:BEST_OF_CROWD])
    return Crowd(now, best, stands.places.get(own.seat) if own else None)


def phase(table: Table, expected: Next) -> str:
    match expected:
        case Over() if table.turn:
            return "over"
        case Pick():
            return "pick"
        case Throw() if goes_on(table):
            return "pick"  # a bot has just kept some dice
        case _:
            return "throw" if table.turn else "lobby"


def current_round(table: Table) -> tuple[int, int] | None:
    """Where a game has a fixed number of rounds: the one of the last throw, and how many there are."""
    game = table.game
    rounds = game.traits.rounds(game.solo)
    if rounds is None or not table.turn:
        return None
    stayed = next(
        (seat for seat in range(table.seats) if seat in table.places and not game.has_left(table.play, seat)), None
    )
    if table.before is None or stayed is None:
        return 1, rounds
    number = game.traits.round(game.solo, game.sheet(table.before, stayed))
    return None if number is None else (number, rounds)


def _chosen(seen: TableView, thrower: Seat, wanted: int | None) -> SeatView | None:
    """The own sheet to look at: the wanted one, or one that has something to do, first of all the thrower's."""
    by_seat = {each.seat: each for each in seen.mine}
    if wanted is not None and wanted in by_seat:
        return by_seat[wanted]
    if isinstance(seen.next, Throw) and seen.next.roller in by_seat:
        return by_seat[seen.next.roller]
    around = sorted(seen.mine, key=lambda each: (each.seat < thrower, each.seat))
    return next((each for each in around if each.is_due), seen.mine[0] if seen.mine else None)


def _players(table: Table, seen: TableView, device: str) -> tuple[PlayerPart, ...]:
    roller = seen.next.roller if isinstance(seen.next, Throw) and table.turn else None
    seats = sorted((*seen.mine, *seen.others), key=lambda each: each.seat)
    return tuple(_player(table, each, roller, device) for each in seats)


def _player(table: Table, each: SeatView, roller: Seat | None, device: str) -> PlayerPart:
    place = table.places[each.seat]
    return PlayerPart(
        seat=each.seat,
        name=each.name,
        total=each.total,
        place=each.place,
        wins=place.wins,
        points=place.points,
        is_mine=place.device == device,
        is_bot=each.bot is not None,
        is_engine=each.is_engine,
        level=level_of(each.bot, table.game) if each.bot else "",
        is_due=each.is_due,
        is_throwing=each.seat == roller,
        is_away=each.is_away,
        has_left=each.has_left,
        is_asked=is_asked_for_wall(table, device, each.seat),
        has_begun=table.turn > 0,
        stood_in=each.stood_in,
        may=each.may,
    )


def _columns(
    table: Table, seen: TableView, sheet: SheetPart | None, others: tuple[SheetPart, ...], words: Words
) -> tuple[SheetPart, ...]:
    """The sheets of all players in the order of their seats, where they are blocks and not too many."""
    if not 1 < seen.seats <= MOST_COLUMNS or not table.turn:
        return ()
    mine = (
        sheet if sheet and sheet.seat == each.seat else _others_sheet(table, each, words) for each in seen.mine
    )
    parts = sorted((*mine, *others), key=lambda part: part.seat)
    return tuple(parts) if all(isinstance(part.drawn.part, BlockPart) for part in parts) else ()


def _own_sheet(table: Table, each: SeatView, words: Words, serve: str | None) -> SheetPart:
    may, moves = each.may, each.may.move_pick and not each.may.act
    drawn = draw(
        table, each, replace(NOTHING, moves=True) if moves else options(table, each.seat, may), words, serve
    )
    is_over = bool(table.turn) and isinstance(table.next(), Over)
    last = filled(table, [each.seat], words) if is_over else ""  # of somebody else, which ended the game
    told = *acts_told(table, each, (drawn.receipt, drawn.hint), words), *([f"{last}."] if last else ())
    part = SheetPart(each.seat, each.name, each.total, drawn, True, each.is_due, each.step, may, told)  # noqa: FBT003
    return replace(part, is_over=is_over)


def _others_sheet(table: Table, each: SeatView, words: Words) -> SheetPart:
    return SheetPart(each.seat, each.name, each.total, draw(table, each, NOTHING, words))


def _ending(
    table: Table,
    seen: TableView,
    own: SeatView | None,
    crowd: Crowd | None,
    room: Room | None,
    words: Words,
) -> Ending:
    seats = () if crowd else sorted((*seen.mine, *seen.others), key=lambda each: each.seat)
    room = room or Room()
    mine = shared(table, own, seen.seats, room.origin, words) if own else None
    return replace(ending(table, seats, crowd.best if crowd else (), words, own, room.past), shared=mine)
