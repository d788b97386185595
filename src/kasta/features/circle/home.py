"""The circles of a device on the home page, with the tables to which it is invited there."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from kasta.edge.templates import render
from kasta.features.circle import views
from kasta.features.circle.service import Circles
from kasta.i18n import Words

MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class HomeCircle:
    """A circle, and its tables where one may sit down."""

    id: str
    name: str
    tables: tuple[views.RunningTable, ...]


@dataclass(frozen=True, slots=True)
class HomeCircles:
    """circle/home.html"""

    circles: tuple[HomeCircle, ...]
    has_more: bool


class CirclesAtHome:
    def __init__(self, circles: Circles) -> None:
        self._circles = circles

    async def home_section(self, device: str | None, words: Words) -> Markup:
        if not self._circles.settings.circles:
            return Markup()
        mine = await self._circles.mine(device)
        shown = [await self._shown(each.id, each.name, device or "", words) for each in mine[:MOST_SHOWN]]
        page = HomeCircles(tuple(shown), len(mine) > MOST_SHOWN)
        return Markup(render(words, "circle/home.html", page))  # noqa: S704 - rendered

    async def _shown(self, circle: str, name: str, device: str, words: Words) -> HomeCircle:
        tables = await self._circles.tables(circle, device)
        members = await self._circles.store.members(circle) if tables else {}
        open_ones = [each for each in tables if each.is_open and not each.is_mine]
        return HomeCircle(circle, name, views.running(open_ones, members, device, words))
