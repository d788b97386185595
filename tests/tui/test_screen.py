"""The screen in the terminal: by Textual's pilot, as text at two sizes, and in a real pseudo-terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pyte
import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Input

from kasta import GAMES, dice, find_game
from kasta.games.drawing import Block
from kasta.i18n import LANGUAGES, words
from kasta.tables import opening
from kasta.tui.board import SheetTable
from kasta.tui.dice import DiceRow
from kasta.tui.reading import AskFirst, Page
from kasta.tui.screen import Screen
from kasta.tui.sitting import Here, is_over, own_to_act
from support.fixtures.golden import Golden

GOLDEN = Path(__file__).parent / "golden"
SIZES = [(80, 24), (120, 40), (50, 24)]
PATIENCE = 60.0


def text_of(app: Screen) -> str:
    strips = app.screen._compositor.render_strips()  # noqa: SLF001 - what is seen, without colours
    lines = ["".join(segment.text for segment in strip).rstrip() for strip in strips]
    return "\n".join(lines).rstrip() + "\n"


async def until(pilot: Pilot[bool], is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, text_of(pilot.app)  # type: ignore[arg-type]
        await pilot.pause(0.01)


async def typed(pilot: Pilot[bool], text: str) -> None:
    if not isinstance(pilot.app.focused, Input):
        await pilot.press("slash")
    for letter in text:
        await pilot.press({" ": "space", "(": "left_parenthesis", ")": "right_parenthesis"}.get(letter, letter))
    await pilot.press("enter")


@pytest.fixture
def fixed_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same throws at every run."""
    monkeypatch.setattr(dice, "new_secret", lambda: bytes(32))
    monkeypatch.setattr(opening, "new_id", lambda: "table")


@pytest.mark.usefixtures("fixed_dice")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
async def test_the_screen_looks_as_it_did(game: str, size: tuple[int, int], golden: Golden):
    here = await Here.open(game, None, ["Ada", "Bo"], ())
    app = Screen(here, words("en"), await here.state())
    async with app.run_test(size=size) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        seat = own_to_act(app.seen)
        assert seat is not None
        await app.act(seat.legal[-1])
        await until(pilot, lambda: "g rules" in text_of(app))
        await pilot.pause()
        shown = text_of(app)
    await here.close()
    golden(GOLDEN / f"{game}-{size[0]}x{size[1]}.txt", shown)


@pytest.mark.parametrize(
    "game", [*list(GAMES)[:3], *(pytest.param(game, marks=pytest.mark.prove) for game in list(GAMES)[3:])]
)
async def test_whole_games_with_the_keys(game: str):
    here = await Here.open(game, None, ["Ada"], ())
    app = Screen(here, words("sv"), await here.state())
    async with app.run_test(size=(100, 40)) as pilot:
        while not is_over(app.seen):
            before = app.seen.seq
            if own_to_act(app.seen) is None:
                await pilot.press("t")
            else:
                await choose(pilot, app)
            await until(pilot, lambda: app.seen.seq > before)  # noqa: B023 - asked at once
        await pilot.pause()
        assert words("sv").say("The game is over") in text_of(app)
        rounds = words("sv").say("Round {turn} of {rounds}", turn="", rounds="").split()[0]
        assert rounds not in text_of(app), "there is no round after the last one"
        if game == "yatzy":  # which is solved: its review is there at once
            await pilot.press("r")
            await until(pilot, lambda: "i stället för" in text_of(app))
            assert "fill " not in text_of(app), "decisions are told in the player's language"
            await pilot.press("escape")
        await pilot.press("n")
        await pilot.pause()
    assert app.return_value is True, "a new game was asked for"
    await here.close()


async def choose(pilot: Pilot[bool], app: Screen) -> None:
    """Go to the nearest place where something can be done, and press Enter there."""
    board = app.query_one(SheetTable)

    def keys(place: tuple[int, int]) -> int:
        return abs(place[0] - board.cursor_row) + abs(place[1] - board.cursor_column)

    row, column = min((place for place, actions in board.spots.items() if actions), key=keys)
    for _ in range(abs(row - board.cursor_row)):
        await pilot.press("down" if row > board.cursor_row else "up")
    for _ in range(abs(column - board.cursor_column)):
        await pilot.press("right" if column > board.cursor_column else "left")
    actions = board.actions_at(row, column)
    is_sure = actions[0] in board.worthless
    await pilot.press("enter", *(["enter"] if is_sure else []))
    if len(actions) > 1:  # a cell may be circled for several lines: it is typed which one is meant
        await until(pilot, lambda: isinstance(app.focused, Input))
        await typed(pilot, actions[0])


@pytest.mark.usefixtures("fixed_dice")
async def test_dice_are_kept_by_their_numbers_and_thrown_again():
    here = await Here.open("yatzy", None, ["Ada"], ())
    app = Screen(here, words("en"), await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        kept = sorted(app.query_one(DiceRow).faces[place] for place in (0, 2))
        await pilot.press("1", "3", "t")
        await until(pilot, lambda: app.seen.turn == 2)
    assert f'"do": "keep {kept[0]} {kept[1]}"' in "\n".join(await here.record())
    await here.close()


@pytest.mark.usefixtures("fixed_dice")
async def test_what_is_refused_is_told_and_a_pick_can_be_taken_back():
    here = await Here.open("knister", None, ["Ada"], ())
    app = Screen(here, words("de"), await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("u")
        await until(pilot, lambda: words("de").say("There is nothing to take back.") in text_of(app))
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        await typed(pilot, "z9")
        await until(pilot, lambda: "z9" in text_of(app))
        await pilot.click(SheetTable, offset=(6, 2))
        await until(pilot, lambda: own_to_act(app.seen) is None)
        await pilot.press("u")
        await until(pilot, lambda: own_to_act(app.seen) is not None)
        await pilot.press("h")
        await until(pilot, lambda: words("de").say("What to expect in the end:") in text_of(app))
    await here.close()


@pytest.mark.usefixtures("fixed_dice")
async def test_news_that_come_late_take_nothing_back():
    here = await Here.open("knister", None, ["Ada"], ())
    app = Screen(here, words("en"), await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        before_the_throw = app.seen
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        await app._show(before_the_throw)  # noqa: SLF001 - as its stream tells it
        assert app.seen.turn == 1
        await pilot.press("u")
        await until(pilot, lambda: words("en").say("There is nothing to take back.") in text_of(app))
        await app._show(await here.state())  # noqa: SLF001
        await pilot.pause()
        assert words("en").say("There is nothing to take back.") in text_of(app)
    await here.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (50, 24)], ids=lambda size: "x".join(map(str, size)))
async def test_all_boxes_of_maxi_are_in_sight(size: tuple[int, int], language: str):
    here = await Here.open("maxi", None, ["Ada", "Bo"], ())
    said, maxi = words(language), find_game("maxi")
    app = Screen(here, said, await here.state())
    async with app.run_test(size=size) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        shown = text_of(app)
        drawn = maxi.traits.draw(maxi.solo, maxi.solo.start(), said)
        assert isinstance(drawn, Block)
        assert [box.label for box in drawn.boxes.values() if box.label not in shown] == []
        assert shown.count("┌───┐") + shown.count("┌─┐") == 6, "and all dice"
    await here.close()


@pytest.mark.usefixtures("fixed_dice")
async def test_a_box_for_nothing_is_filled_by_the_second_enter_and_the_dice_stay():
    here = await Here.open("yatzy", None, ["Ada"], ())
    app = Screen(here, words("en"), await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        await pilot.press("1", "2", "t")
        await until(pilot, lambda: app.seen.turn == 2)
        dice, board = app.query_one(DiceRow).faces, app.query_one(SheetTable)
        row = next(row for (row, _), actions in board.spots.items() if actions == ["fill yatzy"])
        board.move_cursor(row=row, column=1)
        await pilot.press("enter")
        await until(pilot, lambda: "no points" in text_of(app))
        assert app.seen.seats[0].due
        await pilot.press("enter")
        await until(pilot, lambda: not app.seen.seats[0].due)
        await pilot.pause()
        assert len(dice) == 5
        assert app.query_one(DiceRow).faces == dice
    await here.close()


async def test_the_sheets_of_others_are_shown_by_a_key():
    here = await Here.open("knister", None, ["Ada"], ["greedy"])
    said = words("nb")
    app = Screen(here, said, await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        for name, may_write in (("greedy", False), ("Ada", True)):
            await pilot.press("o")
            await until(pilot, lambda: said.say("Sheet of {name}", name=name) in text_of(app))  # noqa: B023
            assert bool(app.query_one(SheetTable).spots) is may_write
    await here.close()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_keys_and_rules_are_read_on_a_page_that_scrolls(language: str):
    here = await Here.open("knister", None, ["Ada"], ())
    said = words(language)
    app = Screen(here, said, await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: said.say("The sheets of the others") in text_of(app))
        await pilot.press("escape", "g")
        await until(pilot, lambda: isinstance(app.screen, Page))
        scroll = app.screen.query_one(VerticalScroll)
        await until(pilot, lambda: scroll.max_scroll_y > 0)
        await pilot.press("end")
        await until(pilot, lambda: scroll.scroll_y == scroll.max_scroll_y)
        await pilot.press("escape", "t")
        await until(pilot, lambda: app.seen.turn == 1)
    await here.close()


async def test_who_stops_in_the_middle_of_a_game_is_asked_first():
    here = await Here.open("knister", None, ["Ada"], ())
    said = words("de")
    app = Screen(here, said, await here.state())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.seen.turn == 1)
        for key in ("ctrl+c", "q"):
            await pilot.press(key)
            await until(pilot, lambda: said.say("Stop in the middle of the game?") in text_of(app))
            assert "quit" not in text_of(app), "no word of Textual's own"
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(app.screen, AskFirst))
        await pilot.press("q", "enter")
        await pilot.pause()
    assert app.return_value is False
    await here.close()


class Terminal:
    """A real pseudo-terminal, and what stands on its screen."""

    def __init__(self, *command: str, **env: str) -> None:
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "kasta", *command],
            dimensions=(24, 80),
            env={**os.environ, "TERM": "xterm", **env},
        )

    def until(self, text: str, *, is_there: bool = True) -> None:
        deadline = time.monotonic() + PATIENCE
        while (text in "\n".join(self._screen.display)) != is_there:
            assert time.monotonic() < deadline, "\n".join(self._screen.display)
            try:
                self._stream.feed(self.child.read_nonblocking(65536, timeout=1))
            except pexpect.TIMEOUT:
                continue


def test_a_whole_game_in_a_real_terminal(tmp_path: Path):
    record = tmp_path / "game.jsonl"
    terminal = Terminal(
        "play", "knister", "--name", "Ada", "--record", str(record), LANG="nb_NO.UTF-8", NO_COLOR="1"
    )
    said = words("nb")
    for number in range(25):
        terminal.until(said.term("knister", "Your turn to throw"))
        terminal.child.send("t")
        terminal.until(said.term("knister", "Your turn to throw"), is_there=False)
        terminal.until(said.say("Round {turn} of {rounds}", turn=number + 1, rounds=25))
        terminal.child.send(f"/{'abcde'[number % 5]}{number // 5 + 1}\r")
    terminal.until(said.say("The game is over"))
    terminal.child.send("q")
    terminal.child.expect(pexpect.EOF)
    assert record.read_text("utf-8").count('"do"') == 25
