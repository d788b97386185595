"""The traits of a game: one object that the rest of Kasta asks about it, with a default for every answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from inspect import cleandoc
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from kasta.core import A, Faces, Next, S, Seat, Solo
from kasta.errors import Unreadable
from kasta.extras import extra
from kasta.games.badges import Badge
from kasta.games.drawing import Drawing, Feast, Legend, Plain, Spot
from kasta.i18n import DEFAULT, MOST_GAMES, Words, spelled
from kasta.values import AnyValuer, Progress, quietly

T = TypeVar("T")
R = TypeVar("R", bound=Solo[Any, Any])


class Game(Protocol[T, S, A]):
    """A game for any number of seats, which are numbered clockwise from 0: `Shared` or `InTurn`.

    Tables `T` are frozen: every step returns a new one, and what the rules forbid raises `Illegal`.
    """

    hides_picks: ClassVar[bool]
    """Whether seats act without seeing what others do on the same throw."""

    @property
    def solo(self) -> Solo[S, A]:
        """The rules of one sheet."""

    @property
    def traits(self) -> AnyTraits:
        """The traits of the game."""

    @property
    def name(self) -> str:
        """The name of the game, by which `find_game` finds it."""

    @property
    def rules(self) -> str:
        """The name of its rule set."""

    def start(self, seats: int, first: Seat = 0) -> T:
        """A table of so many empty sheets; seat `first` throws first."""

    def next(self, table: T) -> Next:
        """The next step: a `Throw` by a seat, a `Pick` by some seats, or `Over`."""

    def sheet(self, table: T, seat: Seat) -> S:
        """A seat's sheet, with the last throw on it."""

    def legal(self, table: T, seat: Seat) -> Sequence[A]:
        """The legal actions of a seat now; empty if it has nothing to do."""

    def throw(self, table: T, faces: Sequence[int]) -> T:
        """The table after a throw; `faces` are those of the dice that `next` asks for."""

    def act(self, table: T, seat: Seat, action: A | str) -> T:
        """The table after an action of a seat, given as such or in notation; what is not in `legal` is refused."""

    def take_back(self, table: T, seat: Seat) -> T:
        """Undo the seat's last action on this throw, until the next throw or the end of the game."""

    def leave(self, table: T, seat: Seat) -> T:
        """Empty a seat: it does not act or throw any more, and the others play on."""

    def has_left(self, table: T, seat: Seat) -> bool:
        """Whether a seat was given up."""

    def total(self, table: T, seat: Seat) -> int:
        """The points that a seat has so far."""

    def is_ending(self, table: T) -> bool:
        """Whether somebody's sheet makes the next throw the last."""

    def others_lack(self, table: T, seat: Seat) -> int | None:
        """The entries that the fullest other sheet lacked at the last throw, if a full sheet ends the game."""

    def others(self, table: T, seat: Seat) -> list[S]:
        """The sheets of the other seats, clockwise: on a shared throw, as they were when it fell."""


AnyGame = Game[Any, Any, Any]
"""A game whose tables, sheets and actions are not known by type."""


class Composer(Protocol):
    """Makes a game of several seats from the rules of one sheet: `Shared` or `InTurn`."""

    def __call__(self, solo: Any, traits: Any, rules: str) -> AnyGame:  # noqa: ANN401 - of any game
        """The game that plays a rule set."""


class Par(NamedTuple):
    """The totals of the best known player of a game alone: their mean and standard deviation."""

    mean: float
    spread: float
    is_exact: bool = True  #: computed, not measured


class Traits(Generic[R, S, A]):
    """The traits of a game: its name, its rule sets, and everything in which it differs from the defaults.

    Parts that need more than the rules are named as text, `module:name`, and loaded when they are first asked for:
    so a game never imports its solver.
    """

    name: str  #: by which `find_game` finds it
    composer: Composer  #: how several sheets make a table: `Shared` or `InTurn`
    rule_sets: Mapping[str, R]  #: the rules of each rule set by its name; the first one is the default

    title: str = ""  #: in English; without one, the name
    rule_set_titles: Mapping[str, str] = {}  #: what people call the rule sets, by their names, in English
    blurb: str = ""  #: in English: one or two short sentences for the home page
    first_steps: Sequence[
        str
    ] = ()  #: in English, for a first game: before the first throw, on it, after the first pick
    note: str = ""  #: in English: a word or two for people who choose a game
    family: str = ""  #: in English: the name of a family of games, which the home page shows as one
    member: tuple[str, str] = ("", "")  #: in English: its name in the family, and how it differs
    known_in: Sequence[str] = ()  #: the languages in which it is the best known of its family
    sample: str = ""  #: a sheet to show what the game is, as `read_sheet` takes it; without one, an empty sheet
    sample_ink: Sequence[str] = ()  #: the cells or boxes of it that a picture writes while one looks, in order
    words: Mapping[str, Mapping[str, str]] = {}  #: language -> English text -> translation
    messages: Mapping[str, str] = {}  #: sentences of error codes that only this game has, by code, in English
    shows: Literal["sum", "faces"] = "faces"  #: whether the sum of a throw matters, or its faces
    kind: str = MOST_GAMES  #: the context in our catalogues of texts that grids say in other words: `grid`
    theme: Literal["teal", "plum", "rust"] = "teal"  #: the colours of its pages
    par: Mapping[str, Par] = {}  #: what the best play makes, by rule set, where it is known
    level_means: Mapping[str, float] = {}  #: what bots make on average, by their level, with the first rule set
    badges: Sequence[Badge[R]] = ()  #: what a finished sheet may earn, rare things last

    valuer: str | None = None  #: (game, progress) -> Valuer
    reviewer: str | None = None  #: the same for reviews, where a quicker one must do; by default, `valuer`
    luck: str | None = None  #: (game) -> (sheet before, sheet after a throw) -> luck in points
    reasons: str | None = None  #: (game, sheet, chosen, best, words) -> why the chosen action is worse, or ""
    take_along: str | None = None  #: a module for hints on a phone: write(game, rules), TurnValues
    bots: str | None = None  #: a `kasta.bots.base.Bots`
    solver: str | None = None  #: (game, progress) -> the exact solution that `kasta solve` prints
    distribution: str | None = None  #: (game, progress) -> the chance of every total
    target: str | None = None  #: (game, sheet, total, progress) -> options by the chance of that total or more
    winner: str | None = None  #: (game) -> options by the chance to win
    trainer: str | None = None  #: a `kasta.solve.grid.training.Training`
    coding: str | None = None  #: (solo) -> `kasta.env.coding.Coding`
    bounds: str | None = None  #: (solo) -> `kasta.env.bounds.Bounds`
    kernels: str | None = None  #: a module of kernels that play thousands of games in step

    @cached_property
    def games(self) -> dict[str, AnyGame]:
        """The game for each rule set."""
        return {rules: self.composer(solo, self, rules) for rules, solo in self.rule_sets.items()}

    def say(self, words: Words, text: str, /, **params: object) -> str:
        """A text of this game in a language: by its own words, else by our catalogues, else in English."""
        own = self.words.get(words.language, {}).get(text)
        return words.term(self.name, text, **params) if own is None else own.format_map(params)

    def word(self, words: Words, code: str) -> str:
        """The word for a code such as `two_pairs` in a language."""
        return self.say(words, spelled(code))

    def heading(self, words: Words) -> str:
        """The title in a language, as a page shows it."""
        return self.say(words, self.title or self.name.capitalize())

    def rule_set_title(self, words: Words, rules: str) -> str:
        """The name of a rule set in a language; by default, its identifier with spaces."""
        return self.say(words, self.rule_set_titles.get(rules) or spelled(rules))

    def terms(self) -> Sequence[str]:
        """The English texts that `say` is asked for, so that translators find them."""
        named = (self.title, self.blurb, self.note, self.family, *self.member, *self.rule_set_titles.values())
        return [text for text in (*named, *self.first_steps, *(badge.name for badge in self.badges)) if text]

    def rules_page(self, language: str) -> str:
        """The rules in Markdown: `pages/<language>.md` beside the traits, or in English, or the docstring."""
        package = sys.modules[type(self).__module__].__package__ or ""
        for name in (language, DEFAULT) if package else ():
            page = files(package) / "pages" / f"{name}.md"
            if page.is_file():
                return page.read_text("utf-8")
        return f"# {self.title or self.name.capitalize()}\n\n{cleandoc(type(self).__doc__ or '')}\n"

    def rounds(self, solo: R) -> int | None:
        """The number of rounds of a game; None where it is not fixed. It goes with `round`."""
        return None

    def round(self, solo: R, sheet: S) -> int | None:
        """The round that this sheet is in, counted from 1."""
        return None

    def verdicts(self, language: str, rules: str = "") -> Mapping[str, int]:
        """Names for totals by a rule set, each with the least total for it, in ascending order.

        Printed sheets of one language may have other borders than those of another.
        """
        return {}

    def worth(self, solo: R, name: str, points: int) -> int:
        """How much a line or box of this name has brought: 0 is nothing, 1 little, 2 something, 3 much."""
        return sum(points >= least for least in (1, 3, 8))

    def follow_up(self, solo: R, sheet: S) -> A | None:
        """The next action where there is no choice: the table does it for the player. None where there is one."""
        return None

    def draw(self, solo: R, sheet: S, words: Words) -> Drawing:
        """The drawing of a sheet, with its texts in a language; by default, its text."""
        return Plain(solo.write_sheet(sheet))

    def pad(self, solo: R, words: Words) -> Drawing:
        """The drawing of an empty sheet to be printed: a box's `pays` and a sum's text say what it can bring."""
        return self.draw(solo, solo.start(), words)

    def hint(self, solo: R, sheet: S, words: Words, line: str | None = None) -> str:
        """An instruction for the player; `line` is the line that the player has chosen, if any."""
        return ""

    def last_throw(self, words: Words, names: Sequence[str]) -> str:
        """A sentence for all when the sheets of these players make the next throw the last."""
        return words.say("One last throw!")

    def feast(self, name: str, points: int) -> int:
        """How much to celebrate points that a player has just won with a hand or box of this name.

        0 is nothing, 1 a tick, 2 a smile, 3 a small feast, 4 a big one.
        """
        return sum(points >= least for least in (1, 3, 8))

    def celebrate(self, words: Words, name: str, points: int) -> Feast | None:
        """The feast for points that were won with a hand or box of this name, if there is one."""
        size, word = self.feast(name, points), self.word(words, name)
        return Feast(size, f"{word[:1].upper()}{word[1:]} +{points}") if size else None

    def announce(self, solo: R, sheet: S, kept: Faces, thrown: Faces, words: Words) -> str:
        """A throw in words, to be read out; `kept` are the dice that were not thrown again."""
        return str(sum(thrown)) if self.shows == "sum" else " ".join(map(str, (*kept, *thrown)))

    def cheer(self, solo: R, sheet: S, words: Words) -> Feast | None:
        """How much to celebrate dice that have just fallen; they are on the sheet."""
        return None

    def legend(self, words: Words) -> Legend | None:
        """The table of hands beside the sheet, if there is one."""
        return None

    def spot(self, action: A) -> Spot:
        """Where on the drawing an action is done; by default it gets a button."""
        return Spot()

    def label(self, action: A, words: Words) -> str:
        """The text of the button of an action that has no spot on the drawing."""
        return self.say(words, str(action))

    def phrase(self, action: A, words: Words) -> str:
        """An action as people say it, for advice; by default, its notation."""
        return str(action)


AnyTraits = Traits[Any, Any, Any]


def load(text: str, needs: str = "solve") -> Any:  # noqa: ANN401 - whatever has that name
    """The object that `module:name` or `module` names; `needs` is the extra that brings what it imports."""
    module, _, name = text.partition(":")
    with extra(needs, unless=module.partition(".")[0]):
        found = import_module(module)
    return getattr(found, name) if name else found


def find_valuer(game: AnyGame, progress: Progress = quietly) -> AnyValuer:
    """The valuer of a game. The first call may take seconds; it calls `progress`.

    `Unreadable` is raised for a game that declares none.
    """
    if game.traits.valuer is None:
        raise Unreadable("no_values")
    valuer: AnyValuer = load(game.traits.valuer)(game, progress)
    return valuer


def find_reviewer(game: AnyGame, progress: Progress = quietly) -> AnyValuer:
    """The valuer that reviews of a game go by, for luck and errors alike; else as `find_valuer`."""
    if game.traits.reviewer is None:
        return find_valuer(game, progress)
    reviewer: AnyValuer = load(game.traits.reviewer)(game, progress)
    return reviewer


def find_luck(game: AnyGame) -> Callable[[Any, Any], float] | None:
    """A function that tells a throw's luck in points by the sheets before and after it, if there is one."""
    found: Callable[[Any, Any], float] | None = load(game.traits.luck)(game) if game.traits.luck else None
    return found
