"""Playing line by line: made for screen readers, scripts and pipes. An empty line throws."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing

from kasta.errors import KastaError
from kasta.i18n import Words
from kasta.tui.reviewing import review_said
from kasta.tui.saying import (
    acts_said,
    end_said,
    example_of,
    hints_said,
    moves_said,
    round_said,
    sheet_said,
    throw_said,
    totals_said,
    waiting_said,
)
from kasta.tui.sitting import Sitting, game_of, is_over, on_the_table, own_to_act, own_to_undo
from kasta.wire.tables import SeatState, TableState

Read = Callable[[str], Awaitable[str | None]]
"""Asks for a line, and gives it; None at the end of the input."""
Tell = Callable[[str], None]


def commands(said: Words) -> dict[str, str]:
    """What can be asked for beside acting, in English and in the player's own words."""
    return {
        "sheet": said.say("sheet"),
        "totals": said.say("totals"),
        "throw": said.say("throw"),
        "moves": said.say("moves"),
        "hint": said.say("hint"),
        "back": said.say("back"),
        "help": said.say("help"),
        "quit": said.say("quit"),
    }


class Quit(Exception):  # noqa: N818 - nothing went wrong
    """Somebody wants to stop."""


class PlainGame:
    """A game in lines: what has happened is told, and a line is asked for when something can be done."""

    def __init__(self, sitting: Sitting, said: Words, read: Read, tell: Tell) -> None:
        self._sitting, self._said, self._read, self._tell = sitting, said, read, tell
        self._own_words = {name: own.lower() for name, own in commands(said).items()}
        answers = {name: getattr(self, f"_{name}") for name in self._own_words}
        self._commands = answers | {own: answers[name] for name, own in self._own_words.items()}
        self._turn = 0
        self._waiting = ""

    async def play(self) -> None:
        """Play until the end, or until the input ends."""
        await self._help(await self._sitting.state())
        try:
            async with aclosing(self._sitting.news()) as news:  # type: ignore[type-var]
                async for state in news:
                    if not await self._go_on(state):
                        return
        except Quit:
            return

    async def _go_on(self, state: TableState) -> bool:
        """Ask as long as there is something to do here; whether the game goes on."""
        while not is_over(state):
            seat = own_to_act(state)
            if seat is None and "throw" not in state.may:
                self._tell_once(waiting_said(state, self._said))
                return True  # others are to act
            await self._tell_throw(state)
            await self._ask(state, seat)
            state = await self._sitting.state()
        await self._tell_throw(state)
        self._tell_all(end_said(state, self._said))
        await self._look_back(state)
        return False

    async def _look_back(self, state: TableState) -> None:
        """The review, if somebody asks for it."""
        word = self._said.say("review")
        line = await self._read(self._said.say("Enter ends, “{word}” looks back", word=word) + ": ")
        if (line or "").strip().lower() not in {word, "review"}:
            return
        try:
            self._tell_all(review_said(game_of(state), await self._sitting.review(state), self._said))
        except KastaError as error:
            self._tell(self._said.error(error))

    def _tell_once(self, text: str) -> None:
        """What is waited for, unless that was said last."""
        if text and text != self._waiting:
            self._tell(text)
        self._waiting = text

    async def _tell_throw(self, state: TableState) -> None:
        if state.turn == self._turn or not state.faces:
            return
        self._turn = state.turn
        first = state.seats[0]
        place = round_said(state, await self._sitting.sheet(state, first.seat), self._said)
        self._tell(". ".join(part for part in (place, await self._thrown(state)) if part))

    async def _thrown(self, state: TableState) -> str:
        """The dice, as they lie on the sheet of whoever threw."""
        sheet = await self._sitting.sheet(state, on_the_table(state))
        return throw_said(state, sheet, self._said)

    async def _ask(self, state: TableState, seat: SeatState | None) -> None:
        asked = acts_said(state, seat, self._said) if seat else self._said.say("Enter throws")
        line = await self._read(f"{asked}: ")
        if line is None:
            raise Quit
        try:
            await self._do(line.strip(), state, seat)
        except KastaError as error:
            self._tell(self._said.error(error))

    async def _do(self, line: str, state: TableState, seat: SeatState | None) -> None:
        command = self._commands.get(line.lower())
        word, _, name = line.partition(" ")
        whose = next((each for each in state.seats if each.name.casefold() == name.strip().casefold()), None)
        if not line and seat is None:
            await self._sitting.roll(state)
        elif whose is not None and word.lower() in {"sheet", self._own_words["sheet"]}:
            await self._sheet(state, whose)
        elif command is not None:
            await command(state, seat)
        elif seat is not None and line:
            await self._sitting.play(state, seat, line)
        else:
            await self._help(state)

    def _looked_at(self, state: TableState, seat: SeatState | None) -> SeatState:
        return seat or next((each for each in state.seats if each.mine), state.seats[0])

    # ---- commands, by their English words

    async def _sheet(self, state: TableState, seat: SeatState | None) -> None:
        looked_at = self._looked_at(state, seat)
        sheet = await self._sitting.sheet(state, looked_at.seat)
        self._tell_all(sheet_said(state, looked_at, sheet, self._said))

    async def _totals(self, state: TableState, _: SeatState | None) -> None:
        self._tell(totals_said(state, self._said))

    async def _throw(self, state: TableState, _: SeatState | None) -> None:
        self._tell(await self._thrown(state) if state.faces else self._said.say("Nothing is thrown yet."))

    async def _moves(self, state: TableState, seat: SeatState | None) -> None:
        looked_at = self._looked_at(state, seat)
        sheet = await self._sitting.sheet(state, looked_at.seat)
        lines = list(moves_said(state, looked_at, sheet, self._said))
        self._tell_all(lines or [self._said.say("Throw the dice first.")])

    async def _hint(self, state: TableState, seat: SeatState | None) -> None:
        if seat is None:
            self._tell(self._said.say("Throw the dice first."))
        else:
            self._tell_all(hints_said(game_of(state), await self._sitting.hint(state, seat), self._said))

    async def _quit(self, _state: TableState, _seat: SeatState | None) -> None:
        raise Quit

    async def _back(self, state: TableState, _: SeatState | None) -> None:
        if (seat := own_to_undo(state)) is None:
            self._tell(self._said.say("There is nothing to take back."))
        else:
            await self._sitting.take_back(state, seat)

    async def _help(self, state: TableState, _: SeatState | None = None) -> None:
        game = game_of(state)
        asked = self._said.say("What you do, such as {example}", example=example_of(game))
        self._tell(f"{game.traits.heading(self._said)}. {asked}")
        self._tell(self._said.say("Or: {words}", words=", ".join(self._own_words.values())))

    def _tell_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._tell(line)
