"""Answers to what is asked in the command field: the throw, a line, the totals. Anything else is an action."""

from __future__ import annotations

from kasta.i18n import Words
from kasta.page.sheet_model import GridPart
from kasta.page.table_page import TablePage


def answer(page: TablePage, text: str, words: Words) -> str | None:
    """The answer to a question, in English or the page's language; None if it is none."""
    question, _, rest = text.strip().lower().partition(" ")
    if question in {"throw", words.say("throw").lower()}:
        faces = page.dice.faces
        return f"{', '.join(map(str, faces))}: {sum(faces)}" if faces else words.say("Nothing is thrown yet.")
    if question in {"totals", words.say("totals").lower()}:
        known = [f"{player.name} {player.total}" for player in page.players if player.total is not None]
        return ", ".join(known) or words.say("Points are shown at the end.")
    if question in {"line", words.say("line").lower()} and page.sheet and page.sheet.drawn:
        part = page.sheet.drawn.part
        if isinstance(part, GridPart):
            lines = part.grid.lines
            line = lines.get(rest.strip())
            return line.sentence if line else words.say("Lines are {names}.", names=", ".join(lines))
    return None
