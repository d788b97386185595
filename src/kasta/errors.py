"""The kinds of error: unreadable, illegal, conflict, unavailable.

An error has a stable code and parameters. Its sentence is looked up in `kasta.messages`, so that every language
can have its own; `docs/errors.md` lists all codes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Self

from kasta.messages import MESSAGES


class KastaError(Exception):
    """The base of all errors: a stable `code`, and the `params` of its sentence. `str()` is the sentence."""

    kind: ClassVar[str]
    """unreadable, illegal, conflict or unavailable."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[()]]:
        return partial(type(self), self.code, **self.params), ()

    @property
    def line(self) -> int | None:
        """The line of the file or record with the error, counted from 1; None where no file was read."""
        line = self.params.get("line")
        return line if isinstance(line, int) else None

    def at(self, line: int) -> Self:
        """The same error, now with its line."""
        self.params["line"] = line
        return self

    def of(self, name: str) -> Self:
        """The same error, now with the name of the player in its seat."""
        self.params["name"] = name
        return self

    @property
    def blanks(self) -> dict[str, object]:
        """The values for the blanks of its sentence: the params, and for a seat without a name its number."""
        return {"name": f"Seat {self.params.get('seat')}", **self.params}

    def __str__(self) -> str:
        """For programmers: the sentence in English, and what would have been legal, in notation."""
        allowed = f" Allowed: {self.params['legal']}." if "legal" in self.params else ""
        return MESSAGES[self.code].format_map(self.blanks) + allowed


class Unreadable(KastaError):  # noqa: N818 - the kinds are named as players would say them
    """Text or data that has no meaning in the notation."""

    kind = "unreadable"


class Illegal(KastaError):  # noqa: N818
    """A readable command or action that the rules do not allow now."""

    kind = "illegal"


class Conflict(KastaError):  # noqa: N818
    """A command that was allowed when it was sent, but something else happened first."""

    kind = "conflict"


class Unavailable(KastaError):  # noqa: N818
    """The store cannot be used now, or holds a log that must not be played on. The command is not to blame."""

    kind = "unavailable"


class NotInstalled(Unavailable, ImportError):  # noqa: N818
    """A part of Kasta that needs one of its extras."""
