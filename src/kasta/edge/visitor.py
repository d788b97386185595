"""Who asks: what the middleware has found out about the sender of a request."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, cast

from litestar import Request

from kasta.edge.identity import Signer
from kasta.errors import Illegal
from kasta.i18n import Words, words
from kasta.structs import Struct

VISITOR = "kasta.visitor"  # the key in the scope of a request


@dataclass(frozen=True, slots=True)
class NamedToken:
    """A token that a device has given to a program, and may revoke."""

    text: str
    revoked: Callable[[], Coroutine[Any, Any, None]]
    """Waits until it is."""


class Visitor(Struct, frozen=True):
    """A device, its language, and how it reaches us.

    `address` is what limits count by, `origin` the address by which links lead here.
    """

    device: str | None  # None: with a token that is not one of ours
    is_new: bool
    language: str
    address: str
    origin: str
    named_token: NamedToken | None = None  # which acts for the device

    @property
    def words(self) -> Words:
        return words(self.language)

    @property
    def known_device(self) -> str:
        """The device; refused with a token that is not one of ours."""
        if self.device is None:
            raise Illegal("bad_token")
        return self.device

    @property
    def own_device(self) -> str:
        """The device, for what cannot be undone or goes to another device: refused with a named token."""
        if self.named_token is not None:
            raise Illegal("named_token")
        return self.known_device

    @property
    def owner(self) -> str:
        """The device, for what belongs to it: a new one has nothing, and a named token only acts for it."""
        if self.is_new:
            raise Illegal("bad_token")
        return self.own_device

    def token(self, signer: Signer) -> str:
        """What to show next time: a named token is never told the device's own, which cannot be revoked."""
        return signer.token(self.known_device) if self.named_token is None else self.named_token.text


def visitor_of(request: Request[Any, Any, Any] | dict[str, Any]) -> Visitor:
    """Of a request, or of its scope."""
    scope = request if isinstance(request, dict) else cast("dict[str, Any]", request.scope)
    visitor: Visitor = scope[VISITOR]
    return visitor
