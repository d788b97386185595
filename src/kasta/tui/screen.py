"""A game on a screen of its own in the terminal: mouse and keys, with Textual."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import DataTable, Input, Static

from kasta.errors import KastaError
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.tui.board import SheetTable
from kasta.tui.dice import DiceRow
from kasta.tui.reviewing import review_said
from kasta.tui.saying import acts_said, end_said, example_of, hints_said, round_said, totals_said, waiting_said
from kasta.tui.sitting import Sitting, game_of, is_over, own_to_act, own_to_undo
from kasta.wire.tables import SeatState, TableState


class Screen(App[None]):
    """The sheet on the left; dice, players and what is asked on the right; below, a line for notation."""

    CSS = """
    #table { height: 1fr; }
    SheetTable { width: auto; min-width: 42; height: 1fr; }
    #beside { width: 1fr; padding: 0 1; }
    #dice { height: 3; }
    #told { height: auto; min-height: 2; }
    #keys { height: 1; text-style: dim; }
    Input { height: 3; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+q", "quit", ""),
        Binding("slash,colon", "write", priority=True),  # at once: what is typed next is for the line
    ]

    def __init__(self, sitting: Sitting, said: Words, state: TableState) -> None:
        super().__init__()
        self._sitting, self._said = sitting, said
        self.seen = state
        self._acting: SeatState | None = None

    def compose(self) -> ComposeResult:
        said = self._said
        with Horizontal(id="table"):
            yield SheetTable(self._said)
            with VerticalScroll(id="beside"):
                yield Static(id="round")
                yield DiceRow(id="dice")
                yield Static(id="told")
                yield Static(id="players")
                yield Static(id="hints")
        keys = [f"t {said.say('Throw the dice')}", f"u {said.say('Take back')}"]
        keys += [f"h {said.say('hint')}", f"/ {said.say('Go')}", f"^q {said.say('quit')}"]
        yield Static("  ".join(keys), id="keys")
        example = example_of(game_of(self.seen))
        yield Input(placeholder=said.say("What you do, such as {example}", example=example), id="line")

    async def on_mount(self) -> None:
        self.set_focus(self.query_one(SheetTable))
        await self._show(self.seen)
        self._watch()

    @work(exclusive=True, group="watch")
    async def _watch(self) -> None:
        async for state in self._sitting.news():
            await self._show(state)

    async def _show(self, state: TableState) -> None:
        """The table as it is now. News may come after the answer that told more: then they change nothing."""
        if state.seq < self.seen.seq:
            return
        if state.seq > self.seen.seq:
            self._tell("hints", "")
        self.seen, self._acting = state, own_to_act(state)
        looked_at = self._acting or next((each for each in state.seats if each.mine), state.seats[0])
        sheets = {seat.seat: await self._sitting.sheet(state, seat.seat) for seat in state.seats}
        if self.seen is not state:
            return
        game = game_of(state)
        self.query_one(SheetTable).show(game, state, looked_at, sheets)
        self.query_one(DiceRow).show(game, sheets[looked_at.seat], state.faces, self._said)
        self._tell("round", round_said(state, sheets[looked_at.seat], self._said))
        self._tell("players", totals_said(state, self._said))
        self._tell("told", "\n".join(self._asked(game, state, sheets[looked_at.seat])))

    def _asked(self, game: AnyGame, state: TableState, sheet: Any) -> list[str]:  # noqa: ANN401 - of any game
        if is_over(state):
            return [*end_said(state, self._said), "", f"r {self._said.say('Review')}"]
        if self._acting is not None:
            return [acts_said(state, self._acting, self._said), game.traits.hint(game.solo, sheet, self._said)]
        if "throw" in state.may:
            return [game.traits.say(self._said, "Your turn to throw")]
        return [waiting_said(state, self._said)]

    def _tell(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(text.replace("[", "\\["))

    # ---- what a person does

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the line itself, these are letters like others."""
        is_line = isinstance(self.focused, Input)
        return False if action == "write" and is_line else super().check_action(action, parameters)

    def action_write(self) -> None:
        self.set_focus(self.query_one(Input))

    async def on_key(self, event: Any) -> None:  # noqa: ANN401 - Textual's
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self.set_focus(self.query_one(SheetTable))
            return
        if event.character and event.character in "123456":
            self.query_one(DiceRow).turn_over(int(event.character) - 1)
        match event.key:
            case "t" | "space":
                await self._throw()
            case "u":
                await self._undo()
            case "h":
                self._hint()
            case "r" if is_over(self.seen):
                self._review()

    async def on_data_table_cell_selected(self, event: DataTable.CellSelected) -> None:
        actions = self.query_one(SheetTable).actions_at(event.coordinate.row, event.coordinate.column)
        if len(actions) == 1:
            await self.act(actions[0])
        elif actions:
            self._tell("hints", " / ".join(actions))
            self.set_focus(self.query_one(Input))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        event.input.clear()
        self.set_focus(self.query_one(SheetTable))
        await (self.act(text) if text else self._throw())

    async def act(self, text: str) -> None:
        """Do it, in notation, with the seat that is to act."""
        if self._acting is None:
            self._tell("hints", self._said.say("Throw the dice first."))
            return
        await self._try(self._sitting.play(self.seen, self._acting, text))

    async def _throw(self) -> None:
        """Throw; where dice may be kept, those that are not kept."""
        if "throw" in self.seen.may:
            await self._try(self._sitting.roll(self.seen))
        elif (again := self.query_one(DiceRow).action) is not None:
            await self.act(again)

    async def _undo(self) -> None:
        if (seat := own_to_undo(self.seen)) is not None:
            await self._try(self._sitting.take_back(self.seen, seat))
        else:
            self._tell("hints", self._said.say("There is nothing to take back."))

    @work(exclusive=True, group="hint")
    async def _hint(self) -> None:
        state, seat = self.seen, self._acting
        if seat is None:
            return
        try:
            choices = await self._sitting.hint(state, seat)
        except KastaError as error:
            self._tell("hints", self._said.error(error))
            return
        if self.seen.seq == state.seq:
            self._tell("hints", "\n".join(hints_said(choices, self._said)))

    @work(exclusive=True, group="review")
    async def _review(self) -> None:
        self._tell("hints", self._said.say("The coach is looking at the game …"))
        try:
            told = "\n".join(review_said(await self._sitting.review(self.seen), self._said))
        except KastaError as error:
            told = self._said.error(error)
        self._tell("hints", told)

    async def _try(self, done: Awaitable[None]) -> None:
        try:
            await done
        except KastaError as error:
            self._tell("hints", self._said.error(error))
            return
        await self._show(await self._sitting.state())
