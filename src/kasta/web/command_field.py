"""Answers to what is asked in the command field: the throw, a line, the totals. Anything else is an action."""

from __future__ import annotations

from kasta.i18n import Words
from kasta.web.sheets import Grid
from kasta.web.table_page import TablePage


def answer(page: TablePage, text: str, words: Words) -> str | None:
    """The answer to a question, in English or the page's language; None if it is none."""
    question, _, rest = text.strip().lower().partition(" ")
    if question in {"throw", words.say("throw").lower()}:
        thrown = ", ".join(map(str, page.faces))
        return f"{thrown}: {page.total}" if page.faces else words.say("Nothing is thrown yet.")
    if question in {"totals", words.say("totals").lower()}:
        known = [f"{player.name} {player.total}" for player in page.players if player.total is not None]
        return ", ".join(known) or words.say("Points are shown at the end.")
    if question in {"line", words.say("line").lower()} and page.sheet and isinstance(page.sheet.drawn, Grid):
        box = page.sheet.drawn.boxes.get(rest.strip())
        return box.sentence if box else words.say("Lines are 1 to 5, a to e, \\ and /.")
    return None
