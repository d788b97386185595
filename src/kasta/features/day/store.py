"""What a store keeps of the throws of the day: the secret of each game and day, and whose try counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from kasta.dice import DAY, commitment


class DayDice(NamedTuple):
    """The dice of a game on a day, known by their commitment since they were `made`.

    `ended` is when a look at the clock first found the day over, `told` when the secret was published, `best` what
    the strongest bot made of them: each is None before.
    """

    day: str
    game: str
    secret: bytes
    made: float
    ended: float | None = None
    told: float | None = None
    best: int | None = None

    @property
    def commitment(self) -> str:
        return commitment(self.secret)

    @property
    def told_secret(self) -> str | None:
        """The secret, if everybody may know it."""
        return None if self.told is None else self.secret.hex()


def day_kind(day: str, *, counted: bool = True) -> str:
    """The kind of a day's results: those that are compared, and those for fun."""
    return f"{DAY}{day}" if counted else f"fun/{day}"


class DayTry(NamedTuple):
    """A game with the dice of a day, at a table of its own: the one that counts, or one for fun."""

    dice: DayDice
    table: str
    counted: bool


class DayDone(NamedTuple):
    """A counted try that was finished in time; `shown` is the name with which its player is on the board."""

    day: str
    game: str
    table: str
    total: int
    shown: str | None


class Answer(NamedTuple):
    """What a device chose in a puzzle of a game, and its rating from then on."""

    game: str
    number: int
    chosen: str
    rating: float
    at: float


class Answered(NamedTuple):
    """An answer, and the device that gave it."""

    device: str
    answer: Answer


class DayBook(ABC):
    """The days of all nodes that serve a store: whoever writes first has made a day's dice for all of them."""

    @abstractmethod
    async def keep(self, dice: DayDice) -> DayDice:
        """The dice of a day and game: these, if there were none."""

    @abstractmethod
    async def find(self, day: str, game: str) -> DayDice | None: ...

    @abstractmethod
    async def since(self, day: str) -> list[DayDice]:
        """All dice of that day and later ones, the latest day first."""

    @abstractmethod
    async def untold(self) -> list[DayDice]:
        """The dice of all days whose secret is not published yet."""

    @abstractmethod
    async def set_ended(self, day: str, at: float | None) -> None:
        """A look found a day over that no look before had, or a later one takes that back."""

    @abstractmethod
    async def tell(self, day: str, at: float) -> None:
        """Publish the secrets of a day. Whose try counted need not be known any more."""

    @abstractmethod
    async def set_best(self, day: str, game: str, total: int) -> None: ...

    @abstractmethod
    async def begin(self, day: str, game: str, device: str, table: str) -> str:
        """The table of the try that counts for a device: this one, if it has not begun any."""

    @abstractmethod
    async def counted(self, day: str, device: str) -> dict[str, str]:
        """The tables of a device's counted tries by game, while the day lasts."""

    @abstractmethod
    async def done(self, device: str) -> list[DayDone]:
        """The counted tries that a device has finished, among its results; the latest day first."""

    @abstractmethod
    async def answer(self, device: str, answer: Answer) -> None:
        """Keep the answer to a puzzle, unless it was answered before."""

    @abstractmethod
    async def answers(self, device: str) -> list[Answer]:
        """A device's answers, the first one first."""

    @abstractmethod
    async def silent(self, since: float) -> list[str]:
        """The devices whose last answer was given before that."""

    @abstractmethod
    async def forget(self, device: str, to: str | None = None) -> None:
        """Forget a device's answers, or give them to another."""
