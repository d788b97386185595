"""A table in a browser: the same commands, events, rights and pages as on a server, without one.

What happens is decided here and given to whoever keeps the log; what could not be kept is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace as with_changes
from typing import Any

from kasta.bots.base import at_level, find_bot, look
from kasta.core import Over, Pick, Throw
from kasta.errors import Conflict, KastaError
from kasta.games import find_game
from kasta.record import write_record
from kasta.structs import replace
from kasta.tables import events as e
from kasta.tables.autoplay import follow_up, is_bots_turn, own_move, seconds_before
from kasta.tables.commands import Command, Play, Replace, Roll, Sit, decide, expand
from kasta.tables.evening import again
from kasta.tables.names import bot_name
from kasta.tables.records import Recorder
from kasta.tables.rights import SERVICE, goes_on, throws_itself
from kasta.tables.state import Table

ME = "me"  # the only device at a table in the pocket
MOST_SKIPPED = 500
AUTO_SECONDS = 3.0

Dice = Callable[[int], tuple[int, ...]]
"""Throws so many dice."""


class PocketTable:
    """A table, its log since it was last kept, and its record."""

    def __init__(self, dice: Dice, rng: Any, *, pace: float = 1.0) -> None:
        self._dice, self._rng, self._pace = dice, rng, pace
        self._recorder = Recorder()
        self.fresh: list[e.AnyEvent] = []  # what is not kept yet

    @property
    def table(self) -> Table:
        return self._recorder.table

    def load(self, events: Iterable[e.AnyEvent]) -> None:
        """Take up what was kept."""
        for event in events:
            self._recorder.take(event)

    def _write(self, event: e.AnyEvent) -> None:
        self._recorder.take(event)
        self.fresh.append(event)

    def open(
        self, name: str, game: str, rules: str | None, settings: e.Settings, previous: str | None = None
    ) -> None:
        found = find_game(game, rules)
        self._write(e.OpenedEvent(name, found.name, found.rules, settings, ME, "", previous))

    def begin_again(self, name: str, old: Table, game: str, rules: str | None) -> None:
        """The next game with the same people."""
        self.open(name, game, rules, replace(old.settings, first=None), old.id)
        for event in again(old):
            self._write(event)

    def seat(self, names: Iterable[str], bots: int, level: str | None) -> None:
        for name in names:
            self.do(Sit(ME, name))
        for _ in range(bots):
            self.seat_bot(level)

    def seat_bot(self, level: str | None) -> None:
        self.do(Sit(ME, bot_name(self.table.names), bot=at_level(level, self.table.game)))

    def do(self, command: Command) -> None:
        """Carry out a command, and what follows on it without a choice, as `tables.service` does."""
        try:
            for step in expand(self.table, command):
                self._carry_out(step)
        except KastaError as error:
            if isinstance(seat := error.params.get("seat"), int) and seat in self.table.places:
                error.of(self.table.places[seat].name)
            raise
        if isinstance(command, Play):
            while (more := follow_up(self.table, command)) is not None:
                self._carry_out(more)

    def _carry_out(self, command: Command) -> None:
        self._write(decide(self.table, self._informed(command)))
        if isinstance(command, Play) and goes_on(self.table) and not (self._pace and is_bots_turn(self.table)):
            self._carry_out(Roll(SERVICE, command.turn))

    def _informed(self, command: Command) -> Command:
        match command:
            case Roll():
                expected = self.table.next()
                if isinstance(expected, Throw) and self.table.settings.dice == "app" and not command.faces:
                    return replace(command, faces=self._dice(expected.dice))
            case Sit(bot=str(bot)) | Replace(bot=str(bot)):
                find_bot(bot, self.table.game)
        return command

    def seconds(self) -> float | None:
        """How long the table waits until it acts by itself; None if it does not."""
        move = own_move(self.table)
        if move is None:
            return None
        command = move if isinstance(move, Command) else self._choice(move[0])
        if isinstance(command, Roll) and self.table.settings.thrower == "auto" and not goes_on(self.table):
            return AUTO_SECONDS
        return self._pace * seconds_before(self.table, command)

    def _choice(self, seat: int) -> Play:
        table = self.table
        bot = find_bot(table.places[seat].bot or "", table.game)
        do = bot.choose(look(table.game, table.play, seat), table.game.legal(table.play, seat), self._rng)
        return Play(SERVICE, table.turn, seat, table.step(seat), str(do))

    def act(self) -> None:
        """What the table does now by itself."""
        move = own_move(self.table)
        if isinstance(move, Command):
            self.do(move)
        elif move is not None:
            for seat in move:
                if self.table.is_due(seat):
                    self.do(self._choice(seat))

    def skip(self) -> None:
        """Have bots do at once what they take their time for."""
        for _ in range(MOST_SKIPPED):
            if not is_bots_turn(self.table) or own_move(self.table) is None:
                break
            self.act()

    def waits(self) -> float | None:
        """What a page shows of it: bots are watched, automatic throws are waited for."""
        table = self.table
        is_auto = table.settings.thrower == "auto" and not table.is_closed and throws_itself(table)
        return AUTO_SECONDS if is_auto else None

    def record(self) -> str:
        """The game so far as a record: nobody can check its dice."""
        header, steps = self._recorder.record(open_picks=False)
        return "".join(f"{line}\n" for line in write_record(with_changes(header, dice=None), steps))

    def own_seat(self) -> int | None:
        """The record's number of the only person who plays."""
        people = [seat for seat, place in sorted(self.table.places.items()) if place.bot is None]
        return self._recorder.seats.get(people[0]) if len(people) == 1 else None

    @property
    def is_over(self) -> bool:
        return self.table.turn > 0 and isinstance(self.table.next(), Over)

    @property
    def is_due(self) -> bool:
        """Whether a person has to do something."""
        expected = self.table.next()
        if isinstance(expected, Pick):
            return any(expected.is_due(seat) for seat in self.table.places if seat not in self.table.bots)
        return isinstance(expected, Throw)


def fields_of(sent: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The fields of a form. The dice to keep, which have one name, become one field."""
    pairs = [(key, value) for key, value in sent]
    return {**dict(pairs), "kept": " ".join(sorted(value for key, value in pairs if key == "kept"))}


def whole(fields: Mapping[str, str], key: str) -> int:
    text = fields.get(key, "")
    if not text.isdigit():
        raise Conflict("moved_on")
    return int(text)
