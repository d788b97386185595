"""What a game says of itself: one object that everything else asks, with a general answer to every question."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from kasta.core import A, Faces, Next, S, Seat, Solo
from kasta.errors import Unreadable
from kasta.extras import extra
from kasta.games.drawing import Drawing, Legend, Plain, Spot
from kasta.i18n import DEFAULT, Words, spelled
from kasta.values import AnyValuer, Progress, quietly

T = TypeVar("T")
R = TypeVar("R", bound=Solo[Any, Any])


class Game(Protocol[T, S, A]):
    """A game for any number of seats, which are numbered clockwise from 0; the first throw is seat `first`'s.

    Tables `T` are frozen: what happens gives a new one. `hides_picks` tells whether seats act without seeing what
    others do on the same throw.
    """

    hides_picks: ClassVar[bool]

    @property
    def solo(self) -> Solo[S, A]:
        """The rules of one sheet."""

    @property
    def traits(self) -> AnyTraits:
        """What the game says of itself."""

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> str:
        """The name of its rule set."""

    def start(self, seats: int, first: Seat = 0) -> T: ...
    def next(self, table: T) -> Next: ...
    def sheet(self, table: T, seat: Seat) -> S: ...
    def legal(self, table: T, seat: Seat) -> Sequence[A]: ...
    def throw(self, table: T, faces: Faces) -> T: ...
    def act(self, table: T, seat: Seat, action: A) -> T: ...
    def take_back(self, table: T, seat: Seat) -> T: ...
    def leave(self, table: T, seat: Seat) -> T: ...
    def has_left(self, table: T, seat: Seat) -> bool: ...
    def total(self, table: T, seat: Seat) -> int: ...


AnyGame = Game[Any, Any, Any]


class Composer(Protocol):
    """Makes a game of several seats from the rules of one sheet: `Shared` or `InTurn`."""

    def __call__(self, solo: Any, traits: Any, rules: str) -> AnyGame: ...  # noqa: ANN401 - of any game


class Traits(Generic[R, S, A]):
    """A game: its name, its rule sets, and whatever else it has to say. Override what the general answer misses.

    Parts that need more than the rules are named as text, `module:name`, and loaded when they are first asked for:
    so a game never imports its solver.
    """

    name: str
    composer: Composer
    rule_sets: Mapping[str, R]  # by name; the first one is the default

    title: str = ""  # in English; without one, the name
    blurb: str = ""  # in English: one sentence for the home page
    words: Mapping[str, Mapping[str, str]] = {}  # language -> English -> translation, beside our own catalogues
    messages: Mapping[str, str] = {}  # sentences of error codes that only this game has, in English
    shows: Literal["sum", "faces"] = "faces"  # what matters of a throw
    draws_dice: bool = False  # whether its drawn sheets show the dice, so that nobody else has to
    theme: Literal["teal", "plum", "rust"] = "teal"  # the colours of its pages

    valuer: str | None = None  # (game, progress) -> Valuer
    luck: str | None = None  # (game) -> how lucky a throw was, told by the sheets before and after it
    bots: str | None = None  # a `kasta.bots.base.Bots`
    solver: str | None = None  # (game, progress) -> the exact solution, as `kasta solve` tells of it
    distribution: str | None = None  # (game, progress) -> the chance of every total
    target: str | None = None  # (game, sheet, total, progress) -> options by the chance of that total
    winner: str | None = None  # (game) -> options by the chance to win
    trainer: str | None = None  # a `kasta.solve.grid.training.Training`
    coding: str | None = None  # (solo) -> `kasta.env.coding.Coding`
    bounds: str | None = None  # (solo) -> `kasta.env.bounds.Bounds`
    kernels: str | None = None  # a module: thousands of games in step

    @cached_property
    def games(self) -> dict[str, AnyGame]:
        """The game for each rule set."""
        return {rules: self.composer(solo, self, rules) for rules, solo in self.rule_sets.items()}

    def say(self, words: Words, text: str, /, **params: object) -> str:
        """A text of this game in a language: by its own words, else by our catalogues, else in English."""
        own = self.words.get(words.language, {}).get(text)
        return words.term(self.name, text, **params) if own is None else own.format_map(params)

    def word(self, words: Words, code: str) -> str:
        """What a code such as `two_pairs` is called."""
        return self.say(words, spelled(code))

    def heading(self, words: Words) -> str:
        """The title, as a page shows it."""
        return self.say(words, self.title or self.name.capitalize())

    def terms(self) -> Sequence[str]:
        """English words of this game that `say` is asked for, so that translators find them."""
        return [text for text in (self.title, self.blurb) if text]

    def rules_page(self, language: str) -> str:
        """The rules in Markdown: `pages/<language>.md` beside the traits, or in English, or the docstring."""
        pages = files(sys.modules[type(self).__module__].__package__ or "") / "pages"
        for page in (pages / f"{language}.md", pages / f"{DEFAULT}.md"):
            if page.is_file():
                return page.read_text("utf-8")
        return f"# {self.title or self.name.capitalize()}\n\n{type(self).__doc__ or ''}\n"

    def rounds(self, solo: R) -> int | None:
        """How many rounds a game has, None where that is not fixed or not counted."""
        return None

    def round(self, solo: R, sheet: S) -> int:
        """The round that comes after this sheet, counted from 1."""
        return 1

    def verdicts(self, language: str) -> Mapping[str, int]:
        """What a total is called when playing alone, and the least total for it; empty where no sheet says."""
        return {}

    def follow_up(self, solo: R, sheet: S) -> A | None:
        """The next action where a sheet leaves no choice: the table does it for the player."""
        return None

    def draw(self, solo: R, sheet: S, words: Words) -> Drawing:
        """The sheet, drawn and said."""
        return Plain(solo.write_sheet(sheet))

    def hint(self, solo: R, sheet: S, words: Words, line: str | None = None) -> str:
        """What is to be done on the sheet now; `line` is the one that the player has chosen to act for."""
        return ""

    def legend(self, words: Words) -> Legend | None:
        """What to know beside the sheet."""
        return None

    def spot(self, action: A) -> Spot:
        """Where on the drawing an action is done."""
        return Spot()

    def label(self, action: A, words: Words) -> str:
        """What the button of an action says that has no spot."""
        return self.say(words, str(action))


AnyTraits = Traits[Any, Any, Any]


def load(text: str, needs: str = "solve") -> Any:  # noqa: ANN401 - whatever has that name
    """What `module:name` means, or a whole `module`; `needs` is the extra that brings what it imports."""
    module, _, name = text.partition(":")
    with extra(needs):
        found = import_module(module)
    return getattr(found, name) if name else found


def find_valuer(game: AnyGame, progress: Progress = quietly) -> AnyValuer:
    """Who knows what the choices in a game are worth, ready to be asked: the first time that may take a while."""
    if game.traits.valuer is None:
        raise Unreadable("no_values")
    valuer: AnyValuer = load(game.traits.valuer)(game, progress)
    return valuer


def find_luck(game: AnyGame) -> Callable[[Any, Any], float] | None:
    """How lucky a throw was, told by the sheets before and after it; None in a game that does not estimate it."""
    found: Callable[[Any, Any], float] | None = load(game.traits.luck)(game) if game.traits.luck else None
    return found
