"""Lasting groups of people, such as circles, for features that have something for a group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kasta.i18n import Words
from kasta.live.notices import Notice, Notices, Saying

INVITES = "group"  # the kind of its notices


@dataclass(frozen=True, slots=True)
class Group:
    """A group that a device belongs to; `me` is what its person is called there."""

    id: str
    name: str
    address: str
    me: str


People = Mapping[str, str]
"""Who is in a group now: the member by the device."""

GroupSection = Callable[[Group, People, str, Words], Awaitable[Markup]]
"""A part of a group's page, for the device that looks, in its language."""


async def _no_groups(_device: str | None) -> Sequence[Group]:
    return ()


async def _nobody(_group: str) -> People:
    return {}


async def _not_put(*_about: str) -> bool:
    return False


async def _no_matters(_group: str, _kind: str) -> Sequence[str]:
    return ()


class Groups:
    """Who keeps groups sets what is asked for here; a feature with a part for their pages adds it to `sections`.

    Such a feature can `put` a matter to a group, for a device: a kind with a slash, and an id. It is put to one
    group only: `has` says whether. `matters` are those of a group of one kind, the newest first.
    """

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self.of: Callable[[str | None], Awaitable[Sequence[Group]]] = _no_groups
        self.people: Callable[[str], Awaitable[People]] = _nobody
        self.put: Callable[[str, str, str], Awaitable[bool]] = _not_put
        self.has: Callable[[str], Awaitable[bool]] = _not_put
        self.matters: Callable[[str, str], Awaitable[Sequence[str]]] = _no_matters
        self.sections: list[GroupSection] = []

    async def shown(self, group: Group, device: str, words: Words) -> list[Markup]:
        """The parts that features have for the page of a group."""
        people = await self.people(group.id)
        return [await section(group, people, device, words) for section in self.sections]

    async def invite(self, group: Group, by: str, matter: str, title: Saying, text: Saying) -> None:
        """Tell all others of something new. Of a group, only the last notice is shown."""
        people = await self.people(group.id)
        for device, member in people.items():
            if member != people.get(by):
                topic = _topic(group.id)
                self._notices.send(Notice(INVITES, device, topic, matter, title, text, group.address))

    async def seen(self, group: str, by: str) -> None:
        """A member has looked at the page: no device of theirs needs to say so any more."""
        people = await self.people(group)
        for device, member in people.items():
            if member == people.get(by):
                self._notices.withdraw(device, _topic(group))


def _topic(group: str) -> str:
    return f"{INVITES}/{group}"
