"""How a table begins."""

from __future__ import annotations

import secrets
from string import ascii_letters
from typing import NamedTuple

from kasta import dice
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.tables import events as e


class GivenDice(NamedTuple):
    """The dice of a day, for a table of which the id is known: the try that counts, or one for fun."""

    table: str
    day: str
    secret: bytes
    counted: bool


def new_id() -> str:
    """For a table: nobody guesses it, and it begins with a letter, because commands take a dash for an option."""
    return secrets.choice(ascii_letters) + secrets.token_urlsafe(16)[1:]


def opening(
    by: str,
    game: str,
    rules: str | None,
    settings: e.Settings | None,
    previous: str | None,
    day: GivenDice | None = None,
) -> tuple[e.OpenedEvent, bytes]:
    """How a table begins, and the secret of its dice."""
    found = find_game(game, rules)
    if settings and settings.pace is not None and settings.pace < 1:
        raise Unreadable("pace_too_short")
    secret = day.secret if day else dice.new_secret()
    opened = e.OpenedEvent(
        table=day.table if day else new_id(),
        game=found.name,
        rules=found.rules,
        settings=settings or e.Settings(),
        host=by,
        commitment=dice.commitment(secret),
        previous=previous,
        day=day.day if day else None,
        counted=bool(day and day.counted),
    )
    return opened, secret
