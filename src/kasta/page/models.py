"""What several pages take, and what a sentence or a question to confirm is shown with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal

from kasta.core import Pick, Throw
from kasta.games.drawing import Feast
from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.structs import Struct
from kasta.tables.rights import goes_on
from kasta.tables.state import Table

MOST_CARDS = 100
MOST_NAMED = 3  # of those who play along


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the home page and its own pages present it; `theme` names its colours."""

    name: str
    heading: str
    blurb: str
    theme: str
    kind: str
    rule_sets: tuple[tuple[str, str], ...]  # name and title
    first_steps: tuple[str, ...] = ()  # what is said in a first game


@lru_cache(MOST_CARDS)
def game_card(traits: AnyTraits, words: Words) -> GameCard:
    blurb = traits.say(words, traits.blurb) if traits.blurb else ""
    rule_sets = tuple((rules, traits.rule_set_title(words, rules)) for rules in traits.rule_sets)
    steps = tuple(map(partial(traits.say, words), traits.first_steps))
    return GameCard(traits.name, traits.heading(words), blurb, traits.theme, traits.kind, rule_sets, steps)


@dataclass(frozen=True, slots=True)
class MessagePage:
    """answer.html and error.html: a sentence, and the way back."""

    text: str
    back: str


class DiePart(Struct, frozen=True):
    """A die in its place; its face is 0 until it is thrown."""

    face: int
    is_kept: bool


class ThrownDice(Struct, frozen=True):
    """The last throw, the same for all who look at a table."""

    turn: int
    owing: int
    faces: tuple[int, ...]
    places: tuple[DiePart, ...]  # all dice of a turn where they lie; before the first throw those to be thrown
    shows: Literal["sum", "faces"]
    feast: Feast | None
    day: str | None = None  # whose throws they are
    challenge: str | None = None  # likewise
    is_counted: bool = False  # in the try that counts
    told: str = ""  # to those who listen, when the dice lie

    @property
    def kept(self) -> tuple[int, ...]:
        """The dice that were not thrown again."""
        return tuple(die.face for die in self.places if die.is_kept)

    @property
    def said(self) -> str:
        """What a screen reader finds there."""
        if self.shows == "faces":
            return ", ".join(str(die.face) for die in self.places if die.face)
        return str(sum(self.faces)) if self.faces else ""


def thrown_dice(table: Table, words: Words) -> ThrownDice:
    game = table.game
    lying = _places(table)
    places = lying if _is_turn_on(table) else tuple(DiePart(die.face, is_kept=False) for die in lying)
    if not places and isinstance(expected := table.next(), Throw):
        places = tuple(DiePart(0, is_kept=False) for _ in range(expected.dice))
    feast = None
    if not game.hides_picks and isinstance(table.next(), Pick):
        feast = game.traits.cheer(game.solo, game.sheet(table.play, table.roller), words)
    return ThrownDice(
        table.turn,
        table.owing,
        table.faces,
        places,
        game.traits.shows,
        feast,
        table.day,
        table.challenge and table.challenge.partition(".")[0],
        is_counted=table.counted,
        told=_told(table, lying, words),
    )


def _is_turn_on(table: Table) -> bool:
    """Whether dice that are kept still mean something: a throw was not used up."""
    return isinstance(table.next(), Pick) or 0 in table.tray or goes_on(table)


def _told(table: Table, places: tuple[DiePart, ...], words: Words) -> str:
    """The last throw in words: with a name, where players throw one after the other."""
    game = table.game
    if not table.faces:
        return ""
    sheet = game.sheet(table.play, table.roller)
    kept = () if game.hides_picks else tuple(die.face for die in places if die.is_kept)
    told = game.traits.announce(game.solo, sheet, kept, table.faces, words)
    return told if game.hides_picks or len(table.places) == 1 else f"{table.places[table.roller].name}. {told}"


def _places(table: Table) -> tuple[DiePart, ...]:
    if goes_on(table):  # the dice that will be thrown again lie there until then
        landed = iter(table.faces)
        lying = [face or next(landed) for face in table.tray_before]
        return tuple(DiePart(face, is_kept=kept > 0) for face, kept in zip(lying, table.tray, strict=True))
    waits = 0 in table.tray  # for the other dice
    return tuple(
        DiePart(face, is_kept=bool(face and (before or waits)))
        for face, before in zip(table.tray, table.tray_before, strict=True)
    )


def company(table: Table, device: str) -> str:
    """The names of those who play along with a device, the first of them if there are many."""
    names = [place.name for _, place in sorted(table.places.items()) if place.device != device or place.bot]
    return ", ".join(names[:MOST_NAMED]) + ("\N{NO-BREAK SPACE}…" if len(names) > MOST_NAMED else "")
