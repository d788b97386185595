"""The row of reactions on a table's page, for those who play with others, and the button that nudges."""

from __future__ import annotations

from kasta.core import Seat
from kasta.features.reactions.nudges import PATIENCE_SECONDS
from kasta.features.reactions.rights import MOST_NUDGED
from kasta.features.reactions.service import REACTIONS
from kasta.i18n import Words
from kasta.page.component import Fragment, component
from kasta.page.sections import BroughtSection
from kasta.page.table_page import PlayerPart, TablePage


def _read(page: TablePage) -> tuple[str, bool, bool, Seat | None, tuple[str, ...]]:
    """The table, whether there can be reactions, and whether the viewer may react, for which of several seats.

    And who keeps the viewer waiting.
    """
    people = [each for each in page.players if _is_person(each)]
    is_shown = page.settings.reactions and (bool(page.crowd) or len(people) > 1)
    is_on = page.is_seated and is_shown and (bool(page.crowd) or not all(each.is_mine for each in people))
    seat = page.sheet.seat if page.sheet and page.tabs else None
    is_shown = is_shown and (is_on or not page.is_seated)
    return page.id, is_shown, is_on, seat, _waited_for(page) if is_on and page.stage == "play" else ()


def _is_person(player: PlayerPart) -> bool:
    return not (player.is_bot or player.has_left)


def _waited_for(page: TablePage) -> tuple[str, ...]:
    busy = [each for each in page.players if each.is_due or each.is_throwing]
    if page.crowd or len(busy) > MOST_NUDGED or any(each.is_mine for each in busy):
        return ()
    return tuple(each.name for each in busy if _is_person(each))


@component("reactions/bar.html")
def _bar(
    said: Words,
    table: str,
    is_shown: bool,  # noqa: FBT001 - as `_read` gives it
    is_on: bool,  # noqa: FBT001
    seat: Seat | None,
    waited_for: tuple[str, ...],
    labels: tuple[tuple[str, str], ...],
    patience: float,
) -> None:
    """Six buttons, and the one that nudges once those who are missing have been waited for long enough."""


def _draw(
    said: Words,
    table: str,
    is_shown: bool,  # noqa: FBT001
    is_on: bool,  # noqa: FBT001
    seat: Seat | None,
    waited_for: tuple[str, ...],
) -> Fragment:
    labels = tuple((name, said.say(text)) for name, text in REACTIONS.items())
    return _bar(said, table, is_shown, is_on, seat, waited_for, labels, PATIENCE_SECONDS)


BAR = BroughtSection(_read, _draw)
