"""Challenges that are put to a group, and notices of answers."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from kasta.core import Over
from kasta.dice import CHALLENGE
from kasta.edge.templates import render
from kasta.errors import Illegal
from kasta.features.challenge.pages import ChallengePages, ListedChallenge
from kasta.features.challenge.service import USUAL_DAYS, Challenges
from kasta.features.challenge.store import Challenge, parts_of
from kasta.games import GAMES, find_game
from kasta.i18n import Words
from kasta.live.groups import Group, Groups, People
from kasta.live.notices import Notice, Notices
from kasta.page.models import GameCard, game_card
from kasta.tables.state import Table

MOST_LISTED = 10  # on the page of a group
ANSWERED = "answered"  # the kind of its notices


@dataclass(frozen=True, slots=True)
class GroupChallenges:
    """challenge/group.html: those that may be begun, and a form for a new one."""

    group: str
    me: str
    days: int
    challenges: tuple[ListedChallenge, ...]
    games: tuple[GameCard, ...]


class GroupPages:
    """Challenges on the pages of groups: those that members have put there."""

    def __init__(self, challenges: Challenges, pages: ChallengePages, groups: Groups) -> None:
        self._challenges, self._pages, self._groups = challenges, pages, groups

    async def section(self, group: Group, people: People, device: str, words: Words) -> Markup:
        ids = [each.removeprefix(CHALLENGE) for each in await self._groups.matters(group.id, CHALLENGE)]
        found = await self._challenges.book.open_ones(ids, people, MOST_LISTED)
        listed = await self._pages.listed(found, device, words)
        games = tuple(game_card(traits, words) for traits in GAMES.working())
        page = GroupChallenges(group.id, group.me, USUAL_DAYS, listed, games)
        return Markup(render(words, "challenge/group.html", page))  # noqa: S704 - rendered

    async def of_host(self, one: Challenge, device: str) -> list[Group]:
        """The groups that somebody may put a challenge of theirs to."""
        if one.host != device or not await self._challenges.is_open(one):
            return []
        return [] if await self._groups.has(one.series(1)) else list(await self._groups.of(device))

    async def put(self, one: Challenge, group: str, device: str) -> None:
        """Put a challenge to a group of whoever made it, and tell the others."""
        found = next((each for each in await self.of_host(one, device) if each.id == group), None)
        if found is None or not await self._groups.put(group, device, one.series(1)):
            raise Illegal("no_such_challenge")
        heading = find_game(one.game, one.rules).traits.heading
        await self._groups.invite(found, device, one.id, _challenged, heading)

    async def check(self, group: str, device: str) -> None:
        """Whoever is not in a group puts nothing to it."""
        if group not in {each.id for each in await self._groups.of(device)}:
            raise Illegal("no_such_challenge")


def _challenged(said: Words) -> str:
    return said.say("You are challenged")


class Answers:
    """Tells whoever made a challenge that it was answered: once, until they look at it."""

    def __init__(self, challenges: Challenges, notices: Notices) -> None:
        self._challenges, self._notices = challenges, notices

    async def hear(self, table: Table) -> None:
        """A table was closed."""
        if table.challenge is None or not table.counted or table.play is None:
            return
        one = await self._challenges.book.find(parts_of(table.challenge)[0])
        is_whole = isinstance(table.game.next(table.play), Over)
        if one is None or not one.host or one.host in table.devices or not is_whole:
            return
        heading, address = table.game.traits.heading, f"/challenge/{one.id}"
        self._notices.send(Notice(ANSWERED, one.host, _topic(one), "", _answered, heading, address))

    def seen(self, one: Challenge, device: str) -> None:
        """Somebody looks at a challenge."""
        if device and one.host == device:
            self._notices.withdraw(device, _topic(one))


def _topic(one: Challenge) -> str:
    return f"{ANSWERED}/{one.id}"


def _answered(said: Words) -> str:
    return said.say("Your challenge was answered")
