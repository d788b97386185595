"""What is told of a table where its link is sent to somebody: in the inviter's language, and nobody is named."""

from __future__ import annotations

from functools import lru_cache

from kasta.games.traits import AnyTraits
from kasta.i18n import Words
from kasta.page.models import game_card
from kasta.structs import Struct

MOST_KEPT = 100


class Invitation(Struct, frozen=True):
    """Title, text and picture of a preview."""

    title: str
    text: str
    picture: str  # its path


@lru_cache(MOST_KEPT)
def invitation(traits: AnyTraits, words: Words) -> Invitation:
    game = game_card(traits, words)
    return Invitation(
        words.say("You are invited: {game}", game=game.heading),
        game.blurb,
        f"/invitation/{game.name}.{words.language}.png",
    )
