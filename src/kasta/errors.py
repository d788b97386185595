"""Kinds of error: what nobody can read, what the rules forbid, what came too late, what cannot be done now.

An error is a code and parameters, both stable; the sentence is looked up in `messages`, so that every language
can have its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Self

from kasta.messages import MESSAGES


class KastaError(Exception):
    """Everything Kasta refuses, with a stable `code` and the `params` of its sentence."""

    kind: ClassVar[str]

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[()]]:
        return partial(type(self), self.code, **self.params), ()

    @property
    def line(self) -> int | None:
        """The line of a file or record that is to blame, counted from 1."""
        line = self.params.get("line")
        return line if isinstance(line, int) else None

    def at(self, line: int) -> Self:
        """The same error, blaming a line."""
        self.params["line"] = line
        return self

    def __str__(self) -> str:
        return MESSAGES[self.code].format_map(self.params)


class Unreadable(KastaError):  # noqa: N818 - the kinds are named as players would say them
    """Text or data that has no meaning in our notation."""

    kind = "unreadable"


class Illegal(KastaError):  # noqa: N818
    """A clear command or action that the rules do not allow now."""

    kind = "illegal"


class Conflict(KastaError):  # noqa: N818
    """A command that was fine when it was sent, but something else came first."""

    kind = "conflict"


class Unavailable(KastaError):  # noqa: N818
    """Nothing wrong with the command: the store cannot be used, or holds what must not be played on."""

    kind = "unavailable"
