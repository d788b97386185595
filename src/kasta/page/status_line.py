"""What the table tells: whose turn it is, who is missing, what is asked for, and that the end is near."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from itertools import islice

from kasta.core import Over, Pick, Seat, Throw
from kasta.games.drawing import Block
from kasta.i18n import Words
from kasta.page.sheet_model import drawing_of
from kasta.tables.rights import goes_on, throws_itself
from kasta.tables.state import Table
from kasta.tables.view import MOST_LISTED, SeatView, TableView

MOST_NAMED = 3
ROOM = 24  # characters of names, as many as the tray of a small phone holds


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence for all, and what it asks of whoever looks."""

    status: str
    hint: str = ""


def tell(table: Table, seen: TableView, own: SeatView | None, hint: str, words: Words, *, is_room: bool) -> Told:
    """What a page says; `hint` is what the viewer's `own` sheet asks for."""
    match seen.next:
        case Over() if table.turn:
            return Told(words.say("The game is over"))
        case Throw() if table.turn == 0 and own and seen.seats == 1 and table.settings.listed:
            return Told(words.say("Waiting for somebody"))
        case Throw() if table.turn == 0 and (is_room or not _are_all_here(seen)):
            begins = seen.may.throw or seen.may.type_dice
            return Told(
                words.say("Begin when all are here") if begins else words.say("Waiting for the host to begin")
            )
        case Throw(_, roller):
            return _before_throw(table, seen, own, roller, words)
        case Pick() if own is not None and own.is_due:
            status = words.say("Your turn") if len(seen.mine) == 1 else words.say("{name} picks", name=own.name)
            return Told(status, hint)
        case Pick() as pick:
            return _others_pick(table, pick, words)
    return Told(words.say("Nobody sits here yet"))


def _are_all_here(seen: TableView) -> bool:
    """Whether everybody who plays is at the viewer's device."""
    return bool(seen.mine) and all(each.bot for each in seen.others)


def roll_label(table: Table, seen: TableView, words: Words, *, is_room: bool) -> str:
    """What the button says that throws; the first throw in a room begins the game."""
    if is_room:
        return words.count("Begin with {number} player", "Begin with {number} players", seen.seats)
    return table.game.traits.say(words, "Throw")


def _before_throw(table: Table, seen: TableView, own: SeatView | None, roller: Seat, words: Words) -> Told:
    if goes_on(table):
        return Told(_kept(table, roller, words))
    whose = _who_throws(table, seen, own, roller, words)
    if table.play is not None and table.game.is_ending(table.play):
        return Told(table.game.traits.last_throw(words, _enders(table)), whose)
    if table.settings.thrower == "host" and not table.game.hides_picks:
        return Told(whose, words.say("It is {name}'s turn.", name=table.places[roller].name))
    return Told(whose, filled(table, [each.seat for each in seen.mine], words))


def _kept(table: Table, roller: Seat, words: Words) -> str:
    """What somebody keeps of the last throw, before the other dice are thrown again."""
    name, dice = table.places[roller].name, " ".join(str(face) for face in sorted(table.tray) if face)
    if not dice:
        return words.say("{name} throws all again", name=name)
    return words.say("{name} keeps {dice}", name=name, dice=dice)


def filled(table: Table, own: Container[Seat], words: Words) -> str:
    """What somebody else, whose turn has just ended, has made of it: nobody at one of one's own seats."""
    game, seat = table.game, table.roller
    if game.hides_picks or table.before is None or seat in own:
        return ""
    now, old = (drawing_of(game, game.sheet(play, seat), words) for play in (table.play, table.before))
    boxes = now.filled_since(old) if isinstance(now, Block) and isinstance(old, Block) else []
    if not boxes:
        return ""
    name, box = table.places[seat].name, boxes[0]
    return words.say("{name} fills {box}: {points}", name=name, box=box.label, points=box.text)


def _who_throws(table: Table, seen: TableView, own: SeatView | None, roller: Seat, words: Words) -> str:
    traits, name = table.game.traits, table.places[roller].name
    if table.settings.thrower == "auto" and throws_itself(table):
        return words.term(traits.kind, "Automatic throw")
    if table.settings.thrower == "host" and not seen.is_host:
        return traits.say(words, "{name} throws", name=words.say("The host"))
    if table.settings.thrower == "host" or (own is not None and own.seat == roller and len(seen.mine) == 1):
        return traits.say(words, "Your turn to throw")
    if any(each.seat == roller and each.is_away for each in seen.others):
        return words.say("{name} is away.", name=name)
    return traits.say(words, "{name} throws", name=name)


def _enders(table: Table) -> list[str]:
    """Whose sheets make the next throw the last: some names, if there are many."""
    solo, sheet = table.game.solo, table.game.sheet
    enders = (seat for seat in sorted(table.places) if solo.ends(sheet(table.play, seat)))
    return [table.places[seat].name for seat in islice(enders, MOST_NAMED)]


def _others_pick(table: Table, pick: Pick, words: Words) -> Told:
    game = table.game
    if not game.hides_picks:
        name, sheet = table.places[table.roller].name, game.sheet(table.play, table.roller)
        return Told(words.say("{name} picks", name=name), game.traits.hint(game.solo, sheet, words))
    if pick.count <= MOST_NAMED and len(table.places) <= MOST_LISTED:
        names = ", ".join(place.name for seat, place in sorted(table.places.items()) if pick.is_due(seat))
        if len(names) <= ROOM:
            return Told(words.say("Still to pick: {names}", names=names))
    return Told(words.count("{number} still to pick", "{number} still to pick", pick.count))
