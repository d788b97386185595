"""What a table's page needs to call somebody back whose turn it is: its script, and whether it is their turn."""

from __future__ import annotations

from kasta.i18n import Words
from kasta.page.component import Fragment, component
from kasta.page.sections import BroughtSection
from kasta.page.table_page import TablePage


def _read(page: TablePage) -> tuple[str, bool, bool]:
    """The table, whether others may wait for the viewer there, and whether they do."""
    people = [each for each in page.players if not (each.is_bot or each.has_left)]
    waits = page.stage == "lobby" and page.settings.listed and page.is_host  # for strangers
    with_others = page.is_seated and not page.crowd and (waits or not all(each.is_mine for each in people))
    throws = page.settings.thrower == "turn"  # whoever is said to
    is_due = any(each.is_mine and (each.is_due or (throws and each.is_throwing)) for each in people)
    is_due = page.seats > 1 if waits else is_due and page.stage == "play"
    return page.id, with_others, with_others and is_due


@component("notices/waiting.html")
def _waiting(said: Words, table: str, with_others: bool, is_due: bool) -> None:  # noqa: FBT001 - as `_read` gives it
    """Nothing that is seen."""


def _draw(said: Words, table: str, with_others: bool, is_due: bool) -> Fragment:  # noqa: FBT001
    return _waiting(said, table, with_others, is_due)


WAITING = BroughtSection(_read, _draw)
