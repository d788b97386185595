"""What goes wrong at a server, as one of our own errors: for commands, which tell it in a sentence."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import httpx

from kasta.client.connection import Refused
from kasta.errors import Illegal, Unavailable

T = TypeVar("T")


async def plainly(asked: Awaitable[T]) -> T:
    """What was asked for; `Illegal` with the server's sentence, or `Unavailable` where nobody answers."""
    try:
        return await asked
    except Refused as refused:
        raise Illegal("server_refused", reason=str(refused)) from refused
    except httpx.HTTPError as error:
        raise Unavailable("server_silent", reason=str(error) or type(error).__name__) from error
