"""The pages of challenges: how one is made, what is to be played, and how all did."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from markupsafe import Markup

from kasta.edge.templates import render
from kasta.edge.visitor import Visitor
from kasta.features.challenge.comparison import Comparison, Comparisons
from kasta.features.challenge.service import MOST_DAYS, MOST_GAMES, USUAL_DAYS, Challenges, next_leg
from kasta.features.challenge.store import Challenge, Finished
from kasta.games import GAMES, find_game
from kasta.games.traits import AnyTraits
from kasta.i18n import LANGUAGES, Words, words as words_of
from kasta.live.groups import Group
from kasta.live.qr import qr_svg
from kasta.page.models import GameCard, game_card
from kasta.tables.state import Table

MOST_LISTED = 6  # on the home page
DAYS = (1, 2, 3, 7, MOST_DAYS)

State = Literal["new", "running", "broken", "done", "missed"]


@dataclass(frozen=True, slots=True)
class NewChallengePage:
    """challenge/new.html: what may be chosen."""

    games: tuple[GameCard, ...]
    chosen: str
    days: tuple[int, ...] = DAYS
    usual_days: int = USUAL_DAYS
    numbers: tuple[int, ...] = tuple(range(1, MOST_GAMES + 1, 2))
    name: str = ""
    table: str = ""  # of a game that is over, whose throws others shall play
    total: int = 0  # of the visitor in that game


@dataclass(frozen=True, slots=True)
class ChallengeLeg:
    """One of the games of a challenge, as far as the visitor has come with it."""

    number: int
    id: str  # by which its throws are worked out
    state: State
    table: str | None
    total: int | None


@dataclass(frozen=True, slots=True)
class ChallengePage:
    """challenge/page.html; `plays` is the number of the game that is next, `shown` of the one that is compared."""

    id: str
    game: GameCard
    name: str  # of whoever made it
    is_mine: bool
    is_open: bool
    ends: str  # the moment, as <time> takes it
    ends_said: str
    legs: tuple[ChallengeLeg, ...]
    plays: int | None
    begun: int
    commitment: str
    secret: str | None
    link: str
    qr: Markup
    message: str
    my_name: str
    preview: Preview
    comparison: Comparison | None
    known: int | None = None  # the total of whoever knows the throws from a game before
    knows: bool = False  # whether the visitor was there
    groups: tuple[Group, ...] = ()  # that it may be put to

    @property
    def is_over(self) -> bool:
        """Whether the secret is told, and the throws can be played for fun."""
        return self.secret is not None

    @property
    def is_begun(self) -> bool:
        return any(leg.state == "running" for leg in self.legs)


@dataclass(frozen=True, slots=True)
class Preview:
    """What is told of a challenge where its link is sent to somebody: in the sender's language."""

    title: str
    text: str
    picture: str


@dataclass(frozen=True, slots=True)
class ListedChallenge:
    """A challenge of the visitor's on the home page."""

    id: str
    game: GameCard
    name: str
    is_due: bool


@dataclass(frozen=True, slots=True)
class ChallengeHome:
    """challenge/home.html"""

    challenges: tuple[ListedChallenge, ...]


class ChallengePages:
    """Makes the pages."""

    def __init__(self, challenges: Challenges) -> None:
        self._challenges, self._comparisons = challenges, Comparisons(challenges)

    def new(self, game: str, words: Words) -> NewChallengePage:
        cards = tuple(game_card(traits, words) for traits in GAMES.working())
        known = {card.name for card in cards}
        return NewChallengePage(cards, game if game in known else cards[0].name)

    async def of_table(self, table: str, device: str, words: Words) -> NewChallengePage:
        """For the throws of a game that is over."""
        played, total, name = await self._challenges.player(table, device)
        card = game_card(played.game.traits, words)
        return NewChallengePage((card,), card.name, name=name, table=table, total=total)

    async def home_section(self, device: str | None, words: Words) -> Markup:
        """The visitor's challenges, and the way to a new one."""
        found = await self._challenges.book.of_device(device, MOST_LISTED) if device else []
        listed = await self.listed([one for one in found if one.told is None], device or "", words)
        return Markup(render(words, "challenge/home.html", ChallengeHome(listed)))  # noqa: S704 - rendered

    async def listed(self, several: Sequence[Challenge], device: str, words: Words) -> tuple[ListedChallenge, ...]:
        """What each is, and whether it waits for this device."""
        book = self._challenges.book
        done = await book.done_of(several, device)
        return tuple(
            [
                ListedChallenge(
                    one.id,
                    _card(one, words),
                    one.name,
                    is_due=len(done.get(one.id, {})) < one.games and not await book.knows(one, device),
                )
                for one in several
            ]
        )

    async def one(self, one: Challenge, visitor: Visitor, asked: Mapping[str, str]) -> ChallengePage:
        """A challenge as a visitor may see it."""
        device, words = visitor.known_device, visitor.words
        tables = await self._challenges.tables(one, device)
        book = self._challenges.book
        done, is_open, knows, begun = await gather(
            self._challenges.done(one, device, tables),
            self._challenges.is_open(one),
            book.knows(one, device),
            book.begun(one),
        )
        inviting = words_of(lang) if (lang := asked.get("in", "")) in LANGUAGES else words
        link = f"{visitor.origin}/challenge/{one.id}?in={words.language}"
        plays = None if knows else next_leg(one.legs, [*done], tables)
        return ChallengePage(
            id=one.id,
            game=_card(one, words),
            name=one.name,
            is_mine=one.host == device,
            is_open=is_open,
            ends=_moment(one.ends),
            ends_said=datetime.fromtimestamp(one.ends, UTC).strftime("%Y-%m-%d %H:%M UTC"),
            legs=tuple(_leg(one, number, done, tables, is_open=is_open) for number in one.legs),
            plays=plays if is_open or plays in tables else None,
            begun=begun[1],
            commitment=one.commitment,
            secret=one.told_secret,
            link=link,
            qr=qr_svg(link),
            message=f"{_invitation(one, words)} {link}",
            my_name=_name_of(tables, device) or (one.name if one.host == device else ""),
            preview=_preview(one, inviting),
            comparison=await self._comparisons.of(one, device, words, asked, done),
            known=one.known.total if one.known else None,
            knows=knows,
        )


def _card(one: Challenge, words: Words) -> GameCard:
    return game_card(_traits(one), words)


def _traits(one: Challenge) -> AnyTraits:
    return find_game(one.game, one.rules).traits


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _name_of(tables: Mapping[int, Table | None], device: str) -> str:
    """What the visitor is called in the games that are begun."""
    places = [table.places[seat] for table in tables.values() if table for seat in table.devices.get(device, ())]
    return places[-1].name if places else ""


def _leg(
    one: Challenge,
    number: int,
    done: Mapping[int, Finished],
    tables: Mapping[int, Table | None],
    *,
    is_open: bool,
) -> ChallengeLeg:
    table, finished = tables.get(number), done.get(number)
    state: State = "new" if is_open else "missed"
    if finished is not None:
        state = "done"
    elif number in tables:
        state = "broken" if table is None or table.is_closed else "running"
    total = finished.total if finished else None
    return ChallengeLeg(number, one.given(number).id, state, table.id if table else None, total)


def _invitation(one: Challenge, words: Words) -> str:
    heading = _traits(one).heading(words)
    if one.known is not None and one.name:
        total = one.known.total
        return words.say("{name} challenges you: {game}. Beat {total}!", name=one.name, game=heading, total=total)
    if one.name:
        return words.say("{name} challenges you: {game}, the same throws for all.", name=one.name, game=heading)
    return words.say("You are challenged: {game}, the same throws for all.", game=heading)


def _preview(one: Challenge, words: Words) -> Preview:
    text = words.say("Play when it suits you. You see how the others did when your own sheet is full.")
    return Preview(_invitation(one, words), text, f"/invitation/{one.game}.{words.language}.png")
