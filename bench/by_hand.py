"""Tray and sheet, which every pick draws anew: put together by hand, and the same HTML by a Jinja template.

Plays Knister alone. `python bench/by_hand.py` prints microseconds for one pick, the mean of a whole game.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from jinja2 import Template

from kasta.edge.templates import environment
from kasta.i18n import words
from kasta.live.page_state import PageState
from kasta.page.component import Fragment
from kasta.page.sections import SECTIONS
from kasta.page.table_page import TablePage, table_page
from kasta.tables.commands import Command, Play, Roll, Sit, decide
from kasta.tables.events import OpenedEvent, Settings
from kasta.tables.rights import all_present
from kasta.tables.state import evolve

SAID = words("sv")
CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
TEMPLATES = Path(__file__).parent / "by_hand_templates"


def pages() -> list[TablePage]:
    """A game alone: the page after each pick."""
    table, found = evolve(None, OpenedEvent("t", "knister", "sheet", Settings(), "anna", "")), []

    def do(command: Command) -> None:
        nonlocal table
        table = evolve(table, decide(table, command))

    do(Sit("anna", "Anna"))
    for turn, cell in enumerate(CELLS[:-1], 1):
        do(Roll("anna", turn - 1, (1 + turn % 6, 1 + turn * 5 % 6)))
        do(Play("anna", turn, 0, 0, cell))
        found.append(table_page(table, "anna", SAID, all_present))
    return found


def by_hand(section: str) -> Callable[[TablePage], str]:
    def draw(page: TablePage) -> str:
        made: Fragment = SECTIONS[section].draw(SAID, page, SECTIONS[section].arguments(page))
        return made.__html__()

    return draw


def by_template(template: Template) -> Callable[[TablePage], str]:
    def draw(page: TablePage) -> str:
        sheet = page.sheet
        if sheet is None or page.round is None:
            raise ValueError(page)
        turn, rounds = page.round
        told = SAID.say("Round {turn} of {rounds}", turn=turn, rounds=rounds)
        caption = SAID.say("Sheet of {name}", name=sheet.name)
        return template.render(page=page, sheet=sheet, part=sheet.drawn.part, round=told, caption=caption)

    return draw


def only_changes(played: Sequence[TablePage]) -> None:
    state = PageState()
    for page in played:
        for name in ("status", "mine"):
            state.update_section(name, SECTIONS[name].draw(SAID, page, SECTIONS[name].arguments(page)))


def microseconds(work: Callable[[], object], count: int, rounds: int) -> float:
    """For each of so many, by the best of all rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    played, env = pages(), environment(SAID.language)
    print("| | by hand, µs | template, µs |\n| --- | --: | --: |")
    for name, section in (("tray", "status"), ("sheet", "mine")):
        text = (TEMPLATES / f"{name}.html").read_text("utf-8")
        hand, template = by_hand(section), by_template(env.from_string(text))
        for page in played:
            if "".join(hand(page).split()) != "".join(template(page).split()):
                raise ValueError(f"{hand(page)}\n{template(page)}")
        ours, theirs = (
            microseconds(lambda draw=draw: [*map(draw, played)], len(played), rounds)  # type: ignore[misc]
            for draw in (hand, template)
        )
        print(f"| {name} | {ours:.0f} | {theirs:.0f} |")
    changes = microseconds(lambda: only_changes(played), len(played), rounds)
    print(f"| what a pick changes of both | {changes:.0f} | |")


if __name__ == "__main__":
    main()
