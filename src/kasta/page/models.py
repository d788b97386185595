"""What several pages take, and what a sentence or a question to confirm is shown with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kasta.core import Pick, Throw
from kasta.games.drawing import Feast
from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.structs import Struct
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
    rule_sets: tuple[tuple[str, str], ...]  # name and title


@lru_cache(MOST_CARDS)
def game_card(traits: AnyTraits, words: Words) -> GameCard:
    blurb = traits.say(words, traits.blurb) if traits.blurb else ""
    rule_sets = tuple((rules, traits.rule_set_title(words, rules)) for rules in traits.rule_sets)
    return GameCard(traits.name, traits.heading(words), blurb, traits.theme, rule_sets)


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
    is_counted: bool = False  # in the try that counts on that day

    @property
    def kept(self) -> tuple[int, ...]:
        """The dice that were not thrown again."""
        return tuple(die.face for die in self.places if die.is_kept)

    @property
    def said(self) -> str:
        """What a screen reader tells of it."""
        if self.shows == "faces":
            return ", ".join(str(die.face) for die in self.places if die.face)
        return str(sum(self.faces)) if self.faces else ""


def thrown_dice(table: Table, words: Words) -> ThrownDice:
    game = table.game
    waits = 0 in table.tray  # for the other dice
    places = tuple(
        DiePart(face, is_kept=bool(face and (before or waits)))
        for face, before in zip(table.tray, table.tray_before, strict=True)
    )
    if not places and isinstance(expected := table.next(), Throw):
        places = tuple(DiePart(0, is_kept=False) for _ in range(expected.dice))
    feast = None
    if not game.hides_picks and isinstance(table.next(), Pick):
        feast = game.traits.cheer(game.solo, game.sheet(table.play, table.roller), words)
    return ThrownDice(
        table.turn, table.owing, table.faces, places, game.traits.shows, feast, table.day, is_counted=table.counted
    )


def company(table: Table, device: str) -> str:
    """The names of those who play along with a device, the first of them if there are many."""
    names = [place.name for _, place in sorted(table.places.items()) if place.device != device or place.bot]
    return ", ".join(names[:MOST_NAMED]) + ("\N{NO-BREAK SPACE}…" if len(names) > MOST_NAMED else "")
