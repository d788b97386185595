"""How people find a room and come back to their seat: short codes, and claims that the host accepts."""

from __future__ import annotations

import secrets
import time

from kasta.core import Seat
from kasta.edge.config import Config
from kasta.edge.identity import SEAT_LINK_SECONDS, Signer
from kasta.edge.limits import RateLimit
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal, Unreadable
from kasta.tables.cluster_state import Claim
from kasta.tables.log import Log
from kasta.tables.rights import is_open, rematch
from kasta.tables.service import Service
from kasta.tables.state import Table

LETTERS = "BCDFGHJKMPQRTVWXY346789"  # no vowels, so no words; nothing that looks like something else
LENGTH = 6
MOST_CODES = 10_000  # in memory
WINDOW_SECONDS = 600.0  # how long it is counted what an address or a table does
CLAIM_SECONDS = 600.0
DIGITS = range(10, 100)  # two of them, which somebody who claims a seat reads out
CLAIMS_OF_A_SEAT = 20  # from one address, in ten minutes


class Joining:
    """Codes, claims, used links and limits are in the store: whichever node is asked, the answer is the same."""

    def __init__(self, log: Log, service: Service, signer: Signer, config: Config) -> None:
        self._log, self._service, self.signer, self._config = log, service, signer, config
        self._cluster = log.cluster
        self.codes: dict[str, str] = {}
        self._seats = RateLimit(config.limits.seats_an_address)
        self._reviews = RateLimit(config.limits.reviews_an_address)

    async def give_code(self, table: str) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if await self._log.claim_code(table, code):
                return self._keep(table, code)
            if (given := await self.code_of(table)) is not None:
                return given

    async def code_of(self, table: str) -> str | None:
        if (known := self.codes.get(table)) is not None:
            return known
        code = await self._log.code_of(table)
        return None if code is None else self._keep(table, code)

    def _keep(self, table: str, code: str) -> str:
        if len(self.codes) >= MOST_CODES:
            del self.codes[next(iter(self.codes))]  # the oldest; the store still knows it
        self.codes[table] = code
        return code

    async def find(self, visitor: Visitor, text: str) -> Table:
        """The table of a code, or the one that came after it, while its doors are open. Guessing is slow."""
        guesses, most = self._key("guess", visitor.address), self._config.wrong_codes_an_address
        code = "".join(text.upper().split()).replace("-", "")
        name = await self._log.by_code(code) if len(code) == LENGTH else None
        table = await self._last(name) if name is not None else None
        good = table is not None and is_open(table)
        # After a look at the code: of many guesses at the same time no more are answered.
        seconds = await (
            self._cluster.wait(guesses, most) if good else self._cluster.hit(guesses, most, WINDOW_SECONDS)
        )
        if seconds:
            raise Illegal("too_many_guesses", seconds=seconds)
        if table is None or not good:
            raise Unreadable("unknown_code")
        return table

    async def _last(self, name: str) -> Table:
        """The newest of the games that followed on each other."""
        table = await self._service.table(name)
        while table.next_table is not None:
            table = await self._service.table(table.next_table)
        return table

    def check_room(self) -> None:
        """Refuse what is new while the disk is nearly full: the rest is for games that are played."""
        self._log.check_room()

    async def count_opening(self, address: str) -> None:
        key, most = self._key("open", address), self._config.tables_an_address
        if seconds := await self._cluster.hit(key, most, WINDOW_SECONDS):
            raise Illegal("too_many_tables", seconds=seconds)

    async def count_rematch(self, address: str, table: str, by: str) -> None:
        """A rematch opens a table, unless somebody was quicker, or it will be refused."""
        old = await self._service.table(table)
        if old.next_table is None and rematch(old, by) is None:
            await self.count_opening(address)
            self.count_seats(address, len(old.places))

    def count_seats(self, address: str, number: int = 1) -> None:
        """So many are about to be taken. Bots and clocks may play on for each, without being asked by anybody."""
        if seconds := self._seats.take(address, time.monotonic(), number):
            raise Illegal("too_many_requests", seconds=seconds)

    def count_review(self, address: str) -> None:
        """One is about to be made, and kept as long as its table."""
        if seconds := self._reviews.take(address, time.monotonic()):
            raise Illegal("too_many_requests", seconds=seconds)

    async def claim(self, table: str, seat: Seat, device: str, address: str) -> None:
        """Ask for a seat, beside all others who do: no two of them see the same digits.

        Digits are not drawn again, and one address draws them seldom: nobody gets another's by trying.
        """
        waiting = [claim for claim in await self.claims_now(table) if claim.seat == seat]
        if any(claim.device == device for claim in waiting):
            return
        free = set(DIGITS).difference(claim.digits for claim in waiting)
        key = self._key("claim", f"{table} {seat} {address}")
        seconds = await self._cluster.hit(key, CLAIMS_OF_A_SEAT, WINDOW_SECONDS)
        until = time.monotonic() + CLAIM_SECONDS
        while not seconds and free:
            digits = secrets.choice(sorted(free))
            if await self._cluster.claim(table, Claim(seat, device, digits, until)):
                await self.claims_now(table)
                return
            free.remove(digits)  # somebody else got them at the same moment
        raise Illegal("too_many_claims", seconds=seconds or int(CLAIM_SECONDS))

    def claims(self, table: str) -> list[Claim]:
        """Who waits for a seat, as this node has last seen it."""
        return self._service.node.claims(table)

    async def claims_now(self, table: str) -> list[Claim]:
        await self._service.node.refresh(table)
        return self.claims(table)

    async def drop_claims(self, table: str, seat: Seat) -> None:
        await self._cluster.drop_claims(table, seat)
        await self.claims_now(table)

    async def use_link(self, secret: str) -> bool:
        """False if it was used before, even if the seat has come back to the device it was made for."""
        return not await self._cluster.hit(self._key("link", secret), 1, SEAT_LINK_SECONDS)

    def _key(self, purpose: str, text: str) -> str:
        """What is counted. The store need not know addresses and links."""
        return self.signer.mark(f"{purpose} {text}")
