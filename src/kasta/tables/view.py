"""What one viewer may see: others' picks of an open round stay hidden until the next throw or the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kasta.core import Faces, Next, Over, Pick, Seat, places
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.structs import Struct, replace
from kasta.tables import events as e
from kasta.tables.rights import AWAY_SECONDS, Rights, SeatRights, Silence, all_present, rights, seat_rights, undone
from kasta.tables.state import Table

MOST_LISTED = 30  # above, others are counted; only the host is told some of them
MOST_BEST = 10
MOST_STANDINGS = 256
MOST_TOTALS = 20_000


class SeatView(Struct, frozen=True):
    """A seat as the viewer sees it, and what the viewer may do with it.

    `step` numbers its next command; `total` is None while points are hidden.
    """

    seat: Seat
    name: str
    bot: str | None
    is_engine: bool
    is_mine: bool
    is_away: bool
    has_left: bool
    is_due: bool
    stood_in: bool
    step: int
    sheet: Any
    total: int | None
    place: int | None
    may: SeatRights

    @property
    def points(self) -> int:
        """The total where it is shown, as at the end."""
        return self.total or 0


class TableView(Struct, frozen=True):
    """A table as one viewer sees it, and what the viewer may do at it.

    Of a crowd, only its host is told `others`, and only some.
    """

    id: str
    game: AnyGame
    settings: e.Settings
    is_host: bool
    next: Next
    turn: int
    faces: Faces
    owing: int
    seats: int
    mine: tuple[SeatView, ...]
    others: tuple[SeatView, ...]
    commitment: str
    secret: str | None
    previous: str | None
    next_table: str | None
    may: Rights


def view(table: Table, device: str, silence: Silence = all_present) -> TableView:
    """The table as it is seen at a device, which may hold any number of seats, or none. Bots' seats are others."""
    crowded = len(table.places) > MOST_LISTED
    held = table.devices.get(device, ())
    own = [seat for seat in held if _is_own(table, seat, device)]
    rest = {*_listed(table, device), *held}.difference(own)
    expected = table.next()
    ranks = _places(table) if isinstance(expected, Over) and not crowded else {}

    def seen(seats: Iterable[Seat]) -> tuple[SeatView, ...]:
        return tuple(seat_view(table, seat, device, silence, ranks) for seat in sorted(seats))

    return TableView(
        id=table.id,
        game=table.game,
        settings=table.settings,
        is_host=device == table.host,
        next=expected,
        turn=table.turn,
        faces=table.faces,
        owing=table.owing,
        seats=len(table.places),
        mine=seen(own),
        others=seen(rest),
        commitment=table.commitment,
        secret=table.secret or None,
        previous=table.previous,
        next_table=table.next_table,
        may=rights(table, device, silence),
    )


def _listed(table: Table, device: str) -> list[Seat]:
    """The seats that are told one by one: of a crowd, its host sees who came last, and who the others wait for."""
    if len(table.places) > MOST_LISTED and device != table.host:
        return []
    seats = sorted(table.places)
    if len(seats) <= MOST_LISTED:
        return seats
    if table.turn == 0:
        return seats[-MOST_LISTED:]
    expected = table.next()
    if not isinstance(expected, Pick) or table.owing > MOST_LISTED:
        return []
    return [seat for seat in seats if expected.is_due(seat)]


class TableStanding(Struct, frozen=True):
    """How all stand after their last finished round: the best ten, all places, how many have each total."""

    best: tuple[tuple[Seat, int], ...]
    places: dict[Seat, int]
    totals: dict[int, int]


def standing(table: Table) -> TableStanding | None:
    """None while points are hidden. It looks at every seat, so it is worked out once a throw."""
    over = isinstance(table.next(), Over)
    if table.before is None or (table.settings.points == "end" and not over):
        return None
    key = table.id, table.turn, over
    if key not in _standings:
        play = table.play if over else table.before
        totals = {
            seat: _total(table.game, play, seat) for seat in table.places if not table.game.has_left(play, seat)
        }
        best = sorted(totals, key=lambda seat: (-totals[seat], seat))[:MOST_BEST]
        ranks = dict(zip(totals, places(list(totals.values())), strict=True))
        leaders = tuple((seat, totals[seat]) for seat in best)
        _standings[key] = TableStanding(leaders, ranks, dict(Counter(totals.values())))
        while len(_standings) > MOST_STANDINGS:
            del _standings[next(iter(_standings))]
    return _standings[key]


def _total(game: AnyGame, play: Any, seat: Seat) -> int:  # noqa: ANN401 - of any game
    """Of a crowd all totals are asked for on each throw; each was asked for before, when its owner picked."""
    return _total_on(game.name, game.rules, game.sheet(play, seat))


@lru_cache(MOST_TOTALS)
def _total_on(game: str, rules: str, sheet: Any) -> int:  # noqa: ANN401
    return find_game(game, rules).solo.total(sheet)


_standings: dict[tuple[str, int, bool], TableStanding] = {}


def wall_name(table: Table, seat: Seat) -> str | None:
    """The name that the table's wall shows: of the host, of programs, and of who has agreed."""
    place = table.places[seat]
    may = place.on_wall or place.is_program or place.device == table.host
    return place.name if may and table.settings.wall else None


def notice(table: Table, event: e.AnyEvent, device: str) -> e.AnyEvent:
    """The event as others may hear of it: no devices, and while its round is open, only that a seat has acted."""
    match event:
        case e.OpenedEvent():
            return replace(event, host="")
        case e.SeatedEvent() | e.Hosted() | e.Moved() | e.Waited():
            return replace(event, device="")
        case e.Acted(turn=turn, seat=seat) if turn >= table.thrown_on and _is_open(table):
            return event if _is_own(table, seat, device) else replace(event, do="")
    return event


def _is_own(table: Table, seat: Seat, device: str) -> bool:
    """Whether a person plays there at the device. A bot has a device, too, but is not its own."""
    place = table.places[seat]
    return place.device == device and place.bot is None


def _is_open(table: Table) -> bool:
    """Whether picks on the last throw are still secret."""
    return table.game.hides_picks and table.play is not None and not isinstance(table.next(), Over)


def seat_view(
    table: Table, seat: Seat, device: str, silence: Silence, ranks: Mapping[Seat, int] | None = None
) -> SeatView:
    """One seat as it is seen at a device."""
    place, is_over = table.places[seat], isinstance(table.next(), Over)
    is_mine = _is_own(table, seat, device)
    seen = table.before if _is_open(table) and not is_mine else table.play
    shown = seen is not None and (table.settings.points == "now" or is_over)
    return SeatView(
        seat=seat,
        name=place.name,
        bot=place.bot,
        is_engine=place.is_engine,
        is_mine=is_mine,
        is_away=place.bot is None and silence(place.device) > AWAY_SECONDS,
        has_left=table.play is not None and table.game.has_left(table.play, seat),
        is_due=table.is_due(seat),
        stood_in=table.stood_in(seat),
        step=table.step(seat),
        sheet=None if seen is None else table.game.sheet(seen, seat),
        total=_total(table.game, seen, seat) if shown else None,
        place=ranks.get(seat) if ranks else None,
        may=seat_rights(table, device, seat, silence),
    )


def _places(table: Table) -> dict[Seat, int]:
    """Who came where, once it is over; whoever left has no place."""
    if table.play is None:
        return {}
    stayed: Collection[Seat] = [seat for seat in table.places if not table.game.has_left(table.play, seat)]
    return dict(zip(stayed, places([table.game.total(table.play, seat) for seat in stayed]), strict=True))


class Options(Struct, frozen=True):
    """What a seat may do: on its own, or instead of what it has done on this throw (`moves`)."""

    actions: Sequence[Any]
    may_undo: bool
    moves: bool


NOTHING = Options((), may_undo=False, moves=False)


def options(table: Table, seat: Seat, may: SeatRights) -> Options:
    """Until the next throw a pick may be moved: what was done is taken back, and something else done."""
    if may.act:
        return Options(table.game.legal(table.play, seat), may_undo=may.take_back, moves=False)
    if may.move_pick and (before := undone(table, seat)) is not None:
        return Options(table.game.legal(before[0], seat), may_undo=True, moves=True)
    return Options((), may_undo=may.take_back, moves=False)
