"""A program of others beside us: whatever it does, whoever asked it gets an answer or an error in time."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from queue import Empty, Queue
from typing import Self

from kasta.engine.position import Position
from kasta.engine.protocol import (
    LONGEST_LINE,
    MOST_VALUES,
    VERSION,
    EngineAnswer,
    EngineQuestion,
    Introduction,
    read_answer,
    read_introduction,
    write_question,
)
from kasta.errors import Unavailable, Unreadable
from kasta.games.traits import AnyGame
from kasta.messages import Note

HELLO_SECONDS = 10.0  # to start, and to say its name
START_SECONDS = 120.0  # to load what a game needs
PATIENT_SECONDS = 1.0  # after which somebody is told what we wait for
GRACE_SECONDS = 1.0  # on the way between two programs
END_SECONDS = 2.0  # to end when told so
MOST_WAITING = 1_000  # lines that nobody has read yet

Tell = Callable[[str], None]


def untold(_text: str) -> None:
    """Nobody hears it."""


class EngineProcess:
    """An engine, started when it is first asked. After a fault it is killed, and started anew when asked.

    Faults are `Unavailable` with a code of their own: `engine_missing`, `engine_silent`, `engine_ended`,
    `engine_late`, `engine_garbled`, `engine_illegal`, `engine_refused`. `tell` hears what is waited for, if that
    takes long.
    """

    def __init__(
        self,
        command: str,
        seconds: float = 10.0,
        start_seconds: float = START_SECONDS,
        hello_seconds: float = HELLO_SECONDS,
        tell: Tell = untold,
    ) -> None:
        self.command, self.seconds = command, seconds
        self.start_seconds, self.hello_seconds, self._tell = start_seconds, hello_seconds, tell
        self.introduction = Introduction()
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Queue[bytes | None] = Queue(MOST_WAITING)
        self._loaded: set[tuple[str, str]] = set()

    @property
    def name(self) -> str:
        """What the engine calls itself, or else its command."""
        return self.introduction.name or PurePath(_split(self.command)[-1]).name

    def start(self) -> None:
        """Start it, if need be, and hear who it is."""
        try:
            if self._process is None:
                self._start()
        except Unavailable:
            self.close()
            raise

    def load(self, game: AnyGame) -> None:
        """Start it, if need be, and let it get ready for a game."""
        self.start()
        try:
            if (game.name, game.rules) not in self._loaded:
                self._say([f"load {game.name} {game.rules}"])
                about = {"name": self.name, "game": game.name, "seconds": f"{self.start_seconds:.0f}"}
                waits = Note("Waiting until {name} is ready for {game}, at most {seconds} s ...", **about)
                self._hear("ok", self.start_seconds, waits)
                self._loaded.add((game.name, game.rules))
        except Unavailable:
            self.close()
            raise

    def ask(self, position: Position, seed: int = 0, *, wants_values: bool = False) -> EngineAnswer:
        """What it does in a position."""
        self.load(position.game)
        try:
            question = EngineQuestion(position, seed, int(self.seconds * 1_000), wants_values)
            self._say(list(write_question(question)))
            return read_answer(self._hear("do", self.seconds + GRACE_SECONDS), position)
        except Unavailable:
            self.close()
            raise

    def end(self, seconds: float = END_SECONDS) -> bool:
        """Whether it ends by itself when told so; if not, it is killed."""
        process = self._process
        if process is None:
            return True
        with suppress(Unavailable):
            self._say(["quit"])
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        ended = process.returncode is not None
        self.close()
        return ended

    def close(self) -> None:
        """Kill it, and all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        self._loaded.clear()
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
        deadline = time.monotonic() + END_SECONDS
        while self._reader.is_alive() and time.monotonic() < deadline:
            with suppress(Empty):  # whoever reads it waits for room
                self._lines.get(timeout=0.02)
        with suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - whoever runs us chose it
                _split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Unavailable("engine_missing", text=self.command, reason=str(error)) from None
        self._lines = Queue(MOST_WAITING)
        self._reader = threading.Thread(target=_read, args=(self._process, self._lines), daemon=True)
        self._reader.start()
        about = {"text": self.command, "seconds": f"{self.hello_seconds:.0f}"}
        waits = Note("Waiting for {text} to say who it is, at most {seconds} s ...", **about)
        try:
            self._say([f"kasta {VERSION}"])
            self.introduction = read_introduction(self._hear("ok", self.hello_seconds, waits))
        except Unavailable as error:
            if error.code != "engine_late":
                raise
            raise Unavailable("engine_silent", text=self.command, **error.params) from None

    def _say(self, lines: list[str]) -> None:
        assert self._process and self._process.stdin  # noqa: S101, PT018 - it was started
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError:
            raise Unavailable("engine_ended") from None

    def _hear(self, end: str, seconds: float, waits: Note | None = None) -> list[str]:
        """What it says, up to the line that begins with this word; `waits` is told where that takes long."""
        deadline = time.monotonic() + seconds
        heard: list[str] = []
        while len(heard) <= MOST_VALUES:
            line, waits = self._next_line(deadline, seconds, waits), None
            heard.append(line)
            word = line.partition(" ")[0]
            if word == end:
                return heard
            if word == "error":
                raise Unavailable("engine_refused", text=line.removeprefix("error ")[:200])
        raise Unavailable("engine_garbled", text=heard[-1][:40])

    def _next_raw(self, deadline: float, waits: Note | None) -> bytes | None:
        if waits:
            with suppress(Empty):
                return self._lines.get(timeout=min(PATIENT_SECONDS, max(0.0, deadline - time.monotonic())))
            self._tell(waits)
        return self._lines.get(timeout=max(0.0, deadline - time.monotonic()))

    def _next_line(self, deadline: float, seconds: float, waits: Note | None) -> str:
        try:
            raw = self._next_raw(deadline, waits)
        except Empty:
            raise Unavailable("engine_late", seconds=round(seconds, 1)) from None
        if raw is None:
            raise Unavailable("engine_ended")
        if len(raw) > LONGEST_LINE:
            raise Unavailable("engine_garbled", text=raw[:40].decode(errors="replace"))
        return raw.decode(errors="replace").strip()


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Unreadable("no_command", text=command, reason=str(error)) from None
    if not words:
        raise Unreadable("no_command", text=command, reason="it is empty")
    return words


def _read(process: subprocess.Popen[bytes], lines: Queue[bytes | None]) -> None:
    """What it says is read as soon as it says it, up to a number of lines: nobody else waits for a pipe."""
    assert process.stdout  # noqa: S101 - a pipe
    with process.stdout as source, suppress(OSError, ValueError):
        while raw := source.readline(LONGEST_LINE + 1):
            lines.put(raw)
    lines.put(None)
