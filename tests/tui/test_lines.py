"""Playing line by line: through a pipe, and every game by somebody who types the first thing that is legal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest

from kasta import GAMES
from kasta.i18n import LANGUAGES, words
from kasta.record import walk
from kasta.tui.plain import PlainGame, commands
from kasta.tui.sitting import Here, is_over, own_to_act

CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_through_a_pipe_in_the_language_of_the_terminal(language: str, tmp_path: Path):
    record = tmp_path / "game.jsonl"
    typed = "".join(f"\n{cell}\n" for cell in CELLS)
    done = subprocess.run(
        [sys.executable, "-m", "kasta", "play", "knister", "--name", "Ada", "--record", str(record)],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LANG": f"{language}_XX.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""},
    )
    assert done.returncode == 0, done.stderr
    said = words(language)
    assert said.say("Round {turn} of {rounds}", turn=25, rounds=25) in done.stdout
    assert said.say("The game is over") in done.stdout
    with record.open("rb") as lines:
        *_, last = walk(lines)
    assert f"{said.say('Total')} {last.game.total(last.table, 0)}" in done.stdout


class Typist:
    """Types the first legal action when asked to act, and Enter when the dice are to be thrown."""

    def __init__(self, sitting: Here, first: Sequence[str] = ()) -> None:
        self._sitting, self._first = sitting, iter(first)
        self.asked: list[str] = []

    async def read(self, prompt: str) -> str | None:
        self.asked.append(prompt)
        if (line := next(self._first, None)) is not None:
            return line
        seat = own_to_act(await self._sitting.state())
        return seat.legal[0] if seat else ""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("names", [("Ada",), ("Ada", "Bo")])
async def test_whole_games_of_every_kind(game: str, names: tuple[str, ...]):
    here = await Here.open(game, None, names, ())
    told: list[str] = []
    try:
        typist = Typist(here)
        await PlainGame(here, words("en"), typist.read, told.append).play()
        *_, last = walk(BytesIO("\n".join(await here.record()).encode()))
    finally:
        await here.close()
    for seat, name in enumerate(names):
        total = last.game.total(last.table, seat)
        assert any(line.endswith(f"{name} {total}" if len(names) > 1 else f"Total {total}") for line in told)
    if len(names) > 1:
        assert any(prompt.startswith("Bo picks") for prompt in typist.asked)


async def test_bots_play_along():
    here = await Here.open("knister", None, ["Ada"], ["greedy", "greedy"])
    told: list[str] = []
    try:
        await PlainGame(here, words("en"), Typist(here).read, told.append).play()
    finally:
        await here.close()
    assert any("greedy 2" in line for line in told[-3:])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_questions_are_answered_and_nonsense_loses_nothing(language: str):
    said = words(language)
    own = commands(said)
    typed = [
        own["help"],
        own["back"],
        own["throw"],
        "",
        "c9",
        "c3",
        own["back"],
        "d4",
        own["sheet"].upper(),
        "",
        "quit",
    ]
    here = await Here.open("knister", None, ["Ada"], ())
    told: list[str] = []
    try:
        await PlainGame(here, said, Typist(here, typed).read, told.append).play()
        state = await here.state()
    finally:
        await here.close()
    assert said.say("There is nothing to take back.") in told
    assert said.say("Nothing is thrown yet.") in told
    assert any("c9" in line for line in told)
    row = next(line for line in told if line.startswith("4 "))
    assert row.split()[4].isdecimal(), "what was thrown stands in d4"
    assert state.turn == 2


async def test_a_hint_has_three_choices_with_what_to_expect():
    here = await Here.open("yatzy", None, ["Ada"], ())
    told: list[str] = []
    try:
        await PlainGame(here, words("en"), Typist(here, ["", "hint", "quit"]).read, told.append).play()
    finally:
        await here.close()
    after = told[told.index("What to expect in the end:") + 1 :]
    values = [float(line.split()[-1]) for line in after]
    assert len(values) == 3
    assert values == sorted(values, reverse=True)


async def test_moves_are_told_one_a_line_or_by_rows_with_their_meaning():
    told: dict[str, list[str]] = {}
    for game, typed in (("yatzy", ["", "moves", "sheet bo", "quit"]), ("knister", ["", "drag", "quit"])):
        here = await Here.open(game, None, ["Ada", "Bo"], ())
        told[game] = []
        said = words("en" if game == "yatzy" else "sv")
        try:
            await PlainGame(here, said, Typist(here, typed).read, told[game].append).play()
        finally:
            await here.close()
    yatzy, knister = told["yatzy"], told["knister"]
    assert any(line.startswith("Throw 1 of 3: ") for line in yatzy)
    assert any(re.fullmatch(r"keep( [1-6])+", line) for line in yatzy)
    assert any(re.fullmatch(r"fill chance: chance, \d+ points", line) for line in yatzy)
    assert "Sheet of Bo" in yatzy
    assert knister[-5:] == [", ".join(f"{column}{row}" for column in "abcde") for row in range(1, 6)]


async def test_at_the_end_the_own_game_is_looked_back_at():
    here = await Here.open("yatzy", None, ["Ada"], ["greedy"])
    told: list[str] = []

    async def read(_prompt: str) -> str:
        state = await here.state()
        seat = own_to_act(state)
        return "bilan" if is_over(state) else seat.legal[-1] if seat else ""

    try:
        await PlainGame(here, words("fr"), read, told.append).play()
        total = next(seat.total for seat in (await here.state()).seats if seat.name == "Ada")
    finally:
        await here.close()
    first = next(place for place, line in enumerate(told) if line.startswith(f"Ada: {total} point"))
    assert re.search(r"= \d+,\d\d attendus [+-]\d+,\d\d de chance -\d+,\d\d perdus$", told[first])
    assert "points perdus par décision ouverte" in told[first + 1]
    assert all(re.match(r"tour \d+, .*: .* au lieu de .*: -\d+,\d\d", line) for line in told[first + 2 :])
    assert len(told) == first + 7


def test_a_bot_that_is_not_there_is_told_before_anything_begins():
    done = subprocess.run(
        [sys.executable, "-m", "kasta", "play", "maxi", "--bot", "casual"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "There is no bot 'casual'" in done.stderr
    assert not done.stdout
