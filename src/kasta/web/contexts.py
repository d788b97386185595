"""What templates take: for each of them one dataclass, which it knows as `page`. A table's is in `table_page`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.record import Header
from kasta.table.events import Settings
from kasta.table.state import Table


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the home page and its own pages present it; `theme` names its colours."""

    name: str
    heading: str
    blurb: str
    theme: str
    rule_sets: tuple[tuple[str, str], ...]  # name and title


def game_card(traits: AnyTraits, words: Words) -> GameCard:
    blurb = traits.say(words, traits.blurb) if traits.blurb else ""
    rule_sets = tuple((rules, traits.rule_set_title(words, rules)) for rules in traits.rule_sets)
    return GameCard(traits.name, traits.heading(words), blurb, traits.theme, rule_sets)


@dataclass(frozen=True, slots=True)
class NewPage:
    """new.html: how a table is opened, with the settings that it has if nobody changes them."""

    game: GameCard
    settings: Settings


@dataclass(frozen=True, slots=True)
class RulesPage:
    """rules.html; `table` is the one that it was opened from, if any."""

    game: GameCard
    title: str
    body: Markup
    table: str | None = None


@dataclass(frozen=True, slots=True)
class SeatPage:
    """seat.html: where a seat's link leads."""

    table: str


@dataclass(frozen=True, slots=True)
class LinkPage:
    """link.html: the link that takes somebody's seat along to another device."""

    table: str
    name: str
    link: str
    qr: Markup


@dataclass(frozen=True, slots=True)
class ProofPage:
    """proof.html; `rolls` are all throws in their order."""

    table: str
    header: Header
    rolls: list[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class MessagePage:
    """answer.html and error.html: a sentence, and the way back."""

    text: str
    back: str


@dataclass(frozen=True, slots=True)
class ThrownDice:
    """thrown.html: the last throw, the same for all who look at a table."""

    turn: int
    owing: int
    faces: tuple[int, ...]
    shows: Literal["sum", "faces"]
    are_on_sheet: bool  # the sheet shows the dice

    @property
    def said(self) -> str:
        """What a screen reader tells of it."""
        if self.shows == "faces":
            return ", ".join(map(str, self.faces))
        return str(sum(self.faces)) if self.faces else ""


def thrown_dice(table: Table) -> ThrownDice:
    traits = table.game.traits
    return ThrownDice(table.turn, table.owing, table.faces, traits.shows, traits.draws_dice)
