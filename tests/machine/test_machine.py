"""A table is asked for anything by anybody at either node: what the model allows is done, and nothing else is."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from typing import Any, TypeVar

import pytest
from hypothesis import Phase, settings as tried, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from kasta.core import Seat
from kasta.db import open_log
from kasta.errors import KastaError
from kasta.games import OURS
from kasta.tables import commands as c, events as e
from kasta.tables.log import Log
from kasta.wire.tables import SeatState
from machine.may import is_owed, may, may_itself, stand_in, throwers, undoable
from machine.model import Model
from machine.nodes import Died, Nodes, hurry
from machine.server import ASKED, BY_FORMS_ONLY, OF_THE_COACH, Api
from machine.wishes import WISHES, Numbers, one
from support.visitors import Program, Server

T = TypeVar("T")

EXAMPLES = int(os.environ.get("KASTA_TEST_MACHINE", "4"))
STEPS = 40
WISHES_AT_ONCE = 5
PATIENCE_SECONDS = 60
EVENTS: dict[type[c.Command], type[e.Event]] = {
    c.Sit: e.SeatedEvent,
    c.Wait: e.Waited,
    c.Configure: e.Configured,
    c.Rename: e.Renamed,
    c.Leave: e.Left,
    c.Host: e.Hosted,
    c.MoveSeat: e.Moved,
    c.Replace: e.Replaced,
    c.Roll: e.Rolled,
    c.Correct: e.Corrected,
    c.Play: e.Acted,
    c.TakeBack: e.TakenBack,
    c.Extend: e.Extended,
    c.AskHint: e.Hinted,
    c.Close: e.Closed,
    c.ShowReview: e.ReviewShown,
    c.Rematch: e.Rematched,
    c.Agree: e.Agreed,
}
SAME = ("seat", "name", "device", "bot", "settings", "shown", "levels", "do")  # in a command and in its event
PHASES = (Phase.explicit, Phase.generate)  # what fails is short enough
SEEDS = st.integers(0, 2**32)
KINDS: tuple[type[c.Command], ...] = (*WISHES, c.Play, c.Roll, c.TakeBack)

SETTINGS: dict[str, tuple[Any, ...]] = {  # how tables begin
    "dice": ("app", "app", "own"),
    "pace": (None, 600),
    "coach": ("after", "live"),
    "take_back": (True, True, False),
    "points": ("now", "end"),
    "thrower": ("turn", "turn", "turn", "host", "auto"),
}

Drive = Callable[[int], Any]


class TableMachine(RuleBasedStateMachine):
    """`drive` makes nodes, and the seed fixes their dice; `met` counts what was asked, and whether rightly."""

    drive: Drive
    game: str
    loop: asyncio.AbstractEventLoop
    met: Counter[tuple[str, bool]]

    @initialize(seed=SEEDS)
    def open(self, seed: int) -> None:
        n = self.numbers(seed)
        self.nodes, people = self.drive(n[-1]), 1 + n[-2] % 3
        how = {name: one(values, number) for (name, values), number in zip(SETTINGS.items(), n, strict=False)}
        self.run(self.nodes.open(self.game, e.Settings(**how)))
        (opened,) = self.run(self.nodes.events(0))
        self.table, self.seq = Model.opened(opened.event), 1
        self.nodes.model = self.table
        for device, name in list(zip(self.nodes.devices, ("Anna", "Tim", "Eva"), strict=False))[:people]:
            self.ask(0, c.Sit(device, name))

    def numbers(self, seed: int) -> Numbers:
        """Others at each step: what Hypothesis draws is often the same, and often small."""
        self.steps = getattr(self, "steps", 0) + 1
        return random.Random(f"{seed} {self.steps}").choices(range(2**16), k=9)

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(what, PATIENCE_SECONDS))

    # -- what people do ---------------------------------------------------------------

    @rule(seed=SEEDS)
    def wish(self, seed: int) -> None:
        for _ in range(WISHES_AT_ONCE):
            n = self.numbers(seed)
            kind = one(KINDS, n[-2])
            command = self.command(kind, n)
            if self.nodes.drives(command):
                self.ask(n[-1] % 2, command)

    @rule(seed=SEEDS)
    def play_on(self, seed: int) -> None:
        """Throw or pick, as it comes; each at the other node."""
        n = self.numbers(seed)
        for number in range(1 + n[-2] % 6):
            command = self.next_command(n[number % len(n)] + number)
            if command is None:
                return
            self.ask((n[-1] + number) % 2, command)

    @precondition(lambda self: self.table.begun)
    @rule(seed=SEEDS)
    def play_to_the_end(self, seed: int) -> None:
        n = self.numbers(seed)
        for number in range(400 if n[0] % 8 == 0 else 0):
            if (command := self.next_command(n[number % len(n)] + number)) is None:
                return
            self.ask((n[-1] + number) % 2, command)

    @precondition(lambda self: self.nodes.can_die)
    @rule(seed=SEEDS)
    def wish_of_a_node_that_dies(self, seed: int) -> None:
        """Who is not answered asks the other one. What was written is not done twice."""
        n = self.numbers(seed)
        node, before = n[-1] % 2, n[0] % 3 == 0
        command = self.command(one(KINDS, n[-2]), n)
        expected = self.expected(command) if may(self.table, command) else []
        with suppress(Died, KastaError):
            self.run(self.nodes.die(node, command, before=before))
        self.hear(expected, at_least=0 if before or not expected else 1)
        self.ask(1 - node, command)

    @precondition(lambda self: self.nodes.can_die)
    @rule(seed=SEEDS)
    def be_away(self, seed: int) -> None:
        n = self.numbers(seed)
        self.table.silence[one(self.nodes.devices, n[0])] = one([0.0, 15.0, 30.0, 90.0], n[1])

    @precondition(lambda self: self.nodes.can_die)
    @rule(seed=SEEDS)
    def let_a_bot_pick(self, seed: int) -> None:
        n = self.numbers(seed)
        node = n[-1] % 2
        by, seat = one([self.table.host, *self.nodes.devices], n[0] % 9), n[1] % (self.table.given + 1)
        is_right, due = stand_in(self.table, by, seat), seat in self.table.due
        assert self.is_done(self.nodes.stand_in(node, by, seat)) == is_right
        self.hear([(e.Acted, {"seat": seat, "stand_in": True})] if is_right and due else [], stands_in=is_right)

    @rule(seed=SEEDS)
    def look(self, seed: int) -> None:
        n = self.numbers(seed)
        self.compare(n[-1] % 2, one(self.nodes.devices, n[0]))

    def teardown(self) -> None:
        if hasattr(self, "table"):
            for node, device in enumerate(self.nodes.devices):
                self.compare(node % 2, device)
        if hasattr(self, "nodes"):
            self.run(self.nodes.close())

    # -- what comes of it ---------------------------------------------------------------

    def command(self, kind: type[c.Command], n: Numbers) -> c.Command:
        """Mostly it comes from the device that may ask for such things."""
        table = self.table
        command = WISHES[kind](table, one(self.nodes.devices, n[6]), n)
        if n[7] % 4 == 0:
            return command
        seat = getattr(command, "seat", None)
        owner = table.seats[seat].device if seat in table.seats and kind is not c.Replace else table.host
        return WISHES[kind](table, one(sorted(throwers(table)) or [owner], n[5]) if kind is c.Roll else owner, n)

    def next_command(self, number: int) -> c.Command | None:
        """What comes next at the table, if a person has to do it."""
        table = self.table
        if people := [seat for seat in table.due if table.seats[seat].bot is None]:
            sitting = table.seats[seat := one(people, number)]
            do = str(one(table.game.solo.legal(sitting.sheet), number))
            return c.Play(sitting.device, table.turn, seat, sitting.step, do)
        if by := sorted(throwers(table)):
            faces = tuple(1 + (number + place) % 6 for place in range(table.dice))
            return c.Roll(one(by, number), table.turn, faces if table.settings.dice == "own" else ())
        return None

    def ask(self, node: int, command: c.Command) -> None:
        is_right = may(self.table, command)
        expected = self.expected(command) if is_right else []
        assert self.is_done(self.nodes.do(node, command)) == is_right, (
            f"{command} is {'' if is_right else 'not '}right"
        )
        self.met[type(command).__name__, is_right] += 1
        self.hear(expected, at_least=len(expected), after=getattr(command, "seat", None))

    def is_done(self, what: Coroutine[Any, Any, object]) -> bool:
        try:
            self.run(what)
        except KastaError:
            return False
        return True

    def expected(self, command: c.Command) -> list[tuple[type[e.Event], dict[str, Any]]]:
        about = {name: getattr(command, name) for name in SAME if hasattr(command, name)}
        if isinstance(command, c.Rematch) and self.table.next_table is not None:
            return []
        if isinstance(command, c.Sit | c.Wait | c.Rename):
            about["name"] = " ".join(command.name.split())
        if isinstance(command, c.Sit):
            about["seat"] = self.table.given
        if isinstance(command, c.Roll | c.Correct):
            about = {"turn": self.table.turn + 1}
            about |= {"faces": command.faces} if self.table.settings.dice == "own" else {}
        back: list[tuple[type[e.Event], dict[str, Any]]] = []
        if isinstance(command, c.Play) and command.seat not in self.table.due:
            back = [(e.TakenBack, {"seat": command.seat})] * self.table.undone(command.seat)
        return [*back, (EVENTS[type(command)], about)]

    def hear(
        self,
        expected: list[tuple[type[e.Event], dict[str, Any]]],
        *,
        at_least: int = 0,
        after: Seat | None = None,
        stands_in: bool = False,
    ) -> None:
        """What was asked for comes first, then what the table does by itself, until it has nothing more to do."""
        self.run(self._hear(expected, at_least, after, stands_in=stands_in))

    async def _hear(
        self,
        expected: list[tuple[type[e.Event], dict[str, Any]]],
        at_least: int,
        after: Seat | None,
        *,
        stands_in: bool,
    ) -> None:
        waited, heard = 0, 0
        while True:
            stored = await self.nodes.events(self.seq)
            for each in stored:
                event = each.event
                if heard < len(expected) and _fits(event, *expected[heard]):
                    heard += 1
                else:
                    is_fit = may_itself(self.table, event, after=after) or (
                        stands_in and getattr(event, "stand_in", False)
                    )
                    assert is_fit, f"nobody asked for {event}"
                self.table.hear(event)
                self.seq = each.seq
            if not is_owed(self.table) and not stored:
                break
            waited = 0 if stored else waited + 1
            if waited and waited % 20 == 0:
                await self.nodes.look()
            await asyncio.sleep(0.002 if waited else 0)
        assert heard >= at_least, f"{expected[heard:]} did not happen"

    def compare(self, node: int, device: str) -> None:
        """A device is shown what it may see, and no more; and it is told what it may do."""
        told, table = self.run(self.nodes.state(node, device)), self.table
        assert (told.turn, told.faces, told.owing) == (table.turn, table.faces, len(table.due_anyway))
        assert (told.secret is not None) == table.is_closed
        assert (told.next == "over") == (table.is_closed or table.is_over)
        assert (told.dice, told.settings, told.host) == (table.dice, table.settings, device == table.host)
        assert [each.seat for each in sorted(told.seats, key=lambda each: each.seat)] == sorted(table.seats)
        assert {"throw", "type_dice"}.isdisjoint(told.may) != (device in throwers(table))
        for each in told.seats:
            self.compare_seat(each, device)

    def compare_seat(self, told: SeatState, device: str) -> None:
        table, sitting, seat = self.table, self.table.seats[told.seat], told.seat
        assert (told.name, told.bot, told.left, told.step) == (
            sitting.name,
            sitting.bot,
            sitting.has_left,
            sitting.step,
        )
        assert told.due == (seat in table.due)
        sheet = table.seen(seat, device)
        assert told.sheet == (None if sheet is None else table.game.solo.write_sheet(sheet))
        is_shown = sheet is not None and (table.settings.points == "now" or table.is_over or table.is_closed)
        assert told.total == (table.game.solo.total(sheet) if is_shown else None)
        is_own = not sitting.has_left and sitting.device == device and sitting.bot is None and not table.is_closed
        rights = {
            "act": is_own and seat in table.due,
            "take_back": is_own and undoable(table, seat),
            "leave": may(table, c.Leave(device, seat)),
            "rename": may(table, c.Rename(device, seat, "Free")),
            "extend": may(table, c.Extend(device, table.turn, seat)),
            "stand_in": stand_in(table, device, seat) and seat in table.due,
            "accept": may(table, c.MoveSeat(device, seat, "tablet")),
        }
        assert {name for name in told.may if name in rights} == {
            name for name, is_theirs in rights.items() if is_theirs
        }


def _fits(event: e.Event, kind: type[e.Event], about: dict[str, Any]) -> bool:
    return type(event) is kind and all(getattr(event, name) == value for name, value in about.items())


def explore(drive: Drive, game: str, loop: asyncio.AbstractEventLoop, examples: int) -> Counter[tuple[str, bool]]:
    """So many tables of a game, the same ones each time unless many are wanted. What was asked, and rightly."""
    met = Counter[tuple[str, bool]]()
    made = type("Machine", (TableMachine,), {"drive": staticmethod(drive), "game": game, "loop": loop, "met": met})
    repeats = "KASTA_TEST_MACHINE" not in os.environ
    run_state_machine_as_test(
        made,
        settings=tried(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=repeats,
            database=None,
            phases=PHASES,
        ),
    )
    return met


@pytest.mark.parametrize("game", OURS)
def test_a_table_does_what_people_may_ask_of_it_and_nothing_else(
    durable_url: str, game: str, monkeypatch: pytest.MonkeyPatch
):
    hurry(monkeypatch)
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        logs = loop.run_until_complete(_opened(durable_url)), loop.run_until_complete(_opened(durable_url))
        try:
            met = explore(lambda seed: Nodes(logs, seed), game, loop, EXAMPLES)
        finally:
            for log in logs:
                loop.run_until_complete(log.close())
    print(sorted(met.items()))


def test_every_command_is_asked_for():
    of_people = {each for each in vars(c).values() if isinstance(each, type) and issubclass(each, c.Command)}
    assert WISHES.keys() == EVENTS.keys() == of_people - {c.Command}
    assert {*ASKED, c.Host} | BY_FORMS_ONLY | OF_THE_COACH == WISHES.keys()


def test_a_server_does_what_programs_may_ask_of_it_and_nothing_else(server: Server):
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        log = loop.run_until_complete(open_log(f"sqlite:///{server.database}"))
        tokens = [_token(server) for _ in range(4)]
        try:
            explore(lambda _: Api(server.url, log, tokens), "knister", loop, 1 + EXAMPLES // 4)
        finally:
            loop.run_until_complete(log.close())


def _token(server: Server) -> str:
    with closing(Program(server)) as program:
        program.open()
        return str(program.http.headers["authorization"]).removeprefix("Bearer ")


async def _opened(url: str) -> Log:
    return await open_log(url)
