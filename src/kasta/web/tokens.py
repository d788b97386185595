"""Named tokens: a device gives them to programs that act for it, and takes them back."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from kasta.errors import Illegal
from kasta.table.log import Log
from kasta.table.names import clean_name
from kasta.table.notes import TOKENS
from kasta.web.identity import Signer

MOST = 20  # of one device


@dataclass(frozen=True, slots=True)
class Tokens:
    """Which tokens of a device hold is in the store: one that is revoked holds nowhere any more."""

    log: Log
    signer: Signer

    async def make(self, device: str, name: str) -> tuple[str, str]:
        """The id of a new token, and the token."""
        if len(await self.of(device)) >= MOST:
            raise Illegal("enough_tokens", most=MOST)
        made = secrets.token_urlsafe(9)
        await self.log.notes.put(TOKENS, device, made, clean_name(name))
        return made, self.signer.named_token(device, made)

    async def of(self, device: str) -> dict[str, str]:
        """Names by id, the newest first."""
        return await self.log.notes.all(TOKENS, device, MOST)

    async def revoke(self, device: str, token: str) -> None:
        if not await self.log.notes.drop(TOKENS, device, token):
            raise Illegal("no_such_token")

    async def device(self, token: str) -> str | None:
        """The device for which a named token acts, None if it is none of ours, or was revoked."""
        found = self.signer.named(token)
        if found is None or not await self.log.notes.has(TOKENS, *found):
            return None
        return found[0]
