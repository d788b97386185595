"""How people find a room and come back to their seat: short codes, and claims that the host accepts."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from litestar import Request

from kasta.core import Seat
from kasta.errors import Illegal, Unreadable
from kasta.table.log import Log
from kasta.table.rights import is_open
from kasta.table.service import Service
from kasta.table.state import Table
from kasta.web.config import Config
from kasta.web.identity import SEAT_LINK_SECONDS, Signer
from kasta.web.limits import Limit

LETTERS = "BCDFGHJKMPQRTVWXY346789"  # no vowels, so no words; nothing that looks like something else
LENGTH = 6
CLAIM_SECONDS = 600.0
CLAIMS_A_TABLE = 100  # in ten minutes


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody says that a seat is theirs, and shows the same two digits as the host sees."""

    seat: Seat
    device: str
    digits: int
    until: float


class Joining:
    """Codes are kept in the store; claims and limits in this process, because they are short-lived."""

    def __init__(self, log: Log, service: Service, signer: Signer, config: Config) -> None:
        self._log, self._service, self.signer = log, service, signer
        self._openings = Limit(config.tables_an_address)
        self._guesses = Limit(config.wrong_codes_an_address)
        self._codes: dict[str, str] = {}
        self._claims: dict[str, dict[Seat, Claim]] = {}
        self._claimings = Limit(CLAIMS_A_TABLE)
        self._used_links: dict[str, float] = {}

    async def give_code(self, table: str) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if await self._log.claim_code(table, code):
                self._codes[table] = code
                return code
            if (given := await self.code_of(table)) is not None:
                return given

    async def code_of(self, table: str) -> str | None:
        if table not in self._codes:
            code = await self._log.code_of(table)
            if code is None:
                return None
            self._codes[table] = code
        return self._codes[table]

    async def find(self, request: Request[Any, Any, Any], text: str) -> Table:
        """The table of a code, or the one that came after it, while its doors are open. Guessing is slow."""
        address = request.scope["kasta"]["address"]  # type: ignore[typeddict-item]
        if self._guesses.is_over(address):
            raise Illegal("too_many_guesses", seconds=self._guesses.wait(address))
        code = "".join(text.upper().split()).replace("-", "")
        name = await self._log.by_code(code) if len(code) == LENGTH else None
        table = await self._last(name) if name is not None else None
        if self._guesses.is_over(address):  # by many guesses at the same time
            raise Illegal("too_many_guesses", seconds=self._guesses.wait(address))
        if table is None or not is_open(table):
            self._guesses.count(address)
            raise Unreadable("unknown_code")
        return table

    async def _last(self, name: str) -> Table:
        """The newest of the games that followed on each other."""
        table = await self._service.table(name)
        while table.next_table is not None:
            table = await self._service.table(table.next_table)
        return table

    def count_opening(self, request: Request[Any, Any, Any]) -> None:
        address = request.scope["kasta"]["address"]  # type: ignore[typeddict-item]
        if self._openings.is_over(address):
            raise Illegal("too_many_tables", seconds=self._openings.wait(address))
        self._openings.count(address)

    def claim(self, table: str, seat: Seat, device: str) -> None:
        """Ask for a seat. Digits are not drawn again, nor the same for two: nobody can get another's by trying."""
        waiting = self.claims(table)
        if seat in waiting and waiting[seat].device == device:
            return
        others = {claim.seat: claim for claim in waiting.values() if claim.device != device}
        free = sorted(set(range(10, 100)) - {claim.digits for claim in waiting.values()})
        if seat in others or not free or self._claimings.is_over(table):
            raise Illegal("claimed_already")
        self._claimings.count(table)
        claim = Claim(seat, device, secrets.choice(free), time.monotonic() + CLAIM_SECONDS)
        self._claims[table] = {**others, seat: claim}
        self._service.refresh(table)

    def claims(self, table: str) -> dict[Seat, Claim]:
        now = time.monotonic()
        found = {seat: claim for seat, claim in self._claims.pop(table, {}).items() if claim.until > now}
        if found:
            self._claims[table] = found
        return found

    def drop_claim(self, table: str, seat: Seat) -> None:
        self._claims.get(table, {}).pop(seat, None)

    def use_link(self, secret: str) -> bool:
        """False if it was used before, even if the seat has come back to the device it was made for."""
        now = time.monotonic()
        self._used_links = {used: until for used, until in self._used_links.items() if until > now}
        if secret in self._used_links:
            return False
        self._used_links[secret] = now + SEAT_LINK_SECONDS
        return True
