"""A game on a screen of its own in the terminal: mouse and keys, with Textual."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Mapping
from typing import Any, ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import DataTable, Footer, Input, Static

from kasta.core import Seat
from kasta.errors import KastaError
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.tui.board import SheetTable
from kasta.tui.dice import DiceRow
from kasta.tui.reading import AskFirst, Page, lines_to_read, rules_to_read
from kasta.tui.reviewing import review_said
from kasta.tui.saying import acts_said, end_said, example_of, hints_said, round_said, totals_said, waiting_said
from kasta.tui.sitting import Sitting, game_of, is_over, on_the_table, own_to_act, own_to_undo
from kasta.wire.tables import SeatState, TableState

NARROW = 72  # columns: below, what is said stands under the sheet
AROUND = 4  # lines that the sheet does not get: title, keys, its frame
BELOW = 8  # the same on a narrow screen, with the dice and what is said


class Screen(App[bool]):
    """The sheet; dice, players and what is asked beside it, or below where the screen is narrow; keys at the foot.

    It returns whether a new game is wanted.
    """

    CSS = """
    #title { height: 1; padding: 0 1; background: $primary; color: $text; text-style: bold; }
    #table { height: 1fr; layout: horizontal; }
    SheetTable { width: auto; height: 1fr; border: round $primary; border-title-style: bold; }
    SheetTable:focus { border: round $accent; }
    #beside { width: 1fr; min-width: 26; padding: 0 1; }
    #dice { height: 3; }
    #told { height: auto; }
    #more { height: 1fr; }
    #players { height: auto; padding-top: 1; color: $text-muted; }
    .narrow #players { padding-top: 0; }
    #hints { height: auto; color: $text-accent; }
    #line { display: none; height: 1; border: none; padding: 0 1; }
    #line.open { display: block; }
    .narrow #table { layout: vertical; }
    .narrow SheetTable, .narrow SheetTable:focus { width: 1fr; height: auto; border: none; }
    .narrow #beside { width: 1fr; height: 1fr; min-height: 6; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,colon", "write", priority=True, show=False),  # at once: what is typed next is for the line
        Binding("ctrl+q", "stop", show=False, priority=True),
    ]

    def __init__(self, sitting: Sitting, said: Words, state: TableState) -> None:
        super().__init__()
        self._sitting, self._said = sitting, said
        self.seen = state
        self._acting: SeatState | None = None
        self._sheets: Mapping[Seat, Any] = {}
        self._viewed: Seat | None = None  # another's sheet, that somebody wants to see
        self._sure = ""  # an action for no points that was chosen once
        for keys, action, text in (
            ("t,space", "throw", said.say("throw")),
            ("u", "undo", said.say("back")),
            ("h", "hint", said.say("hint")),
            ("o", "others", said.say("others")),
            ("r", "review", said.say("review")),
            ("n", "again", said.say("new game")),
            ("g", "rules", said.say("rules")),
            ("question_mark,f1", "help", said.say("help")),
            ("q", "stop", said.say("quit")),
        ):
            self.bind(keys, action, description=text, key_display="?" if action == "help" else keys[0])

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Container(id="table"):
            yield SheetTable(self._said)
            with Vertical(id="beside"):
                yield DiceRow(id="dice")
                yield Static(id="told")
                with VerticalScroll(id="more"):
                    yield Static(id="hints")
                    yield Static(id="players")
        example = example_of(game_of(self.seen))
        yield Input(placeholder=self._said.say("What you do, such as {example}", example=example), id="line")
        yield Footer(compact=True, show_command_palette=False)

    async def on_mount(self) -> None:
        self.query_one("#more").can_focus = False
        self.set_focus(self.query_one(SheetTable))
        await self._show(self.seen)
        self._watch()

    async def on_resize(self) -> None:
        self.screen_stack[0].set_class(self.size.width < NARROW, "narrow")
        if self._sheets:
            self._draw()

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
            self._sure = ""
        if state.turn != self.seen.turn:
            self._viewed = None
        self.seen, self._acting = state, own_to_act(state)
        sheets = {seat.seat: await self._sitting.sheet(state, seat.seat) for seat in state.seats}
        if self.seen is state:
            self._sheets = sheets
            self._draw()

    def _looked_at(self) -> SeatState:
        """Whose sheet is shown: the one that was asked for, else that of whoever is to act here, else the own."""
        seats = self.seen.seats
        mine = self._acting or next((each for each in seats if each.mine), seats[0])
        return next((each for each in seats if each.seat == self._viewed), mine)

    def _draw(self) -> None:
        state, game, seat = self.seen, game_of(self.seen), self._looked_at()
        is_narrow = self.size.width < NARROW
        board = self.query_one(SheetTable)
        height = self.size.height - (BELOW if is_narrow else AROUND)
        board.styles.max_height = height if is_narrow else None
        board.show(game, state, seat, self._sheets, height)
        board.border_title = self._said.say("Sheet of {name}", name=seat.name) if len(state.seats) > 1 else None
        thrower = on_the_table(state)
        drawn = game.traits.draw(game.solo, self._sheets[thrower], self._said)
        may_keep = self._acting is not None and thrower == self._acting.seat and self._keeps(game)
        self.query_one(DiceRow).show(drawn, state.faces, state.turn, may_keep=may_keep)
        title = (game.traits.heading(self._said), round_said(state, self._sheets[seat.seat], self._said))
        self._tell("title", "  ·  ".join(filter(None, title)))
        self._tell(
            "players", totals_said(state, self._said) if len(state.seats) > 1 and not is_over(state) else ""
        )
        self._tell("told", "\n".join(self._asked(game, state, self._sheets[thrower])))
        self.refresh_bindings()

    def _keeps(self, game: AnyGame) -> bool:
        acting = self._acting
        return acting is not None and any(
            game.traits.spot(game.solo.read_action(do)).dice is not None for do in acting.legal
        )

    def _asked(self, game: AnyGame, state: TableState, sheet: Any) -> Iterator[str]:  # noqa: ANN401 - of any game
        if is_over(state):
            yield from end_said(state, self._said)
        elif self._acting is not None:
            yield acts_said(state, self._acting, self._said)
            yield game.traits.hint(game.solo, sheet, self._said)
        elif "throw" in state.may:
            yield game.traits.say(self._said, "Your turn to throw")
        else:
            yield waiting_said(state, self._said)

    def _tell(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(Text(text))

    # ---- what a person does

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that mean nothing now are not shown; in the line itself, letters are letters."""
        ours = {"write", "throw", "undo", "hint", "others", "review", "again", "rules", "help", "stop"}
        if action not in ours:
            return super().check_action(action, parameters)
        if len(self.screen_stack) > 1 or (isinstance(self.focused, Input) and action != "stop"):
            return False
        is_at_end = is_over(self.seen)
        match action:
            case "throw" | "undo" | "hint" | "write":
                return not is_at_end
            case "review":
                return is_at_end
            case "again":
                return is_at_end and self._sitting.is_ours
            case "others":
                return len(self.seen.seats) > 1
        return True

    def action_write(self) -> None:
        line = self.query_one(Input)
        line.add_class("open")
        self.set_focus(line)

    def _close_line(self) -> None:
        self.query_one(Input).remove_class("open")
        self.set_focus(self.query_one(SheetTable))

    def on_key(self, event: Any) -> None:  # noqa: ANN401 - Textual's
        if len(self.screen_stack) > 1:
            return
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self._close_line()
        elif event.character and event.character in "123456":
            self.query_one(DiceRow).turn_over(int(event.character) - 1)

    async def on_data_table_cell_selected(self, event: DataTable.CellSelected) -> None:
        board = self.query_one(SheetTable)
        actions = board.actions_at(event.coordinate.row, event.coordinate.column)
        if len(actions) > 1:
            self._tell("hints", " / ".join(actions))
            self.action_write()
        elif actions and actions[0] in board.worthless and self._sure != actions[0]:
            self._sure = actions[0]
            self._tell("hints", self._said.say("That brings no points. Enter once more writes it."))
        elif actions:
            await self.act(actions[0])

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        event.input.clear()
        self._close_line()
        await (self.act(text) if text else self.action_throw())

    async def act(self, text: str) -> None:
        """Do it, in notation, with the seat that is to act."""
        if self._acting is None:
            self._tell("hints", self._said.say("Throw the dice first."))
            return
        await self._try(self._sitting.play(self.seen, self._acting, text))

    async def action_throw(self) -> None:
        """Throw; where dice may be kept, those that are not kept."""
        if "throw" in self.seen.may:
            await self._try(self._sitting.roll(self.seen))
        elif (again := self.query_one(DiceRow).action) is not None:
            await self.act(again)

    async def action_undo(self) -> None:
        if (seat := own_to_undo(self.seen)) is not None:
            await self._try(self._sitting.take_back(self.seen, seat))
        else:
            self._tell("hints", self._said.say("There is nothing to take back."))

    def action_others(self) -> None:
        """The sheet of the next seat; after the last one, the own."""
        seats = [each.seat for each in self.seen.seats]
        self._viewed = seats[(seats.index(self._looked_at().seat) + 1) % len(seats)]
        self._draw()

    def action_help(self) -> None:
        say, example = self._said.say, example_of(game_of(self.seen))
        keys = {
            "t": say("Throw the dice"),
            "1-6": say("Keep a die, or throw it again"),
            "↑↓←→ Enter": say("Write into a cell or box"),
            "/": say("What you do, such as {example}", example=example),
            "u": say("Take back"),
            "h": say("hint"),
            "o": say("The sheets of the others"),
            "g": say("Rules"),
            "r": say("Review"),
            "n": say("New game"),
            "q": say("quit"),
        }
        lines = (f"{key:<12}{text}" for key, text in keys.items())
        self.push_screen(Page(say("help"), lines_to_read(lines), self._said))

    def action_rules(self) -> None:
        game = game_of(self.seen)
        parts = rules_to_read(game.traits.rules_page(self._said.language), self._said)
        self.push_screen(Page(self._said.say("Rules"), parts, self._said))

    def action_again(self) -> None:
        self.exit(True)  # noqa: FBT003 - Textual's way

    def action_help_quit(self) -> None:
        """What Textual does at Ctrl+C."""
        self.action_stop()

    def action_stop(self) -> None:
        """End; in the middle of a game that ends with this screen, after a question."""
        if is_over(self.seen) or not self.seen.turn or not self._sitting.is_ours or len(self.screen_stack) > 1:
            self.exit(False)  # noqa: FBT003
            return
        self.push_screen(AskFirst(self._said.say("Stop in the middle of the game?"), self._said), self._stop_if)

    def _stop_if(self, is_sure: bool | None) -> None:  # noqa: FBT001 - Textual's way
        if is_sure:
            self.exit(False)  # noqa: FBT003

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        state, seat = self.seen, self._acting
        if seat is None:
            return
        try:
            choices = await self._sitting.hint(state, seat)
        except KastaError as error:
            self._tell("hints", self._said.error(error))
            return
        told = list(hints_said(game_of(state), choices, self._said))
        if self.seen.seq == state.seq and self.size.width < NARROW:
            self.push_screen(Page(self._said.say("hint"), lines_to_read(told), self._said))
        elif self.seen.seq == state.seq:
            self._tell("hints", "\n".join(told))

    @work(exclusive=True, group="review")
    async def action_review(self) -> None:
        self._tell("hints", self._said.say("The coach is looking at the game …"))
        try:
            told = list(review_said(game_of(self.seen), await self._sitting.review(self.seen), self._said))
        except KastaError as error:
            self._tell("hints", self._said.error(error))
            return
        self._tell("hints", "")
        self.push_screen(Page(self._said.say("Review"), lines_to_read(told), self._said))

    async def _try(self, done: Awaitable[None]) -> None:
        try:
            await done
        except KastaError as error:
            self._tell("hints", self._said.error(error))
            return
        await self._show(await self._sitting.state())
