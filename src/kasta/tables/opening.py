"""How a table begins, and who gives it dice that others have, too, such as those of a day."""

from __future__ import annotations

import secrets
from string import ascii_letters
from typing import NamedTuple, Protocol

from kasta import dice
from kasta.games import find_game
from kasta.tables import events as e
from kasta.tables.setting_rights import check_pace
from kasta.tables.state import Table


class GivenDice(NamedTuple):
    """The dice of a series, for a table of which the id is known: the try that counts, or one for fun.

    A series is a day (`day/DATE`) or a challenge (`challenge/ID`).
    """

    table: str
    series: str
    secret: bytes
    counted: bool

    def part(self, kind: str) -> str | None:
        """What follows on the kind of the series, if it is of that kind."""
        return self.series.removeprefix(kind) if self.series.startswith(kind) else None


class DiceSource(Protocol):
    """Gives dice to tables. What it does not know, or may not tell yet, is None."""

    async def published(self, dice_id: str, commitment: str) -> str | None:
        """The secret of dice, by the id that their throws are made of."""

    async def known(self, dice_id: str) -> dice.KnownThrows | None:
        """Where the throws of a series were thrown before."""

    async def told_at(self, table: Table) -> float | None:
        """When the secret of a table's dice was told: what was played later does not count."""

    async def best_total(self, table: Table) -> int | None:
        """What the strongest bot has made of the same throws."""


class DiceSources:
    """All who give dice. The first who knows an answer gives it."""

    def __init__(self) -> None:
        self._all: list[DiceSource] = []

    def add(self, source: DiceSource) -> None:
        self._all.append(source)

    async def published(self, dice_id: str, commitment: str) -> str | None:
        for each in self._all:
            if (secret := await each.published(dice_id, commitment)) is not None:
                return secret
        return None

    async def known(self, dice_id: str) -> dice.KnownThrows | None:
        for each in self._all:
            if (found := await each.known(dice_id)) is not None:
                return found
        return None

    async def told_at(self, table: Table) -> float | None:
        for each in self._all:
            if (time := await each.told_at(table)) is not None:
                return time
        return None

    async def best_total(self, table: Table) -> int | None:
        for each in self._all:
            if (total := await each.best_total(table)) is not None:
                return total
        return None


def new_id() -> str:
    """For a table: nobody guesses it, and it begins with a letter, because commands take a dash for an option."""
    return secrets.choice(ascii_letters) + secrets.token_urlsafe(16)[1:]


def opening(
    by: str,
    game: str,
    rules: str | None,
    settings: e.Settings | None,
    previous: str | None,
    given: GivenDice | None = None,
) -> tuple[e.OpenedEvent, bytes]:
    """How a table begins, and the secret of its dice."""
    found = find_game(game, rules)
    check_pace(settings or e.Settings())
    secret = given.secret if given else dice.new_secret()
    opened = e.OpenedEvent(
        table=given.table if given else new_id(),
        game=found.name,
        rules=found.rules,
        settings=settings or e.Settings(),
        host=by,
        commitment=dice.commitment(secret),
        previous=previous,
        day=given.part(dice.DAY) if given else None,
        challenge=given.part(dice.CHALLENGE) if given else None,
        counted=bool(given and given.counted),
    )
    return opened, secret
