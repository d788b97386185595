"""What a feature says of itself, and the site that it joins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from litestar.handlers import HTTPRouteHandler
from markupsafe import Markup

from kasta.coach.process import Coach
from kasta.db.backup import BackupPart
from kasta.db.personal import PersonalData
from kasta.db.retention import Retention
from kasta.db.schema import bring_up_to_date
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.edge.middleware import NoTokens, TokenStore
from kasta.i18n import Words, add_texts
from kasta.live.channel import Channels
from kasta.live.groups import Groups
from kasta.live.joining import Joining
from kasta.live.notices import Notices
from kasta.live.signals import Signals
from kasta.live.viewer import Views
from kasta.messages import MESSAGES, Note
from kasta.page.navigation import Destination
from kasta.page.sections import BroughtSection
from kasta.results.collect import ResultCollector
from kasta.results.own import OwnBook
from kasta.results.reviews import Reviews
from kasta.results.store import PERSONAL, RESULTS, Results
from kasta.tables.events import Closed
from kasta.tables.log import Log
from kasta.tables.opening import DiceSources
from kasta.tables.service import Service

GROUP = "kasta.features"
DAY = 86_400.0
TIDY_SECONDS = 3_600.0

HomeSection = Callable[[str | None, Words], Awaitable[Markup]]
"""A part of the home page, for a device, if it is known, in its language."""


@dataclass(frozen=True, slots=True)
class TodayThing:
    """Something that is new every day, beside the throws; what has come of it is shown if it `is_done`."""

    title: str
    address: str
    is_done: bool


TodayEntry = Callable[[str | None, Words], Awaitable[TodayThing]]
"""Tells what is new today, for a device, if it is known, in its language."""


@dataclass(frozen=True, slots=True)
class GameLesson:
    """A way to learn a game: its title in English, an address in which {game} is a name, and for which games."""

    title: Note
    address: str
    games: Container[str] | None = None  # all


class Site:
    """All that one process serves. Features join in where they start."""

    def __init__(
        self,
        log: Log,
        config: Config,
        signer: Signer,
        features: Iterable[Feature] = (),
        *,
        auto_seconds: float = 3.0,
    ) -> None:
        self.log, self.config, self.signer = log, config, signer
        dice = self.dice = DiceSources()
        self.service = Service(
            log, auto_seconds=auto_seconds, bot_pace=config.bot_pace, published=dice.published, known=dice.known
        )
        self.coach = Coach()
        self.results, self.collector = Results(log.db), ResultCollector(log, self.dice.told_at)
        self.reviews = Reviews(log, self.service.record, self.coach)
        self.joining = Joining(log, self.service, signer, config)
        self.channels = Channels(Views(self.service, self.joining, OwnBook(self.results).past), config)
        self.signals = Signals(self.channels, self.service.node.signals)
        self.notices = Notices()
        self.groups = Groups(self.notices)
        self.tokens: TokenStore = NoTokens(signer)
        self.personal = personal_data(features)
        kept = config.retention_days * DAY
        self.retention = Retention(log, self.service.give_up, self.service.drop, kept, self.personal)
        self.home: list[HomeSection] = []
        self.today: list[TodayEntry] = []
        self.lessons: list[GameLesson] = []
        self.lesson_sections: list[HomeSection] = []  # on the page of what can be learned
        self.offline: list[str] = []  # names of files that pages need which are shown without a network
        self.for_later: list[str] = []  # addresses of lists of what else is kept for that, once there is time
        self.hourly: list[Callable[[], Awaitable[object]]] = [self._collect_missing]
        self.closing: list[Callable[[], Awaitable[object]]] = []
        self.service.on(Closed, self.collector.soon)
        self.given: dict[str, object] = {
            "service": self.service,
            "joining": self.joining,
            "channels": self.channels,
            "signals": self.signals,
            "signer": signer,
            "coach": self.coach,
            "results": self.results,
            "reviews": self.reviews,
            "dice": self.dice,
            "db": log.db,
            "personal": self.personal,
        }
        for feature in features:
            self.given |= feature.start(self)

    async def tidy(self, *, is_start: bool) -> None:
        """What is done every hour and at the start; nothing is forgotten then, and at one node only."""
        for work in self.hourly:
            await work()
        if not is_start and not await self.log.cluster.hit("tidy", 1, TIDY_SECONDS - 1):
            await self.retention.sweep()

    async def close(self) -> None:
        for close in (*self.closing, self.service.close, self.reviews.close, self.collector.close):
            await close()
        self.coach.close()

    async def _collect_missing(self) -> None:
        """Take up games that ended when a process died."""
        if not await self.log.cluster.hit("results", 1, TIDY_SECONDS / 2):
            await self.collector.collect_missing()


StaticFiles = Callable[[], Iterable[tuple[str, bytes]]]
"""Files that any web server can serve in any folder, by their paths: addresses between them are relative."""


def _nothing(_site: Site) -> Mapping[str, object]:
    return {}


def _no_files() -> Iterable[tuple[str, bytes]]:
    return ()


@dataclass(frozen=True)
class Feature:
    """What a feature brings. Templates, styles, scripts, schema and words are in its `folder`.

    `pages` are handlers for people, `api` those for programs, whose addresses begin with `/api`.
    `start` joins the site, and gives what handlers ask for by the names of their parameters. `settings` is a
    dataclass of what a host may set, `slow` are the paths of what takes long to make, `messages` are the sentences
    of errors by their codes. `brings` is a way in the navigation of every page, `place` the name of the
    one in which the feature's own pages are. `sections` are parts of every table's page, by their ids. `static`
    makes what of it needs no server (`kasta site`).
    """

    name: str
    folder: Path
    pages: Sequence[HTTPRouteHandler] = ()
    api: Sequence[HTTPRouteHandler] = ()
    start: Callable[[Site], Mapping[str, object]] = _nothing
    settings: type[Any] | None = None
    personal: Sequence[PersonalData] = ()
    backup: Sequence[BackupPart[Any]] = ()
    slow: Sequence[str] = ()
    messages: Mapping[str, str] = field(default_factory=dict)
    brings: Destination | None = None
    place: str = ""
    sections: Mapping[str, BroughtSection] = field(default_factory=dict)
    static: StaticFiles = _no_files


def features_of_others() -> tuple[Feature, ...]:
    """Those of installed packages that declare one in the group `kasta.features`."""
    found: list[Feature] = []
    for point in entry_points(group=GROUP):
        feature = point.load()
        if feature.name != point.name:
            raise ValueError(f"the entry point {point.name} leads to a feature that calls itself {feature.name}")
        if taken := feature.messages.keys() & MESSAGES.keys():
            raise ValueError(f"{point.name} has messages for codes that exist: {', '.join(sorted(taken))}")
        MESSAGES.update(feature.messages)
        add_texts(feature.folder / "i18n")
        found.append(feature)
    return tuple(found)


def personal_data(features: Iterable[Feature]) -> tuple[PersonalData, ...]:
    """All that is kept of a person."""
    return (PERSONAL, *(kind for feature in features for kind in feature.personal))


def backup_parts(features: Iterable[Feature]) -> tuple[BackupPart[Any], ...]:
    """All that is in a backup beside the tables."""
    return (RESULTS, *(part for feature in features for part in feature.backup))


async def prepare(log: Log, features: Iterable[Feature]) -> None:
    """Bring the tables of others' features up to date; ours are the store's own."""
    for feature in features:
        await bring_up_to_date(log.db, feature.name, feature.folder / "schema")
