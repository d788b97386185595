"""What is told of a table where its link is sent to somebody: in the inviter's language.

Nobody is named, unless the host wants the preview to say who invites.
"""

from __future__ import annotations

from functools import lru_cache

from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.page.models import game_card
from kasta.structs import Struct
from kasta.tables.state import Table

MOST_KEPT = 100


class Invitation(Struct, frozen=True):
    """Title, text and picture of a preview."""

    title: str
    text: str
    picture: str  # its path


@lru_cache(MOST_KEPT)
def invitation(traits: AnyTraits, words: Words, inviter: str = "") -> Invitation:
    game = game_card(traits, words)
    signed = words.say("{name} invites you: {game}", name=inviter, game=game.heading)
    return Invitation(
        signed if inviter else words.say("You are invited: {game}", game=game.heading),
        game.blurb,
        f"/invitation/{game.name}.{words.language}.png",
    )


def inviter(table: Table) -> str:
    """The first name at the host's device, if the host lets the preview of the link tell it."""
    places = [table.places[seat] for seat in table.devices.get(table.host, ()) if table.settings.signed]
    return next((place.name for place in places if not place.is_program), "")
