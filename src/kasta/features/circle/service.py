"""Circles: who comes in, who may do what, and how a circle's tables are opened."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from kasta.edge.identity import SEAT_LINK_SECONDS
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.features.circle import leaving
from kasta.features.circle.model import CircleHead, CircleMember, Membership
from kasta.features.circle.store import CircleStore, MyCircle
from kasta.i18n import Words
from kasta.live.groups import Group, Groups
from kasta.live.joining import Joining
from kasta.page.sheet_html import SHAPES
from kasta.tables.commands import Sit
from kasta.tables.names import clean_name, folded
from kasta.tables.rights import are_seats_open
from kasta.tables.service import Service
from kasta.tables.state import Table

MOST_CIRCLES = 50  # of a device
MOST_DEVICES = 10  # of a member
MOST_EVER = 10  # times as many members as there may be now: those who left are known by their games
MOST_TABLES = 20  # of a circle that are not over
LONGEST_NAME = 40
SECRET_BYTES = 16
DEVICE_LINK = re.compile(r"([\w-]{1,40})\.([1-9]\d{1,11})\.([\w-]+)", re.ASCII)  # each secret has one spelling
DAY = 86_400.0
TABLES_FOR = 180 * DAY  # a rematch is known as the circle's for so long


@dataclass(frozen=True, slots=True)
class CircleSettings:
    circles: Annotated[
        bool, Meta(description="whether people may found circles: groups that remember who they play with")
    ] = True
    circle_members: Annotated[int, Meta(ge=2, le=1_000, description="how many members a circle may have")] = 100


@dataclass(frozen=True, slots=True)
class CircleTableNow:
    """A table of a circle that is not over; `by` is the member who invited the others."""

    table: Table
    by: str
    is_open: bool
    is_mine: bool


class Circles:
    """Everything that people do in circles. Who is not in a circle finds none."""

    def __init__(
        self, store: CircleStore, service: Service, joining: Joining, groups: Groups, settings: CircleSettings
    ) -> None:
        self.store, self.settings = store, settings
        self._service, self._joining, self._groups = service, joining, groups

    async def mine(self, device: str | None) -> list[MyCircle]:
        if not self.settings.circles or device is None:
            return []
        return await self.store.mine(device, MOST_CIRCLES)

    def keep_groups(self) -> None:
        """Circles are groups for other features."""
        groups = self._groups
        groups.of, groups.people, groups.put = self.groups_of, self.people, self.put
        groups.has, groups.matters = self.store.has_matter, self.store.matters

    async def put(self, circle: str, device: str, matter: str) -> bool:
        """Keep a matter of another feature for a circle; False if it is kept for one."""
        me = (await self.of(circle, device)).me
        return await self.store.put_matter(circle, matter, me.id)

    async def groups_of(self, device: str | None) -> list[Group]:
        return [Group(each.id, each.name, f"/circle/{each.id}", each.me) for each in await self.mine(device)]

    async def people(self, circle: str) -> dict[str, str]:
        """All devices of those who are in a circle now, and whose each is."""
        return await self.store.people(circle) if self.settings.circles else {}

    async def found(self, visitor: Visitor, device: str, name: str, me: str, mark: int) -> str:
        """A new circle with one member, its host."""
        self.check_on()
        self._joining.check_room()
        await self._check_room(device)
        member = _member(me, mark, now := await self._service.now(), is_host=True)
        circle = CircleHead(secrets.token_urlsafe(SECRET_BYTES), circle_name(name), new_secret(), 1, now)
        await self._joining.count_opening(visitor.address)
        await self.store.add(circle, member, device)
        return circle.id

    async def known(self, circle: str, device: str) -> Membership:
        """A device's place in a circle, which it may have left; others find none."""
        self.check_on()
        found = await self.store.membership(circle, device)
        if found is None:
            raise Illegal("no_such_circle")
        if found.seen < found.now - DAY:
            await self.store.see(device, found.now)
        return found

    async def of(self, circle: str, device: str) -> Membership:
        """The same, of somebody who is in it now."""
        found = await self.known(circle, device)
        if found.me.gone is not None:
            raise Illegal("no_such_circle")
        return found

    async def of_host(self, circle: str, device: str) -> Membership:
        found = await self.of(circle, device)
        if not found.me.is_host:
            raise Illegal("host_only")
        return found

    async def invited(self, secret: str) -> CircleHead:
        """The circle that a link leads to."""
        self.check_on()
        circle = await self.store.by_secret(secret)
        if circle is None:
            raise Illegal("no_such_circle")
        return circle

    async def rare_mark(self, circle: str) -> int:
        """A mark that nobody has there, or as few as possible."""
        members = (await self.store.members(circle)).values()
        taken = [each.mark for each in members if each.gone is None]
        return min(range(len(SHAPES)), key=taken.count)

    async def join(self, secret: str, visitor: Visitor, device: str, name: str, mark: int) -> str:
        """Come in, or come back."""
        circle = await self.invited(secret)
        before = await self.store.membership(circle.id, device)
        if before is not None and before.me.gone is None:
            return circle.id
        self._joining.check_room()
        await self._check_room(device)
        members = (await self.store.members(circle.id)).values()
        most = self.settings.circle_members
        if sum(each.gone is None for each in members) >= most or len(members) >= MOST_EVER * most:
            raise Illegal("circle_full", most=most)
        self._joining.count_seats(visitor.address)
        me = _member(name, mark, await self._service.now())
        me = me if before is None else before.me._replace(name=me.name, mark=me.mark)
        _check_name(me, members)
        await self.store.enter(circle.id, me, device)
        return circle.id

    async def rename_me(self, circle: str, device: str, name: str, mark: int) -> None:
        now = await self.of(circle, device)
        me = now.me._replace(name=clean_name(name), mark=mark % len(SHAPES))
        _check_name(me, now.members.values())
        await self.store.rename_member(circle, me.id, me.name, me.mark)

    async def rename(self, circle: str, device: str, name: str) -> None:
        await self.of_host(circle, device)
        await self.store.rename(circle, circle_name(name))

    async def renew_link(self, circle: str, device: str) -> None:
        """From now on the old link leads nowhere."""
        await self.of_host(circle, device)
        await self.store.set_secret(circle, new_secret())

    async def new_season(self, circle: str, device: str) -> None:
        """Count apart from now on. A season without a game only begins later."""
        await self.of_host(circle, device)
        await self.store.new_season(circle, await self._service.now())

    async def remove(self, circle: str, device: str, member: str) -> None:
        """The host sends somebody away; the old link leads nowhere any more."""
        now = await self.of_host(circle, device)
        if member not in now.members or member == now.me.id:
            raise Illegal("no_such_circle")
        at = await self._service.now()
        await self.store.db.transaction(lambda: leaving.leave(circle, member, at))
        await self.store.set_secret(circle, new_secret())

    async def leave(self, circle: str, device: str) -> None:
        me, at = (await self.of(circle, device)).me, await self._service.now()
        await self.store.db.transaction(lambda: leaving.leave(circle, me.id, at))

    async def forget_me(self, circle: str, device: str) -> None:
        """Leave, and take name and games out of everything."""
        me = (await self.known(circle, device)).me
        await self.store.db.transaction(lambda: leaving.forget(circle, me.id))
        await self.store.db.scrub()

    async def device_link(self, circle: str, device: str) -> str:
        """A secret with which another device becomes the same member: once, and for ten minutes."""
        me = (await self.of(circle, device)).me
        expires = int(time.time()) + SEAT_LINK_SECONDS
        return f"{me.id}.{expires}.{self._sign(circle, me.id, expires)}"

    async def add_device(self, circle: str, secret: str, device: str) -> None:
        self.check_on()
        member, expires = self._read_link(circle, secret)
        if time.time() >= expires or not await self._joining.use_link(secret):
            raise Illegal("link_used")
        if member not in await self.store.members(circle):
            raise Illegal("link_used")
        before = await self.store.membership(circle, device)
        merged = {member} if before is None else {member, before.me.id}
        if await self.store.devices(circle, merged) >= MOST_DEVICES:
            raise Illegal("too_many_devices", most=MOST_DEVICES)
        if before is not None and before.me.id != member:
            await self.store.db.transaction(lambda: leaving.merge(circle, before.me.id, member))
        await self.store.add_device(circle, member, device, await self._service.now())

    def _read_link(self, circle: str, secret: str) -> tuple[str, int]:
        """The member whose device a link makes one, and when it expires."""
        parts = DEVICE_LINK.fullmatch(secret)
        if parts is None:
            raise Illegal("link_used")
        member, expires = parts[1], int(parts[2])
        if not secrets.compare_digest(parts[3].encode(), self._sign(circle, member, expires).encode()):
            raise Illegal("link_used")
        return member, expires

    async def open(self, circle: str, visitor: Visitor, game: str, rules: str | None) -> Table:
        """A table to which all members are invited."""
        device = visitor.known_device
        here = await self.of(circle, device)
        me = here.me
        if len(await self.tables(circle, device)) >= MOST_TABLES:
            raise Illegal("circle_busy", most=MOST_TABLES)
        await self._joining.count_opening(visitor.address)
        self._joining.count_seats(visitor.address)
        table = await self._service.open(device, game, rules)
        await self.store.put_table(circle, table.id, me.id, await self._service.now())
        table = await self._service.do(table.id, Sit(device, me.name, entropy=secrets.token_hex(8)))
        await self._joining.give_code(table.id)
        await self._groups.invite(group_of(here), device, table.id, _new_table, table.game.traits.heading)
        return table

    async def sit(self, circle: str, visitor: Visitor, table: str) -> None:
        """Sit down at a circle's table under one's name there. Where the table says no, its page says why."""
        device = visitor.known_device
        me = (await self.of(circle, device)).me
        if not await self.store.is_of(circle, table):
            raise Illegal("no_such_circle")
        if not (await self._service.table(table)).is_seated(device):
            with suppress(KastaError):
                self._joining.count_seats(visitor.address)
                await self._service.sit(table, Sit(device, me.name, entropy=secrets.token_hex(8)))

    async def tables(self, circle: str, device: str) -> list[CircleTableNow]:
        """The tables that are not over, the newest first."""
        found = []
        for name, member in await self.store.tables(circle, MOST_TABLES):
            with suppress(KastaError):
                table = await self._service.table(name)
                if not table.is_closed:
                    found.append(
                        CircleTableNow(table, member or "", are_seats_open(table), table.is_seated(device))
                    )
                    continue
            await self.store.set_over(name)
        return found

    async def follow(self, table: Table) -> None:
        """A rematch of a circle's game is a game of the circle."""
        if table.previous is not None:
            await self.store.follow(table.id, table.previous)

    async def tidy(self) -> None:
        await self.store.forget_tables(await self._service.now() - TABLES_FOR)

    def check_on(self) -> None:
        """Where circles are switched off there are none."""
        if not self.settings.circles:
            raise Illegal("no_such_circle")

    async def _check_room(self, device: str) -> None:
        if len(await self.store.mine(device, MOST_CIRCLES)) >= MOST_CIRCLES:
            raise Illegal("enough_circles", most=MOST_CIRCLES)

    def _sign(self, circle: str, member: str, expires: int) -> str:
        return self._joining.signer.mark(f"circle device {circle} {member} {expires}")


def group_of(here: Membership) -> Group:
    return Group(here.circle.id, here.circle.name, f"/circle/{here.circle.id}", here.me.name)


def _new_table(said: Words) -> str:
    return said.say("A table waits in your circle")


def new_secret() -> str:
    """For a circle's link: nobody guesses it."""
    return secrets.token_urlsafe(SECRET_BYTES)


def circle_name(text: str) -> str:
    """As it will be shown; twice as long as a person's."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Unreadable("name_length", longest=LONGEST_NAME)
    for word in name.split():
        for first in range(0, len(word), LONGEST_NAME // 2):
            clean_name(word[first : first + LONGEST_NAME // 2])
    return name


def _member(name: str, mark: int, now: float, *, is_host: bool = False) -> CircleMember:
    return CircleMember(secrets.token_urlsafe(9), clean_name(name), mark % len(SHAPES), now, int(is_host))


def _check_name(me: CircleMember, members: Iterable[CircleMember]) -> None:
    """Nobody is mistaken for another."""
    taken = {folded(each.name) for each in members if each.id != me.id}
    if folded(me.name) in taken:
        offers = (f"{me.name} {number}" for number in range(2, len(taken) + 3))
        raise Illegal("name_taken", name=me.name, offer=next(each for each in offers if folded(each) not in taken))
