"""Named tokens: a device gives them to programs that act for it, and takes them back."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from kasta.db.key_value import KeyValue
from kasta.edge.identity import Signer
from kasta.errors import Illegal, KastaError
from kasta.tables.log import Log
from kasta.tables.names import clean_name

MOST = 20  # of one device
TOKENS = "token"  # owned by a device; the key is the token's id, the text its name
LOOK_SECONDS = 15.0  # until a stream knows that another process has revoked its token


@dataclass(frozen=True, slots=True)
class Tokens:
    """Which tokens of a device hold is in the store: one that is revoked holds nowhere any more."""

    log: Log
    signer: Signer
    _revoked: WeakValueDictionary[str, asyncio.Event] = field(default_factory=WeakValueDictionary)

    @property
    def _kept(self) -> KeyValue:
        return KeyValue(self.log.db)

    async def make(self, device: str, name: str) -> tuple[str, str]:
        """The id of a new token, and the token."""
        if len(await self.of(device)) >= MOST:
            raise Illegal("enough_tokens", most=MOST)
        made = secrets.token_urlsafe(9)
        await self._kept.put(TOKENS, device, made, clean_name(name))
        return made, self.signer.named_token(device, made)

    async def of(self, device: str) -> dict[str, str]:
        """Names by id, the newest first."""
        return await self._kept.all(TOKENS, device, MOST)

    async def revoke(self, device: str, token: str) -> None:
        if not await self._kept.drop(TOKENS, device, token):
            raise Illegal("no_such_token")
        if (here := self._revoked.get(token)) is not None:
            here.set()

    async def holder(self, token: str) -> tuple[str, str] | None:
        """The device for which a named token acts, and its id; None if it is none of ours, or was revoked."""
        found = self.signer.named(token)
        return found if found is not None and await self._kept.has(TOKENS, *found) else None

    async def revoked(self, device: str, token: str) -> None:
        """Wait until a token is revoked: by this process, which tells at once, or by another one."""
        here = self._revoked.setdefault(token, asyncio.Event())
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await here.wait()
            with suppress(KastaError):  # a store that does not answer now has revoked nothing
                if not await self._kept.has(TOKENS, device, token):
                    return
